#pragma once
#include "base/Result.h"
#include "pve/ApiRequest.h"
#include "pve/Realm.h"
#include <QCoro/QCoroTask>
#include <stop_token>

class Connection;

/// Reads from a connection that nothing else uses yet: what a sign-in sees before its remote is kept. It can only GET.
class Lookup
{
public:
    /// Borrowed; must outlive what is awaited.
    explicit Lookup(Connection &connection) : m_connection(connection) {}
    /// Errors as Client::send tells them.
    QCoro::Task<Result<ApiAnswer>> get(QStringList segments, std::stop_token stop);
    /// Where users can be looked up. Asked without any credential, so that it is known before a password is typed.
    QCoro::Task<Result<std::vector<Realm>>> realms(std::stop_token stop);

private:
    Connection &m_connection;
};
