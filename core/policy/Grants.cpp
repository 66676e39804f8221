#include "policy/Grants.h"
#include "base/SealedFile.h"
#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>

static constexpr QLatin1String grantsKey{"grants"}, rulesKey{"rules"}, heldKey{"held"}, countersKey{"counters"};

static QString tr(const char *text)
{
    return QCoreApplication::translate("Grants", text);
}

static Error damaged(const QString &path, const QString &detail)
{
    return {Error::Kind::Malformed,
            tr("The file with what agents may do is damaged, so they may only look. It is kept as it is."),
            path + QLatin1String(": ") + detail};
}

Result<> Grants::take(Policy &policy, const QJsonObject &content)
{
    const auto entries = content[grantsKey];
    const auto rules = content[rulesKey];
    if (!entries.isObject() || !rules.isArray())
        return damaged(m_file, QStringLiteral("no grants or rules"));
    Policy read;
    const auto object = entries.toObject();
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        const auto preset = presetFromName(entry.value().toString());
        if (!preset)
            return damaged(m_file, QStringLiteral("unknown preset"));
        read.grant(entry.key(), *preset);
    }
    for (const auto &each : rules.toArray()) {
        const auto rule = Rule::fromJson(each.toObject());
        if (!rule)
            return damaged(m_file, rule.error().message);
        read.setRule(*rule);
    }
    for (const auto &id : content[heldKey].toArray())
        read.hold(id.toString());
    m_hasCounters = content[countersKey].toBool();
    policy = std::move(read);
    return {};
}

Result<> Grants::read(Policy &policy)
{
    if (!m_seal && !QFile::exists(m_file))
        return {};
    if (!m_seal)
        return Error{Error::Kind::Unavailable,
                     tr("What agents may do cannot be checked without the keyring, so they may only look."), m_file};
    const auto content = SealedFile(m_file, *m_seal).read();
    if (content)
        return *content ? take(policy, **content) : Result<>();
    switch (content.error().kind) {
    case Error::Kind::Malformed: return damaged(m_file, content.error().detail);
    case Error::Kind::Untrusted:
        return Error{Error::Kind::Untrusted,
                     tr("What agents may do was changed outside Labhelm, so they may only look. Choose again on the "
                        "Agents page."),
                     m_file};
    default: return content.error();
    }
}

Result<> Grants::load(Policy &policy)
{
    auto loaded = read(policy);
    m_problem = loaded ? std::nullopt : std::optional(loaded.error());
    return loaded;
}

static QJsonObject contentOf(const Policy &policy, bool hasCounters)
{
    QJsonObject entries;
    for (auto grant = policy.grants().begin(); grant != policy.grants().end(); ++grant)
        entries.insert(grant.key(), presetName(grant.value()));
    QJsonArray rules;
    for (const auto &rule : policy.rules())
        rules.append(rule.json());
    QJsonObject content{{grantsKey, entries}, {rulesKey, rules}, {countersKey, hasCounters}};
    if (const QStringList held(policy.held().begin(), policy.held().end()); !held.isEmpty())
        content.insert(heldKey, QJsonArray::fromStringList(held));
    return content;
}

Result<> Grants::save(const Policy &policy)
{
    const auto unavailable = [this](const QString &why) {
        return Error{Error::Kind::Unavailable, tr("What agents may do cannot be saved: %1").arg(why), m_file};
    };
    if (!m_seal)
        return unavailable(tr("the keyring does not answer."));
    if (m_problem && m_problem->kind != Error::Kind::Untrusted)
        return unavailable(tr("the file is damaged; move it away and start again."));
    const auto aside = m_file + QLatin1String(".altered");
    if (m_problem && (QFile::remove(aside), !QFile::copy(m_file, aside)))
        return unavailable(tr("the altered file cannot be put aside."));
    if (const auto written = SealedFile(m_file, *m_seal).write(contentOf(policy, m_hasCounters)); !written)
        return unavailable(written.error().message);
    m_problem.reset();
    return {};
}
