#pragma once
#include "simulator/Faults.h"
#include "simulator/http/HttpAnswer.h"
#include "simulator/http/HttpRequest.h"
#include "simulator/http/WebSocketPeer.h"
#include <QPointer>
#include <QSslConfiguration>
#include <QTcpServer>
#include <functional>
#include <memory>

class HttpConnection;

/// Decides what a connection says: the seam between HTTP and the API.
class HttpHandler
{
public:
    struct Outcome {
        HttpAnswer answer;
        int cut = 0;       ///< 0 no, 1 before, 2 during, 3 after, 4 never answer
        qint64 bytes = -1; ///< with 2: how many bytes leave; -1 = half
        /// Who talks on from here, when the connection becomes a websocket.
        std::shared_ptr<WebSocketPeer> peer = {};
    };
    virtual ~HttpHandler() = default;
    /// Looks at the headers; an answer ends it here, without the body being read.
    virtual std::optional<HttpAnswer> refuse(const HttpRequest &head) = 0;
    virtual Outcome handle(const HttpRequest &request) = 0;
    /// True when this operation of a socket shall fail.
    virtual bool failsNow(SocketOperation) { return false; }
    virtual qint64 nowMs() const = 0;
    /// How long PVE waits before it closes on headers it does not like.
    virtual std::chrono::milliseconds patience() const = 0;
};

/// Accepts TLS connections on the loopback interface; plain HTTP on the same port is sent to https.
class HttpServer : public QTcpServer
{
    Q_OBJECT
public:
    HttpServer(HttpHandler &handler, QObject *parent = nullptr) : QTcpServer(parent), m_handler(handler) {}
    void setConfiguration(const QSslConfiguration &configuration) { m_configuration = configuration; }
    int accepted() const { return m_accepted; }
    void cutConnections();

protected:
    void incomingConnection(qintptr handle) override;

private:
    HttpHandler &m_handler;
    QSslConfiguration m_configuration;
    int m_accepted = 0;
};
