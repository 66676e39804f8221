#pragma once
#include "inventory/InventorySnapshot.h"
#include "operations/Requests.h"
#include <QJsonArray>

// What lists over several connections share: all are asked at once, none waits for another for long, and who did not
// answer is named.

/// One answer, or why there is none, of each connection.
template <class T>
using AnswerOf = std::pair<QString, Result<T>>;

/// The same GET of each; TimedOut for one that has not answered after five seconds (reliability R10).
QCoro::Task<std::vector<AnswerOf<QJsonValue>>> askEach(OperationContext context, QStringList remotes,
                                                       ApiRequest request);
/// The state of each, asked for now and read on another thread, as the poller does.
QCoro::Task<std::vector<AnswerOf<InventoryPtr>>> readEach(OperationContext context, QStringList remotes);

/// {remote, problem}: this connection is missing from the answer.
QJsonObject missingRemote(const QString &remote, const Error &error);
/// {remote, node, problem, last_seen} for each node that is away: what is said of it is not known.
void addMissingNodes(QJsonArray &missing, const InventorySnapshot &state);
