#include "mcp/LineFraming.h"

void LineFraming::feed(const QByteArray &bytes)
{
    if (m_start > 0) {
        m_buffer.remove(0, m_start);
        m_searched -= m_start;
        m_start = 0;
    }
    m_buffer += bytes;
}

std::optional<QByteArray> LineFraming::next()
{
    while (!m_overflowed) {
        const auto end = m_buffer.indexOf('\n', m_searched);
        const auto length = (end < 0 ? m_buffer.size() : end) - m_start;
        if (length > m_cap) {
            m_overflowed = true;
            m_buffer.clear();
            m_start = m_searched = 0;
            break;
        }
        if (end < 0) {
            m_searched = m_buffer.size();
            break;
        }
        auto line = m_buffer.mid(m_start, length);
        m_start = m_searched = end + 1;
        if (line.endsWith('\r'))
            line.chop(1);
        if (!line.trimmed().isEmpty())
            return line;
    }
    return std::nullopt;
}
