#pragma once
#include <QSslSocket>
#include <QTimer>
#include <chrono>

/// Sends an answer in pieces: slowly on purpose, or because it is too long to be held at once.
class PieceByPiece : public QObject
{
    Q_OBJECT
public:
    struct Content {
        QByteArray head;
        qint64 filler = 0; ///< so many "x"
        QByteArray tail;
        qint64 step = 1; ///< bytes at a time, when `pace` is above 0
        std::chrono::milliseconds pace{0};
    };
    PieceByPiece(QSslSocket &socket, Content content, QObject *parent);

Q_SIGNALS:
    void done();

private:
    QByteArray piece(qint64 most);
    void go();

    QSslSocket &m_socket;
    Content m_content;
    QTimer m_timer;
    bool m_isDone = false;
};
