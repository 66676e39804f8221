#include "simulator/http/HttpParser.h"

HttpParser::State HttpParser::advance(QByteArray &buffer)
{
    if (m_state == State::Head) {
        // Empty lines before a request are let pass, as RFC 9112 2.2 asks.
        while (buffer.startsWith("\r\n"))
            buffer.remove(0, 2);
        const auto end = buffer.indexOf("\r\n\r\n");
        if ((end < 0 && buffer.size() > maxHead) || end > maxHead)
            return m_state = State::TooLong;
        if (end < 0)
            return m_state;
        m_state = parseHead(buffer.left(end));
        buffer.remove(0, end + 4);
    }
    if (m_state == State::Body && buffer.size() >= m_length) {
        m_request.body = buffer.left(m_length);
        buffer.remove(0, m_length);
        m_state = State::Complete;
    }
    return m_state;
}

void HttpParser::readBody(qint64 length)
{
    m_length = length;
    m_state = length > 0 ? State::Body : State::Complete;
}

void HttpParser::reset()
{
    *this = {};
}

HttpParser::State HttpParser::parseHead(const QByteArray &head)
{
    const auto lines = head.split('\n');
    if (lines.size() > maxLines)
        return State::TooLong;
    if (!parseRequestLine(lines[0].trimmed()))
        return State::Broken;
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const auto colon = lines[i].indexOf(':');
        if (colon <= 0)
            return State::Broken;
        m_request.headers.append({lines[i].left(colon).trimmed().toLower(), lines[i].mid(colon + 1).trimmed()});
    }
    if (!m_version.startsWith("1."))
        return State::WrongVersion;
    m_request.minorVersion = m_version.mid(2).toInt();
    return State::HeadDone;
}

bool HttpParser::parseRequestLine(const QByteArray &line)
{
    const auto parts = line.split(' ');
    if (parts.size() != 3 || !parts[2].startsWith("HTTP/") || parts[0].isEmpty() || !parts[1].startsWith('/'))
        return false;
    m_request.method = parts[0];
    m_version = parts[2].mid(5);
    const auto question = parts[1].indexOf('?');
    m_request.path = question < 0 ? parts[1] : parts[1].left(question);
    m_request.query = question < 0 ? QByteArray() : parts[1].mid(question + 1);
    return true;
}
