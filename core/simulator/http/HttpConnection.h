#pragma once
#include "simulator/http/HttpParser.h"
#include "simulator/http/HttpServer.h"
#include <QSslSocket>
#include <QTimer>

/// One accepted connection: reads requests one after the other and writes their answers.
class HttpConnection : public QObject
{
    Q_OBJECT
public:
    HttpConnection(HttpHandler &handler, const QSslConfiguration &configuration, qintptr descriptor, QObject *parent);
    void cut();

private:
    void beginWithFirstByte();
    void read();
    void proceed();
    void lookAtHead();
    void answer(const HttpHandler::Outcome &outcome);
    void write(const HttpHandler::Outcome &outcome);
    void redirectToHttps();
    bool keepsAlive(const HttpAnswer &answer) const;
    void writePieces(const HttpAnswer &answer, const QByteArray &bytes, bool keep);
    void finish(bool keep);
    void becomeWebSocket(const HttpHandler::Outcome &outcome);
    void talk();
    void say(const QList<QByteArray> &messages);

    static constexpr int maxRequests = 100;

    HttpHandler &m_handler;
    QSslSocket m_socket;
    HttpParser m_parser;
    QByteArray m_buffer;
    QTimer m_later;
    std::optional<HttpHandler::Outcome> m_waiting;
    int m_requests = 0;
    bool m_over = false;
    std::shared_ptr<WebSocketPeer> m_peer; ///< once it is a websocket
    bool m_busy = false;                   ///< writing may bring new bytes in, which wait
};
