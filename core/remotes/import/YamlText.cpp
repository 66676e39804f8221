#include "remotes/import/YamlText.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>

namespace
{
struct Line {
    int number;
    int indent;
    QString text;
};

/// What is wrong, and where; carried along instead of thrown.
struct Fault {
    int line = 0;
    QString why;
};

struct Text {
    Q_DECLARE_TR_FUNCTIONS(YamlText)
};

/// The text without a comment; quotes keep a '#'.
QString withoutComment(const QString &line)
{
    QChar quote;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const auto c = line[i];
        if (!quote.isNull())
            quote = c == quote ? QChar() : quote;
        else if ((c == u'"' || c == u'\'') && (i == 0 || !line[i - 1].isLetterOrNumber()))
            quote = c;
        else if (c == u'#' && (i == 0 || line[i - 1].isSpace()))
            return line.left(i);
    }
    return line;
}

class Parser
{
public:
    explicit Parser(const QByteArray &bytes)
    {
        int number = 0;
        for (const auto &raw : QString::fromUtf8(bytes).split(u'\n')) {
            ++number;
            auto line = withoutComment(raw);
            while (!line.isEmpty() && line.back().isSpace())
                line.chop(1);
            if (line.trimmed().isEmpty() || (line == QLatin1String("---") && m_lines.empty()))
                continue;
            int indent = 0;
            while (line[indent] == u' ')
                ++indent;
            if (line[indent] == u'\t')
                fail(number, Text::tr("a tab stands where spaces must"));
            m_lines.push_back({number, indent, line.mid(indent)});
        }
    }

    Result<QJsonValue> parse()
    {
        auto value = m_lines.empty() ? QJsonValue() : block(m_lines.front().indent, 0);
        if (m_fault.why.isEmpty() && m_next < m_lines.size())
            fail(m_lines[m_next].number, Text::tr("it does not belong to what stands before"));
        if (m_fault.why.isEmpty())
            return value;
        return Error{Error::Kind::Malformed, Text::tr("Line %1 can't be read: %2.").arg(m_fault.line).arg(m_fault.why)};
    }

private:
    bool isBroken() const { return !m_fault.why.isEmpty(); }
    void fail(int line, const QString &why)
    {
        if (!isBroken())
            m_fault = {line, why};
    }

    QJsonValue block(int indent, int depth)
    {
        if (depth > 20)
            fail(m_lines[m_next].number, Text::tr("it is nested too deep"));
        if (isBroken() || m_next >= m_lines.size())
            return {};
        const auto &text = m_lines[m_next].text;
        if (text == QLatin1String("-") || text.startsWith(QLatin1String("- ")))
            return list(indent, depth);
        if (keyEnd(text) >= 0)
            return mapping(indent, depth);
        const auto &line = m_lines[m_next++];
        return scalar(line.text, line.number);
    }

    QJsonValue list(int indent, int depth)
    {
        QJsonArray values;
        while (!isBroken() && m_next < m_lines.size() && m_lines[m_next].indent == indent) {
            auto &line = m_lines[m_next];
            if (line.text != QLatin1String("-") && !line.text.startsWith(QLatin1String("- ")))
                break;
            int inside = 1;
            while (inside < line.text.size() && line.text[inside] == u' ')
                ++inside;
            if (inside >= line.text.size()) {
                ++m_next;
                values.append(below(indent, depth));
                continue;
            }
            line.indent += inside; // "- name: x" opens a mapping where its first key stands
            line.text = line.text.mid(inside);
            values.append(block(line.indent, depth + 1));
        }
        return values;
    }

    QJsonValue mapping(int indent, int depth)
    {
        QJsonObject values;
        while (!isBroken() && m_next < m_lines.size() && m_lines[m_next].indent == indent) {
            const auto line = m_lines[m_next];
            const auto end = keyEnd(line.text);
            if (end < 0)
                break;
            const auto key = scalar(line.text.left(end), line.number).toVariant().toString();
            const auto rest = line.text.mid(end + 1).trimmed();
            if (values.contains(key))
                fail(line.number, Text::tr("\"%1\" stands there twice").arg(key.left(40)));
            ++m_next;
            values.insert(key, rest.isEmpty() ? below(indent, depth) : scalar(rest, line.number));
        }
        return values;
    }

