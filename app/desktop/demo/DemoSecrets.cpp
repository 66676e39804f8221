#include "demo/DemoSecrets.h"

DemoSecrets::DemoSecrets() : m_keyring(QStringLiteral("Labhelm demo"), std::chrono::seconds(3)) {}

Future<Secret> DemoSecrets::read(const QString &key)
{
    Promise<Secret> promise;
    auto future = promise.future();
    readNow(key, std::move(promise));
    return future;
}

QCoro::Task<void> DemoSecrets::readNow(QString key, Promise<Secret> promise)
{
    auto kept = co_await m_memory.read(key);
    if (kept) {
        promise.finish(std::move(kept));
        co_return;
    }
    auto found = co_await m_keyring.read(key);
    if (!found && found.error().kind == Error::Kind::Unavailable)
        found = kept.error(); // nothing was stored in this run, and nothing else counts here
    promise.finish(std::move(found));
}

Future<void> DemoSecrets::write(const QString &key, const Secret &value)
{
    Promise<void> promise;
    auto future = promise.future();
    writeNow(key, value, std::move(promise));
    return future;
}

QCoro::Task<void> DemoSecrets::writeNow(QString key, Secret value, Promise<void> promise)
{
    auto here = co_await m_memory.write(key, value);
    promise.finish(std::move(here));
    const auto there = co_await m_keyring.write(key, value);
    Q_UNUSED(there) // without a keyring the memory of this run is all there is
}

Future<void> DemoSecrets::remove(const QString &key)
{
    const auto here = m_memory.remove(key);
    Q_UNUSED(here) // removing from memory cannot fail
    return m_keyring.remove(key);
}
