#pragma once
#include "base/Promise.h"
#include "pve/ApiRequest.h"
#include <QCoro/QCoroTask>
#include <stop_token>

class Session;
class Transport;

/// Speaks the REST dialect of one cluster: signs in, encodes, sends once, tells errors in words.
/// Owner's thread only; outlive it with no call running (the executor and the poller end theirs first).
class Client
{
public:
    /// Both are borrowed and must outlive the client.
    Client(Transport &transport, Session &session);

    /// Sends once; a read is repeated once after a 401 that a new ticket mends, a write never is.
    /// Errors: Unauthorized, Forbidden (the message names the privilege and path), Rejected (PVE's own text, field by field),
    /// Malformed, and those of Transport.
    QCoro::Task<Result<ApiAnswer>> send(ApiRequest request, std::stop_token stop);

private:
    Transport &m_transport;
    Session &m_session;
};
