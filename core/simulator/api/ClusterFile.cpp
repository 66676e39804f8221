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

QJsonArray ClusterFile::withDigest(const QList<QJsonObject> &rows)
{
    QJsonArray all;
    for (const auto &row : rows)
        all.append(row);
    const auto same = digest(QJsonValue(all));
    QJsonArray result;
    for (auto row : rows) {
        row.insert("digest", same);
        result.append(row);
    }
    return result;
}
