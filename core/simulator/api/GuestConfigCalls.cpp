#include "simulator/api/ConfigChange.h"
#include "simulator/api/ConfigValues.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/Routes.h"
#include <QJsonArray>

using namespace std::chrono_literals;

namespace
{
/// What is shown instead of a password.
const auto hidden = QStringLiteral("**********");

ApiAnswer get(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    auto config = guest->config;
    if (call.has("snapshot")) {
        const auto *snapshot = guest->snapshot(call.text("snapshot"));
        if (!snapshot)
            return ApiAnswer::failed(QStringLiteral("snapshot '%1' does not exist").arg(call.text("snapshot")));
        config = snapshot->config;
    } else if (!call.flag("current")) {
        for (const auto &key : guest->pendingDeletes)
            config.remove(key);
        for (auto it = guest->pending.begin(); it != guest->pending.end(); ++it)
            config[it.key()] = it.value();
    }
    if (config.contains(QStringLiteral("cipassword")))
        config[QStringLiteral("cipassword")] = hidden;
    auto data = ConfigValues(call.table, guest->kind).object(config);
    data.insert(QLatin1String("digest"), guest->digest());
    return ApiAnswer::ok(data);
}

ApiAnswer pending(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const ConfigValues values(call.table, guest->kind);
    QJsonArray data;
    auto config = guest->config;
    if (config.contains(QStringLiteral("cipassword")))
        config[QStringLiteral("cipassword")] = hidden;
    for (auto it = config.begin(); it != config.end(); ++it) {
        QJsonObject row{{QLatin1String("key"), it.key()}, {QLatin1String("value"), values.value(it.key(), it.value())}};
        if (guest->pending.contains(it.key()))
            row.insert(QLatin1String("pending"), values.value(it.key(), guest->pending.value(it.key())));
        if (guest->pendingDeletes.contains(it.key()))
            row.insert(QLatin1String("delete"), 1);
        data.append(row);
    }
    for (auto it = guest->pending.begin(); it != guest->pending.end(); ++it)
        if (!guest->config.contains(it.key()))
            data.append(QJsonObject{{QLatin1String("key"), it.key()},
                                    {QLatin1String("pending"), values.value(it.key(), it.value())}});
    data.append(
        QJsonObject{{QLatin1String("key"), QLatin1String("digest")}, {QLatin1String("value"), guest->digest()}});
    return ApiAnswer::ok(data);
}

ApiAnswer set(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    ConfigChange change(call, *guest);
    if (auto refusal = change.refusal())
        return *refusal;
    change.apply();
    return ApiAnswer::ok();
}

ApiAnswer setInBackground(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    ConfigChange change(call, *guest);
    if (auto refusal = change.refusal())
        return *refusal;
    auto plan = GuestTasks::plan(call, *guest, "qmconfig", "qmconfig", 600ms);
    // PVE looks at the digest and the lock again in the worker; here nothing can come between.
    change.apply();
    return GuestTasks::run(call, plan);
}
} // namespace

void calls::addGuestConfig(Routes &routes)
{
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}/config", get);
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}/pending", pending);
    routes.addForGuests("PUT /nodes/{node}/{kind}/{vmid}/config", set);
    routes.add("POST /nodes/{node}/qemu/{vmid}/config", setInBackground);
}
