#include "remotes/RemoteList.h"
#include "base/DisplayText.h"
#include "remotes/RemoteFile.h"
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QSaveFile>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(RemoteList)
};
constexpr qint64 longestFile = 4 * 1024 * 1024;
constexpr auto ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

Error unavailable(const QString &message, const QString &detail)
{
    return {Error::Kind::Unavailable, message, detail};
}

Error unknown(const QString &id)
{
    return {Error::Kind::NotFound, Text::tr("There is no such connection any more."), id};
}

Result<QByteArray> readAll(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unavailable(Text::tr("The file of connections %1 cannot be read: %2.").arg(path, file.errorString()),
                           path);
    if (file.size() > longestFile)
        return Error{Error::Kind::Malformed, Text::tr("The file of connections %1 is far too large.").arg(path), path};
    return file.readAll();
}
}

RemoteList::RemoteList(QString path, QObject *parent) : QObject(parent), m_path(std::move(path)) {}

Result<void> RemoteList::load()
{
    m_remotes.clear();
    m_unfinished.clear();
    m_blocked.reset();
    if (!QFileInfo::exists(m_path) && !QFileInfo(m_path).isSymbolicLink())
        return {};
    auto text = readAll(m_path);
    auto content = text ? RemoteFile::parse(*text) : Result<RemoteFile::Content>(text.error());
    if (!content) {
        m_blocked = content.error();
        m_blocked->detail = m_path;
        return *m_blocked;
    }
    m_remotes = std::move(content->remotes);
    m_unfinished = std::move(content->unfinished);
    return {};
}

Result<QString> RemoteList::setAside()
{
    if (!m_blocked)
        return Error{Error::Kind::Conflict, Text::tr("The file of connections is in use and in order."), m_path};
    const auto stamp = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    auto aside = QStringLiteral("%1.unreadable-%2").arg(m_path, stamp);
    for (int i = 2; QFileInfo::exists(aside); ++i)
        aside = QStringLiteral("%1.unreadable-%2-%3").arg(m_path, stamp).arg(i);
    if (!QFile::rename(m_path, aside))
        return unavailable(Text::tr("The file of connections %1 cannot be renamed.").arg(m_path), aside);
    m_blocked.reset();
    return aside;
}

std::optional<Remote> RemoteList::find(const QString &id) const
{
    for (const auto &remote : m_remotes)
        if (remote.id == id)
            return remote;
    return std::nullopt;
}

std::optional<Remote> RemoteList::findByName(const QString &name) const
{
    // Names are unique without regard to case, so that at most one fits.
    for (const auto &remote : m_remotes)
        if (RemoteFile::isSameName(remote.name, name))
            return remote;
    return std::nullopt;
}

Result<Remote> RemoteList::add(Remote remote)
{
    auto prepared = prepare(std::move(remote));
    if (!prepared)
        return prepared.error();
    if (auto put = addPrepared(*prepared); !put)
        return put.error();
    return *std::move(prepared);
}

Result<Remote> RemoteList::prepare(Remote remote) const
{
    remote.id = newId(remote.name);
    if (auto fine = RemoteFile::check(remote); !fine)
        return fine.error();
    if (auto unused = checkFree(remote); !unused)
        return unused.error();
    return RemoteFile::normal(std::move(remote));
}

Result<void> RemoteList::addPrepared(const Remote &prepared)
{
    const auto added = prepared; // a copy: it may be one of ours
    if (auto unused = checkFree(added); !unused)
        return unused;
    auto next = m_remotes;
    next.push_back(added);
    if (auto saved = save(next); !saved)
        return saved;
    m_remotes = std::move(next);
    Q_EMIT this->added(added);
    return {};
}

Result<void> RemoteList::change(const Remote &remote)
{
    auto next = m_remotes;
    const auto found =
        std::find_if(next.begin(), next.end(), [&](const Remote &other) { return other.id == remote.id; });
    if (found == next.end())
        return unknown(remote.id);
    if (auto fine = RemoteFile::check(remote); !fine)
        return fine;
    if (auto unused = checkFree(remote); !unused)
        return unused;
    const auto changedTo = RemoteFile::normal(remote); // a copy: it may be one of ours
    *found = changedTo;
    if (auto saved = save(next); !saved)
        return saved;
    m_remotes = std::move(next);
    Q_EMIT changed(changedTo);
    return {};
}

Result<void> RemoteList::remove(const QString &id)
{
    auto next = m_remotes;
    const auto gone = id;
    if (std::erase_if(next, [&](const Remote &remote) { return remote.id == gone; }) == 0)
        return unknown(gone);
    if (auto saved = save(next); !saved)
        return saved;
    m_remotes = std::move(next);
    Q_EMIT removed(gone);
    return {};
}

Result<void> RemoteList::checkFree(const Remote &remote) const
{
    for (const auto &other : m_remotes)
        if (other.id != remote.id && RemoteFile::isSameName(other.name, remote.name))
            return Error{Error::Kind::Conflict,
                         Text::tr("There is a connection named \"%1\" already.").arg(DisplayText::visible(other.name))};
    return {};
}

Result<void> RemoteList::save(const std::vector<Remote> &remotes, const std::vector<TokenChange> &unfinished) const
{
    if (m_blocked)
        return unavailable(
            Text::tr("The file of connections could not be read and is kept as it is. Mend it or set it aside first."),
            m_blocked->message);
    const QFileInfo info(m_path);
    const bool isNew = !info.dir().exists();
    if (isNew && !QDir().mkpath(info.path()))
        return unavailable(Text::tr("The folder %1 cannot be made.").arg(info.path()), {});
    if (isNew)
        QFile::setPermissions(info.path(), ownerOnly | QFileDevice::ExeOwner);
    QSaveFile file(m_path);
    const auto text = RemoteFile::write(remotes, unfinished);
    if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(ownerOnly) || file.write(text) != text.size() ||
        !file.commit())
        return unavailable(
            Text::tr("The file of connections %1 cannot be written: %2.").arg(m_path, file.errorString()), m_path);
    return {};
}

/// Part of the name, for people who read the keyring or the audit log, and four hex digits that make it unique.
QString RemoteList::newId(const QString &name) const
{
    QString stem;
    for (const auto letter : name.toLower())
        if ((letter >= u'a' && letter <= u'z') || (letter >= u'0' && letter <= u'9'))
            stem += letter;
    stem = stem.isEmpty() ? QStringLiteral("remote") : stem.left(20);
    for (;;) {
        const auto id = QStringLiteral("%1-%2").arg(stem).arg(QRandomGenerator::system()->bounded(0x10000), 4, 16,
                                                              QLatin1Char('0'));
        if (!find(id))
            return id;
    }
}
