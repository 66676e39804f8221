#include "host/TestHost.h"
#include <QJsonArray>

static TestClusterOptions livelyCluster(double taskPace)
{
    TestClusterOptions options;
    options.hasManualClock = false;
    options.taskPace = taskPace;
    return options;
}

TestHost::TestHost(const QString &folder, double taskPace, int callsPerMinute)
    : m_folder(folder), m_cluster(livelyCluster(taskPace)),
      m_log(m_folder.filePath(QStringLiteral("data")), m_cluster.secrets),
      m_executor({m_catalogue, m_services, m_policy, m_limits, m_log, m_approver, Clock::system(), true}),
      m_agents(m_folder.filePath(QStringLiteral("config/agents.json")),
               m_folder.filePath(QStringLiteral("config/agents")), m_cluster.secrets),
      m_server({m_executor, m_agents, Clock::system(), true}), m_simulator(m_cluster.simulator, nullptr)
{
    m_limits.allowance.callsPerMinute = m_limits.allowance.identicalCalls = callsPerMinute;
    m_limits.allowance.answerBytesPerDay = std::numeric_limits<qint64>::max();
    connect(&m_executor, &Executor::changed, this, &TestHost::look, Qt::QueuedConnection);
    connect(&m_executor, &Executor::clusterChanged, this, [this] {
        const auto fresh = m_cluster.poller->refresh();
        Q_UNUSED(fresh) // the views of the window do no more
    });
}

TestHost::~TestHost()
{
    m_stop.request_stop();
}

Result<QJsonObject> TestHost::begin()
{
    if (!m_cluster.isFilled())
        return Error{Error::Kind::Unreachable, QStringLiteral("The simulated cluster does not answer.")};
    if (auto opened = m_log.open(); !opened)
        return opened.error();
    if (auto listening = m_server.listen(m_folder.filePath(QStringLiteral("run"))); !listening)
        return listening.error();
    const auto terminal = m_agents.openTerminal();
    if (!terminal)
        return terminal.error();
    return QJsonObject{{QStringLiteral("socket"), m_server.path()},
                       {QStringLiteral("terminal_key"), *terminal},
                       {QStringLiteral("cluster"), m_cluster.simulator.url().toString()}};
}

void TestHost::run(const QJsonObject &command)
{
    const auto what = command[u"do"].toString();
    if (runOnAgents(what, command) || runOnQuestions(what, command))
        return;
    if (what == QStringLiteral("rows"))
        rows(m_stop.get_token());
    else if (what == QStringLiteral("refresh"))
        refresh(m_stop.get_token());
    else if (what == QStringLiteral("simulator")) {
        const auto done = m_simulator.run(command[u"command"].toObject());
        Q_EMIT replied(done ? *done : QJsonValue(QJsonObject{{QStringLiteral("error"), done.error().message}}));
    } else {
        Q_EMIT replied(QJsonObject{{QStringLiteral("error"), QStringLiteral("unknown command %1").arg(what)}});
    }
}

bool TestHost::runOnAgents(const QString &what, const QJsonObject &command)
{
    if (what == QStringLiteral("pair")) {
        pair(command[u"name"].toString(), presetFromName(command[u"preset"].toString()).value_or(Preset::AskForWrites),
             m_stop.get_token());
        return true;
    }
    QJsonArray all;
    if (what == QStringLiteral("revoke")) {
        const auto removed = m_agents.revoke(command[u"agent"].toString());
        Q_UNUSED(removed) // the store is in memory
    } else if (what == QStringLiteral("sessions")) {
        for (const auto &session : m_server.sessions())
            all.append(QJsonObject{{QStringLiteral("agent"), session.agentId},
                                   {QStringLiteral("client"), session.client},
                                   {QStringLiteral("active"), session.isActive}});
    } else if (what == QStringLiteral("pairing_requests")) {
        for (const auto &request : m_server.pairingRequests())
            all.append(QJsonObject{{QStringLiteral("name"), request.name},
                                   {QStringLiteral("program"), request.program},
                                   {QStringLiteral("times"), request.times}});
    } else {
        return false;
    }
    Q_EMIT replied(all);
    return true;
}

bool TestHost::runOnQuestions(const QString &what, const QJsonObject &command)
{
    if (what == QStringLiteral("asked") || what == QStringLiteral("idle")) {
        m_waitsFor = what;
        look();
        return true;
    }
    if (what == QStringLiteral("questions")) {
        Q_EMIT replied(QJsonObject{{QStringLiteral("open"), m_approver.isAsking()},
                                   {QStringLiteral("asked"), int(m_approver.asked.size())}});
        return true;
    }
    if (what != QStringLiteral("answer") && what != QStringLiteral("drop"))
        return false;
    const bool isOpen = m_approver.isAsking();
    if (isOpen && what == QStringLiteral("drop"))
        m_approver.drop();
    else if (isOpen && command[u"allow"].toBool())
        m_approver.allow();
    else if (isOpen)
        m_approver.deny(command[u"reason"].toString());
    Q_EMIT replied(isOpen);
    return true;
}

void TestHost::look()
{
    if (m_waitsFor == QStringLiteral("asked") && m_approver.isAsking()) {
        m_waitsFor.clear();
        Q_EMIT replied(question());
    } else if (m_waitsFor == QStringLiteral("idle") && m_executor.live().empty()) {
        m_waitsFor.clear();
        Q_EMIT replied(true);
    }
}

QJsonObject TestHost::question() const
{
    const auto &asked = m_approver.asked.back();
    return {{QStringLiteral("operation"), asked.operation->id},
            {QStringLiteral("agent"), asked.actor.id},
            {QStringLiteral("arguments"), asked.arguments},
            {QStringLiteral("target"), asked.target.label},
            {QStringLiteral("reason"), asked.reason},
            {QStringLiteral("undoes"), asked.undoes},
            {QStringLiteral("plan"), asked.plan ? asked.plan->json() : QJsonObject()}};
}

QCoro::Task<> TestHost::pair(QString name, Preset preset, std::stop_token stop)
{
    const auto pairing = co_await m_agents.pair(name).until(stop);
    if (!pairing) {
        Q_EMIT replied(QJsonObject{{QStringLiteral("error"), pairing.error().message}});
        co_return;
    }
    m_policy.grant(pairing->agent.id, preset);
    Q_EMIT replied(
        QJsonObject{{QStringLiteral("agent"), pairing->agent.id}, {QStringLiteral("key"), pairing->keyFile}});
}

QCoro::Task<> TestHost::rows(std::stop_token stop)
{
    const CallFilter all;
    const auto page = co_await m_query.page(all, 0, 1000).until(stop);
    QJsonArray rows;
    for (const auto &row : page.valueOr({}))
        rows.append(QJsonObject{{QStringLiteral("entry"), row.callId},
                                {QStringLiteral("operation"), row.operation},
                                {QStringLiteral("actor"), row.actor.id},
                                {QStringLiteral("state"), callStateName(row.state)},
                                {QStringLiteral("headline"), row.headline},
                                {QStringLiteral("reason"), row.reason},
                                {QStringLiteral("undone_by"), row.undoneBy}});
    Q_EMIT replied(rows);
}

QCoro::Task<> TestHost::refresh(std::stop_token stop)
{
    const auto fresh = co_await m_cluster.poller->refresh().until(stop);
    Q_EMIT replied(bool(fresh));
}
