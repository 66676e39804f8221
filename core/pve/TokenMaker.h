#pragma once
#include "base/Result.h"
#include "base/Secret.h"
#include "pve/ApiRequest.h"
#include <QCoro/QCoroTask>
#include <QJsonObject>
#include <QStringList>
#include <stop_token>
#include <vector>

class Connection;

/// A role and where it counts.
struct TokenGrant {
    QString role;
    QString path; ///< "/" or "/pool/NAME" …
    bool goesDown = true;
    bool operator==(const TokenGrant &) const = default;
};

/// What a new token could be given, as the server offers it to the person who is signed in.
struct TokenChoices {
    struct Role {
        QString id;
        QStringList privileges;
        bool isBuiltIn = false;
    };
    std::vector<Role> roles; ///< those that grant something, the smallest first
    QStringList pools;       ///< those that this person can see
};

/// Makes API tokens at the server, gives them rights, and takes them away, with the rights of the connection that it
/// borrows. A token always has privileges of its own ("privilege separation"): it never gets all that its user may.
class TokenMaker
{
public:
    explicit TokenMaker(Connection &authority) : m_authority(authority) {}

    QCoro::Task<Result<TokenChoices>> choices(std::stop_token stop);
    /// The secret, told by the server this once. `token` is "user@realm!name". Unknown: it may exist, with a secret
    /// that nobody knows.
    QCoro::Task<Result<Secret>> make(QString token, QString comment, std::stop_token stop);
    QCoro::Task<Result<void>> grant(QString token, TokenGrant grant, std::stop_token stop);
    /// What an existing token was given.
    QCoro::Task<Result<std::vector<TokenGrant>>> grantsOf(QString token, std::stop_token stop);
    /// A token that is not there is revoked already.
    QCoro::Task<Result<void>> revoke(QString token, std::stop_token stop);
    /// Whether it works and may do anything: asks with the borrowed connection, which signs in with it.
    QCoro::Task<Result<void>> test(std::stop_token stop);

private:
    QCoro::Task<Result<ApiAnswer>> send(ApiRequest request, std::stop_token stop);
    QCoro::Task<Result<bool>> exists(QString token, std::stop_token stop);

    Connection &m_authority;
};
