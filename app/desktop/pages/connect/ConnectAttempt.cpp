#include "pages/connect/ConnectAttempt.h"
#include "model/PveValue.h"
#include "pages/connect/ConnectTrial.h"
#include "pve/Lookup.h"
#include "pve/Session.h"
#include <QJsonArray>

ConnectAttempt::ConnectAttempt(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QObject *parent)
    : QObject(parent), m_remotes(remotes), m_secrets(secrets), m_log(log)
{
}

ConnectAttempt::~ConnectAttempt()
{
    m_stop.request_stop();
    m_end.request_stop();
}

void ConnectAttempt::abandon()
{
    m_stop.request_stop();
    m_stop = std::stop_source();
}

void ConnectAttempt::look(const QList<Address> &addresses)
{
    abandon();
    runLook(addresses, m_stop.get_token());
}

QCoro::Task<> ConnectAttempt::runLook(QList<Address> addresses, std::stop_token stop)
{
    std::vector<ShownChain> chains;
    for (const auto &address : addresses) {
        auto chain = co_await m_probe.look(address).until(stop);
        if (stop.stop_requested())
            co_return;
        if (!chain) {
            Q_EMIT looked(chain.error());
            co_return;
        }
        chains.push_back(*std::move(chain));
    }
    Q_EMIT looked(chains);
}

void ConnectAttempt::askRealms(const Remote &remote)
{
    abandon();
    runRealms(std::make_shared<Trial>(remote, nullptr), m_stop.get_token());
}

QCoro::Task<> ConnectAttempt::runRealms(std::shared_ptr<Trial> trial, std::stop_token stop)
{
    Lookup lookup(trial->connection);
    auto realms = co_await lookup.realms(stop);
    if (!stop.stop_requested())
        Q_EMIT realmsKnown(realms);
}

void ConnectAttempt::check(const Remote &remote, const std::optional<Secret> &secret)
{
    abandon();
    m_trial = std::make_shared<Trial>(remote, secret ? nullptr : &m_secrets);
    runCheck(m_trial, secret, m_stop.get_token());
}

QCoro::Task<> ConnectAttempt::runCheck(std::shared_ptr<Trial> trial, std::optional<Secret> secret, std::stop_token stop)
{
    if (secret) {
        auto written = co_await trial->memory.write(trial->connection.remote().secretKey(), *secret).until(stop);
        Q_UNUSED(written) // memory always takes it
    }
    auto findings = co_await ask(trial, stop);
    if (stop.stop_requested())
        co_return;
    const auto &session = trial->connection.session();
    const bool wantsCode = session.state() == Session::State::NeedsSecondFactor;
    if (wantsCode && !session.secondFactor()->kinds.isEmpty())
        Q_EMIT codeAsked(*session.secondFactor());
    else
        Q_EMIT checked(findings);
}

void ConnectAttempt::answer(SecondFactor::Kind kind, const Secret &code)
{
    if (m_trial)
        runAnswer(m_trial, kind, code, m_stop.get_token());
}

QCoro::Task<> ConnectAttempt::runAnswer(std::shared_ptr<Trial> trial, SecondFactor::Kind kind, Secret code,
                                        std::stop_token stop)
{
    auto &session = trial->connection.session();
    auto answered = co_await session.answer(kind, code);
    if (stop.stop_requested())
        co_return;
    if (!answered && session.state() == Session::State::NeedsSecondFactor) {
        Q_EMIT codeRefused(answered.error());
        co_return;
    }
    if (!answered) {
        Q_EMIT checked(answered.error());
        co_return;
    }
    auto findings = co_await ask(trial, stop);
    if (!stop.stop_requested())
        Q_EMIT checked(findings);
}

/// Puts what /cluster/status lists into words' reach: one entry of type "cluster" if there is one, one for each node.
static void readStatus(const QJsonValue &status, ConnectFindings &findings)
{
    int nodes = 0, online = 0;
    for (const auto &entry : status.toArray()) {
        const auto object = entry.toObject();
        const auto type = object[QStringLiteral("type")].toString();
        if (type == QLatin1String("cluster")) {
            findings.clusterName = object[QStringLiteral("name")].toString();
            findings.quorate = PveValue::boolean(object, "quorate");
        } else if (type == QLatin1String("node")) {
            ++nodes;
            online += PveValue::boolean(object, "online").value_or(false) ? 1 : 0;
        }
    }
    if (nodes) {
        findings.nodes = nodes;
        findings.online = online;
    }
}

QCoro::Task<Result<ConnectFindings>> ConnectAttempt::ask(std::shared_ptr<Trial> trial, std::stop_token stop)
{
    Lookup lookup(trial->connection);
    ConnectFindings findings;
    const QStringList version{QStringLiteral("version")};
    auto answered = co_await lookup.get(version, stop);
    if (!answered)
        co_return answered.error();
    findings.version = answered->data[QStringLiteral("version")].toString();

    const QStringList rights{QStringLiteral("access"), QStringLiteral("permissions")};
    auto permissions = co_await lookup.get(rights, stop);
    if (!permissions)
        co_return permissions.error();
    findings.permissions = PermissionWords::of(permissions->data.toObject());

    const QStringList cluster{QStringLiteral("cluster"), QStringLiteral("status")};
    auto status = co_await lookup.get(cluster, stop);
    if (status)
        readStatus(status->data, findings);
    else if (status.error().kind != Error::Kind::Forbidden) // that one is said as "not visible"
        co_return status.error();
    co_return findings;
}

void ConnectAttempt::askChoices()
{
    if (m_trial)
        runChoices(m_trial, m_stop.get_token());
}

QCoro::Task<> ConnectAttempt::runChoices(std::shared_ptr<Trial> trial, std::stop_token stop)
{
    TokenMaker maker(trial->connection);
    auto choices = co_await maker.choices(stop);
    if (!stop.stop_requested())
        Q_EMIT choicesKnown(choices);
}
