#pragma once
#include "secrets/SecretStore.h"
#include <QDir>
#include <QFile>

/// A stand-in for the keychain that two processes of a test can share: one file a key. For tests only: it protects
/// nothing.
class FileStore final : public SecretStore
{
public:
    explicit FileStore(QString folder) : m_folder(std::move(folder)) { QDir().mkpath(m_folder); }
    Future<Secret> read(const QString &key) override
    {
        QFile file(path(key));
        if (!file.open(QIODevice::ReadOnly))
            return ready<Secret>(Error{Error::Kind::NotFound, QStringLiteral("Nothing is stored."), key});
        return ready<Secret>(Secret(file.readAll()));
    }
    Future<void> write(const QString &key, const Secret &value) override
    {
        QFile file(path(key) + QStringLiteral(".new"));
        if (!file.open(QIODevice::WriteOnly) || file.write(value.reveal()) != value.reveal().size())
            return ready<void>(Error{Error::Kind::Unavailable, QStringLiteral("Not stored."), key});
        file.close();
        const bool moved =
            ::rename(QFile::encodeName(file.fileName()).constData(), QFile::encodeName(path(key)).constData()) == 0;
        return ready<void>(moved ? Result<>() : Error{Error::Kind::Unavailable, QStringLiteral("Not stored."), key});
    }
    Future<void> remove(const QString &key) override
    {
        QFile::remove(path(key));
        return ready<void>({});
    }

private:
    QString path(const QString &key) const { return m_folder + u'/' + QString(key).replace(u'/', u'_'); }
    QString m_folder;
};
