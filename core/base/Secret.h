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

    bool isEmpty() const { return m_bytes.isEmpty(); }
    /// The text itself, for the one place that sends it. Do not keep the copy.
    const QByteArray &reveal() const { return m_bytes; }
    bool equals(const Secret &other) const;

private:
    QByteArray m_bytes;
};
