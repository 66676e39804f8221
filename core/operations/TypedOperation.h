#pragma once
#include "operations/References.h"
#include "operations/Requests.h"

/// Which argument a call aims at: a member of any type that References.h can resolve.
template <class Args>
struct TargetField {
    TargetField() = default;
    template <class Ref>
    TargetField(Ref Args::*member)
        : resolve([member](Args &args, const Inventory &inventory) {
              return References::resolve(args.*member, inventory);
          }),
          target([member](const Args &args) { return References::target(args.*member); })
    {
    }
    std::function<Result<>(Args &, const Inventory &)> resolve = {};
    std::function<Target(const Args &)> target = {};
};

/// How one operation over Args is written down. A read gives `read`; a change gives `plan`, and `perform` only if
/// sending the plan's requests in order is not all there is to do.
template <class Args>
struct Declaration {
    const char *id;
    Text title;
    Text summary;
    Effect effect;
    bool isSensitive = false;
    bool isForPeople = false;
    bool waitsOnly = false;
    QStringList taskTypes = {};
    Undo undo = Undo::None;
    TargetField<Args> target = {};
    std::vector<Field<Args>> params = {};
    QCoro::Task<Result<QJsonValue>> (*read)(Args, OperationContext) = nullptr;
    QCoro::Task<Result<Plan>> (*plan)(Args, OperationContext) = nullptr;
    QCoro::Task<Result<Outcome>> (*perform)(Args, OperationContext) = nullptr;
    std::optional<Call> (*inverse)(const Args &, const Plan &) = nullptr;
    QString Args::*undoneEntry = nullptr;
    QString Args::*retriedEntry = nullptr;
};

/// An Operation over one argument struct.
template <class Args>
class TypedOperation final : public Operation
{
public:
    explicit TypedOperation(Declaration<Args> declared) : m(std::move(declared))
    {
        id = QString::fromLatin1(m.id);
        title = m.title;
        summary = m.summary;
        effect = m.effect;
        undo = m.undo;
        isSensitive = m.isSensitive;
        isForPeople = m.isForPeople;
        waitsOnly = m.waitsOnly;
        taskTypes = m.taskTypes;
        for (const auto &field : m.params)
            parameters.push_back(field.about);
    }
    Result<Arguments> resolve(const Arguments &args, const Inventory &inventory) const override
    {
        auto copy = std::make_shared<Args>(typed(args));
        if (m.target.resolve)
            if (const auto resolved = m.target.resolve(*copy, inventory); !resolved)
                return resolved.error();
        return Arguments(std::move(copy));
    }
    QJsonObject json(const Arguments &args) const override
    {
        QJsonObject all;
        for (const auto &field : m.params)
            if (const auto value = field.json(typed(args)); !value.isUndefined())
                all.insert(QLatin1String(field.about.name), value);
        return all;
    }
    Target target(const Arguments &args) const override
    {
        return m.target.target ? m.target.target(typed(args)) : Target();
    }
    QCoro::Task<Result<QJsonValue>> read(Arguments args, OperationContext context) const override
    {
        return m.read(typed(args), std::move(context));
    }
    QCoro::Task<Result<Plan>> plan(Arguments args, OperationContext context) const override
    {
        return m.plan(typed(args), std::move(context));
    }
    QCoro::Task<Result<Outcome>> perform(Arguments args, OperationContext context) const override
    {
        if (m.perform)
            return m.perform(typed(args), std::move(context));
        return sendPlan(target(args).remote, std::move(context), !taskTypes.isEmpty());
    }
    std::optional<Call> inverse(const Arguments &args, const Plan &plan) const override
    {
        return m.inverse ? m.inverse(typed(args), plan) : std::nullopt;
    }
    QString undoneEntry(const Arguments &args) const override
    {
        return m.undoneEntry ? typed(args).*m.undoneEntry : QString();
    }
    QString retriedEntry(const Arguments &args) const override
    {
        return m.retriedEntry ? typed(args).*m.retriedEntry : QString();
    }

private:
    static const Args &typed(const Arguments &args) { return *static_cast<const Args *>(args.get()); }
    std::shared_ptr<void> blank() const override { return std::make_shared<Args>(); }
    Result<> readField(size_t index, const QJsonValue &json, void *args) const override
    {
        return m.params[index].read(json, *static_cast<Args *>(args));
    }
    Declaration<Args> m;
};

template <class Args>
OperationPtr operation(Declaration<Args> declared)
{
    return std::make_unique<TypedOperation<Args>>(std::move(declared));
}
