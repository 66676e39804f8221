#include "mcp/PairedAgents.h"
#include "base/PrivateFile.h"
#include "base/StrictJson.h"
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <algorithm>

const QString PairedAgents::terminalId = QStringLiteral("terminal");

namespace
{
constexpr qint64 seenIsOldMs = 60'000;
constexpr int longestName = 60;
constexpr int longestId = 32;

QString tr(const char *text)
{
    return QCoreApplication::translate("PairedAgents", text);
}

QString storeKey(const QString &id)
{
    return QStringLiteral("agent/") + id;
}

Secret freshKey()
{
    std::array<quint32, 8> random;
    QRandomGenerator::system()->fillRange(random.data(), qsizetype(random.size()));
    return Secret(QByteArray(reinterpret_cast<const char *>(random.data()), sizeof random).toHex());
}

QString slug(const QString &name)
{
    QString id;
    for (const auto c : name.toLower().left(longestId)) {
        const bool plain = (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9');
        if (plain)
            id += c;
        else if (!id.isEmpty() && !id.endsWith(u'-'))
            id += u'-';
    }
    while (id.endsWith(u'-'))
        id.chop(1);
    return id.isEmpty() ? QStringLiteral("agent") : id;
}

bool isId(const QString &id)
{
    return !id.isEmpty() && id.size() <= longestId + 8 && std::all_of(id.begin(), id.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9') || c == u'-';
    });
}

QJsonObject toJson(const PairedAgent &agent)
{
    return {{QStringLiteral("id"), agent.id},
            {QStringLiteral("name"), agent.name},
            {QStringLiteral("paired_at"), agent.pairedAtMs},
            {QStringLiteral("last_seen"), agent.lastSeenMs},
            {QStringLiteral("program"), agent.program}};
}

std::optional<PairedAgent> fromJson(const QJsonObject &object)
{
    const PairedAgent agent{object[u"id"].toString(), object[u"name"].toString(), object[u"paired_at"].toInteger(),
                            object[u"last_seen"].toInteger(), object[u"program"].toString()};
    if (!isId(agent.id) || agent.id == PairedAgents::terminalId || agent.name.isEmpty())
        return std::nullopt;
    return agent;
}

Result<std::vector<PairedAgent>> readList(const QString &path)
{
    std::vector<PairedAgent> agents;
    QFile file(path);
    if (!file.exists())
        return agents;
    if (!file.open(QIODevice::ReadOnly))
        return Error{Error::Kind::Unavailable, tr("The list of agents cannot be read: %1").arg(file.errorString()),
                     path};
    const auto parsed = StrictJson::parseObject(file.readAll());
    const Error broken{Error::Kind::Malformed,
                       tr("The list of agents is damaged, so nobody is let in. It is kept as it is."), path};
    if (!parsed || !parsed->value(u"agents").isArray())
        return broken;
    for (const auto &entry : parsed->value(u"agents").toArray()) {
        auto agent = fromJson(entry.toObject());
        if (!agent)
            return broken;
        agents.push_back(std::move(*agent));
    }
    return agents;
}
} // namespace

PairedAgents::PairedAgents(QString file, QString keyFolder, SecretStore &secrets, const Clock &clock)
    : m_file(std::move(file)), m_keyFolder(std::move(keyFolder)), m_secrets(secrets), m_clock(clock)
{
}

PairedAgents::~PairedAgents()
{
    m_stop.request_stop();
}

Result<> PairedAgents::load()
{
    auto agents = readList(m_file);
    m_isUnreadable = !agents;
    if (!agents)
        return agents.error();
    m_agents = *std::move(agents);
    Q_EMIT changed();
    return {};
}

std::optional<PairedAgent> PairedAgents::find(const QString &id) const
{
    const auto found = std::find_if(m_agents.begin(), m_agents.end(), [&](const auto &a) { return a.id == id; });
    return found == m_agents.end() ? std::nullopt : std::optional(*found);
}

PairedAgent *PairedAgents::locate(const QString &id)
{
    const auto found = std::find_if(m_agents.begin(), m_agents.end(), [&](const auto &a) { return a.id == id; });
    return found == m_agents.end() ? nullptr : &*found;
}

QString PairedAgents::keyFile(const QString &id) const
{
    return m_keyFolder + u'/' + id + QStringLiteral(".key");
}

QString PairedAgents::freeId(const QString &name) const
{
    const auto base = slug(name);
    auto id = base;
    const auto isTaken = [this](const QString &candidate) {
        return candidate == terminalId || find(candidate) || m_reserved.contains(candidate) ||
               QFileInfo::exists(keyFile(candidate));
    };
    for (int n = 2; isTaken(id); ++n)
        id = base + u'-' + QString::number(n);
    return id;
}

