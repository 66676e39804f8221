#include "remotes/import/Predecessors.h"
#include "base/DisplayText.h"
#include "remotes/Address.h"
#include <QCoreApplication>
#include <QJsonArray>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(Predecessors)
};

/// One connection as it stands in some file, before it is judged.
struct Entry {
    QString name, address, user;
    Remote::SignIn signIn = Remote::SignIn::Token;
    Secret secret;
    bool verifies = true;
    QStringList notes;
};

QString textIn(const QJsonObject &json, const char *key)
{
    return json.value(QLatin1String(key)).toVariant().toString().trimmed();
}

/// "host" and "port" as one address; a host that has a port or is a whole URL stays as it is.
QString joined(const QString &host, const QString &port)
{
    if (port.isEmpty() || host.contains(QLatin1String("://")))
        return host;
    const auto address = Address::from(host);
    const bool hasPort = host.contains(QLatin1String("]:")) || host.count(u':') == 1;
    return !address || hasPort ? host : address->urlHost() + u':' + port;
}

/// Everything but an explicit yes is a no for the program that wrote it; for us a no is a note.
bool isYes(const QString &text)
{
    static const QStringList yes{QStringLiteral("1"), QStringLiteral("true"), QStringLiteral("yes"),
                                 QStringLiteral("y"), QStringLiteral("on")};
    return yes.contains(text.trimmed().toLower());
}

void put(Entry entry, Import &into)
{
    if (entry.address.isEmpty() || entry.user.isEmpty()) {
        into.refused.push_back({entry.name, entry.address.isEmpty() ? Text::tr("Its address is missing.")
                                                                    : Text::tr("Its user or token is missing.")});
        return;
    }
    if (!entry.verifies)
        entry.notes << Text::tr(
            "It did not check the server's certificate; Labhelm shows it to you once and remembers it.");
    if (entry.secret.isEmpty())
        entry.notes << Text::tr("Its secret is not in the file; type it under Change.");
    Import::Found found;
    found.remote.name = entry.name;
    found.remote.addresses = QStringList{entry.address};
    found.remote.signIn = entry.signIn;
    found.remote.user = entry.user;
    found.secret = entry.secret;
    found.notes = entry.notes;
    into.found.push_back(std::move(found));
}

Import of(const char *program)
{
    Import made;
    made.program = QString::fromLatin1(program);
    return made;
}

QString tokenId(const QString &user, const QString &name)
{
    if (user.isEmpty() || name.isEmpty())
        return {};
    return name.contains(u'!') ? name : user + u'!' + name;
}
}

Import Predecessors::plusJson(const QJsonObject &json)
{
    auto made = of("ProxmoxMCP-Plus");
    const auto server = json.value(QLatin1String("proxmox")).toObject();
    const auto auth = json.value(QLatin1String("auth")).toObject();
    Entry entry;
    entry.name = textIn(server, "host");
    entry.address = joined(textIn(server, "host"), textIn(server, "port"));
    entry.user = tokenId(textIn(auth, "user"), textIn(auth, "token_name"));
    entry.secret = Secret(textIn(auth, "token_value").toUtf8());
    entry.verifies = server.value(QLatin1String("verify_ssl")).toBool(true);
    if (json.value(QLatin1String("api_tunnel")).toObject().value(QLatin1String("enabled")).toBool())
        entry.notes << Text::tr("It was reached through an SSH tunnel, which Labhelm does not build.");
    const auto service = textIn(server, "service");
    if (!service.isEmpty() && service.compare(QLatin1String("PVE"), Qt::CaseInsensitive) != 0)
        made.refused.push_back(
            {entry.name, Text::tr("It is a %1, not a Proxmox VE.").arg(DisplayText::visible(service))});
    else
        put(std::move(entry), made);
    return made;
}

Import Predecessors::plusEnvironment(const QMap<QString, QString> &env)
{
    auto made = of("ProxmoxMCP-Plus");
    const auto value = [&](const char *key) { return env.value(QLatin1String(key)).trimmed(); };
    Entry entry;
    entry.name = value("PROXMOX_HOST");
    entry.address = joined(entry.name, value("PROXMOX_PORT"));
    entry.user = tokenId(value("PROXMOX_USER"), value("PROXMOX_TOKEN_NAME"));
    entry.secret = Secret(value("PROXMOX_TOKEN_VALUE").toUtf8());
    entry.verifies = value("PROXMOX_VERIFY_SSL").isEmpty() || isYes(value("PROXMOX_VERIFY_SSL"));
    put(std::move(entry), made);
    return made;
}

Import Predecessors::aiops(const QJsonObject &yaml, const QMap<QString, Secret> &secrets,
                           const QMap<QString, QString> &env)
{
    auto made = of("Proxmox-AIops");
    int number = 0;
    for (const auto &value : yaml.value(QLatin1String("targets")).toArray()) {
        ++number;
        const auto target = value.toObject();
        Entry entry;
        entry.name = textIn(target, "name");
        if (entry.name.isEmpty())
            entry.name = Text::tr("target %1", "an entry without a name").arg(number);
        const auto kind = textIn(target, "auth_kind");
        if (!kind.isEmpty() && kind != QLatin1String("token") && kind != QLatin1String("password")) {
            made.refused.push_back(
                {entry.name, Text::tr("Its way to sign in, \"%1\", is not known.").arg(DisplayText::visible(kind))});
            continue;
        }
        entry.signIn = kind == QLatin1String("password") ? Remote::SignIn::Password : Remote::SignIn::Token;
        entry.address = joined(textIn(target, "host"), textIn(target, "port"));
        entry.user = textIn(target, "user");
        entry.verifies = target.value(QLatin1String("verify_ssl")).toBool(true);
        entry.secret = secrets.value(textIn(target, "name"));
        const auto variable =
            QStringLiteral("PROXMOX_%1_SECRET").arg(textIn(target, "name").toUpper().replace(u'-', u'_'));
        if (entry.secret.isEmpty())
            entry.secret = Secret(env.value(variable).toUtf8());
        put(std::move(entry), made);
    }
    return made;
}

Import Predecessors::mcpProxmox(const QMap<QString, QString> &env)
{
    auto made = of("mcp-proxmox");
    const auto add = [&](const QString &name, const QString &prefix) {
        const auto value = [&](const char *key) { return env.value(prefix + QLatin1String(key)).trimmed(); };
        Entry entry;
        entry.address = value("API_URL");
        entry.user = value("TOKEN_ID");
        entry.secret = Secret(value("TOKEN_SECRET").toUtf8());
        entry.verifies =
            value("VERIFY").isEmpty() ? !env.contains(prefix + QLatin1String("VERIFY")) : isYes(value("VERIFY"));
        const auto address = Address::from(entry.address);
        entry.name = !name.isEmpty() ? name : address ? address->host : entry.address;
        put(std::move(entry), made);
    };
    const auto clusters = env.value(QStringLiteral("PROXMOX_CLUSTERS"));
    for (const auto &name : clusters.split(u',', Qt::SkipEmptyParts))
        if (!name.trimmed().isEmpty())
            add(name.trimmed(), QStringLiteral("PROXMOX_CLUSTER_%1_").arg(name.trimmed()));
    if (env.contains(QStringLiteral("PROXMOX_API_URL")))
        add({}, QStringLiteral("PROXMOX_"));
    return made;
}
