#pragma once
#include "base/Background.h"
#include "base/Promise.h"
#include "pve/ApiRequest.h"
#include "pve/Transport.h"
#include <QCoro/QCoroTask>
#include <stop_token>

class Session;

/// Speaks the REST dialect of one cluster: signs in, encodes, sends once, tells errors in words.
/// Owner's thread only; outlive it with no call running (the executor and the poller end theirs first).
class Client
{
public:
    /// Both are borrowed and must outlive the client.
    Client(Transport &transport, Session &session);

    /// Sends once; a read is repeated once after a 401 that a new ticket mends, a write never is.
    /// Errors: Unauthorized, Forbidden (the message names the privilege and path), Rejected (PVE's own text, field by
    /// field), Malformed, and those of Transport; AnswerReader.h says which answer becomes which. A write that is
    /// stopped after it was handed over ends as Unknown; Invalid if the request cannot be sent as it is.
    QCoro::Task<Result<ApiAnswer>> send(ApiRequest request, std::stop_token stop);

private:
    QCoro::Task<Result<HttpAnswer>> exchange(ApiRequest request, std::stop_token stop);

    Future<ApiAnswer> readAway(ApiRequest request, HttpAnswer answer);

    Transport &m_transport;
    Session &m_session;
    Background m_reader;
};
