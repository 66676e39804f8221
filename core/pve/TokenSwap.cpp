#include "pve/TokenSwap.h"
#include "base/DisplayText.h"
#include "pve/Connection.h"
#include "remotes/RemoteList.h"
#include "secrets/SecretStore.h"
#include <QCoreApplication>
#include <QRandomGenerator>
#include <QSysInfo>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(TokenSwap)
};

/// Seen in PVE's own list of tokens, so that a person knows whose it is.
QString comment()
{
    return QStringLiteral("Labhelm @ %1").arg(QSysInfo::machineHostName().left(60));
}

QString grantText(const std::vector<TokenGrant> &grants)
{
    QStringList texts;
    for (const auto &grant : grants)
        texts << Text::tr("%1 on %2", "a role, and the path it counts on").arg(grant.role, grant.path);
    return texts.join(QStringLiteral(", "));
}

/// For certain no token was made.
bool isNotDone(Error::Kind kind)
{
    return kind == Error::Kind::Rejected || kind == Error::Kind::Forbidden || kind == Error::Kind::Unauthorized ||
           kind == Error::Kind::Unreachable || kind == Error::Kind::Untrusted || kind == Error::Kind::Invalid ||
           kind == Error::Kind::Conflict || kind == Error::Kind::Unavailable;
}
}

TokenChange TokenSwap::plan(const Remote &was, const QString &owner, bool isNew)
{
    TokenChange change;
    change.next = was;
    change.next.signIn = Remote::SignIn::Token;
    change.next.user = QStringLiteral("%1!labhelm-%2")
                           .arg(owner)
                           .arg(QRandomGenerator::system()->bounded(0x1000000), 6, 16, QLatin1Char('0'));
    if (isNew)
        return change;
    change.next.secretSlot = was.secretSlot + 1;
    change.oldSecret = was.secretKey();
    if (was.signIn == Remote::SignIn::Token)
        change.oldUser = was.user;
    return change;
}

QCoro::Task<Result<Remote>> TokenSwap::run(Connection *authority, TokenChange change, std::vector<TokenGrant> grants,
                                           std::stop_token stop)
{
    const auto name = change.next.name;
    const auto token = DisplayText::visible(change.next.user);
    const auto intent =
        Text::tr("Makes the API token %1 for the connection %2: %3.").arg(token, name, grantText(grants));
    auto recorded = co_await m_parts.record(intent, name).until(stop);
    if (!recorded)
        co_return recorded.error();
    if (auto begun = m_parts.remotes.begin(change); !begun)
        co_return begun.error();
    const std::stop_token never; // from here on it goes to an end
    TokenMaker maker(*authority);
    auto secret = co_await maker.make(change.next.user, comment(), never);
    if (!secret) {
        auto why = secret.error();
        if (isNotDone(why.kind)) {
            const auto forgotten = m_parts.remotes.finish(change.next.id);
            co_return forgotten ? why : forgotten.error();
        }
        auto told = co_await undo(authority, change, why, never);
        co_return told;
    }
    auto proven = co_await prove(authority, change, grants, *secret, never);
    auto swapped = proven ? m_parts.remotes.commit(change.next.id) : proven;
    if (!swapped) {
        auto told = co_await undo(authority, change, swapped.error(), never);
        co_return told;
    }
    const auto done = Text::tr("The connection %1 uses the API token %2 now.").arg(name, token);
    auto noted = co_await m_parts.record(done, name).until(never);
    Q_UNUSED(noted) // the swap is done, and the intent stands in the log
    const auto left = m_parts.remotes.findUnfinished(change.next.id);
    if (left) {
        auto cleared = co_await clear(authority, *left, never);
        Q_UNUSED(cleared) // what is left stays in the list of the unfinished, which a person sees
    }
    co_return change.next;
}

/// Rights, keyring, and a sign-in with nothing but the new token.
QCoro::Task<Result<void>> TokenSwap::prove(Connection *authority, TokenChange change, std::vector<TokenGrant> grants,
                                           Secret secret, std::stop_token stop)
{
    TokenMaker maker(*authority);
    for (const auto &grant : grants) {
        auto granted = co_await maker.grant(change.next.user, grant, stop);
        if (!granted)
            co_return granted.error();
    }
    auto stored = co_await m_parts.secrets.write(change.next.secretKey(), secret).until(stop);
    if (!stored)
        co_return stored.error();
    Connection trial(change.next, m_parts.secrets);
    TokenMaker tester(trial);
    auto works = co_await tester.test(stop);
    co_return works;
}

/// Takes back what was made. What can't be taken back is said, and stays in the list of the unfinished.
QCoro::Task<Error> TokenSwap::undo(Connection *authority, TokenChange change, Error why, std::stop_token stop)
{
    auto cleared = co_await clear(authority, change, stop);
    if (!cleared) {
        why.message += u'\n' + Text::tr("The new token %1 may be left at the server: %2 It is listed under Connections "
                                        "until it is revoked.")
                                   .arg(DisplayText::visible(change.next.user), cleared.error().message);
        if (why.kind == Error::Kind::Unknown || why.kind == Error::Kind::Malformed)
            why.kind = Error::Kind::Unknown;
    } else if (why.kind == Error::Kind::Unknown) {
        why = {Error::Kind::Unreachable,
               Text::tr("The server did not tell the new token, so it was revoked. Nothing has changed."), why.detail};
    }
    co_return why;
}

QCoro::Task<Result<void>> TokenSwap::clear(Connection *authority, TokenChange change, std::stop_token stop)
{
    const bool isMaking = change.step == TokenChange::Step::Making;
    const auto token = isMaking ? change.next.user : change.oldUser;
    const auto key = isMaking ? change.next.secretKey() : change.oldSecret;
    TokenMaker maker(*authority);
    if (!token.isEmpty()) {
        auto revoked = co_await maker.revoke(token, stop);
        if (!revoked)
            co_return revoked.error();
    }
    auto forgotten = co_await m_parts.secrets.remove(key).until(stop);
    if (!forgotten)
        co_return forgotten.error();
    const auto done = token.isEmpty()
                          ? Text::tr("The password of the connection %1 was forgotten.").arg(change.next.name)
                          : Text::tr("Revoked the API token %1 of the connection %2.")
                                .arg(DisplayText::visible(token), change.next.name);
    auto noted = co_await m_parts.record(done, change.next.name).until(stop);
    Q_UNUSED(noted) // it is done; the intent stands in the log
    auto finished = m_parts.remotes.finish(change.next.id);
    co_return finished;
}

QCoro::Task<Result<void>> TokenSwap::settle(Connection *authority, QString remoteId, std::stop_token stop)
{
    const auto change = m_parts.remotes.findUnfinished(remoteId);
    if (!change)
        co_return Result<void>();
    auto cleared = co_await clear(authority, *change, stop);
    co_return cleared;
}
