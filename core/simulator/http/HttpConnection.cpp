#include "simulator/http/HttpConnection.h"
#include <QScopeGuard>

HttpConnection::HttpConnection(HttpHandler &handler, const QSslConfiguration &configuration, qintptr descriptor,
                               QObject *parent)
    : QObject(parent), m_handler(handler)
{
    m_later.setSingleShot(true);
    connect(&m_later, &QTimer::timeout, this, [this] {
        const auto outcome = std::exchange(m_waiting, std::nullopt);
        if (!outcome)
            return cut();
        write(*outcome);
        proceed();
    });
    m_socket.setSslConfiguration(configuration);
    if (!m_socket.setSocketDescriptor(descriptor)) {
        deleteLater();
        return;
    }
    m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(&m_socket, &QSslSocket::disconnected, this, &QObject::deleteLater);
    connect(&m_socket, &QSslSocket::readyRead, this, &HttpConnection::beginWithFirstByte);
}

// 0x16 opens a TLS handshake; anything else on this port is plain HTTP.
void HttpConnection::beginWithFirstByte()
{
    const auto first = m_socket.peek(1);
    if (first.isEmpty())
        return;
    disconnect(&m_socket, &QSslSocket::readyRead, this, nullptr);
    if (first[0] == '\x16') {
        connect(&m_socket, &QSslSocket::readyRead, this, &HttpConnection::read);
        m_socket.startServerEncryption();
        return;
    }
    connect(&m_socket, &QSslSocket::readyRead, this, &HttpConnection::redirectToHttps);
    redirectToHttps();
}

void HttpConnection::redirectToHttps()
{
    m_buffer += m_socket.readAll();
    if (m_parser.advance(m_buffer) == HttpParser::State::Head)
        return;
    const auto &request = m_parser.request();
    const bool get = request.method == "GET";
    const QByteArray text = get ? "Moved Permanently" : "Permanent Redirect";
    m_socket.write("HTTP/1.1 " + QByteArray(get ? "301 " : "308 ") + text +
                   "\r\nCache-Control: max-age=0\r\nConnection: close\r\nLocation: https://" + request.header("host") +
                   request.path + "\r\nContent-Length: " + QByteArray::number(text.size()) + "\r\n\r\n" + text);
    m_socket.disconnectFromHost();
}

void HttpConnection::read()
{
    m_buffer += m_socket.readAll();
    proceed();
}

void HttpConnection::proceed()
{
    using State = HttpParser::State;
    if (std::exchange(m_busy, true))
        return;
    const auto done = qScopeGuard([this] { m_busy = false; });
    while (!m_over && !m_later.isActive()) {
        const auto before = m_parser.state();
        const auto state = m_parser.advance(m_buffer);
        if (state == State::HeadDone) {
            lookAtHead();
        } else if (state == State::Complete) {
            answer(m_handler.handle(m_parser.request()));
        } else if (state == State::WrongVersion) {
            answer({HttpAnswer::plain(506, "http protocol version " + m_parser.version() + " not supported")});
        } else if (state == State::TooLong || state == State::Broken) {
            m_over = true;
            m_later.start(m_handler.patience());
        } else if (state == before) {
            return;
        }
    }
}

void HttpConnection::lookAtHead()
{
    if (const auto refusal = m_handler.refuse(m_parser.request())) {
        answer({*refusal});
        return;
    }
    m_parser.readBody(std::max<qint64>(0, m_parser.request().contentLength()));
}

void HttpConnection::answer(const HttpHandler::Outcome &outcome)
{
    if (outcome.cut == 4) {
        m_over = true;
        return;
    }
    if (outcome.answer.delay.count() == 0) {
        write(outcome);
        return;
    }
    m_waiting = outcome;
    m_later.start(outcome.answer.delay);
}

bool HttpConnection::keepsAlive(const HttpAnswer &answer) const
{
    const auto &request = m_parser.request();
    const auto wish = request.header("connection").toLower();
    return !answer.close && answer.status < 400 && request.minorVersion > 0 && !wish.contains("close") &&
           m_requests < maxRequests;
}

void HttpConnection::write(const HttpHandler::Outcome &outcome)
{
    ++m_requests;
    const bool keep = keepsAlive(outcome.answer);
    const bool old = m_parser.request().minorVersion == 0 || m_parser.state() == HttpParser::State::WrongVersion;
    auto bytes = outcome.answer.none ? outcome.answer.body : outcome.answer.bytes(old ? 0 : 1, keep, m_handler.nowMs());
    if (outcome.cut == 1)
        bytes.clear();
    if (outcome.cut == 2)
        bytes.truncate(outcome.bytes >= 0 ? outcome.bytes : bytes.size() / 2);
    m_socket.write(bytes);
    m_socket.flush();
    if (outcome.cut > 0 || outcome.answer.none) {
        cut();
        return;
    }
    if (!keep) {
        m_over = true;
        m_socket.disconnectFromHost();
        return;
    }
    m_parser.reset();
}

void HttpConnection::cut()
{
    m_over = true;
    m_later.stop();
    m_socket.abort();
    deleteLater();
}
