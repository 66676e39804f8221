#pragma once
#include <array>
#include <cstddef>
#include <string_view>

/// Bytes on their way in one direction: read as long as there is room, written as fast as the other end takes them.
class Channel
{
public:
    Channel(int from, int to) : m_from(from), m_to(to) {}
    bool hasRoom() const { return !m_isEnded && !m_isBroken && m_end < m_bytes.size(); }
    bool isEmpty() const { return m_begin == m_end; }
    /// Nothing more can be read.
    bool isEnded() const { return m_isEnded; }
    /// Nothing more can be written.
    bool isBroken() const { return m_isBroken; }

    /// Reads once; what was read is returned and queued. Call when the source is readable.
    std::string_view read();
    /// Queues bytes that did not come from the source; what does not fit is lost.
    void put(std::string_view bytes);
    /// Writes what the target takes without blocking.
    void write();

private:
    int m_from, m_to;
    std::array<char, 64 * 1024> m_bytes;
    size_t m_begin = 0, m_end = 0;
    bool m_isEnded = false, m_isBroken = false;
};