    /// What is indented below a key; a list may stand at the key's own depth.
    QJsonValue below(int indent, int depth)
    {
        if (m_next >= m_lines.size())
            return {};
        const auto &line = m_lines[m_next];
        const bool isList = line.text == QLatin1String("-") || line.text.startsWith(QLatin1String("- "));
        if (line.indent > indent || (isList && line.indent == indent))
            return block(line.indent, depth + 1);
        return {};
    }

    /// Where the ':' of "key: value" stands; -1 if there is none.
    static qsizetype keyEnd(const QString &text)
    {
        static const QRegularExpression key(
            QStringLiteral("\\A(\"[^\"]*\"|'[^']*'|[^\\s\"'\\[\\]{},&*!|>%@`#:-][^:#]*|[^:\\s]+)\\s*:(\\s|$)"));
        if (text.startsWith(u'{') || text.startsWith(u'['))
            return -1;
        const auto match = key.match(text);
        return match.hasMatch() ? match.capturedEnd(1) + text.mid(match.capturedEnd(1)).indexOf(u':') : -1;
    }

    QJsonValue scalar(const QString &raw, int number)
    {
        const auto text = raw.trimmed();
        if (text.startsWith(u'[') || text.startsWith(u'{'))
            return flow(text, number);
        if (text.startsWith(u'\'') || text.startsWith(u'"'))
            return quoted(text, number);
        static const QString refused = QStringLiteral("&*!|>%@`");
        if (!text.isEmpty() && refused.contains(text.front())) {
            fail(number, Text::tr("\"%1\" begins something that is not understood here").arg(text.front()));
            return {};
        }
        return plain(text);
    }

    QJsonValue quoted(const QString &text, int number)
    {
        const auto quote = text.front();
        if (text.size() < 2 || text.back() != quote) {
            fail(number, Text::tr("a quotation mark is not closed"));
            return {};
        }
        auto inside = text.mid(1, text.size() - 2);
        if (quote == u'\'')
            return inside.replace(QLatin1String("''"), QLatin1String("'"));
        if (inside.contains(u'\\')) {
            static const QRegularExpression known(QStringLiteral("\\A(?:[^\\\\]|\\\\[\\\\\"])*\\z"));
            if (!known.match(inside).hasMatch())
                fail(number, Text::tr("an escape is not understood here"));
            inside.replace(QLatin1String("\\\""), QLatin1String("\""))
                .replace(QLatin1String("\\\\"), QLatin1String("\\"));
        }
        return inside;
    }

    /// "[a, b]" and "{name: x, port: 8006}" on one line, without nesting.
    QJsonValue flow(const QString &text, int number)
    {
        const bool isList = text.startsWith(u'[');
        const auto inside = text.mid(1, text.size() - 2);
        if (!text.endsWith(isList ? u']' : u'}') || inside.contains(u'[') || inside.contains(u'{')) {
            fail(number, Text::tr("a list or mapping in brackets must stand on one line"));
            return {};
        }
        QJsonArray values;
        QJsonObject pairs;
        for (const auto &part : inside.split(u',', Qt::SkipEmptyParts)) {
            const auto end = keyEnd(part.trimmed());
            if (isList)
                values.append(scalar(part, number));
            else if (end < 0)
                fail(number, Text::tr("a value is missing in brackets"));
            else
                pairs.insert(scalar(part.trimmed().left(end), number).toString(),
                             scalar(part.trimmed().mid(end + 1), number));
        }
        return isList ? QJsonValue(values) : QJsonValue(pairs);
    }

    static QJsonValue plain(const QString &text)
    {
        static const QRegularExpression integer(QStringLiteral("\\A[-+]?[0-9]{1,15}\\z"));
        static const QStringList yes{QStringLiteral("true"), QStringLiteral("yes"), QStringLiteral("on")};
        static const QStringList no{QStringLiteral("false"), QStringLiteral("no"), QStringLiteral("off")};
        if (text.isEmpty() || text == QLatin1String("~") || text == QLatin1String("null"))
            return QJsonValue(QJsonValue::Null);
        if (yes.contains(text.toLower()))
            return true;
        if (no.contains(text.toLower()))
            return false;
        if (integer.match(text).hasMatch())
            return text.toLongLong();
        return text;
    }

    std::vector<Line> m_lines;
    size_t m_next = 0;
    Fault m_fault;
};
}

Result<QJsonValue> YamlText::parse(const QByteArray &text)
{
    return Parser(text).parse();
}
