#pragma once
#include <QByteArray>

/// Bytes that must not leak: overwritten when dropped, not printable, never compared in variable time.
class Secret
{
public:
    Secret() = default;
    explicit Secret(QByteArray bytes);
    Secret(const Secret &other) = default;
    Secret(Secret &&other) noexcept = default;
    Secret &operator=(Secret other) noexcept;
    ~Secret();
    /// Zeroes the memory of bytes that nobody else holds; others are left alone.
    static void overwrite(QByteArray &bytes);

    bool isEmpty() const { return m_bytes.isEmpty(); }
    /// The text itself, for the one place that sends it. Do not keep the copy.
    const QByteArray &reveal() const { return m_bytes; }
    bool equals(const Secret &other) const;

private:
    QByteArray m_bytes;
};
