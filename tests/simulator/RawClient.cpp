#include "simulator/RawClient.h"
#include <QEventLoop>
#include <QJsonDocument>
#include <QTimer>

QJsonObject RawAnswer::json() const
{
    return QJsonDocument::fromJson(body).object();
}

RawClient::RawClient(quint16 port)
{
    m_socket.setPeerVerifyMode(QSslSocket::VerifyNone);
    m_socket.connectToHostEncrypted(QStringLiteral("127.0.0.1"), port);
}

bool RawClient::wait(const std::function<bool()> &done)
{
    QEventLoop loop;
    QTimer deadline;
    deadline.setSingleShot(true);
    const auto look = [&] {
        if (done())
            loop.exit(1);
    };
    QObject::connect(&m_socket, &QSslSocket::encrypted, &loop, look);
    QObject::connect(&m_socket, &QSslSocket::readyRead, &loop, look);
    QObject::connect(&m_socket, &QSslSocket::stateChanged, &loop, look);
    QObject::connect(&deadline, &QTimer::timeout, &loop, [&] { loop.exit(0); });
    deadline.start(10000);
    return done() || loop.exec() == 1;
}

RawAnswer RawClient::exchange(const QByteArray &bytes)
{
    QByteArray received;
    if (!wait([this] { return m_socket.isEncrypted() || !isOpen(); }) || !isOpen())
        return {};
    m_socket.write(bytes);
    const auto done = [&] {
        received += m_socket.readAll();
        return !isOpen() || isWhole(received);
    };
    if (!wait(done))
        return {};
    received += m_socket.readAll();
    return parse(received, !isOpen());
}

static qint64 length(const QByteArray &head)
{
    const auto at = head.toLower().indexOf("\r\ncontent-length:");
    return at < 0 ? -1 : head.mid(at + 17, head.indexOf("\r\n", at + 2) - at - 17).trimmed().toLongLong();
}

bool RawClient::isWhole(const QByteArray &bytes)
{
    const auto end = bytes.indexOf("\r\n\r\n");
    if (end >= 0 && bytes.startsWith("HTTP/1.1 101 "))
        return true;
    const auto expected = end < 0 ? -1 : length(bytes.left(end + 2));
    return expected >= 0 && bytes.size() >= end + 4 + expected;
}

RawAnswer RawClient::parse(const QByteArray &bytes, bool closed)
{
    RawAnswer answer;
    answer.closed = closed;
    answer.nothing = bytes.isEmpty();
    const auto end = bytes.indexOf("\r\n\r\n");
    if (end < 0)
        return answer;
    const auto lines = bytes.left(end).split('\n');
    answer.statusLine = lines[0].trimmed();
    answer.status = answer.statusLine.split(' ').value(1).toInt();
    answer.reason = answer.statusLine.mid(answer.statusLine.indexOf(' ', 9) + 1);
    for (const auto &line : lines.mid(1))
        answer.headers.append({line.left(line.indexOf(':')).trimmed(), line.mid(line.indexOf(':') + 1).trimmed()});
    answer.body = bytes.mid(end + 4);
    return answer;
}
