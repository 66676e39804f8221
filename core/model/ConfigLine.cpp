#include "model/ConfigLine.h"
#include <QRegularExpression>

ConfigLine::ConfigLine(const QString &text, const char *defaultKey) : m_defaultKey(QLatin1String(defaultKey))
{
    if (!text.isEmpty())
        m_parts = text.split(u',');
}

QString ConfigLine::keyOf(const QString &part) const
{
    static const QRegularExpression named(QStringLiteral("\\A([A-Za-z0-9_-]+)="));
    const auto match = named.match(part);
    return match.hasMatch() ? match.captured(1) : m_defaultKey;
}

qsizetype ConfigLine::find(const QString &key) const
{
    for (qsizetype at = 0; at < m_parts.size(); ++at)
        if (!m_parts[at].isEmpty() && keyOf(m_parts[at]) == key)
            return at;
    return -1;
}

std::optional<QString> ConfigLine::value(const QString &key) const
{
    const auto at = key.isEmpty() ? -1 : find(key);
    if (at < 0)
        return std::nullopt;
    const auto &part = m_parts[at];
    return part.startsWith(key + u'=') ? part.mid(key.size() + 1) : part;
}

QStringList ConfigLine::keys() const
{
    QStringList all;
    for (const auto &part : m_parts)
        if (!part.isEmpty())
            all << keyOf(part);
    return all;
}

/// Within the sorted end of the line; never before the parts that say what the line is.
qsizetype ConfigLine::placeFor(const QString &key) const
{
    static const QStringList heads{QStringLiteral("mp"), QStringLiteral("name")};
    auto at = m_parts.size();
    while (at > 1) {
        const auto before = keyOf(m_parts[at - 1]);
        const bool isSorted = at == m_parts.size() || before < keyOf(m_parts[at]);
        if (before <= key || !isSorted || heads.contains(before))
            break;
        --at;
    }
    return at;
}

void ConfigLine::set(const QString &key, const QString &value)
{
    const auto at = find(key);
    const bool isBare = key == m_defaultKey && (at < 0 || !m_parts[at].startsWith(key + u'='));
    const auto part = isBare ? value : key + u'=' + value;
    if (at >= 0)
        m_parts[at] = part;
    else
        m_parts.insert(isBare ? 0 : placeFor(key), part);
}

void ConfigLine::remove(const QString &key)
{
    for (auto at = find(key); at >= 0; at = find(key))
        m_parts.removeAt(at);
}

void ConfigLine::rename(const QString &key, const QString &newKey)
{
    if (const auto at = find(key); at >= 0)
        m_parts[at] = newKey + u'=' + *value(key);
}
