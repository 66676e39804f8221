#include "operations/Pools.h"
#include "base/DisplayText.h"
#include "inventory/Inventory.h"
#include "model/PveValue.h"
#include "operations/Words.h"

ApiRequest poolRequest(Method method, const QString &pool)
{
    return {method, {QStringLiteral("pools")}, {{QStringLiteral("poolid"), pool}}};
}

QCoro::Task<Result<PoolNow>> readPool(OperationContext context, PoolRef pool)
{
    auto request = poolRequest(Method::Get, pool.pool);
    auto answer = co_await getArray(context, pool.remote, std::move(request));
    if (!answer)
        co_return answer.error();
    const auto unknown =
        Error{Error::Kind::NotFound,
              words(QT_TRANSLATE_NOOP("operation", "There is no pool called %1, or this sign-in may not "
                                                   "see it (Pool.Audit)."))
                  .arg(DisplayText::visible(pool.pool))};
    if (answer->isEmpty())
        co_return unknown;
    PoolNow now;
    now.pool = answer->first().toObject();
    for (const auto &entry : now.pool.value(QLatin1String("members")).toArray()) {
        const auto member = entry.toObject();
        const bool isStorage = member[QLatin1String("type")].toString() == QLatin1String("storage");
        auto &names = isStorage ? now.storages : now.guests;
        const auto name = PveValue::text(member, isStorage ? "storage" : "vmid").value_or(QString());
        if (!name.isEmpty() && !names.contains(name))
            names << name;
    }
    now.guests.sort();
    now.storages.sort();
    co_return now;
}

QCoro::Task<Result<std::optional<PoolNow>>> findPool(OperationContext context, PoolRef pool)
{
    auto now = co_await readPool(context, pool);
    if (now)
        co_return std::optional(*now);
    const auto &error = now.error();
    if (error.kind == Error::Kind::NotFound || error.message.contains(QLatin1String("does not exist")))
        co_return std::optional<PoolNow>();
    co_return error;
}

Result<QStringList> vmids(const QStringList &asked, const QString &remote, const OperationContext &context)
{
    QStringList ids;
    for (const auto &name : asked) {
        const auto guest = context.services->inventory.resolveGuest(name);
        if (!guest)
            return guest.error();
        if (guest->remote != remote)
            return Error{Error::Kind::Invalid,
                         words(QT_TRANSLATE_NOOP("operation", "%1 is on another connection than the pool."))
                             .arg(guest->label())};
        if (!ids.contains(guest->vmid.text()))
            ids << guest->vmid.text();
    }
    return ids;
}

Result<> areFree(const QStringList &ids, const PoolRef &pool, const OperationContext &context)
{
    const auto state = context.services->inventory.snapshot(pool.remote);
    for (const auto &id : ids)
        if (const auto vmid = Vmid::from(id); state && vmid)
            if (const auto *guest = state->guest(*vmid); guest && !guest->pool.isEmpty() && guest->pool != pool.pool)
                return Error{
                    Error::Kind::Conflict,
                    words(QT_TRANSLATE_NOOP("operation", "%1 is in the pool %2 already. Take it out there first."))
                        .arg(state->ref(*guest).label(), DisplayText::visible(guest->pool))};
    return {};
}

QString memberKey(bool isStorage, const QString &name)
{
    return (isStorage ? QStringLiteral("storage ") : QStringLiteral("guest ")) + name;
}

ApiRequest memberRequest(const QString &pool, const QStringList &guests, const QStringList &storages, bool isRemoval)
{
    auto request = poolRequest(Method::Put, pool);
    if (!guests.isEmpty())
        request.add("vms", guests.join(u','));
    if (!storages.isEmpty())
        request.add("storage", storages.join(u','));
    if (isRemoval)
        request.add("delete", "1");
    return request;
}

Limit poolName()
{
    return matching("([^:]+:)?[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+){0,2}");
}
