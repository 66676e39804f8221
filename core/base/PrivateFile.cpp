#include "base/PrivateFile.h"
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

static Error unavailable(const QString &path, const QString &why)
{
    return {Error::Kind::Unavailable, QCoreApplication::translate("PrivateFile", "%1: %2").arg(path, why), path};
}

static QString systemWords(int number)
{
    return QString::fromLocal8Bit(std::strerror(number));
}

static Result<> makeMissing(const QString &path)
{
    const auto parent = QFileInfo(path).path();
    if (!QFileInfo::exists(parent))
        if (auto made = makeMissing(parent); !made)
            return made;
    if (::mkdir(QFile::encodeName(path).constData(), 0700) != 0 && errno != EEXIST)
        return unavailable(path, systemWords(errno));
    return {};
}

Result<> PrivateFile::makeFolder(const QString &path)
{
    const auto clean = QDir::cleanPath(QDir(path).absolutePath());
    if (auto made = makeMissing(clean); !made)
        return made;
    struct stat found {
    };
    const auto name = QFile::encodeName(clean);
    if (::stat(name.constData(), &found) != 0)
        return unavailable(clean, systemWords(errno));
    if (!S_ISDIR(found.st_mode))
        return unavailable(clean, QCoreApplication::translate("PrivateFile", "this is not a folder"));
    if (found.st_uid != ::geteuid())
        return unavailable(clean, QCoreApplication::translate("PrivateFile", "this folder belongs to somebody else"));
    if ((found.st_mode & 0077) != 0 && ::chmod(name.constData(), 0700) != 0)
        return unavailable(clean, systemWords(errno));
    return {};
}

Result<> PrivateFile::write(const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return unavailable(path, file.errorString());
    if (!file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) || file.write(content) != content.size() ||
        !file.commit())
        return unavailable(path, file.errorString());
    return {};
}
