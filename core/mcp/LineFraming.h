#pragma once
#include <QByteArray>
#include <optional>

/// Cuts a stream of bytes into lines: only at 0x0A, a 0x0D before it is dropped, blank lines are skipped. Never holds
/// more than the cap and one chunk.
class LineFraming
{
public:
    static constexpr qsizetype messageCap = 16 * 1024 * 1024;
    explicit LineFraming(qsizetype cap = messageCap) : m_cap(cap) {}

    void setCap(qsizetype cap) { m_cap = cap; }
    void feed(const QByteArray &bytes);
    /// The next whole line, without its end. Nullopt: none yet, or overflowed().
    std::optional<QByteArray> next();
    /// A line grew beyond the cap; the stream cannot be trusted any more.
    bool overflowed() const { return m_overflowed; }
    /// Bytes held.
    qsizetype size() const { return m_buffer.size() - m_start; }

private:
    QByteArray m_buffer;
    qsizetype m_start = 0;    ///< of the line that is being read
    qsizetype m_searched = 0; ///< no 0x0A before this
    qsizetype m_cap;
    bool m_overflowed = false;
};
