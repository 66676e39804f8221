#pragma once
#include "remotes/Remote.h"
#include <QFile>
#include <QPointer>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QTcpServer>
#include <QTimer>
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
    };
    enum class Cut { Never, BeforeHandshake, AfterHandshake, AtFirstByte };

    explicit ScriptedServer(const QString &certificate = QStringLiteral("a"))
    {
        show(certificate);
        listen(QHostAddress::LocalHost);
    }
    /// Connections from now on see this certificate of tests/data/certificates.
    void show(const QString &certificate, const QString &issuer = {})
    {
        m_configuration = QSslConfiguration::defaultConfiguration();
        QFile key(file(certificate, "key"));
        if (!key.open(QIODevice::ReadOnly))
            qFatal("no key %s", qPrintable(key.fileName()));
        auto chain = QSslCertificate::fromPath(file(certificate, "pem"));
        if (!issuer.isEmpty())
            chain += QSslCertificate::fromPath(file(issuer, "pem"));
        m_configuration.setPrivateKey(QSslKey(&key, QSsl::Ec));
        m_configuration.setLocalCertificateChain(chain);
        m_configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
        m_pin = chain.first().digest(QCryptographicHash::Sha256);
    }
    QByteArray pin() const { return m_pin; }
    QString address() const { return QStringLiteral("127.0.0.1:%1").arg(serverPort()); }
    /// A connection to this server that trusts its certificate; a token is expected.
    Remote remote() const
    {
        Remote made;
        made.id = made.name = QStringLiteral("test");
        made.addresses = QStringList{address()};
        made.user = QStringLiteral("root@pam!test");
        made.pins.insert(address(), pin());
        return made;
    }

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
    QByteArray received; ///< every plain byte that came, the newest 64 KiB
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
    void incomingConnection(qintptr descriptor) override
    {
        auto *socket = new QSslSocket(this);
        const int number = ++connections;
        socket->setSocketDescriptor(descriptor);
        if (cut == Cut::BeforeHandshake) {
            socket->abort();
            socket->deleteLater();
            return;
        }
        socket->setSslConfiguration(m_configuration);
        connect(socket, &QSslSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QSslSocket::encrypted, this, [this, socket] {
            ++handshakes;
            if (cut == Cut::AfterHandshake)
                socket->disconnectFromHost();
        });
        auto pending = std::make_shared<QByteArray>();
        connect(socket, &QSslSocket::readyRead, this,
                [this, socket, pending, number] { take(socket, pending.get(), number); });
        socket->startServerEncryption();
    }

private:
    static QString file(const QString &name, const char *kind)
    {
        return QStringLiteral(LABHELM_TEST_DATA "/certificates/%1.%2").arg(name, QLatin1String(kind));
    }
    void take(QSslSocket *socket, QByteArray *pending, int number)
    {
        const auto read = socket->readAll();
        received = (received + read).right(64 * 1024);
        *pending += read;
        if (cut == Cut::AtFirstByte && !read.isEmpty()) {
            socket->disconnectFromHost();
            return;
        }
        for (;;) {
            const auto end = pending->indexOf("\r\n\r\n");
            if (end < 0)
                return;
            Request request = parse(pending->left(end));
            const auto length = request.header("content-length").toLongLong();
            if (pending->size() < end + 4 + length)
                return;
            request.body = pending->mid(end + 4, length);
            request.connection = number;
            pending->remove(0, end + 4 + length);
            requests.push_back(request);
            act(socket, script(request));
        }
    }
    static Request parse(const QByteArray &head)
    {
        const auto lines = head.split('\n');
        const auto first = lines.first().trimmed().split(' ');
        Request request;
        request.method = first.value(0);
        request.path = first.value(1);
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const auto colon = lines[i].indexOf(':');
            request.headers[lines[i].left(colon).toLower()] = lines[i].mid(colon + 1).trimmed();
        }
        return request;
    }
    void act(QSslSocket *socket, Reply reply, size_t next = 0)
    {
        if (next == reply.pieces.size()) {
            if (reply.close)
                socket->disconnectFromHost();
            else if (reply.abort)
                socket->abort();
            return;
        }
        const auto go = [this, socket, reply, next] {
            socket->write(reply.pieces[next].second);
            socket->flush();
            act(socket, reply, next + 1);
        };
        if (reply.pieces[next].first == 0)
            go();
        else
            QTimer::singleShot(reply.pieces[next].first, socket, go);
    }
    QSslConfiguration m_configuration;
    QByteArray m_pin;
};
