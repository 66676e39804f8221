#include "bridge/Channel.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

std::string_view Channel::read()
{
    char *const into = m_bytes.data() + m_end;
    const auto count = ::read(m_from, into, m_bytes.size() - m_end);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return {};
    if (count <= 0) {
        m_isEnded = true;
        return {};
    }
    m_end += size_t(count);
    return {into, size_t(count)};
}

void Channel::put(std::string_view bytes)
{
    const auto count = std::min(bytes.size(), m_bytes.size() - m_end);
    std::memcpy(m_bytes.data() + m_end, bytes.data(), count);
    m_end += count;
}

void Channel::write()
{
    while (!isEmpty() && !m_isBroken) {
        const auto count = ::write(m_to, m_bytes.data() + m_begin, m_end - m_begin);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            m_isBroken = errno != EAGAIN;
            if (m_isBroken)
                m_begin = m_end;
            break;
        }
        m_begin += size_t(count);
    }
    if (m_begin > 0) {
        std::memmove(m_bytes.data(), m_bytes.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
}
