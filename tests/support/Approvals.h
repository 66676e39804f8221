#pragma once
#include "base/Clock.h"
#include "execution/Approver.h"

/// An operation with a name and nothing behind it, for what only shows operations.
class NamedOperation final : public Operation
{
public:
    NamedOperation(const char *name, const char *words, Effect harm)
    {
        id = QLatin1String(name);
        title = {words};
        summary = {words};
        effect = harm;
    }
    Result<Arguments> resolve(const Arguments &args, const Inventory &) const override { return args; }
    QJsonObject json(const Arguments &) const override { return {}; }
    Target target(const Arguments &) const override { return {}; }
    QCoro::Task<Result<QJsonValue>> read(Arguments, OperationContext) const override { co_return nothing(); }
    QCoro::Task<Result<Plan>> plan(Arguments, OperationContext) const override { co_return nothing(); }
    QCoro::Task<Result<Outcome>> perform(Arguments, OperationContext) const override { co_return nothing(); }
    std::optional<Call> inverse(const Arguments &, const Plan &) const override { return std::nullopt; }
    QString undoneEntry(const Arguments &) const override { return {}; }
    QString retriedEntry(const Arguments &) const override { return {}; }

private:
    static Error nothing() { return {Error::Kind::Internal, QStringLiteral("only a name")}; }
    std::shared_ptr<void> blank() const override { return std::make_shared<int>(); }
    Result<> readField(size_t, const QJsonValue &, void *) const override { return {}; }
};

/// Requests as the executor makes them.
namespace Approvals
{
inline Actor agent(const QString &id = QStringLiteral("claude-code"))
{
    return {.kind = Actor::Kind::Agent,
            .id = id,
            .name = QStringLiteral("Claude Code"),
            .session = QStringLiteral("7f3a"),
            .pid = 48121,
            .program = QStringLiteral("/usr/bin/node")};
}

inline Target guest(const QString &name = QStringLiteral("win11-test"), qint64 id = 120)
{
    GuestRef ref;
    ref.remote = QStringLiteral("homelab");
    ref.node = *NodeName::from(QStringLiteral("pve1"));
    ref.vmid = *Vmid::from(id);
    ref.name = name;
    return {ref.remote, ref.key(), ref.label(), ref};
}

/// Deletes win11-test 120; what is asked last in a lab.
inline ApprovalRequest deletion(const QString &callId = QStringLiteral("call-1"), const Actor &actor = agent())
{
    static const NamedOperation operation("guest.delete", "Delete guest", Effect::Destroys);
    auto plan = std::make_shared<Plan>();
    plan->intent = QStringLiteral("Delete guest win11-test 120");
    plan->losses = {QStringLiteral("It also destroys its 2 disks (96 GiB on local-zfs).")};
    plan->facts = {{QStringLiteral("State now"), QStringLiteral("stopped, since 21 days")},
                   {QStringLiteral("Last backup"), QStringLiteral("none found on any storage"), true},
                   {QStringLiteral("Snapshots"), QStringLiteral("1 (“fresh-install”)")},
                   {QStringLiteral("Refers to it"), QStringLiteral("nothing (no HA, no backup job, no replication)")}};
    plan->requests = {{Method::Delete,
                       {QStringLiteral("nodes"), QStringLiteral("pve1"), QStringLiteral("qemu"), QStringLiteral("120")},
                       {{QStringLiteral("purge"), QStringLiteral("1")}}}};
    plan->hash = "hash of the deletion";
    return {callId,     actor,
            &operation, {},
            guest(),    Effect::Destroys,
            plan,       QStringLiteral("VM unused for three weeks, freeing space on local-zfs"),
            {},         Clock::system().wallMs() - 125'000};
}

/// Changes the memory of jellyfin 104.
inline ApprovalRequest memory(const QString &callId = QStringLiteral("call-2"), const Actor &actor = agent())
{
    static const NamedOperation operation("guest.config.set", "Change configuration", Effect::Changes);
    auto plan = std::make_shared<Plan>();
    plan->intent = QStringLiteral("Change memory 4096 → 6144 MiB");
    plan->changes = {{QStringLiteral("memory"), 4096, 6144}, {QStringLiteral("swap"), 512, 512}};
    plan->facts = {{QStringLiteral("State now"), QStringLiteral("running, 18 days")}};
    plan->requests = {{Method::Put,
                       {QStringLiteral("nodes"), QStringLiteral("pve1"), QStringLiteral("lxc"), QStringLiteral("104"),
                        QStringLiteral("config")},
                       {{QStringLiteral("memory"), QStringLiteral("6144")}}}};
    plan->undo = Undo::Exact;
    plan->undoText = QStringLiteral("Sets memory back to 4096 MiB.");
    plan->hash = "hash of the memory change";
    auto target = guest(QStringLiteral("jellyfin"), 104);
    target.guest->kind = GuestKind::Lxc;
    return {callId, actor, &operation, {}, target, Effect::Changes, plan, {}, {}, Clock::system().wallMs()};
}
}
