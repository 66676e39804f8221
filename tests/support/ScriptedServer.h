#pragma once
#include "remotes/Remote.h"
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>
#include <functional>
#include <map>
#include <vector>

/// A TLS peer that does to a client whatever a test says, down to single bytes, and keeps what it received.
class ScriptedServer : public QTcpServer
{
public:
    /// A request that arrived whole.
    struct Request {
        QByteArray method, path, body;
        std::map<QByteArray, QByteArray> headers; ///< names in lower case
        int connection = 0;
        QByteArray header(const char *name) const
        {
            const auto found = headers.find(name);
            return found == headers.end() ? QByteArray() : found->second;
        }
    };
    /// What to do about one: pieces with a pause before each, then perhaps a close.
    struct Reply {
        std::vector<std::pair<int, QByteArray>> pieces; ///< milliseconds to wait, bytes
        bool close = false;
        bool abort = false; ///< a reset instead of an orderly end
        qint64 flood = 0;   ///< then so many more bytes, each piece when the one before has left
    };
    enum class Cut { Never, BeforeHandshake, AfterHandshake, AtFirstByte };

    explicit ScriptedServer(const QString &certificate = QStringLiteral("a"))
    {
        show(certificate);
        listen(QHostAddress::LocalHost);
    }
    /// Connections from now on see this certificate of tests/data/certificates.
    void show(const QString &certificate, const QString &issuer = {});
    QByteArray pin() const { return m_pin; }
    QString address() const { return QStringLiteral("127.0.0.1:%1").arg(serverPort()); }
    /// A connection to this server that trusts its certificate; a token is expected.
    Remote remote() const;

    static QByteArray bytes(const QByteArray &statusLine, const QByteArray &body,
                            const QByteArray &headers = "Content-Type: application/json;charset=UTF-8\r\n")
    {
        return "HTTP/1.1 " + statusLine + "\r\n" + headers + "Content-Length: " + QByteArray::number(body.size()) +
               "\r\n\r\n" + body;
    }
    static Reply say(const QByteArray &raw, bool close = false)
    {
        Reply reply;
        reply.pieces.emplace_back(0, raw);
        reply.close = close;
        return reply;
    }
    static Reply ok(const QByteArray &data = "null") { return say(bytes("200 OK", "{\"data\":" + data + "}")); }
    static Reply hangUp()
    {
        Reply reply;
        reply.close = true;
        return reply;
    }
    static Reply silence() { return {}; }

    std::function<Reply(const Request &)> script = [](const Request &) { return ok(); };
    std::vector<Request> requests;
    Cut cut = Cut::Never;
    int connections = 0, handshakes = 0;
    qint64 flooded = 0;                          ///< bytes of a flood that have left
    QByteArray received;                         ///< every plain byte that came, the newest 64 KiB
    std::map<QByteArray, QByteArray> receivedBy; ///< the same by the certificate that was shown for it
    /// Requests that arrived, in whole or in part, with this method.
    int arrived(const char *method) const
    {
        return static_cast<int>(
            std::count_if(requests.begin(), requests.end(), [&](const auto &r) { return r.method == method; }));
    }
    void closeAll()
    {
        const auto sockets = findChildren<QSslSocket *>();
        for (auto *socket : sockets)
            socket->disconnectFromHost();
    }

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    static QString file(const QString &name, const char *kind);
    void take(QSslSocket *socket, QByteArray *pending, int number);
    static Request parse(const QByteArray &head);
    void act(QSslSocket *socket, Reply reply, size_t next = 0);
    void flood(QSslSocket *socket, qint64 bytes);
    QSslConfiguration m_configuration;
    QByteArray m_pin;
};
