#pragma once
#include "operations/Catalogue.h"
#include "operations/TypedOperation.h"
#include <QJsonArray>
#include <vector>

/// A lamp that a test's operations look at and change, with every step in the test's hand.
struct Lamp {
    qint64 brightness = 1;
    int looks = 0, sets = 0;
    bool holds = false; ///< reads and changes wait in `held`
    std::vector<Promise<void>> held;
    std::function<void(const Progress &)> report;
    void release()
    {
        holds = false;
        auto all = std::move(held);
        held.clear();
        for (auto &one : all)
            one.finish({});
    }
    QCoro::Task<Result<void>> wait(std::stop_token stop)
    {
        if (!holds)
            co_return Result<void>();
        auto future = held.emplace_back().future();
        auto waited = co_await std::move(future).until(stop);
        co_return waited;
    }
    static Lamp *now; ///< of the test that runs
};
inline Lamp *Lamp::now = nullptr;

namespace lamp
{
/// Arguments of looking.
struct Look {
    std::optional<QString> note;
};
inline QCoro::Task<Result<QJsonValue>> look(Look args, OperationContext context)
{
    ++Lamp::now->looks;
    Lamp::now->report = context.report;
    auto waited = co_await Lamp::now->wait(context.stop);
    if (!waited)
        co_return waited.error();
    QJsonObject answer{{QStringLiteral("brightness"), Lamp::now->brightness}};
    if (args.note)
        answer.insert(QStringLiteral("note"), *args.note);
    co_return QJsonValue(answer);
}
inline QCoro::Task<Result<QJsonValue>> names(Look, OperationContext)
{
    co_return QJsonValue(QJsonArray{QStringLiteral("a"), QStringLiteral("b")});
}

/// Arguments of setting.
struct Set {
    qint64 brightness = 0;
};
inline QCoro::Task<Result<Plan>> plan(Set args, OperationContext)
{
    Plan made;
    made.intent = QStringLiteral("Set the lamp to %1").arg(args.brightness);
    made.done = QStringLiteral("Set the lamp to %1").arg(args.brightness);
    made.before = {{QStringLiteral("brightness"), Lamp::now->brightness}};
    made.changes.push_back({QStringLiteral("brightness"), Lamp::now->brightness, args.brightness});
    made.requests.push_back({.method = Method::Put, .segments = {QStringLiteral("lamp")}});
    made.undo = Undo::Exact;
    made.undoText = QStringLiteral("Sets it back.");
    co_return made;
}
inline QCoro::Task<Result<Outcome>> set(Set args, OperationContext context)
{
    ++Lamp::now->sets;
    Lamp::now->report = context.report;
    auto waited = co_await Lamp::now->wait(context.stop);
    if (!waited)
        co_return waited.error();
    Lamp::now->brightness = args.brightness;
    co_return Outcome{};
}
inline std::optional<Call> setBack(const Set &, const Plan &plan)
{
    Call call;
    call.operation = QStringLiteral("lamp.set");
    call.arguments = "{\"brightness\":" + QByteArray::number(plan.changes[0].before.toInteger()) + '}';
    return call;
}

inline Operations operations()
{
    Operations all;
    all.push_back(operation<Look>({.id = "lamp.look",
                                   .title = {"Look at the lamp"},
                                   .summary = {"Tells how bright the lamp is."},
                                   .effect = Effect::Reads,
                                   .params = {optional(&Look::note, "note", {"Comes back as it is"})},
                                   .read = look}));
    all.push_back(operation<Look>({.id = "lamp.names",
                                   .title = {"List lamps"},
                                   .summary = {"Lists the lamps."},
                                   .effect = Effect::Reads,
                                   .read = names}));
    const auto change = [](const char *id, Effect effect, Undo undo) {
        return operation<Set>({.id = id,
                               .title = {"Set the lamp"},
                               .summary = {"Makes the lamp as bright as wanted."},
                               .effect = effect,
                               .undo = undo,
                               .params = {required(&Set::brightness, "brightness", {"Percent"}, {range(0, 100)})},
                               .plan = plan,
                               .perform = set,
                               .inverse = setBack});
    };
    all.push_back(change("lamp.set", Effect::Changes, Undo::Exact));
    all.push_back(change("lamp.smash", Effect::Destroys, Undo::None));
    return all;
}
} // namespace lamp
