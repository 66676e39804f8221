#include "simulator/http/HttpServer.h"
#include "simulator/http/HttpConnection.h"
#include <QTcpSocket>

void HttpServer::incomingConnection(qintptr handle)
{
    ++m_accepted;
    if (m_handler.failsNow(SocketOperation::Accept)) {
        QTcpSocket refused;
        refused.setSocketDescriptor(handle);
        refused.abort();
        return;
    }
    new HttpConnection(m_handler, m_configuration, handle, this);
}

void HttpServer::cutConnections()
{
    for (auto *connection : findChildren<HttpConnection *>())
        connection->cut();
}
