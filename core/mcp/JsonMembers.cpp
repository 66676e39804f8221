#include "mcp/JsonMembers.h"

static bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

JsonMembers::JsonMembers(QByteArrayView object) : m_text(object)
{
    m_isWhole = read();
}

std::vector<QByteArrayView> JsonMembers::elements(QByteArrayView list)
{
    JsonMembers reader;
    reader.m_text = list;
    std::vector<QByteArrayView> all;
    return reader.readElements(all) ? all : std::vector<QByteArrayView>();
}

bool JsonMembers::readElements(std::vector<QByteArrayView> &elements)
{
    skipBlanks();
    if (current() != '[')
        return false;
    do {
        ++m_at;
        skipBlanks();
        if (const auto value = readValue(); !value.isEmpty())
            elements.push_back(value);
        skipBlanks();
    } while (current() == ',');
    if (current() != ']')
        return false;
    ++m_at;
    skipBlanks();
    return m_at == m_text.size();
}

QByteArrayView JsonMembers::value(QByteArrayView key) const
{
    QByteArrayView found;
    for (const auto &member : m_members) {
        if (member.key != key)
            continue;
        if (!found.isNull())
            return {};
        found = member.value;
    }
    return found;
}

void JsonMembers::skipBlanks()
{
    while (m_at < m_text.size() && isBlank(m_text[m_at]))
        ++m_at;
}

bool JsonMembers::read()
{
    skipBlanks();
    if (current() != '{')
        return false;
    ++m_at;
    skipBlanks();
    while (current() == '"') {
        const auto key = readString();
        skipBlanks();
        if (current() != ':')
            return false;
        ++m_at;
        skipBlanks();
        const auto value = readValue();
        if (value.isEmpty())
            return false;
        m_members.push_back({key.size() < 2 ? QByteArrayView() : key.sliced(1, key.size() - 2), value});
        skipBlanks();
        if (current() != ',')
            break;
        ++m_at;
        skipBlanks();
    }
    if (current() != '}')
        return false;
    ++m_at;
    skipBlanks();
    return m_at == m_text.size();
}

/// With its quotes; to the end of the text if it is not closed.
QByteArrayView JsonMembers::readString()
{
    const auto begin = m_at++;
    while (m_at < m_text.size() && m_text[m_at] != '"')
        m_at += m_text[m_at] == '\\' ? 2 : 1;
    m_at = qMin(m_at + 1, m_text.size());
    return m_text.sliced(begin, m_at - begin);
}

QByteArrayView JsonMembers::readValue()
{
    const auto begin = m_at;
    qsizetype depth = 0;
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (c == '"') {
            readString();
            if (depth == 0)
                break;
            continue;
        }
        if (depth == 0 && (c == ',' || c == '}' || c == ']' || isBlank(c)))
            break;
        ++m_at;
        if (c == '{' || c == '[')
            ++depth;
        else if ((c == '}' || c == ']') && --depth == 0)
            break;
    }
    return m_text.sliced(begin, m_at - begin);
}
