#include "operations/Families.h"
#include "operations/Guests.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
const Text guestHelp{QT_TRANSLATE_NOOP("operation", "Id or name: 101, web, pve1/web or homelab:101")};

Plan powerPlan(const GuestNow &now, const char *after)
{
    Plan plan;
    plan.changes.push_back({QStringLiteral("status"), now.power, QLatin1String(after)});
    plan.facts.push_back(stateFact(now));
    plan.before = {{QStringLiteral("status"), now.power},
                   {QStringLiteral("lock"), now.lock},
                   {QStringLiteral("ha"), now.isHaManaged}};
    if (now.isHaManaged)
        plan.facts.push_back(
            {words(QT_TRANSLATE_NOOP("operation", "High availability")),
             words(QT_TRANSLATE_NOOP("operation", "managed; Proxmox VE passes the request to the HA manager"))});
    return plan;
}

Plan already(const GuestRef &guest, const GuestNow &now)
{
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "%1 is %2 already.")).arg(guest.label(), now.power);
    return plan;
}

std::optional<Call> callFor(const char *operation, const GuestRef &guest)
{
    return Call{QLatin1String(operation), arguments({{QStringLiteral("guest"), guest.key()}})};
}

/// The task of a guest under high availability only passes the wish on; the HA manager acts later, by itself.
QCoro::Task<Result<Outcome>> waitForHa(GuestRef guest, QString wanted, Outcome outcome, OperationContext context)
{
    constexpr int longest = 120; // seconds; the manager works in rounds of ten
    for (int waited = 0; waited < longest; ++waited) {
        auto request = guestRequest(Method::Get, guest, {"status", "current"});
        auto status = co_await get(context, guest.remote, std::move(request));
        if (status && status->toObject()[QStringLiteral("status")].toString() == wanted)
            co_return outcome;
        auto paused = co_await pause(std::chrono::seconds(1), context.stop);
        if (!paused)
            co_return paused.error();
    }
    outcome.warnings << words(QT_TRANSLATE_NOOP(
        "operation", "The HA manager was asked, and has not done it within two minutes. It may still do it."));
    co_return outcome;
}

QCoro::Task<Result<Outcome>> performPower(GuestRef guest, OperationContext context)
{
    auto sent = co_await sendPlan(guest.remote, context, true);
    if (!sent || !context.plan->before[QStringLiteral("ha")].toBool())
        co_return sent;
    const auto wanted = context.plan->changes.front().after.toString();
    auto waited = co_await waitForHa(guest, wanted, *sent, context);
    co_return waited;
}

template <class Args>
QCoro::Task<Result<Outcome>> perform(Args args, OperationContext context)
{
    return performPower(args.guest, std::move(context));
}

/// Starts a guest.
struct GuestStart {
    GuestRef guest;
};

QCoro::Task<Result<Plan>> planStart(GuestStart args, OperationContext context)
{
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    if (auto may = mayChange(args.guest, *now); !may)
        co_return may.error();
    if (now->power != QLatin1String("stopped"))
        co_return already(args.guest, *now);
    auto plan = powerPlan(*now, "running");
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Start %1")).arg(args.guest.label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Started guest"));
    plan.requests.push_back(guestRequest(Method::Post, args.guest, {"status", "start"}));
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Shuts the guest down again."));
    co_return plan;
}

/// Asks the guest's operating system to shut down.
struct GuestShutdown {
    GuestRef guest;
    std::optional<qint64> timeout;
    bool forceStop = false;
};

