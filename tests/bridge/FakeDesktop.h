#pragma once
#include "mcp/Handshake.h"
#include <QFile>
#include <QLocalServer>
#include <QLocalSocket>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <memory>

/// The other end of the bridge, as a test wants it: a socket that shakes hands and then only holds bytes.
class FakeDesktop
{
public:
    FakeDesktop() { writeKey(QByteArray(64, 'a')); }

    QString path() const { return m_folder.filePath(QStringLiteral("mcp.sock")); }
    QString keyFile() const { return m_folder.filePath(QStringLiteral("a.key")); }
    void writeKey(const QByteArray &key, QFile::Permissions mode = QFile::ReadOwner | QFile::WriteOwner)
    {
        QFile file(keyFile());
        if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(mode))
            qFatal("cannot write a key");
        file.write(key + '\n');
    }
    bool listen() { return m_server.listen(path()); }
    /// Waits for a bridge and its first line.
    QByteArray accept()
    {
        if (!QTest::qWaitFor([this] { return m_server.hasPendingConnections(); }))
            return {};
        socket.reset(m_server.nextPendingConnection());
        socket->setParent(nullptr);
        return line();
    }
    QByteArray line()
    {
        if (!QTest::qWaitFor([this] { return socket->canReadLine(); }))
            return {};
        auto text = socket->readLine();
        text.chop(1);
        return text;
    }
    void say(const QByteArray &bytes)
    {
        socket->write(bytes);
        socket->flush();
    }
    /// The whole handshake; false if the bridge did not prove itself.
    bool welcome()
    {
        if (handshake.hear(accept()))
            return false;
        say(handshake.challenge(Secret(QByteArray(64, 'a'))));
        if (!handshake.isProof(line()))
            return false;
        say(Handshake::ServerSide::welcome(QStringLiteral("s1")));
        return true;
    }
    /// Reads until it has this many bytes.
    QByteArray read(qsizetype size)
    {
        QByteArray all;
        const bool enough = QTest::qWaitFor(
            [&] {
                all += socket->readAll();
                return all.size() >= size;
            },
            20'000);
        return enough ? all : QByteArray("too few bytes");
    }
    void close()
    {
        socket.reset();
        m_server.close();
    }

    std::unique_ptr<QLocalSocket> socket;
    Handshake::ServerSide handshake;

private:
    QTemporaryDir m_folder;
    QLocalServer m_server;
};

/// The bridge as an MCP client starts it.
class Bridge
{
public:
    enum class Start { Now, Later };
    explicit Bridge(const FakeDesktop &desktop, bool isPaired = true, Start start = Start::Now)
    {
        QStringList arguments{QStringLiteral("--socket"), desktop.path()};
        if (isPaired)
            arguments << QStringLiteral("--agent") << QStringLiteral("a") << QStringLiteral("--key")
                      << desktop.keyFile();
        process.setProgram(QStringLiteral(LABHELM_BIN "/labhelm-mcp"));
        process.setArguments(arguments);
        if (start == Start::Now)
            process.start();
    }
    ~Bridge()
    {
        if (process.state() != QProcess::NotRunning) {
            process.kill();
            process.waitForFinished();
        }
    }
    void say(const QByteArray &bytes) { process.write(bytes); }
    QByteArray line()
    {
        if (!QTest::qWaitFor([this] { return process.canReadLine(); }))
            return {};
        return process.readLine();
    }
    QByteArray read(qsizetype size)
    {
        QByteArray all;
        const bool enough = QTest::qWaitFor(
            [&] {
                all += process.readAllStandardOutput();
                return all.size() >= size;
            },
            20'000);
        return enough ? all : QByteArray("too few bytes");
    }
    /// The exit status; -1 if it does not end within this time.
    int end(int limitMs = 2000)
    {
        if (!QTest::qWaitFor([this] { return process.state() == QProcess::NotRunning; }, limitMs))
            return -1;
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    }
    /// Resident memory in KiB.
    int memory() const
    {
        QFile status(QStringLiteral("/proc/%1/status").arg(process.processId()));
        if (!status.open(QIODevice::ReadOnly))
            return 0;
        for (const auto &text : status.readAll().split('\n'))
            if (text.startsWith("VmRSS:"))
                return text.simplified().split(' ')[1].toInt();
        return 0;
    }

    QProcess process;
};
