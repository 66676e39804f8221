#pragma once
#include "support/Signals.h"
#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusVariant>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <sys/prctl.h>

/// A D-Bus session and a GNOME Keyring of the test's own, in a home folder of their own; both end with it.
/// Make it before anything of the process talks to D-Bus: it sets the environment for the whole process.
class PrivateKeyring
{
public:
    PrivateKeyring()
    {
        const QDir home(m_home.path());
        for (const auto *folder : {"data", "run", "config", "cache"})
            home.mkdir(QString::fromLatin1(folder));
        QFile::setPermissions(m_home.filePath(QStringLiteral("run")),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("HOME", m_home.path().toUtf8());
        qputenv("XDG_DATA_HOME", m_home.filePath(QStringLiteral("data")).toUtf8());
        qputenv("XDG_RUNTIME_DIR", m_home.filePath(QStringLiteral("run")).toUtf8());
        qputenv("XDG_CONFIG_HOME", m_home.filePath(QStringLiteral("config")).toUtf8());
        qputenv("XDG_CACHE_HOME", m_home.filePath(QStringLiteral("cache")).toUtf8());
        qunsetenv("DISPLAY");
        qunsetenv("WAYLAND_DISPLAY");
        qunsetenv("GNOME_KEYRING_CONTROL");
        startBus();
    }
    ~PrivateKeyring()
    {
        stopDaemon();
        end(m_bus);
    }

    /// False where the programs are not installed.
    static bool isPossible()
    {
        return !QStandardPaths::findExecutable(QStringLiteral("dbus-daemon")).isEmpty() &&
               !QStandardPaths::findExecutable(QStringLiteral("gnome-keyring-daemon")).isEmpty();
    }

    /// Starts the keyring unlocked; true once it owns its name on the bus.
    bool startDaemon()
    {
        const QStringList arguments{QStringLiteral("--foreground"), QStringLiteral("--components=secrets"),
                                    QStringLiteral("--unlock")};
        start(m_daemon, QStringLiteral("gnome-keyring-daemon"), arguments);
        m_daemon.write("password of a throw-away keyring");
        m_daemon.closeWriteChannel();
        return QTest::qWaitFor([] { return hasService(); }, 10'000) &&
               QTest::qWaitFor([] { return collection() != QLatin1String("/"); }, 10'000);
    }
    void stopDaemon() { end(m_daemon); }
    /// Lets the keyring stand still without going away.
    void freezeDaemon(bool frozen) { signalTo(m_daemon, frozen ? SIGSTOP : SIGCONT); }
    /// Locks the default collection, as a desktop does when the person signs out of the keyring.
    static bool lock() { return setLocked(QStringLiteral("Lock")); }

    static bool hasService()
    {
        return QDBusConnection::sessionBus().interface()->isServiceRegistered(
            QStringLiteral("org.freedesktop.secrets"));
    }
    /// Every file that the keyring and the process left in the private home.
    QByteArray everyByteOnDisk() const
    {
        QByteArray all;
        QStringList folders{m_home.path()};
        while (!folders.isEmpty()) {
            const QDir folder(folders.takeLast());
            for (const auto &entry : folder.entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
                if (entry.isDir())
                    folders << entry.filePath();
                QFile file(entry.filePath());
                if (entry.isFile() && file.open(QIODevice::ReadOnly))
                    all += file.readAll();
            }
        }
        return all;
    }
    QString home() const { return m_home.path(); }

private:
    static QDBusMessage ask(const QString &method, const QVariant &argument)
    {
        auto call = QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.secrets"),
                                                   QStringLiteral("/org/freedesktop/secrets"),
                                                   QStringLiteral("org.freedesktop.Secret.Service"), method);
        call << argument;
        return QDBusConnection::sessionBus().call(call);
    }
    static QString collection()
    {
        const auto answer = ask(QStringLiteral("ReadAlias"), QStringLiteral("default"));
        return answer.arguments().value(0).value<QDBusObjectPath>().path();
    }
    static bool setLocked(const QString &method)
    {
        const auto answer = ask(method, QVariant::fromValue(QList<QDBusObjectPath>{QDBusObjectPath(collection())}));
        return answer.type() == QDBusMessage::ReplyMessage &&
               !qdbus_cast<QList<QDBusObjectPath>>(answer.arguments().value(0)).isEmpty();
    }
    /// No service folder: nothing is started on demand, so that "no keyring" stays so.
    void startBus()
    {
        QFile config(m_home.filePath(QStringLiteral("bus.conf")));
        if (!config.open(QIODevice::WriteOnly))
            qFatal("cannot write the private bus configuration");
        config.write("<busconfig><type>session</type><listen>unix:tmpdir=" + m_home.path().toUtf8() +
                     "</listen><policy context='default'><allow send_destination='*' eavesdrop='true'/>"
                     "<allow eavesdrop='true'/><allow own='*'/></policy></busconfig>");
        config.close();
        const QStringList arguments{QStringLiteral("--nofork"), QStringLiteral("--print-address"),
                                    QStringLiteral("--config-file=") + config.fileName()};
        start(m_bus, QStringLiteral("dbus-daemon"), arguments);
        if (!m_bus.waitForReadyRead(10'000))
            qFatal("the private bus did not start");
        qputenv("DBUS_SESSION_BUS_ADDRESS", m_bus.readLine().trimmed());
    }
    static void start(QProcess &process, const QString &program, const QStringList &arguments)
    {
        process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
        process.setProcessChannelMode(QProcess::SeparateChannels);
        process.start(program, arguments);
        process.waitForStarted(10'000);
    }
    static void end(QProcess &process)
    {
        if (process.state() == QProcess::NotRunning)
            return;
        process.terminate();
        if (!process.waitForFinished(5'000)) {
            process.kill();
            process.waitForFinished(5'000);
        }
    }

    QTemporaryDir m_home;
    QProcess m_bus, m_daemon;
};
