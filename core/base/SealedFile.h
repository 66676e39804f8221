#pragma once
#include "base/Result.h"
#include "base/Seal.h"
#include <QJsonObject>
#include <optional>

/// One JSON object in a file of mode 0600, sealed, so that a program that writes into it is found out. Any thread.
class SealedFile
{
public:
    SealedFile(QString path, Seal seal) : m_path(std::move(path)), m_seal(std::move(seal)) {}
    /// Absent: there is no file. Malformed: it is no JSON object. Untrusted: it is not as it was written. Unavailable.
    Result<std::optional<QJsonObject>> read() const;
    /// All or nothing. Unavailable: the old file is kept.
    Result<> write(QJsonObject content) const;

private:
    QString m_path;
    Seal m_seal;
};
