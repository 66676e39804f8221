#include "simulator/http/HttpConnection.h"
#include "simulator/http/PieceByPiece.h"
#include "simulator/http/WebSocketFrames.h"
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
        if (m_handler.failsNow(SocketOperation::Tls))
            return cut();
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
    if (m_handler.failsNow(SocketOperation::Read))
        return cut();
    if (m_peer)
        return talk();
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
    if (m_handler.failsNow(SocketOperation::Write))
        return cut();
    if (outcome.peer)
        return becomeWebSocket(outcome);
    ++m_requests;
    const bool keep = keepsAlive(outcome.answer);
    const bool old = m_parser.request().minorVersion == 0 || m_parser.state() == HttpParser::State::WrongVersion;
    auto bytes = outcome.answer.none ? outcome.answer.body : outcome.answer.bytes(old ? 0 : 1, keep, m_handler.nowMs());
    if (outcome.cut == 1)
        bytes.clear();
    if (outcome.cut == 2)
        bytes.truncate(outcome.bytes >= 0 ? outcome.bytes : bytes.size() / 2);
    if (outcome.cut == 0 && (outcome.answer.pace.count() > 0 || outcome.answer.filler > 0))
        return writePieces(outcome.answer, bytes, keep);
    m_socket.write(bytes);
    m_socket.flush();
    if (outcome.cut > 0 || outcome.answer.none)
        cut();
    else
        finish(keep);
}

void HttpConnection::writePieces(const HttpAnswer &answer, const QByteArray &bytes, bool keep)
{
    m_over = true;
    auto *pieces = new PieceByPiece(m_socket, {bytes, answer.filler, answer.tail, answer.step, answer.pace}, this);
    connect(pieces, &PieceByPiece::done, this, [this, pieces, keep] {
        pieces->deleteLater();
        m_over = false;
        finish(keep);
        proceed();
    });
}

void HttpConnection::finish(bool keep)
{
    if (keep) {
        m_parser.reset();
        return;
    }
    m_over = true;
    m_socket.disconnectFromHost();
}

void HttpConnection::becomeWebSocket(const HttpHandler::Outcome &outcome)
{
    m_over = true;
    m_peer = outcome.peer;
    m_socket.write(outcome.answer.body);
    say(m_peer->begin());
    talk();
}

void HttpConnection::say(const QList<QByteArray> &messages)
{
    for (const auto &message : messages)
        m_socket.write(WebSocketFrames::frame(WebSocketFrames::Opcode::Binary, message));
    m_socket.flush();
}

// A ping is answered; a close ends it without one in return, as recorded.
void HttpConnection::talk()
{
    using WebSocketFrames::Opcode;
    while (const auto frame = WebSocketFrames::take(m_buffer)) {
        if (frame->isBroken || frame->opcode == Opcode::Close)
            return cut();
        if (frame->opcode == Opcode::Ping)
            m_socket.write(WebSocketFrames::frame(Opcode::Pong, frame->payload));
        if (frame->opcode == Opcode::Text || frame->opcode == Opcode::Binary)
            say(m_peer->hear(frame->payload));
        if (m_peer->isOver()) {
            m_socket.disconnectFromHost();
            return;
        }
    }
}

void HttpConnection::cut()
{
    m_over = true;
    m_later.stop();
    m_socket.abort();
    deleteLater();
}
