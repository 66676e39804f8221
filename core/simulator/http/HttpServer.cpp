#include "simulator/http/HttpServer.h"
#include "simulator/http/HttpConnection.h"

void HttpServer::incomingConnection(qintptr handle)
{
    ++m_accepted;
    new HttpConnection(m_handler, m_configuration, handle, this);
}

void HttpServer::cutConnections()
{
    for (auto *connection : findChildren<HttpConnection *>())
        connection->cut();
}