QCoro::Task<Result<Plan>> planShutdown(GuestShutdown args, OperationContext context)
{
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    if (auto may = mayChange(args.guest, *now); !may)
        co_return may.error();
    if (now->power == QLatin1String("stopped"))
        co_return already(args.guest, *now);
    auto plan = powerPlan(*now, "stopped");
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Shut down %1")).arg(args.guest.label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Shut down guest"));
    auto request = guestRequest(Method::Post, args.guest, {"status", "shutdown"});
    if (args.timeout)
        request.add("timeout", QString::number(*args.timeout));
    if (args.forceStop)
        request.add("forceStop", "1");
    plan.requests.push_back(std::move(request));
    plan.undo = Undo::Exact;
    plan.undoText =
        words(QT_TRANSLATE_NOOP("operation", "Starts the guest again. What ran inside is not brought back."));
    co_return plan;
}

/// Cuts the guest's power.
struct GuestStop {
    GuestRef guest;
};

QCoro::Task<Result<Plan>> planStop(GuestStop args, OperationContext context)
{
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    if (auto may = mayChange(args.guest, *now); !may)
        co_return may.error();
    if (now->power == QLatin1String("stopped"))
        co_return already(args.guest, *now);
    auto plan = powerPlan(*now, "stopped");
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Stop %1 at once")).arg(args.guest.label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Stopped guest"));
    plan.losses << words(QT_TRANSLATE_NOOP("operation", "what the guest has not written to its disks yet"));
    plan.requests.push_back(guestRequest(Method::Post, args.guest, {"status", "stop"}));
    plan.undo = Undo::Exact;
    plan.undoText =
        words(QT_TRANSLATE_NOOP("operation", "Starts the guest again. What ran inside is not brought back."));
    co_return plan;
}

OperationPtr declareGuestStart()
{
    return operation<GuestStart>({
        .id = "guest.start",
        .title = {QT_TRANSLATE_NOOP("operation", "Start guest")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Starts a stopped guest.")},
        .effect = Effect::Changes,
        .taskTypes = {"qmstart", "vzstart", "hastart"},
        .undo = Undo::Exact,
        .target = &GuestStart::guest,
        .params = {required(&GuestStart::guest, "guest", guestHelp)},
        .plan = planStart,
        .perform = perform<GuestStart>,
        .inverse = [](const GuestStart &args, const Plan &) { return callFor("guest.shutdown", args.guest); },
    });
}

OperationPtr declareGuestShutdown()
{
    return operation<GuestShutdown>({
        .id = "guest.shutdown",
        .title = {QT_TRANSLATE_NOOP("operation", "Shut down guest")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Asks the guest's system to shut down and waits for it.")},
        .effect = Effect::Disrupts,
        .taskTypes = {"qmshutdown", "vzshutdown", "hastop"},
        .undo = Undo::Exact,
        .target = &GuestShutdown::guest,
        .params = {required(&GuestShutdown::guest, "guest", guestHelp),
                   optional(&GuestShutdown::timeout, "timeout",
                            {QT_TRANSLATE_NOOP("operation", "Seconds to wait for the guest")}, {range(0, 86400)}),
                   optional(&GuestShutdown::forceStop, "force_stop",
                            {QT_TRANSLATE_NOOP("operation", "Cut its power if it does not shut down in time")})},
        .plan = planShutdown,
        .perform = perform<GuestShutdown>,
        .inverse = [](const GuestShutdown &args, const Plan &) { return callFor("guest.start", args.guest); },
    });
}

OperationPtr declareGuestStop()
{
    return operation<GuestStop>({
        .id = "guest.stop",
        .title = {QT_TRANSLATE_NOOP("operation", "Stop guest")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Cuts the guest's power at once, like pulling the plug. Prefer to shut it down.")},
        .effect = Effect::Disrupts,
        .taskTypes = {"qmstop", "vzstop", "hastop"},
        .undo = Undo::Exact,
        .target = &GuestStop::guest,
        .params = {required(&GuestStop::guest, "guest", guestHelp)},
        .plan = planStop,
        .perform = perform<GuestStop>,
        .inverse = [](const GuestStop &args, const Plan &) { return callFor("guest.start", args.guest); },
    });
}
} // namespace

Operations guestPower()
{
    return list(declareGuestStart(), declareGuestShutdown(), declareGuestStop());
}
