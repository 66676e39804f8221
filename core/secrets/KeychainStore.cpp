#include "secrets/KeychainStore.h"
#include <QCoreApplication>
#include <QLibrary>
#include <functional>
#include <qt6keychain/keychain.h>

namespace
{
using State = SecretService::State;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(KeychainStore)
};

Error unavailable(const QString &message, const QString &detail = {})
{
    return {Error::Kind::Unavailable, message, detail};
}

Error silent()
{
    return unavailable(
        Text::tr("The keyring does not answer. Try again; if that does not help, sign out and in again."));
}

/// What to tell a person; nothing for an open keyring.
std::optional<Error> refusal(State state)
{
    switch (state) {
    case State::Open: return std::nullopt;
    case State::Locked:
        return unavailable(Text::tr("The keyring is locked. Unlock it, then try again."), QStringLiteral("locked"));
    case State::NoBus:
        return unavailable(
            Text::tr("No keyring can be reached, because Labhelm was not started from a desktop session. "
                     "Start it from the desktop, or with dbus-run-session."),
            QStringLiteral("no session bus"));
    case State::NoService:
        return unavailable(
            Text::tr("No keyring is running. Install and start one, such as GNOME Keyring or KWallet, then try again."),
            QStringLiteral("no secret service"));
    case State::Silent: return silent();
    }
    Q_UNREACHABLE();
}

Error notStored(const QString &key)
{
    return {Error::Kind::NotFound, Text::tr("No secret is stored under this name."), key};
}

/// Kind Internal: may be mended by a second try.
Error failure(const QKeychain::Job &job, const QString &message)
{
    switch (job.error()) {
    case QKeychain::EntryNotFound: return notStored(job.key());
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser:
        return unavailable(Text::tr("The keyring refused access. Allow it for Labhelm, then try again."),
                           job.errorString());
    default: return {Error::Kind::Internal, message, job.errorString()};
    }
}

/// Libsecret keeps its session with a keyring that was restarted and fails with it until it is told to forget it.
void forgetSession()
{
    QLibrary library(QStringLiteral("secret-1"), 0);
    using Disconnect = void (*)();
    if (const auto disconnect = reinterpret_cast<Disconnect>(library.resolve("secret_service_disconnect")))
        disconnect();
}

/// Starts a job that deletes itself and owes nothing to the store. A job that goes away unfinished is Cancelled.
template <class T, class Job, class Outcome>
Future<T> start(Job *job, const QString &key, Outcome outcome)
{
    auto promise = std::make_shared<Promise<T>>();
    auto future = promise->future();
    job->setInsecureFallback(false);
    job->setKey(key);
    QObject::connect(job, &QKeychain::Job::finished, job, [job, promise, outcome] { promise->finish(outcome(*job)); });
    job->start();
    return future;
}

Future<Secret> startRead(const QString &service, const QString &key)
{
    return start<Secret>(new QKeychain::ReadPasswordJob(service), key,
                         [](const QKeychain::ReadPasswordJob &job) -> Result<Secret> {
                             if (job.error() == QKeychain::NoError)
                                 return Secret(job.binaryData());
                             return failure(job, Text::tr("The keyring could not be read."));
                         });
}

Future<void> startWrite(const QString &service, const QString &key, const Secret &value)
{
    auto *job = new QKeychain::WritePasswordJob(service);
    job->setBinaryData(value.reveal());
    return start<void>(job, key, [](const QKeychain::Job &done) -> Result<void> {
        if (done.error() == QKeychain::NoError)
            return {};
        return failure(done, Text::tr("The keyring did not take the secret. What was stored before is kept."));
    });
}

Future<void> startRemove(const QString &service, const QString &key)
{
    return start<void>(new QKeychain::DeletePasswordJob(service), key, [](const QKeychain::Job &done) -> Result<void> {
        if (done.error() == QKeychain::NoError || done.error() == QKeychain::EntryNotFound)
            return {};
        return failure(done, Text::tr("The keyring did not remove the secret."));
    });
}

template <class T>
QCoro::Task<Result<T>> tryTwice(std::function<Future<T>()> begin, std::chrono::milliseconds patience,
                                std::stop_token stop)
{
    auto result = co_await begin().until(stop).within(patience);
    if (!result && result.error().kind == Error::Kind::Internal) {
        forgetSession();
        result = co_await begin().until(stop).within(patience);
    }
    if (result || stop.stop_requested())
        co_return result;
    auto error = result.error();
    if (error.kind == Error::Kind::Internal)
        error.kind = Error::Kind::Unavailable;
    if (error.kind == Error::Kind::TimedOut)
        error = silent();
    co_return error;
}
} // namespace

