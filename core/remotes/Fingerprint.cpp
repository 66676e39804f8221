#include "remotes/Fingerprint.h"
#include <QRegularExpression>

QString Fingerprint::text(const QByteArray &sha256)
{
    return QString::fromLatin1(sha256.toHex(':').toUpper());
}

QByteArray Fingerprint::fromText(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("\\A([0-9a-fA-F]{2}:?){31}[0-9a-fA-F]{2}\\z"));
    const auto trimmed = text.trimmed();
    return form.match(trimmed).hasMatch() ? QByteArray::fromHex(trimmed.toLatin1().replace(':', "")) : QByteArray();
}
