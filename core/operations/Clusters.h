#pragma once
#include "inventory/InventorySnapshot.h"
#include "operations/Requests.h"
#include <QJsonArray>

// What lists over several connections share: all are asked at once, none waits for another for long, and who did not
// answer is named.

/// One answer, or why there is none, of each connection.
template <class T>
using AnswerOf = std::pair<QString, Result<T>>;

/// One GET of one connection.
struct Question {
    QString remote;
    ApiRequest request;
};
/// All at once, answered in the same order; TimedOut for one that has not answered after five seconds.
QCoro::Task<std::vector<Result<QJsonValue>>> askAll(OperationContext context, std::vector<Question> questions);
/// The same GET of each; TimedOut for one that has not answered after five seconds (reliability R10).
QCoro::Task<std::vector<AnswerOf<QJsonValue>>> askEach(OperationContext context, QStringList remotes,
                                                       ApiRequest request);
/// The state of each, asked for now and read on another thread, as the poller does.
QCoro::Task<std::vector<AnswerOf<InventoryPtr>>> readEach(OperationContext context, QStringList remotes);

/// What PVE leaves out of a list without a word for those who have none of the privileges below `root`.
struct Sight {
    QStringList privileges;
    QString root; ///< "/pool"
    Text what;    ///< "pools"
};

/// Rows of several connections or nodes, with who is missing and what cannot be seen.
class Gathered
{
public:
    void add(QJsonObject row) { m_rows.append(row); }
    /// The list that one connection answered; nothing, and noted as missing, if it did not.
    QJsonArray list(const QString &remote, const Result<QJsonValue> &answer);
    /// The same of a part of it, a node or a storage, that is named where it is missing.
    QJsonArray list(const QString &remote, const QString &part, const Result<QJsonValue> &answer);
    void addMissing(QJsonObject who) { m_missing.append(who); }
    void addMissingNodes(const InventorySnapshot &state);
    /// Notes what this sign-in cannot see of a list, from /access/permissions.
    void hide(const QString &remote, const Result<QJsonValue> &permissions, const Sight &sight);
    const QJsonArray &rows() const { return m_rows; }
    /// Notes a connection whose state was read: what is missing and hidden of it, or why there is none.
    void note(const QString &remote, const Result<InventoryPtr> &state);
    /// Takes over what another list could not get; its rows stay there.
    void takeGaps(const Gathered &other);
    bool hidesSomething() const { return !m_notVisible.isEmpty(); }
    /// The same with the rows sorted by a number, highest first.
    Gathered sortedBy(const char *key) const;
    /// {key: rows, missing, not_visible}; the error of the last if nobody answered. With a limit, the rows that fit and
    /// "left_out".
    Result<QJsonObject> answer(const char *key, qint64 limit = 0) const;

private:
    QJsonArray m_rows, m_missing, m_notVisible;
    std::optional<Error> m_last;
    bool m_isAnswered = false;
};

/// A list that every connection keeps.
struct Listing {
    const char *key; ///< of the rows in the answer
    ApiRequest request;
    QStringList noise = {}; ///< keys that nobody needs
    std::optional<Sight> sight = {};
};
/// The rows of one or all connections, each with its "remote".
QCoro::Task<Result<QJsonValue>> listEach(OperationContext context, std::optional<RemoteRef> only, Listing listing);

/// GET of what this sign-in may do.
ApiRequest permissionsRequest();
/// {remote, problem}: this connection is missing from the answer.
QJsonObject missingRemote(const QString &remote, const Error &error);
/// {remote, node, problem, last_seen} for each node that is away: what is said of it is not known.
void addMissingNodes(QJsonArray &missing, const InventorySnapshot &state);
