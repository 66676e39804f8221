#include "simulator/api/ClusterFile.h"
#include "simulator/api/Routes.h"
#include <QJsonArray>

namespace
{
/// What a realm of a type must say.
const QMap<QString, QStringList> required{{"ad", {"domain", "server1"}},
                                          {"ldap", {"base_dn", "server1", "user_attr"}},
                                          {"openid", {"client-id", "issuer-url"}}};

QJsonArray files(const Access &access)
{
    QJsonArray all;
    for (const auto &realm : access.realms)
        if (realm.type != "pam" && realm.type != "pve")
            all.append(QJsonObject{{realm.name, realm.options}});
    return all;
}

ApiAnswer list(Call &call)
{
    QJsonArray data;
    for (const auto &realm : call.world.access.realms) {
        QJsonObject row{{"realm", realm.name}, {"type", realm.type}};
        if (const auto comment = realm.options["comment"]; comment.isString())
            row.insert("comment", comment);
        if (realm.options["default"].toInt() == 1)
            row.insert("default", 1);
        data.append(row);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer get(Call &call)
{
    const auto *realm = call.world.access.realm(call.text("realm"));
    if (!realm)
        return ApiAnswer::failed(QStringLiteral("domain '%1' does not exist").arg(call.text("realm")));
    auto data = realm->options;
    data.insert("type", realm->type);
    data.insert("digest", ClusterFile::digest(files(call.world.access)));
    return ApiAnswer::ok(data);
}

/// Takes over what was given; secrets are kept elsewhere and never shown.
void takeOver(const Call &call, QJsonObject &options)
{
    static const QStringList apart{"realm", "type", "password", "digest", "delete", "check-connection"};
    for (const auto &name : call.given.names()) {
        if (apart.contains(name))
            continue;
        options.insert(name, call.typed(name));
    }
}

void beTheOnlyDefault(Access &access, const QString &name)
{
    for (auto &realm : access.realms)
        if (realm.name != name)
            realm.options.remove("default");
}

ApiAnswer create(Call &call)
{
    const ClusterFile file(call, "file-domains_cfg", "add auth server failed");
    if (auto refusal = file.refusal())
        return *refusal;
    auto &access = call.world.access;
    AccessRealm realm{call.text("realm"), call.text("type"), {}};
    if (access.realm(realm.name))
        return file.failed(QStringLiteral("domain '%1' already exists").arg(realm.name));
    if (!required.contains(realm.type))
        return file.failed(QStringLiteral("unable to create builtin type '%1'").arg(realm.type));
    for (const auto &option : required[realm.type])
        if (!call.given.has(option))
            return file.failed(QStringLiteral("missing value for required option '%1'").arg(option));
    takeOver(call, realm.options);
    access.realms.push_back(realm);
    if (call.flag("default"))
        beTheOnlyDefault(access, realm.name);
    return ApiAnswer::ok();
}

ApiAnswer update(Call &call)
{
    const ClusterFile file(call, "file-domains_cfg", "update auth server failed");
    if (auto refusal = file.refusal())
        return *refusal;
    auto &access = call.world.access;
    if (call.has("digest") && call.text("digest") != ClusterFile::digest(files(access)))
        return file.failed("detected modified configuration - file changed by other user? Try again.");
    auto *realm = access.realm(call.text("realm"));
    if (!realm)
        return file.failed(QStringLiteral("domain '%1' does not exist").arg(call.text("realm")));
    for (const auto &option : call.given.list("delete"))
        realm->options.remove(option);
    takeOver(call, realm->options);
    if (call.flag("default"))
        beTheOnlyDefault(access, realm->name);
    return ApiAnswer::ok();
}

ApiAnswer remove(Call &call)
{
    const ClusterFile file(call, "file-domains_cfg", "delete auth server failed");
    if (auto refusal = file.refusal())
        return *refusal;
    auto &realms = call.world.access.realms;
    const auto name = call.text("realm");
    const auto found =
        std::find_if(realms.begin(), realms.end(), [&](const auto &realm) { return realm.name == name; });
    if (found == realms.end())
        return file.failed(QStringLiteral("authentication domain '%1' does not exist").arg(name));
    realms.erase(found);
    return ApiAnswer::ok();
}

/// A redirection needs the provider's own description of itself, and here is no provider to ask.
ApiAnswer openIdAddress(Call &call)
{
    const auto name = call.text("realm");
    const auto *realm = call.world.access.realm(name);
    if (!realm)
        return ApiAnswer::failed(QStringLiteral("authentication domain '%1' does not exist").arg(name));
    if (realm->type != "openid")
        return ApiAnswer::failed(QStringLiteral("wrong realm type (%1 != openid)").arg(realm->type));
    return call.notAnswered();
}
} // namespace

void calls::addRealms(Routes &routes)
{
    routes.add("GET /access/domains", list);
    routes.add("POST /access/domains", create);
    routes.add("GET /access/domains/{realm}", get);
    routes.add("PUT /access/domains/{realm}", update);
    routes.add("DELETE /access/domains/{realm}", remove);
    routes.add("POST /access/openid/auth-url", openIdAddress);
}
