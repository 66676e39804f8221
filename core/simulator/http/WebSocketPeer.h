#pragma once
#include <QByteArray>
#include <QList>

/// Who talks to the client of a websocket.
class WebSocketPeer
{
public:
    virtual ~WebSocketPeer() = default;
    /// What is said before the client says anything.
    virtual QList<QByteArray> begin() { return {}; }
    /// What is said to a message.
    virtual QList<QByteArray> hear(const QByteArray &message) = 0;
    /// True when there is nothing more to say: the connection closes.
    virtual bool isOver() const = 0;
};
