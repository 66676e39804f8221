#include "secrets/SecretService.h"
#include <QCoreApplication>
#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusError>
#include <QDBusMetaType>
#include <QDBusObjectPath>
#include <QDBusPendingCallWatcher>
#include <QFileInfo>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(SecretService)
};
const auto serviceName = QStringLiteral("org.freedesktop.secrets");
const auto servicePath = QStringLiteral("/org/freedesktop/secrets");
const auto serviceInterface = QStringLiteral("org.freedesktop.Secret.Service");
const auto collectionInterface = QStringLiteral("org.freedesktop.Secret.Collection");
const auto promptInterface = QStringLiteral("org.freedesktop.Secret.Prompt");
const auto kwalletName = QStringLiteral("org.kde.kwalletd5");

QDBusMessage toService(const QString &method)
{
    return QDBusMessage::createMethodCall(serviceName, servicePath, serviceInterface, method);
}

QDBusMessage toBus(const QString &method)
{
    const auto bus = QStringLiteral("org.freedesktop.DBus");
    return QDBusMessage::createMethodCall(bus, QStringLiteral("/org/freedesktop/DBus"), bus, method);
}

/// libdbus would start a bus of its own by "autolaunch", which blocks for half a second and helps nobody.
bool hasSessionBus()
{
    if (!qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS"))
        return true;
    const auto runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return !runtime.isEmpty() && QFileInfo::exists(runtime + QLatin1String("/bus"));
}

/// Where QtKeychain goes to KWallet by itself, which tells "locked" and "not there" apart.
bool isPlasma()
{
    return qEnvironmentVariable("XDG_CURRENT_DESKTOP") == QLatin1String("KDE");
}

SecretService::State stateFor(const Error &error)
{
    const auto name = QString(error.detail).remove(QLatin1String("org.freedesktop.DBus.Error."));
    if (name == QLatin1String("ServiceUnknown") || name == QLatin1String("NameHasNoOwner") ||
        name.startsWith(QLatin1String("Spawn")))
        return SecretService::State::NoService;
    if (name == QLatin1String("Disconnected") || name == QLatin1String("NoServer"))
        return SecretService::State::NoBus;
    return SecretService::State::Silent;
}

Error odd()
{
    return {Error::Kind::Unavailable, Text::tr("The keyring gave an answer that makes no sense."),
            QStringLiteral("unexpected signature")};
}

/// The object path that stands at this place of the answer; empty if there is none.
QString pathAt(const QDBusMessage &answer, int index)
{
    const auto arguments = answer.arguments();
    return index < arguments.size() ? arguments.at(index).value<QDBusObjectPath>().path() : QString();
}
} // namespace

Future<QDBusMessage> SecretService::call(const QDBusMessage &message)
{
    if (!hasSessionBus())
        return ready<QDBusMessage>(Error{Error::Kind::Unavailable, {}, QStringLiteral("Disconnected")});
    auto promise = std::make_shared<Promise<QDBusMessage>>();
    auto future = promise->future();
    const auto pending = QDBusConnection::sessionBus().asyncCall(message, static_cast<int>(m_patience.count()));
    auto *watcher = new QDBusPendingCallWatcher(pending, this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [promise, watcher] {
        watcher->deleteLater();
        const auto answer = watcher->reply();
        if (answer.type() == QDBusMessage::ReplyMessage)
            promise->finish(answer);
        else
            promise->finish(Error{Error::Kind::Unavailable, answer.errorMessage(), answer.errorName()});
    });
    return future;
}

QCoro::Task<Result<QString>> SecretService::defaultCollection(std::stop_token stop)
{
    auto ask = toService(QStringLiteral("ReadAlias"));
    ask << QStringLiteral("default");
    auto answer = co_await call(ask).until(stop);
    if (!answer)
        co_return answer.error();
    auto path = pathAt(*answer, 0);
    if (path.isEmpty())
        co_return odd();
    co_return path;
}

