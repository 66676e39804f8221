#pragma once
#include "base/Result.h"
#include "remotes/TokenChange.h"
#include <QByteArray>
#include <vector>

/// The text of the file of connections: {"version": 1, "remotes": […], "unfinished": […]}. Strict in reading; holds no
/// secret.
namespace RemoteFile
{
/// What the file holds.
struct Content {
    std::vector<Remote> remotes;
    std::vector<TokenChange> unfinished; ///< at most one for each connection
};
/// Malformed names the place, Unavailable a file of a newer version. Ids and names are unique in what it returns.
Result<Content> parse(const QByteArray &text);
QByteArray write(const std::vector<Remote> &remotes, const std::vector<TokenChange> &unfinished = {});

/// Invalid, in words for the person who typed it: name, addresses, user and pins of one connection.
Result<void> check(const Remote &remote);
/// The same with every address written the one way that is compared (remotes/Address.h).
Remote normal(Remote remote);
/// Names are one and the same if they differ in case only.
bool isSameName(const QString &one, const QString &other);
}
