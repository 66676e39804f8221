#include "mcp/SocketFolder.h"
#include "support/TestMain.h"
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <csignal>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/// Where the server listens, whatever stands there already.
class SocketFolderTest : public QObject
{
    Q_OBJECT

    static void put(const QString &path, const QByteArray &content)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    static QByteArray content(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static unsigned modeOf(const QString &path)
    {
        struct stat found {
        };
        return ::lstat(QFile::encodeName(path).constData(), &found) == 0 ? found.st_mode & 07777U : 0U;
    }
    /// A bound socket; closed it is what a killed server leaves behind.
    static int bindAt(const QString &path)
    {
        const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un at{};
        at.sun_family = AF_UNIX;
        qstrncpy(at.sun_path, QFile::encodeName(path).constData(), sizeof at.sun_path);
        return ::bind(socket, reinterpret_cast<const sockaddr *>(&at), sizeof at) == 0 ? socket : -1;
    }
    const QString m_name = QStringLiteral("mcp.sock");

private Q_SLOTS:
    void makesAFolderAndASocketForItsUserAlone()
    {
        const QTemporaryDir top;
        const auto folder = top.filePath(QStringLiteral("a/b"));
        QString path;
        {
            const auto taken = SocketFolder::take(folder);
            QVERIFY(taken);
            const auto socket = (*taken)->listen(m_name);
            QVERIFY(socket);
            path = (*taken)->path();
            QCOMPARE(modeOf(folder), 0700U);
            QCOMPARE(modeOf(path), 0600U);
            const auto client = connectToSocket(path);
            QVERIFY(client);
            ::close(*client);
            ::close(*socket);
        }
        QVERIFY(!QFile::exists(path));
    }

    void leavesTheFirstInstanceInPeace()
    {
        const QTemporaryDir top;
        const auto folder = top.filePath(QStringLiteral("run"));
        const auto first = SocketFolder::take(folder);
        const auto socket = (*first)->listen(m_name);
        {
            const auto second = SocketFolder::take(folder);
            QVERIFY(!second);
            QCOMPARE(second.error().kind, Error::Kind::Conflict);
        }
        const auto client = connectToSocket((*first)->path());
        QVERIFY(client);
        ::close(*client);
        ::close(*socket);
    }

    void leavesAListenerWithoutALockInPeace()
    {
        const QTemporaryDir top;
        const auto folder = top.filePath(QStringLiteral("run"));
        QDir().mkpath(folder);
        ::chmod(QFile::encodeName(folder).constData(), 0700);
        const int other = bindAt(folder + u'/' + m_name);
        QCOMPARE(::listen(other, 1), 0);
        const auto taken = SocketFolder::take(folder);
        QVERIFY(taken);
        const auto socket = (*taken)->listen(m_name);
        QVERIFY(!socket);
        QCOMPARE(socket.error().kind, Error::Kind::Conflict);
        ::close(other);
    }

    void replacesADeadSocket()
    {
        const QTemporaryDir top;
        const auto folder = top.filePath(QStringLiteral("run"));
        QDir().mkpath(folder);
        ::chmod(QFile::encodeName(folder).constData(), 0700);
        ::close(bindAt(folder + u'/' + m_name));
        const auto taken = SocketFolder::take(folder);
        QVERIFY(taken);
        const auto socket = (*taken)->listen(m_name);
        QVERIFY2(socket, socket ? "" : qPrintable(socket.error().message));
        ::close(*socket);
    }

    void takesOverTheLockOfAKilledInstance()
    {
        const QTemporaryDir top;
        const auto folder = top.filePath(QStringLiteral("run"));
        const pid_t child = ::fork();
        if (child == 0) {
            const auto taken = SocketFolder::take(folder);
            const auto socket = taken ? (*taken)->listen(QStringLiteral("mcp.sock")) : taken.error();
            ::raise(socket ? SIGKILL : SIGTERM);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QCOMPARE(WTERMSIG(status), SIGKILL);
        const auto taken = SocketFolder::take(folder);
        QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message));
        const auto socket = (*taken)->listen(m_name);
        QVERIFY(socket);
        ::close(*socket);
    }

    void aFileOfTheNameSurvives()
    {
        const QTemporaryDir top;
        const auto folder = top.filePath(QStringLiteral("run"));
        const auto taken = SocketFolder::take(folder);
        put(folder + u'/' + m_name, "dear letters");
        const auto socket = (*taken)->listen(m_name);
        QVERIFY(!socket);
        QCOMPARE(socket.error().kind, Error::Kind::Unavailable);
        QCOMPARE(content(folder + u'/' + m_name), "dear letters");
    }

    void aLinkOfTheNameAndItsTargetSurvive()
    {
        const QTemporaryDir top;
        const auto folder = top.filePath(QStringLiteral("run"));
        const auto target = top.filePath(QStringLiteral("target"));
        const auto taken = SocketFolder::take(folder);
        put(target, "dear letters");
        QVERIFY(QFile::link(target, folder + u'/' + m_name));
        QVERIFY(!(*taken)->listen(m_name));
        QCOMPARE(content(target), "dear letters");
    }

    void refusesAFolderThatIsALinkOrOpenOrAFile()
    {
        const QTemporaryDir top;
        const auto real = top.filePath(QStringLiteral("real"));
        QDir().mkpath(real);
        ::chmod(QFile::encodeName(real).constData(), 0700);
        const auto link = top.filePath(QStringLiteral("link"));
        QVERIFY(QFile::link(real, link));
        const auto open = top.filePath(QStringLiteral("open"));
        QDir().mkpath(open);
        ::chmod(QFile::encodeName(open).constData(), 0755);
        const auto file = top.filePath(QStringLiteral("file"));
        put(file, "x");
        for (const auto &folder : {link, open, file}) {
            const auto taken = SocketFolder::take(folder);
            QVERIFY2(!taken, qPrintable(folder));
            QCOMPARE(taken.error().kind, Error::Kind::Unavailable);
        }
        QCOMPARE(modeOf(open), 0755U);
        QVERIFY(QDir(real).isEmpty());
    }

    void refusesAnotherUsersFolder()
    {
        if (::geteuid() != 0)
            return; // only root can make one
        const QTemporaryDir top;
        const auto folder = top.filePath(QStringLiteral("run"));
        QDir().mkpath(folder);
        ::chmod(QFile::encodeName(folder).constData(), 0700);
        QCOMPARE(::chown(QFile::encodeName(folder).constData(), 65534, 65534), 0);
        const auto taken = SocketFolder::take(folder);
        QVERIFY(!taken);
        QCOMPARE(taken.error().kind, Error::Kind::Unavailable);
    }

    void listensBelowAPathOfAnyLength()
    {
        const QTemporaryDir top;
        const auto folder = top.filePath(QString(200, u'x') + u'/' + QString(200, u'y'));
        const auto taken = SocketFolder::take(folder);
        QVERIFY(taken);
        const auto socket = (*taken)->listen(m_name);
        QVERIFY2(socket, socket ? "" : qPrintable(socket.error().message));
        const auto client = connectToSocket((*taken)->path());
        QVERIFY(client);
        ::close(*client);
        ::close(*socket);
    }

    void saysThatNobodyListens()
    {
        const QTemporaryDir top;
        QCOMPARE(connectToSocket(top.filePath(m_name)).error().kind, Error::Kind::Unreachable);
        QCOMPARE(connectToSocket(QStringLiteral("/no/such/folder/x")).error().kind, Error::Kind::Unreachable);
    }
};

LABHELM_TEST(SocketFolderTest)
#include "SocketFolderTest.moc"
