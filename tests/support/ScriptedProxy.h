#pragma once
#include <QTcpServer>
#include <QTcpSocket>
#include <memory>

/// A proxy that leads every target to one port of this computer, and keeps what it was asked for.
class ScriptedProxy : public QTcpServer
{
public:
    enum class Kind { Http, Socks5 };

    ScriptedProxy(Kind kind, quint16 leadsTo) : m_kind(kind), m_leadsTo(leadsTo) { listen(QHostAddress::LocalHost); }
    /// As it stands in HTTPS_PROXY.
    QString address(const QString &user = {}) const
    {
        const auto scheme = m_kind == Kind::Http ? QStringLiteral("http://") : QStringLiteral("socks5://");
        return scheme + user + QStringLiteral("127.0.0.1:") + QString::number(serverPort());
    }

    QStringList targets; ///< "host:port"
    QByteArray login;    ///< base64 of "user:password" that it wants; empty: none
    QByteArray refusal;  ///< instead of 200, such as "403 Forbidden"
    QByteArray plain;    ///< what was said before the tunnel stood

protected:
    void incomingConnection(qintptr descriptor) override
    {
        auto *client = new QTcpSocket(this);
        client->setSocketDescriptor(descriptor);
        connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
        auto pending = std::make_shared<QByteArray>();
        auto greeted = std::make_shared<bool>(false);
        connect(client, &QTcpSocket::readyRead, client, [this, client, pending, greeted] {
            const auto read = client->readAll();
            plain += read;
            *pending += read;
            m_kind == Kind::Http ? takeConnect(client, *pending) : takeSocks(client, *pending, *greeted);
        });
    }

private:
    void takeConnect(QTcpSocket *client, QByteArray &pending)
    {
        const auto end = pending.indexOf("\r\n\r\n");
        if (end < 0)
            return;
        const auto head = pending.left(end);
        pending.clear();
        if (!login.isEmpty() && !head.contains("Basic " + login)) {
            client->write("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\n"
                          "Content-Length: 0\r\n\r\n");
            return;
        }
        targets << QString::fromLatin1(head.split(' ').value(1));
        if (!refusal.isEmpty()) {
            client->write("HTTP/1.1 " + refusal + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            client->disconnectFromHost();
            return;
        }
        client->write("HTTP/1.1 200 Connection established\r\n\r\n");
        tunnel(client);
    }
    void takeSocks(QTcpSocket *client, QByteArray &pending, bool &greeted)
    {
        if (!greeted && pending.size() >= 2 && pending.size() >= 2 + pending[1]) {
            greeted = true;
            pending.remove(0, 2 + pending[1]);
            client->write(QByteArray("\x05\x00", 2));
        }
        if (!greeted || pending.size() < 7 || pending.size() < 7 + pending[4] || pending[3] != 3)
            return;
        const int length = pending[4];
        const auto port = (quint8(pending[5 + length]) << 8) + quint8(pending[6 + length]);
        targets << QString::fromLatin1(pending.mid(5, length)) + u':' + QString::number(port);
        pending.clear();
        client->write(QByteArray("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x01", 10));
        tunnel(client);
    }
    void tunnel(QTcpSocket *client)
    {
        client->disconnect(SIGNAL(readyRead()));
        auto *server = new QTcpSocket(client);
        connect(server, &QTcpSocket::readyRead, client, [client, server] { client->write(server->readAll()); });
        connect(server, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
        connect(client, &QTcpSocket::readyRead, server, [client, server] { server->write(client->readAll()); });
        server->connectToHost(QHostAddress::LocalHost, m_leadsTo);
    }

    const Kind m_kind;
    const quint16 m_leadsTo;
};
