#pragma once
#include "base/Result.h"
#include "remotes/TokenChange.h"
#include <QObject>
#include <optional>
#include <vector>

/// The connections a person has set up, kept in one file that only they can read. Secrets live elsewhere (SecretStore).
/// Owner's thread only. A change is on disk before it is seen: if it cannot be written, nothing has changed.
class RemoteList : public QObject
{
    Q_OBJECT
public:
    /// Nothing is read or written before load().
    explicit RemoteList(QString path, QObject *parent = nullptr);

    /// Reads the file; no file is an empty list. Malformed or Unavailable: the file is kept as it is, the list is
    /// empty, and changes are refused until a load() succeeds or setAside() was called. Emits nothing.
    Result<void> load();
    /// Renames a file that could not be loaded and starts with an empty list; returns where the old one is now.
    Result<QString> setAside();

    /// In the order in which they were added.
    const std::vector<Remote> &all() const { return m_remotes; }
    std::optional<Remote> find(const QString &id) const;
    /// The exact name first, then without regard to case.
    std::optional<Remote> findByName(const QString &name) const;

    /// Gives it an id of its own (one that is given is ignored) and returns it. Invalid; Conflict: the name is taken;
    /// Unavailable: the file could not be written.
    Result<Remote> add(Remote remote);
    /// The same in two steps, for what must be stored under the id before anybody hears of the connection: prepare()
    /// checks and gives the id, addPrepared() puts it into the list. Conflict: the name was taken meanwhile.
    Result<Remote> prepare(Remote remote) const;
    Result<void> addPrepared(const Remote &prepared);
    /// Replaces the one with the same id. NotFound, and as add().
    Result<void> change(const Remote &remote);
    /// NotFound or Unavailable. Its secret is not touched.
    Result<void> remove(const QString &id);

    /// Token changes that were begun and are not done, also by an earlier run.
    const std::vector<TokenChange> &unfinished() const { return m_unfinished; }
    std::optional<TokenChange> findUnfinished(const QString &id) const;
    /// Writes down that a token is going to be made. Conflict: a change of this connection is not done yet.
    Result<void> begin(TokenChange change);
    /// The connection uses the new token from now on: one write of the file puts it there, or adds it if it is new, and
    /// leaves the old token to be revoked. NotFound: none was begun; else as add().
    Result<void> commit(const QString &id);
    /// Nothing of it is left open.
    Result<void> finish(const QString &id);

Q_SIGNALS:
    void unfinishedChanged();
    void added(const Remote &remote);
    void changed(const Remote &remote);
    void removed(const QString &id);

private:
    Result<void> checkFree(const Remote &remote) const;
    Result<void> save(const std::vector<Remote> &remotes) const { return save(remotes, m_unfinished); }
    Result<void> save(const std::vector<Remote> &remotes, const std::vector<TokenChange> &unfinished) const;
    Result<void> keep(std::vector<TokenChange> unfinished);
    QString newId(const QString &name) const;

    const QString m_path;
    std::vector<Remote> m_remotes;
    std::vector<TokenChange> m_unfinished;
    std::optional<Error> m_blocked; ///< why the file must not be overwritten
};
