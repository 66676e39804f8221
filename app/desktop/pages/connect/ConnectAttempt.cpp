#include "pages/connect/ConnectAttempt.h"
#include "audit/AuditLog.h"
#include "model/PveValue.h"
#include "notes/AuditNote.h"
#include "pve/Connection.h"
#include "pve/Lookup.h"
#include "remotes/Fingerprint.h"
#include "remotes/RemoteList.h"
#include "secrets/MemoryStore.h"
#include <QJsonArray>

ConnectAttempt::ConnectAttempt(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QObject *parent)
    : QObject(parent), m_remotes(remotes), m_secrets(secrets), m_log(log)
{
}

ConnectAttempt::~ConnectAttempt()
{
    m_stop.request_stop();
}

void ConnectAttempt::abandon()
{
    m_stop.request_stop();
    m_stop = std::stop_source();
}

void ConnectAttempt::look(const Address &address)
{
    abandon();
    runLook(address, m_stop.get_token());
}

QCoro::Task<> ConnectAttempt::runLook(Address address, std::stop_token stop)
{
    auto chain = co_await m_probe.look(address).until(stop);
    if (!stop.stop_requested())
        Q_EMIT looked(chain);
}

void ConnectAttempt::check(const Remote &remote, const Secret &secret)
{
    abandon();
    runCheck(remote, secret, m_stop.get_token());
}

QCoro::Task<> ConnectAttempt::runCheck(Remote remote, Secret secret, std::stop_token stop)
{
    MemoryStore store;
    auto written = co_await store.write(remote.secretKey(), secret);
    Q_UNUSED(written) // memory always takes it
    Connection trial(remote, store);
    auto findings = co_await ask(&trial, stop);
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

QCoro::Task<Result<ConnectFindings>> ConnectAttempt::ask(Connection *trial, std::stop_token stop)
{
    Lookup lookup(*trial);
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

void ConnectAttempt::keep(const Remote &remote, const Secret &secret)
{
    abandon();
    runKeep(remote, secret, m_stop.get_token());
}

static QString textOf(const Remote &remote)
{
    QStringList pins;
    for (const auto &pin : remote.pins)
        pins << Fingerprint::text(pin);
    const auto added = ConnectAttempt::tr("Added the connection %1 to %2 as %3; its secret is in the keychain.")
                           .arg(remote.name, remote.addresses.join(QStringLiteral(", ")), remote.user);
    return pins.isEmpty()
               ? added
               : added + u' ' + ConnectAttempt::tr("Certificate trusted: %1.").arg(pins.join(QStringLiteral(", ")));
}

QCoro::Task<> ConnectAttempt::runKeep(Remote remote, Secret secret, std::stop_token stop)
{
    auto ready = m_remotes.prepare(remote);
    if (!ready) {
        Q_EMIT kept(ready.error());
        co_return;
    }
    auto stored = co_await m_secrets.write(ready->secretKey(), secret).until(stop);
    if (stop.stop_requested())
        co_return;
    if (!stored) {
        Q_EMIT kept(stored.error());
        co_return;
    }
    auto noted = co_await m_log.append(AuditNote::of(Actor::person(), textOf(*ready), ready->name)).until(stop);
    if (stop.stop_requested())
        co_return;
    auto problem = Result<>();
    if (noted)
        problem = m_remotes.addPrepared(*ready);
    else
        problem = noted.error();
    if (problem) {
        Q_EMIT kept(*ready);
        co_return;
    }
    auto forgotten = co_await m_secrets.remove(ready->secretKey()).until(stop);
    Q_UNUSED(forgotten)
    if (!stop.stop_requested())
        Q_EMIT kept(problem.error());
}
