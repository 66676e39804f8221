#pragma once
#include <QIODevice>

/// A request body that can be read once and never again.
/// QNetworkAccessManager sends a POST or DELETE a second time by itself when the connection closes early; it cannot
/// with a body that it can neither rewind nor keep (measured on Qt 6.4.2, tests/pve/WritesOnce). An empty one works
/// too: Content-Length 0.
class OnceBody final : public QIODevice
{
public:
    explicit OnceBody(QByteArray bytes) : m_bytes(std::move(bytes))
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }
    bool isSequential() const override { return true; }
    bool reset() override { return false; }
    bool atEnd() const override { return m_read == m_bytes.size(); }
    qint64 bytesAvailable() const override { return m_bytes.size() - m_read; }

protected:
    qint64 readData(char *to, qint64 most) override
    {
        const auto count = qMin(most, bytesAvailable());
        if (count == 0)
            return -1;
        std::copy_n(m_bytes.constData() + m_read, count, to);
        m_read += count;
        return count;
    }
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    QByteArray m_bytes;
    qint64 m_read = 0;
};
