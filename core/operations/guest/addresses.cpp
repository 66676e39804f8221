#include "operations/Families.h"
#include "operations/GuestAddresses.h"
#include "operations/Requests.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
/// Shows which addresses a guest has.
struct Addresses {
    GuestRef guest;
};

/// What the guest's own system says now; nullopt and the reason in `problem` if it says nothing.
QCoro::Task<Result<std::optional<QJsonArray>>> interfacesNow(GuestRef guest, OperationContext context, QString *problem)
{
    const bool isMachine = guest.kind == GuestKind::Qemu;
    const auto rest = isMachine ? QStringList{QStringLiteral("agent"), QStringLiteral("network-get-interfaces")}
                                : QStringList{QStringLiteral("interfaces")};
    auto request = guestRequest(Method::Get, guest, rest);
    auto answer = co_await get(context, guest.remote, std::move(request));
    if (!answer && answer.error().kind != Error::Kind::Rejected)
        co_return answer.error();
    const auto listed =
        asArray(isMachine && answer ? Result<QJsonValue>(answer->toObject()[QLatin1String("result")]) : answer);
    if (listed)
        co_return std::optional(*listed);
    *problem = !answer ? answer.error().message
                       : words(QT_TRANSLATE_NOOP("operation", "Nothing can be told while the guest does not run."));
    co_return std::optional<QJsonArray>();
}

QCoro::Task<Result<QJsonValue>> addresses(Addresses args, OperationContext context)
{
    const auto guest = args.guest;
    auto request = guestRequest(Method::Get, guest, {"config"});
    auto config = co_await getObject(context, guest.remote, std::move(request));
    if (!config)
        co_return config.error();
    QString problem;
    auto now = co_await interfacesNow(guest, context, &problem);
    if (!now)
        co_return now.error();
    QJsonObject all{{QStringLiteral("remote"), guest.remote},
                    {QStringLiteral("vmid"), guest.vmid.number()},
                    {QStringLiteral("configured"), GuestAddresses::configured(*config)}};
    if (*now)
        all.insert(QStringLiteral("interfaces"), GuestAddresses::present(**now));
    else
        all.insert(QStringLiteral("problem"), problem);
    co_return QJsonValue(all);
}

OperationPtr declareAddresses()
{
    return operation<Addresses>({
        .id = "guest.addresses",
        .title = {QT_TRANSLATE_NOOP("operation", "Show addresses")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Shows the addresses a guest has now, as its own system tells them, "
                                                   "and those it is configured to have.")},
        .effect = Effect::Reads,
        .target = &Addresses::guest,
        .params = {required(&Addresses::guest, "guest",
                            {QT_TRANSLATE_NOOP("operation", "Id or name: 101, web, pve1/web or homelab:101")})},
        .read = addresses,
    });
}
} // namespace

Operations guestAddresses()
{
    return list(declareAddresses());
}
