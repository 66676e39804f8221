#include "remotes/import/DotEnv.h"
#include <QRegularExpression>

static QString unquoted(const QString &raw)
{
    const auto text = raw.trimmed();
    const auto quote = text.isEmpty() ? QChar() : text.front();
    if (quote == u'\'' || quote == u'"') {
        const auto end = text.indexOf(quote, 1);
        auto inside = text.mid(1, end < 0 ? -1 : end - 1);
        if (quote == u'"')
            inside.replace(QLatin1String("\\\\"), QLatin1String("\\"));
        return inside;
    }
    static const QRegularExpression comment(QStringLiteral("\\s#.*$"));
    auto plain = text;
    return plain.remove(comment).trimmed();
}

QMap<QString, QString> DotEnv::parse(const QByteArray &text)
{
    static const QRegularExpression entry(
        QStringLiteral("\\A\\s*(?:export\\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\\s*=(.*)\\z"));
    QMap<QString, QString> values;
    for (const auto &line : QString::fromUtf8(text).split(u'\n')) {
        const auto match = entry.match(line.trimmed());
        if (match.hasMatch())
            values.insert(match.captured(1), unquoted(match.captured(2)));
    }
    return values;
}
