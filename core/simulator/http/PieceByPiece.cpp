#include "simulator/http/PieceByPiece.h"

PieceByPiece::PieceByPiece(QSslSocket &socket, Content content, QObject *parent)
    : QObject(parent), m_socket(socket), m_content(std::move(content))
{
    connect(&m_timer, &QTimer::timeout, this, &PieceByPiece::go);
    if (m_content.pace.count() == 0) {
        connect(&m_socket, &QSslSocket::encryptedBytesWritten, this, &PieceByPiece::go);
        m_timer.setSingleShot(true);
    }
    m_timer.start(m_content.pace);
}

QByteArray PieceByPiece::piece(qint64 most)
{
    auto &part = m_content.head.isEmpty() && m_content.filler == 0 ? m_content.tail : m_content.head;
    if (!part.isEmpty()) {
        const auto bytes = part.left(most);
        part.remove(0, bytes.size());
        return bytes;
    }
    const auto count = std::min(most, m_content.filler);
    m_content.filler -= count;
    return QByteArray(count, 'x');
}

void PieceByPiece::go()
{
    constexpr qint64 mostAhead = 1 << 20;
    const bool slow = m_content.pace.count() > 0;
    const auto ahead = [this] { return m_socket.bytesToWrite() + m_socket.encryptedBytesToWrite(); };
    QByteArray bytes;
    do {
        bytes = piece(slow ? m_content.step : 65536);
        m_socket.write(bytes);
    } while (!slow && !bytes.isEmpty() && ahead() < mostAhead);
    m_socket.flush();
    if (!bytes.isEmpty()) {
        // What was written within the signal is not signalled again.
        if (!slow && ahead() < mostAhead)
            m_timer.start(0);
        return;
    }
    if (std::exchange(m_isDone, true))
        return;
    m_timer.stop();
    Q_EMIT done();
}
