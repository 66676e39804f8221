#pragma once
#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QSslSocket>
#include <functional>

/// An answer with everything a client could see of it.
struct RawAnswer {
    bool nothing = true; ///< the connection ended without a byte
    QByteArray statusLine;
    int status = 0;
    QByteArray reason;
    QList<QPair<QByteArray, QByteArray>> headers;
    QByteArray body;
    bool closed = false;

    QList<QByteArray> all(const QByteArray &name) const
    {
        QList<QByteArray> values;
        for (const auto &[key, value] : headers)
            if (key.compare(name, Qt::CaseInsensitive) == 0)
                values.append(value);
        return values;
    }
    QByteArray header(const QByteArray &name) const { return all(name).isEmpty() ? QByteArray() : all(name).first(); }
    QJsonObject json() const;
};

/// Sends bytes as they are over TLS and shows what comes back: no library between the test and the wire.
class RawClient
{
public:
    explicit RawClient(quint16 port);
    /// Waits for one whole answer, or for the end of the connection.
    RawAnswer exchange(const QByteArray &bytes);
    bool isOpen() const { return m_socket.state() != QAbstractSocket::UnconnectedState; }
    QSslSocket &socket() { return m_socket; }

private:
    bool wait(const std::function<bool()> &done);
    static bool isWhole(const QByteArray &bytes);
    static RawAnswer parse(const QByteArray &bytes, bool closed);

    QSslSocket m_socket;
};
