#include "simulator/api/ClusterFile.h"
#include "simulator/api/Routes.h"
#include "simulator/api/UserRows.h"

namespace
{
ApiAnswer listAll(Call &call)
{
    QJsonArray data;
    for (const auto &user : call.world.access.users) {
        if (user.factors.isEmpty() ||
            (user.id != call.who.full() && !UserRows::mayOn(call, user, {"User.Modify", "Sys.Audit"})))
            continue;
        QJsonObject row{{"userid", user.id}, {"entries", user.factors.rows()}};
        if (user.factors.isLocked)
            row.insert("totp-locked", true);
        data.append(row);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer listOfUser(Call &call)
{
    const auto *user = call.world.access.user(call.text("userid"));
    return ApiAnswer::ok(user ? user->factors.rows() : QJsonArray());
}

ApiAnswer noSuchEntry(const Call &call)
{
    auto answer = ApiAnswer::failed(QStringLiteral("No such tfa entry '%1'").arg(call.text("id")), 404);
    answer.message.chop(1);
    return answer;
}

ApiAnswer get(Call &call)
{
    auto *user = call.world.access.user(call.text("userid"));
    const auto *entry = user ? user->factors.find(call.text("id")) : nullptr;
    return entry ? ApiAnswer::ok(SecondFactors::row(*entry)) : noSuchEntry(call);
}

ApiAnswer addTotp(Call &call, SecondFactors &factors)
{
    const auto totp = Totp::fromUri(call.text("totp"));
    if (!totp)
        return ApiAnswer::failed("not a TOTP URI");
    if (!totp->step(call.text("value"), call.world.now()))
        return ApiAnswer::failed("failed to verify TOTP challenge");
    SecondFactors::Entry entry;
    entry.id = call.world.access.newSecret();
    entry.type = "totp";
    entry.description = call.text("description");
    entry.created = call.world.now();
    entry.totp = *totp;
    factors.entries.push_back(entry);
    return ApiAnswer::ok(QJsonObject{{"id", entry.id}});
}

ApiAnswer addRecovery(Call &call, SecondFactors &factors)
{
    if (factors.find("recovery"))
        return ApiAnswer::failed("user already has recovery keys");
    SecondFactors::Entry entry;
    entry.id = entry.type = "recovery";
    entry.created = call.world.now();
    for (int i = 0; i < 10; ++i)
        entry.codes.append(call.world.access.newSecret().mid(9, 19));
    factors.entries.push_back(entry);
    return ApiAnswer::ok(QJsonObject{{"id", entry.id}, {"recovery", QJsonArray::fromStringList(entry.codes)}});
}

ApiAnswer add(Call &call)
{
    if (auto refusal = UserRows::refusedWithoutPassword(call, call.text("userid"), "password"))
        return *refusal;
    if (auto refusal = ClusterFile(call, "file-priv_tfa_cfg").refusal())
        return *refusal;
    auto &factors = call.world.access.user(call.text("userid"))->factors;
    if (call.text("type") == "totp")
        return addTotp(call, factors);
    if (call.text("type") == "recovery")
        return addRecovery(call, factors);
    // Keys need a browser's part, which nobody plays here.
    return call.notAnswered();
}

ApiAnswer update(Call &call)
{
    if (auto refusal = UserRows::refusedWithoutPassword(call, call.text("userid"), "password"))
        return *refusal;
    auto *entry = call.world.access.user(call.text("userid"))->factors.find(call.text("id"));
    if (!entry)
        return noSuchEntry(call);
    if (call.has("description"))
        entry->description = call.text("description");
    entry->enabled = call.flag("enable", entry->enabled);
    return ApiAnswer::ok();
}

ApiAnswer remove(Call &call)
{
    if (auto refusal = UserRows::refusedWithoutPassword(call, call.text("userid"), "password"))
        return *refusal;
    if (auto refusal = ClusterFile(call, "file-priv_tfa_cfg").refusal())
        return *refusal;
    return call.world.access.user(call.text("userid"))->factors.remove(call.text("id")) ? ApiAnswer::ok()
                                                                                        : noSuchEntry(call);
}
} // namespace

void calls::addTfa(Routes &routes)
{
    routes.add("GET /access/tfa", listAll);
    routes.add("GET /access/tfa/{userid}", listOfUser);
    routes.add("POST /access/tfa/{userid}", add);
    routes.add("GET /access/tfa/{userid}/{id}", get);
    routes.add("PUT /access/tfa/{userid}/{id}", update);
    routes.add("DELETE /access/tfa/{userid}/{id}", remove);
}
