#include "audit/AuditLog.h"
#include "notes/AuditNote.h"
#include "notes/DurableNote.h"
#include "pages/connect/ConnectAttempt.h"
#include "pages/connect/ConnectTrial.h"
#include "remotes/Fingerprint.h"
#include "remotes/RemoteList.h"

static QString textOf(const Remote &remote, const QString &what)
{
    QStringList pins;
    for (const auto &pin : remote.pins)
        pins << Fingerprint::text(pin);
    const auto told = what.arg(remote.name, remote.addresses.join(QStringLiteral(", ")), remote.user);
    return pins.isEmpty()
               ? told
               : told + u' ' + ConnectAttempt::tr("Certificate trusted: %1.").arg(pins.join(QStringLiteral(", ")));
}

TokenSwapParts ConnectAttempt::swapParts()
{
    return {m_remotes, m_secrets, [log = &m_log](const QString &sentence, const QString &connection) {
                return recordDurably(*log, AuditNote::of(Actor::person(), sentence, connection));
            }};
}

void ConnectAttempt::keep(const Remote &remote, const Secret &secret)
{
    abandon();
    runKeep(remote, secret, m_end.get_token());
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
    const auto sentence = textOf(*ready, tr("Added the connection %1 to %2 as %3; its secret is in the keychain."));
    auto noted = co_await m_log.append(AuditNote::of(Actor::person(), sentence, ready->name)).until(stop);
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

void ConnectAttempt::keepWithToken(const Remote &remote, const TokenGrant &grant)
{
    auto ready = m_remotes.prepare(remote);
    if (!ready || !m_trial) {
        Q_EMIT kept(ready ? Error{Error::Kind::Internal, QStringLiteral("nothing was checked")} : ready.error());
        return;
    }
    const auto change = TokenSwap::plan(*ready, m_trial->connection.remote().user, true);
    runSwap(m_trial, change, {grant}, m_end.get_token());
}

QCoro::Task<> ConnectAttempt::runSwap(std::shared_ptr<Trial> trial, TokenChange change, std::vector<TokenGrant> grants,
                                      std::stop_token stop)
{
    TokenSwap swap(swapParts());
    auto swapped = co_await swap.run(&trial->connection, change, grants, stop);
    if (!stop.stop_requested())
        Q_EMIT kept(swapped);
}

void ConnectAttempt::change(const Remote &remote, const std::optional<Secret> &secret)
{
    abandon();
    runChange(remote, secret, m_end.get_token());
}

/// A new secret gets a place of its own first, so that one write of the file changes from the old one to it.
QCoro::Task<> ConnectAttempt::runChange(Remote remote, std::optional<Secret> secret, std::stop_token stop)
{
    const auto was = m_remotes.find(remote.id);
    if (!was) {
        Q_EMIT kept(Error{Error::Kind::NotFound, tr("There is no such connection any more.")});
        co_return;
    }
    remote.secretSlot = secret ? was->secretSlot + 1 : was->secretSlot;
    if (secret) {
        auto stored = co_await m_secrets.write(remote.secretKey(), *secret).until(stop);
        if (!stored) {
            if (!stop.stop_requested())
                Q_EMIT kept(stored.error());
            co_return;
        }
    }
    const auto sentence = textOf(remote, secret ? tr("Changed the connection %1: %2 as %3, with another secret.")
                                                : tr("Changed the connection %1: %2 as %3."));
    auto noted = co_await m_log.append(AuditNote::of(Actor::person(), sentence, remote.name)).until(stop);
    if (stop.stop_requested())
        co_return;
    auto changed = noted ? m_remotes.change(remote) : Result<void>(noted.error());
    const auto unused = changed ? was->secretKey() : remote.secretKey();
    if (secret) {
        auto forgotten = co_await m_secrets.remove(unused).until(stop);
        Q_UNUSED(forgotten)
    }
    if (stop.stop_requested())
        co_return;
    if (changed)
        Q_EMIT kept(remote);
    else
        Q_EMIT kept(changed.error());
}

void ConnectAttempt::replaceToken(const Remote &remote, const QString &owner, const std::optional<TokenGrant> &grant)
{
    if (m_trial && grant)
        runSwap(m_trial, TokenSwap::plan(remote, owner, false), {*grant}, m_end.get_token());
    else if (m_trial)
        runReplace(m_trial, remote, owner, m_end.get_token());
}

void ConnectAttempt::remove(const Remote &remote)
{
    abandon();
    runRemove(remote, m_end.get_token());
}

QCoro::Task<> ConnectAttempt::runRemove(Remote remote, std::stop_token stop)
{
    const auto sentence =
        remote.signIn == Remote::SignIn::Token
            ? tr("Removed the connection %1; its token %2 stays valid at the server.").arg(remote.name, remote.user)
            : tr("Removed the connection %1 of %2.").arg(remote.name, remote.user);
    auto noted = co_await m_log.append(AuditNote::of(Actor::person(), sentence, remote.name)).until(stop);
    if (stop.stop_requested())
        co_return;
    auto gone = noted ? m_remotes.remove(remote.id) : Result<void>(noted.error());
    if (gone) {
        auto forgotten = co_await m_secrets.remove(remote.secretKey()).until(stop);
        if (!forgotten)
            gone =
                Error{forgotten.error().kind, tr("The connection is removed, but its secret is still in the keychain: "
                                                 "%1")
                                                  .arg(forgotten.error().message)};
    }
    if (!stop.stop_requested())
        Q_EMIT removed(gone);
}

void ConnectAttempt::recordTest(const Remote &remote, const Result<ConnectFindings> &findings)
{
    const auto how = findings ? tr("Tested the connection %1: it works.").arg(remote.name)
                              : tr("Tested the connection %1: %2").arg(remote.name, findings.error().message);
    const auto noted = m_log.append(AuditNote::of(Actor::person(), how, remote.name));
    Q_UNUSED(noted) // nothing waits for the row
}

QCoro::Task<> ConnectAttempt::runReplace(std::shared_ptr<Trial> trial, Remote remote, QString owner,
                                         std::stop_token stop)
{
    TokenMaker maker(trial->connection);
    auto grants = co_await maker.grantsOf(remote.user, stop);
    if (stop.stop_requested())
        co_return;
    if (grants && grants->empty())
        grants =
            Error{Error::Kind::Forbidden,
                  tr("The old token has no rights of its own that could be seen, so the new one would have none. Set "
                     "the connection up anew with user name and password.")};
    if (!grants) {
        Q_EMIT kept(grants.error());
        co_return;
    }
    TokenSwap swap(swapParts());
    const auto change = TokenSwap::plan(remote, owner, false);
    auto swapped = co_await swap.run(&trial->connection, change, *grants, stop);
    if (!stop.stop_requested())
        Q_EMIT kept(swapped);
}

void ConnectAttempt::settle(const QString &remoteId)
{
    if (m_trial)
        runSettle(m_trial, remoteId, m_end.get_token());
}

QCoro::Task<> ConnectAttempt::runSettle(std::shared_ptr<Trial> trial, QString remoteId, std::stop_token stop)
{
    TokenSwap swap(swapParts());
    auto done = co_await swap.settle(&trial->connection, remoteId, stop);
    if (!stop.stop_requested())
        Q_EMIT settled(done);
}
