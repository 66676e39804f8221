#include "simulator/api/ClusterFile.h"
#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>

QString ClusterFile::digest(const QByteArray &text)
{
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex());
}

// Nothing stored has the digest of the empty file.
QString ClusterFile::digest(const QJsonValue &content)
{
    const bool empty = (content.isArray() && content.toArray().isEmpty()) ||
                       (content.isObject() && content.toObject().isEmpty()) || content.isNull();
    return digest(empty ? QByteArray() : QJsonDocument(QJsonArray{content}).toJson(QJsonDocument::Compact));
}
