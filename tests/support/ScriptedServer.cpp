#include "support/ScriptedServer.h"
#include <QFile>
#include <QPointer>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>
#include <QTimer>

void ScriptedServer::show(const QString &certificate, const QString &issuer)
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

Remote ScriptedServer::remote() const
{
    Remote made;
    made.id = made.name = QStringLiteral("test");
    made.addresses = QStringList{address()};
    made.user = QStringLiteral("root@pam!test");
    made.pins.insert(address(), pin());
    return made;
}

void ScriptedServer::incomingConnection(qintptr descriptor)
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

void ScriptedServer::take(QSslSocket *socket, QByteArray *pending, int number)
{
    const auto read = socket->readAll();
    received = (received + read).right(64 * 1024);
    auto &byPin = receivedBy[socket->localCertificate().digest(QCryptographicHash::Sha256)];
    byPin = (byPin + read).right(64 * 1024);
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

ScriptedServer::Request ScriptedServer::parse(const QByteArray &head)
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

void ScriptedServer::act(QSslSocket *socket, Reply reply, size_t next)
{
    if (next == reply.pieces.size()) {
        if (reply.flood > 0)
            flood(socket, reply.flood);
        else if (reply.close)
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

void ScriptedServer::flood(QSslSocket *socket, qint64 bytes)
{
    const QByteArray piece(64 * 1024, 'x');
    auto left = std::make_shared<qint64>(bytes);
    const auto more = [this, socket, piece, left] {
        if (*left <= 0 || socket->encryptedBytesToWrite() > 0 || socket->bytesToWrite() > 0)
            return;
        *left -= piece.size();
        flooded += piece.size();
        socket->write(piece);
    };
    connect(socket, &QSslSocket::encryptedBytesWritten, socket, more);
    more();
}

QString ScriptedServer::file(const QString &name, const char *kind)
{
    return QStringLiteral(LABHELM_TEST_DATA "/certificates/%1.%2").arg(name, QLatin1String(kind));
}
