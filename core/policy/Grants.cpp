#include "policy/Grants.h"
#include "base/StrictJson.h"
#include <QCoreApplication>
#include <QFile>
#include <QSaveFile>

static constexpr QLatin1String grantsKey{"grants"};

static QString tr(const char *text)
{
    return QCoreApplication::translate("Grants", text);
}

static Result<QHash<QString, Preset>> readGrants(const QString &path)
{
    QFile file(path);
    if (!file.exists())
        return QHash<QString, Preset>{};
    if (!file.open(QIODevice::ReadOnly))
        return Error{Error::Kind::Unavailable, tr("What agents may do cannot be read: %1").arg(file.errorString()),
                     path};
    const auto parsed = StrictJson::parseObject(file.readAll());
    const auto broken = [&](const QString &detail) {
        return Error{
            Error::Kind::Malformed,
            tr("The file with what agents may do is damaged, so no agent may do anything. It is kept as it is."),
            path + QLatin1String(": ") + detail};
    };
    if (!parsed)
        return broken(parsed.error().message);
    const auto entries = parsed->value(grantsKey);
    if (!entries.isObject())
        return broken(QStringLiteral("no grants"));
    QHash<QString, Preset> grants;
    const auto object = entries.toObject();
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        const auto preset = presetFromName(entry.value().toString());
        if (!preset)
            return broken(QStringLiteral("unknown preset"));
        grants.insert(entry.key(), *preset);
    }
    return grants;
}

Result<> Grants::load(Policy &policy)
{
    const auto grants = readGrants(m_file);
    m_isUnreadable = !grants;
    if (!grants)
        return grants.error();
    for (auto grant = grants->begin(); grant != grants->end(); ++grant)
        policy.grant(grant.key(), grant.value());
    return {};
}

Result<> Grants::save(const Policy &policy) const
{
    const auto unavailable = [this](const QString &why) {
        return Error{Error::Kind::Unavailable, tr("What agents may do cannot be saved: %1").arg(why), m_file};
    };
    if (m_isUnreadable)
        return unavailable(tr("the file is damaged; move it away and start again."));
    QJsonObject entries;
    for (auto grant = policy.grants().begin(); grant != policy.grants().end(); ++grant)
        entries.insert(grant.key(), presetName(grant.value()));
    QSaveFile file(m_file);
    if (!file.open(QIODevice::WriteOnly))
        return unavailable(file.errorString());
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    file.write(StrictJson::write(QJsonObject{{grantsKey, entries}}) + '\n');
    if (!file.commit())
        return unavailable(file.errorString());
    return {};
}