QCoro::Task<SecretService::State> SecretService::lockOf(QString collection, std::stop_token stop)
{
    auto ask = QDBusMessage::createMethodCall(serviceName, collection,
                                              QStringLiteral("org.freedesktop.DBus.Properties"), QStringLiteral("Get"));
    ask << collectionInterface << QStringLiteral("Locked");
    auto answer = co_await call(ask).until(stop);
    if (!answer)
        co_return stateFor(answer.error());
    const auto locked = answer->arguments().value(0).value<QDBusVariant>().variant();
    if (locked.typeId() != QMetaType::Bool)
        co_return State::Silent;
    co_return locked.toBool() ? State::Locked : State::Open;
}

QCoro::Task<bool> SecretService::hasKWallet(std::stop_token stop)
{
    auto owned = toBus(QStringLiteral("NameHasOwner"));
    owned << kwalletName;
    auto answer = co_await call(owned).until(stop);
    if (answer && answer->arguments().value(0).toBool())
        co_return true;
    auto start = toBus(QStringLiteral("StartServiceByName"));
    start << kwalletName << uint(0);
    auto started = co_await call(start).until(stop);
    co_return static_cast<bool>(started);
}

QCoro::Task<SecretService::State> SecretService::state(std::stop_token stop)
{
    if (isPlasma()) {
        auto wallet = co_await hasKWallet(stop);
        if (wallet)
            co_return State::Open;
    }
    auto collection = co_await defaultCollection(stop);
    if (!collection)
        co_return stateFor(collection.error());
    if (*collection == QLatin1String("/"))
        co_return State::Open; // no collection yet: the first secret makes one
    auto lock = co_await lockOf(*collection, stop);
    co_return lock;
}

QCoro::Task<SecretService::State> SecretService::stateOf(QString service, QString key, std::stop_token stop)
{
    auto general = co_await state(stop);
    if (general != State::Open || isPlasma())
        co_return general;
    // QtKeychain's attributes for libsecret.
    const QMap<QString, QString> attributes{{QStringLiteral("user"), key}, {QStringLiteral("server"), service}};
    auto search = toService(QStringLiteral("SearchItems"));
    qDBusRegisterMetaType<QMap<QString, QString>>();
    search << QVariant::fromValue(attributes);
    auto answer = co_await call(search).until(stop);
    if (!answer)
        co_return stateFor(answer.error());
    const auto locked = qdbus_cast<QList<QDBusObjectPath>>(answer->arguments().value(1));
    co_return locked.isEmpty() ? State::Open : State::Locked;
}

QCoro::Task<Result<void>> SecretService::unlock(std::stop_token stop)
{
    auto collection = co_await defaultCollection(stop);
    if (!collection)
        co_return collection.error();
    if (*collection == QLatin1String("/"))
        co_return Result<void>();
    auto ask = toService(QStringLiteral("Unlock"));
    ask << QVariant::fromValue(QList<QDBusObjectPath>{QDBusObjectPath(*collection)});
    auto answer = co_await call(ask).until(stop);
    if (!answer)
        co_return answer.error();
    auto path = pathAt(*answer, 1);
    if (path.isEmpty())
        co_return odd();
    if (path == QLatin1String("/"))
        co_return Result<void>();
    auto prompted = co_await prompt(path, stop);
    co_return prompted;
}

QCoro::Task<Result<void>> SecretService::prompt(QString path, std::stop_token stop)
{
    auto answered = std::make_shared<Promise<void>>();
    auto future = answered->future();
    auto bus = QDBusConnection::sessionBus();
    const auto once = connect(this, &SecretService::prompted, this, [answered](bool dismissed) {
        const Error closed{Error::Kind::Denied, Text::tr("The keyring was not unlocked.")};
        answered->finish(dismissed ? Result<void>(closed) : Result<void>());
    });
    bus.connect(serviceName, path, promptInterface, QStringLiteral("Completed"), this, SLOT(promptCompleted(bool)));
    auto show = QDBusMessage::createMethodCall(serviceName, path, promptInterface, QStringLiteral("Prompt"));
    show << QString();
    auto shown = co_await call(show).until(stop);
    if (!shown)
        answered->finish(shown.error());
    // However long the person needs; the caller can stop it.
    auto outcome = co_await std::move(future).until(stop);
    disconnect(once);
    bus.disconnect(serviceName, path, promptInterface, QStringLiteral("Completed"), this, SLOT(promptCompleted(bool)));
    co_return outcome;
}
