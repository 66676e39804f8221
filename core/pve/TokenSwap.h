#pragma once
#include "pve/TokenMaker.h"
#include "remotes/TokenChange.h"
#include <functional>

class RemoteList;
class SecretStore;
template <class T>
class Future;

/// What a swap works on. All borrowed.
struct TokenSwapParts {
    RemoteList &remotes;
    SecretStore &secrets;
    /// Writes a sentence about a connection into the audit log, durably. Nothing is done at the server if it fails.
    std::function<Future<void>(const QString &sentence, const QString &connection)> record;
};

/// Gives a connection an API token of its own: make, test, swap, revoke. After every step a crash leaves a connection
/// that works, and a note in the file of connections of each token that may be left at the server.
class TokenSwap
{
public:
    explicit TokenSwap(TokenSwapParts parts) : m_parts(std::move(parts)) {}

    /// How a connection is to look with its new token; `owner` is "user@realm". Made for one that exists (`was`) or for
    /// a new one that RemoteList::prepare() gave an id.
    static TokenChange plan(const Remote &was, const QString &owner, bool isNew);
    /// `authority` is signed in as somebody who may make the token and grant what is wanted. The stop is heeded until
    /// the first change at the server; after that it goes on to an end. An error says what was left behind, if
    /// anything; what could not be revoked stays in RemoteList::unfinished().
    QCoro::Task<Result<Remote>> run(Connection *authority, TokenChange change, std::vector<TokenGrant> grants,
                                    std::stop_token stop);
    /// Revokes what an unfinished change has left at the server, and forgets its secret.
    QCoro::Task<Result<void>> settle(Connection *authority, QString remoteId, std::stop_token stop);

private:
    QCoro::Task<Result<void>> prove(Connection *authority, TokenChange change, std::vector<TokenGrant> grants,
                                    Secret secret, std::stop_token stop);
    QCoro::Task<Error> undo(Connection *authority, TokenChange change, Error why, std::stop_token stop);
    QCoro::Task<Result<void>> clear(Connection *authority, TokenChange change, std::stop_token stop);

    TokenSwapParts m_parts;
};