Result<> PairedAgents::save()
{
    if (m_isUnreadable)
        return Error{Error::Kind::Unavailable, tr("The list of agents is damaged; move it away and start again."),
                     m_file};
    if (auto folder = PrivateFile::makeFolder(QFileInfo(m_file).path()); !folder)
        return folder;
    QJsonArray entries;
    for (const auto &agent : m_agents)
        entries.append(toJson(agent));
    return PrivateFile::write(m_file, StrictJson::write(QJsonObject{{QStringLiteral("agents"), entries}}) + '\n');
}

Result<> PairedAgents::writeKeyFile(const QString &id, const Secret &key)
{
    if (auto folder = PrivateFile::makeFolder(m_keyFolder); !folder)
        return folder;
    return PrivateFile::write(keyFile(id), key.reveal() + '\n');
}

Future<Pairing> PairedAgents::pair(const QString &name)
{
    const auto shown = name.simplified();
    const bool readable = std::any_of(shown.begin(), shown.end(), [](QChar c) { return c.isLetterOrNumber(); });
    if (!readable || shown.size() > longestName)
        return ready<Pairing>(
            Error{Error::Kind::Invalid, tr("Give the agent a name of at most %1 letters or digits.").arg(longestName)});
    if (m_isUnreadable)
        return ready<Pairing>(save().error());
    PairedAgent agent{.id = freeId(shown), .name = shown, .pairedAtMs = m_clock.wallMs()};
    Promise<Pairing> promise;
    auto future = promise.future();
    m_reserved.insert(agent.id);
    const auto task = finishPairing(std::move(agent), std::move(promise), m_stop.get_token());
    return future;
}

QCoro::Task<> PairedAgents::finishPairing(PairedAgent agent, Promise<Pairing> promise, std::stop_token stop)
{
    const auto key = freshKey();
    const auto stored = co_await m_secrets.write(storeKey(agent.id), key).until(stop);
    if (stop.stop_requested())
        co_return;
    m_reserved.remove(agent.id);
    if (!stored) {
        promise.finish(stored.error());
        co_return;
    }
    m_agents.push_back(agent);
    auto kept = writeKeyFile(agent.id, key);
    if (kept)
        kept = save();
    if (!kept) {
        m_agents.pop_back();
        QFile::remove(keyFile(agent.id));
        const auto removed = co_await m_secrets.remove(storeKey(agent.id)).until(stop);
        Q_UNUSED(removed) // a copy nobody can use: the agent is not in the list
        promise.finish(kept.error());
        co_return;
    }
    Q_EMIT changed();
    const Pairing pairing{agent, keyFile(agent.id)};
    promise.finish(pairing);
}

Future<void> PairedAgents::revoke(const QString &id)
{
    if (!locate(id))
        return ready<void>(Error{Error::Kind::NotFound, tr("No agent of this name is paired."), id});
    std::erase_if(m_agents, [&](const auto &agent) { return agent.id == id; });
    QFile::remove(keyFile(id));
    auto saved = save();
    Q_EMIT revoked(id);
    Q_EMIT changed();
    auto removed = m_secrets.remove(storeKey(id));
    if (!saved)
        return ready<void>(saved.error());
    return removed;
}

Result<QString> PairedAgents::openTerminal()
{
    m_terminalKey = freshKey();
    if (auto written = writeKeyFile(terminalId, m_terminalKey); !written) {
        m_terminalKey = {};
        return written.error();
    }
    return keyFile(terminalId);
}

Future<Secret> PairedAgents::key(const QString &id)
{
    if (id == terminalId && !m_terminalKey.isEmpty())
        return ready<Secret>(m_terminalKey);
    if (!locate(id))
        return ready<Secret>(Error{Error::Kind::NotFound, tr("No agent of this name is paired."), {}});
    return m_secrets.read(storeKey(id));
}

void PairedAgents::noteSeen(const QString &id, const QString &program)
{
    auto *agent = locate(id);
    if (!agent)
        return;
    const auto now = m_clock.wallMs();
    const auto before = agent->program;
    const bool moved = !program.isEmpty() && program != before;
    if (!moved && std::abs(now - agent->lastSeenMs) < seenIsOldMs)
        return;
    agent->lastSeenMs = now;
    if (moved)
        agent->program = program;
    const auto copy = *agent;
    const auto saved = save();
    if (!saved)
        qWarning("the list of agents was not saved: %s", qPrintable(saved.error().message));
    Q_EMIT changed();
    if (moved && !before.isEmpty())
        Q_EMIT programChanged(copy, before);
}
