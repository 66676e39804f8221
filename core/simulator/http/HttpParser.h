#pragma once
#include "simulator/http/HttpRequest.h"

/// Takes a request apart as bytes come in, with the limits that PVE's server has: 8 KiB and 64 lines of headers.
class HttpParser
{
public:
    enum class State {
        Head,     ///< waits for the end of the headers
        HeadDone, ///< the caller looks at the headers, then calls readBody() or reset()
        Body,
        Complete,
        TooLong, ///< headers beyond the limits: PVE answers nothing and closes
        Broken,  ///< not HTTP
        WrongVersion
    };
    /// Takes what it needs from `buffer` and goes as far as it can; call again when more came or the state was changed.
    State advance(QByteArray &buffer);
    State state() const { return m_state; }
    const HttpRequest &request() const { return m_request; }
    /// "2.0" of a version that is not 1.x.
    QByteArray version() const { return m_version; }
    /// After HeadDone: the body of `length` bytes follows.
    void readBody(qint64 length);
    void reset();

    static constexpr qsizetype maxHead = 8 * 1024;
    static constexpr int maxLines = 64;

private:
    State parseHead(const QByteArray &head);
    bool parseRequestLine(const QByteArray &line);

    State m_state = State::Head;
    HttpRequest m_request;
    QByteArray m_version;
    qint64 m_length = 0;
};
