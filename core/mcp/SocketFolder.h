#pragma once
#include "base/Result.h"
#include <QLockFile>
#include <memory>

/// A folder of ours alone, locked for as long as this lives, with one listening socket in it. Made so that a second
/// instance, a link, a stranger's file or a dead socket cannot mislead anybody.
class SocketFolder
{
public:
    /// Makes the folder with mode 0700 if it is missing, then locks it. Conflict: another instance has it; Unavailable:
    /// it is a link, not ours, or open to others.
    static Result<std::unique_ptr<SocketFolder>> take(const QString &folder);
    /// Removes the socket if it is still the one that was made here.
    ~SocketFolder();
    SocketFolder(const SocketFolder &) = delete;
    SocketFolder &operator=(const SocketFolder &) = delete;

    /// A listening socket of mode 0600, the caller's to close. A dead socket of ours is replaced; Conflict: somebody
    /// answers there; Unavailable: something else has the name and stays untouched.
    Result<int> listen(const QString &name);
    QString path() const { return m_folder + u'/' + m_name; }

private:
    SocketFolder(QString folder, int descriptor);
    Result<> lock();
    Result<> makeWay();
    QString m_folder, m_name;
    int m_descriptor = -1; ///< of the folder, so that a swapped path changes nothing
    QLockFile m_lock;
    quint64 m_inode = 0; ///< of our socket; 0 = none
};

/// Connects to a socket below a folder, however long its path is. Unreachable: nobody listens, with the reason.
Result<int> connectToSocket(const QString &path);
