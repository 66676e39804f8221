#pragma once
#include <QTcpServer>
#include <QTcpSocket>

/// Stands between a client and a server on loopback and lets exactly one operation of its sockets fail: the n-th, where
/// an accepted connection and every piece of bytes in either direction is one.
class CuttingRelay : public QTcpServer
{
public:
    /// What becomes of the piece that is hit; the connection is cut on both sides in any case.
    enum class How {
        Lost,     ///< it does not arrive
        Half,     ///< half of it arrives
        Delivered ///< it arrives whole
    };
    explicit CuttingRelay(quint16 target) : m_target(target) { listen(QHostAddress::LocalHost); }
    QString address() const { return QStringLiteral("127.0.0.1:%1").arg(serverPort()); }
    /// From now on the n-th operation fails; 0: none.
    void cutAt(int n, How how)
    {
        m_cutAt = n;
        m_how = how;
        m_operations = 0;
    }
    int operations() const { return m_operations; }
    bool hasCut() const { return m_cutAt > 0 && m_operations >= m_cutAt; }

protected:
    void incomingConnection(qintptr descriptor) override
    {
        auto *client = new QTcpSocket(this);
        client->setSocketDescriptor(descriptor);
        if (isHit()) {
            end(client);
            return;
        }
        auto *server = new QTcpSocket(this);
        join(client, server);
        join(server, client);
        server->connectToHost(QHostAddress::LocalHost, m_target);
    }

private:
    bool isHit() { return ++m_operations == m_cutAt; }
    void join(QTcpSocket *from, QTcpSocket *to)
    {
        connect(from, &QTcpSocket::readyRead, to, [this, from, to] { pass(from, to); });
        connect(from, &QTcpSocket::disconnected, to, [to] { to->disconnectFromHost(); });
        connect(from, &QTcpSocket::disconnected, from, &QObject::deleteLater);
    }
    void pass(QTcpSocket *from, QTcpSocket *to)
    {
        const auto bytes = from->readAll();
        if (!isHit()) {
            to->write(bytes);
            return;
        }
        to->write(m_how == How::Lost ? QByteArray() : m_how == How::Half ? bytes.left(bytes.size() / 2) : bytes);
        disconnect(from, nullptr, to, nullptr);
        disconnect(to, nullptr, from, nullptr);
        end(from);
        to->disconnectFromHost(); // when what was written has left
        if (to->state() == QAbstractSocket::UnconnectedState)
            to->deleteLater();
    }
    /// A reset, not an orderly end.
    static void end(QTcpSocket *socket)
    {
        socket->abort();
        socket->deleteLater();
    }

    const quint16 m_target;
    int m_cutAt = 0, m_operations = 0;
    How m_how = How::Lost;
};
