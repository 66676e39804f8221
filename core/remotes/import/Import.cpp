#include "remotes/import/Import.h"
#include "base/DisplayText.h"
#include "base/StrictJson.h"
#include "remotes/RemoteFile.h"
#include "remotes/import/DotEnv.h"
#include "remotes/import/Predecessors.h"
#include "remotes/import/SealedSecrets.h"
#include "remotes/import/YamlText.h"
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(Import)
};
constexpr qint64 longest = 1024 * 1024;

Error unknownFile(const QString &detail = {})
{
    return {Error::Kind::Malformed,
            Text::tr("This is no file of settings of ProxmoxMCP-Plus (config.json), Proxmox-AIops (config.yaml) or "
                     "mcp-proxmox (.env)."),
            detail};
}

Result<Import> fromJson(const QByteArray &text)
{
    const auto json = StrictJson::parseObject(text);
    if (!json)
        return Error{Error::Kind::Malformed, Text::tr("The file can't be read: %1.").arg(json.error().message)};
    if (!json->value(QLatin1String("proxmox")).isObject() || !json->value(QLatin1String("auth")).isObject())
        return unknownFile();
    return Predecessors::plusJson(*json);
}

Result<Import> fromYaml(const Import::Source &source)
{
    const auto yaml = YamlText::parse(source.text);
    if (!yaml)
        return yaml.error();
    if (!yaml->toObject().value(QLatin1String("targets")).isArray())
        return unknownFile();
    QMap<QString, Secret> secrets;
    if (!source.sealed.isEmpty()) {
        if (source.password.isEmpty())
            return Error{
                Error::Kind::Unauthorized,
                Text::tr("The secrets of Proxmox-AIops are sealed. Type the master password that it was set up "
                         "with.")};
        auto opened = SealedSecrets::open(source.sealed, source.password);
        if (!opened)
            return opened.error();
        secrets = *std::move(opened);
    }
    return Predecessors::aiops(yaml->toObject(), secrets, DotEnv::parse(source.env));
}

/// Names are made to fit, and what no connection can have is told instead of taken.
void judge(Import &import)
{
    std::vector<Import::Found> fine;
    for (auto &found : import.found) {
        auto &name = found.remote.name;
        const auto given = name;
        for (auto &letter : name)
            if (letter == u':' || letter == u'/')
                letter = u'-';
        name = DisplayText::visible(name).left(50).trimmed();
        for (int i = 2; std::any_of(fine.begin(), fine.end(),
                                    [&](const auto &one) { return RemoteFile::isSameName(one.remote.name, name); });
             ++i)
            name = QStringLiteral("%1 %2").arg(given.left(50)).arg(i);
        if (name != given)
            found.notes << Text::tr("It is named \"%1\" here.").arg(name);
        const auto checked = RemoteFile::check(found.remote);
        if (!checked) {
            import.refused.push_back({DisplayText::visible(given.left(80)), checked.error().message});
            continue;
        }
        found.remote = RemoteFile::normal(std::move(found.remote));
        fine.push_back(std::move(found));
    }
    import.found = std::move(fine);
}

Result<QByteArray> bytesOf(const QString &path, bool isNeeded)
{
    QFile file(path);
    if (!file.exists() && !isNeeded)
        return QByteArray();
    if (!file.open(QIODevice::ReadOnly) || file.size() > longest)
        return Error{
            Error::Kind::Unavailable,
            Text::tr("%1 can't be read: %2.")
                .arg(DisplayText::visible(path), file.isOpen() ? Text::tr("it is far too large") : file.errorString())};
    return file.readAll();
}
}

Result<Import> Import::read(const Source &source)
{
    const auto text = source.text.trimmed();
    const auto env = DotEnv::parse(source.text);
    Result<Import> made = unknownFile(source.fileName);
    if (text.startsWith('{'))
        made = fromJson(text);
    else if (env.contains(QStringLiteral("PROXMOX_CLUSTERS")) || env.contains(QStringLiteral("PROXMOX_API_URL")))
        made = Predecessors::mcpProxmox(env);
    else if (env.contains(QStringLiteral("PROXMOX_HOST")))
        made = Predecessors::plusEnvironment(env);
    else if (text.contains("targets"))
        made = fromYaml(source);
    if (made)
        judge(*made);
    return made;
}

Result<Import::Source> Import::load(const QString &path)
{
    const QFileInfo info(path);
    const auto folder = info.path() + u'/';
    auto text = bytesOf(path, true);
    if (!text)
        return text.error();
    Source source;
    source.fileName = info.fileName();
    source.text = *text;
    const auto suffix = info.suffix().toLower();
    if (suffix != QLatin1String("yaml") && suffix != QLatin1String("yml"))
        return source;
    const auto sealed = bytesOf(folder + QStringLiteral("secrets.enc"), false);
    const auto env = bytesOf(folder + QStringLiteral(".env"), false);
    source.sealed = sealed.valueOr({});
    source.env = env.valueOr({});
    return source;
}
