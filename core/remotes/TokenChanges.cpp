#include "remotes/RemoteFile.h"
#include "remotes/RemoteList.h"
#include <QCoreApplication>

static Error noneBegun(const QString &id)
{
    return {Error::Kind::NotFound,
            QCoreApplication::translate("RemoteList", "No token of this connection is being changed."), id};
}

static auto placeOf(auto &changes, const QString &id)
{
    return std::find_if(changes.begin(), changes.end(), [&](const TokenChange &one) { return one.next.id == id; });
}

std::optional<TokenChange> RemoteList::findUnfinished(const QString &id) const
{
    const auto found = placeOf(m_unfinished, id);
    return found == m_unfinished.end() ? std::nullopt : std::optional(*found);
}

Result<void> RemoteList::keep(std::vector<TokenChange> unfinished)
{
    if (auto saved = save(m_remotes, unfinished); !saved)
        return saved;
    m_unfinished = std::move(unfinished);
    Q_EMIT unfinishedChanged();
    return {};
}

Result<void> RemoteList::begin(TokenChange change)
{
    if (findUnfinished(change.next.id))
        return Error{
            Error::Kind::Conflict,
            QCoreApplication::translate(
                "RemoteList", "An earlier change of this connection's token is not finished. Finish it first.")};
    if (auto fine = RemoteFile::check(change.next); !fine)
        return fine;
    change.next = RemoteFile::normal(std::move(change.next));
    change.step = TokenChange::Step::Making;
    auto next = m_unfinished;
    next.push_back(std::move(change));
    return keep(std::move(next));
}

Result<void> RemoteList::commit(const QString &id)
{
    auto changes = m_unfinished;
    const auto change = placeOf(changes, id);
    if (change == changes.end())
        return noneBegun(id);
    const auto swapped = change->next;
    if (auto unused = checkFree(swapped); !unused)
        return unused;
    auto remotes = m_remotes;
    const auto place =
        std::find_if(remotes.begin(), remotes.end(), [&](const Remote &one) { return one.id == swapped.id; });
    const bool isNew = place == remotes.end();
    if (isNew)
        remotes.push_back(swapped);
    else
        *place = swapped;
    change->step = TokenChange::Step::Revoking;
    if (change->oldUser.isEmpty() && change->oldSecret.isEmpty())
        changes.erase(change);
    if (auto saved = save(remotes, changes); !saved)
        return saved;
    m_remotes = std::move(remotes);
    m_unfinished = std::move(changes);
    Q_EMIT unfinishedChanged();
    if (isNew)
        Q_EMIT added(swapped);
    else
        Q_EMIT changed(swapped);
    return {};
}

Result<void> RemoteList::finish(const QString &id)
{
    auto changes = m_unfinished;
    const auto change = placeOf(changes, id);
    if (change == changes.end())
        return noneBegun(id);
    changes.erase(change);
    return keep(std::move(changes));
}