KeychainStore::KeychainStore(QString service, std::chrono::milliseconds patience)
    : m_name(std::move(service)), m_patience(patience), m_service(std::min(patience, std::chrono::milliseconds(10'000)))
{
}

KeychainStore::~KeychainStore()
{
    m_stop.request_stop();
}

Future<Secret> KeychainStore::read(const QString &key)
{
    Promise<Secret> promise;
    auto future = promise.future();
    readNow(key, std::move(promise), m_stop.get_token());
    return future;
}

Future<void> KeychainStore::write(const QString &key, const Secret &value)
{
    Promise<void> promise;
    auto future = promise.future();
    writeNow(key, value, std::move(promise), m_stop.get_token());
    return future;
}

Future<void> KeychainStore::remove(const QString &key)
{
    Promise<void> promise;
    auto future = promise.future();
    removeNow(key, std::move(promise), m_stop.get_token());
    return future;
}

Future<void> KeychainStore::unlock()
{
    Promise<void> promise;
    auto future = promise.future();
    unlockNow(std::move(promise), m_stop.get_token());
    return future;
}

// In these four the store may be gone once the stop was requested, and once the promise was finished.

QCoro::Task<void> KeychainStore::readNow(QString key, Promise<Secret> promise, std::stop_token stop)
{
    auto before = co_await m_service.state(stop);
    if (stop.stop_requested())
        co_return;
    if (const auto refused = refusal(before)) {
        promise.finish(*refused);
        co_return;
    }
    const std::function<Future<Secret>()> begin = [name = m_name, key] { return startRead(name, key); };
    auto secret = co_await tryTwice<Secret>(begin, m_patience, stop);
    if (stop.stop_requested())
        co_return;
    if (!secret && secret.error().kind == Error::Kind::NotFound) {
        // Believed only of a keyring that is open: it may have been locked meanwhile, or hold the entry in another
        // collection.
        auto after = co_await m_service.stateOf(m_name, key, stop);
        if (stop.stop_requested())
            co_return;
        if (const auto refused = refusal(after))
            secret = *refused;
    }
    promise.finish(std::move(secret));
}

QCoro::Task<void> KeychainStore::writeNow(QString key, Secret value, Promise<void> promise, std::stop_token stop)
{
    auto before = co_await m_service.state(stop);
    if (stop.stop_requested())
        co_return;
    if (const auto refused = refusal(before)) {
        promise.finish(*refused);
        co_return;
    }
    const std::function<Future<void>()> begin = [name = m_name, key, value] { return startWrite(name, key, value); };
    auto written = co_await tryTwice<void>(begin, m_patience, stop);
    promise.finish(std::move(written));
}

QCoro::Task<void> KeychainStore::removeNow(QString key, Promise<void> promise, std::stop_token stop)
{
    auto before = co_await m_service.stateOf(m_name, key, stop);
    if (stop.stop_requested())
        co_return;
    if (const auto refused = refusal(before)) {
        promise.finish(*refused);
        co_return;
    }
    const std::function<Future<void>()> begin = [name = m_name, key] { return startRemove(name, key); };
    auto removed = co_await tryTwice<void>(begin, m_patience, stop);
    if (stop.stop_requested())
        co_return;
    if (removed) {
        // QtKeychain says "removed" of a keyring that was locked meanwhile.
        auto after = co_await m_service.stateOf(m_name, key, stop);
        if (stop.stop_requested())
            co_return;
        if (const auto refused = refusal(after))
            removed = *refused;
    }
    promise.finish(std::move(removed));
}

QCoro::Task<void> KeychainStore::unlockNow(Promise<void> promise, std::stop_token stop)
{
    auto before = co_await m_service.state(stop);
    if (stop.stop_requested())
        co_return;
    if (before != State::Locked) {
        const auto refused = refusal(before);
        promise.finish(refused ? Result<void>(*refused) : Result<void>());
        co_return;
    }
    auto unlocked = co_await m_service.unlock(stop);
    if (!unlocked && unlocked.error().kind != Error::Kind::Denied && unlocked.error().kind != Error::Kind::Cancelled)
        unlocked = unavailable(
            Text::tr("The keyring's password could not be asked for. Unlock it with the desktop's own tool."),
            unlocked.error().detail);
    promise.finish(std::move(unlocked));
}
