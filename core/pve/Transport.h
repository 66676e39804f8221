#pragma once
#include "base/Promise.h"
#include "pve/ApiRequest.h"
#include <QByteArray>
#include <QList>
#include <stop_token>

/// One HTTP exchange as bytes. The path starts after "/api2/json".
struct HttpRequest {
    Method method = Method::Get;
    QByteArray path;      ///< encoded, with "?query" for GET and DELETE
    QByteArray body = {}; ///< application/x-www-form-urlencoded for POST and PUT
    QList<std::pair<QByteArray, QByteArray>> headers = {};
    /// Ends a read, and a write that still waits for its turn. A write that may be on its way goes on unheard.
    std::stop_token stop = {};
};

/// What came back, undecoded.
struct HttpAnswer {
    int status = 0;
    QString reason; ///< the phrase of the status line, decoded as UTF-8; PVE puts its error there
    QByteArray body;
    QByteArray contentType = {};
    QString origin = {}; ///< "host:port" that answered
};

/// The seam to a Proxmox VE node. Owner's thread only. A transport that goes away answers everything pending with
/// Cancelled. Errors: Unreachable or Untrusted = nothing of this request was sent; Unknown = a write was sent, or may
/// have been, and no answer came; TimedOut only for reads.
class Transport
{
public:
    virtual ~Transport() = default;
    virtual Future<HttpAnswer> send(const HttpRequest &request) = 0;
};
