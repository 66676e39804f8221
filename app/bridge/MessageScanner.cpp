#include "bridge/MessageScanner.h"

static constexpr size_t longestKey = 16;
static constexpr size_t longestValue = 1024;

void MessageScanner::feed(std::string_view bytes)
{
    for (const char c : bytes)
        take(c);
}

void MessageScanner::startLine()
{
    m_message = {};
    m_key.clear();
    m_value = nullptr;
    m_depth = m_base = 0;
    m_isFresh = true;
    m_inString = m_isEscaped = m_isKey = m_readsKey = false;
}

void MessageScanner::take(char c)
{
    if (c == '\n') {
        startLine();
        return;
    }
    if (m_inString) {
        takeInString(c);
        return;
    }
    if (c == ' ' || c == '\t' || c == '\r')
        return;
    m_isFresh = false;
    switch (c) {
    case '{':
    case '[': open(c); break;
    case '}':
    case ']': close(); break;
    case ',':
        m_value = nullptr;
        m_isKey = true;
        break;
    case ':': startValue(); break;
    case '"':
        m_inString = true;
        m_readsKey = m_isKey;
        m_isKey = false;
        if (m_readsKey)
            m_key.clear();
        keep(c);
        break;
    default: keep(c);
    }
}

void MessageScanner::keep(char c)
{
    if (!m_value)
        return;
    m_value->push_back(c);
    if (m_value->size() > longestValue) {
        m_value->clear();
        m_value = nullptr;
    }
}

void MessageScanner::takeInString(char c)
{
    const bool ends = c == '"' && !m_isEscaped;
    m_isEscaped = c == '\\' && !m_isEscaped;
    m_inString = !ends;
    if (m_readsKey && !ends && m_key.size() < longestKey)
        m_key.push_back(c);
    keep(c);
}

void MessageScanner::open(char c)
{
    if (m_depth == 0 && c == '[')
        m_base = 1;
    m_value = nullptr;
    ++m_depth;
    m_isKey = c == '{';
    if (m_depth == m_base + 1 && c == '{')
        m_message = {};
}

void MessageScanner::close()
{
    m_value = nullptr;
    m_isKey = false;
    if (m_depth > 0)
        --m_depth;
    if (m_depth == m_base && !m_isFresh) {
        m_found(m_message);
        m_message = {};
    }
}

void MessageScanner::startValue()
{
    const bool isOfMessage = m_depth == m_base + 1;
    if (isOfMessage && m_key == "id") {
        m_message.id.clear();
        m_value = &m_message.id;
    } else if (isOfMessage && m_key == "method") {
        m_message.hasMethod = true;
    } else if (m_depth == m_base + 2 && m_key == "requestId") {
        m_message.cancels.clear();
        m_value = &m_message.cancels;
    }
}
