#include "simulator/api/ConsolePeers.h"
#include <QCryptographicHash>

namespace
{
/// A screen: speaks RFB up to the question for the password. What would be shown then is nothing a test looks at.
class ScreenPeer : public WebSocketPeer
{
public:
    explicit ScreenPeer(std::shared_ptr<ConsoleListener> listener) : m_listener(std::move(listener)) {}
    ~ScreenPeer() override { m_listener->over = true; }
    QList<QByteArray> begin() override { return {"RFB 003.008\n"}; }
    QList<QByteArray> hear(const QByteArray &message) override
    {
        ++m_heard;
        if (m_heard == 1 && message == "RFB 003.008\n")
            return {QByteArray("\x01\x02", 2)};
        if (m_heard == 2 && message == QByteArray("\x02", 1))
            return {QCryptographicHash::hash(m_listener->ticket.toUtf8(), QCryptographicHash::Md5)};
        m_isOver = true;
        return {};
    }
    bool isOver() const override { return m_isOver; }

private:
    std::shared_ptr<ConsoleListener> m_listener;
    int m_heard = 0;
    bool m_isOver = false;
};

/// A terminal: takes the ticket, then echoes what is typed and shows a prompt after each line. There is no shell.
class TerminalPeer : public WebSocketPeer
{
public:
    explicit TerminalPeer(std::shared_ptr<ConsoleListener> listener) : m_listener(std::move(listener)) {}
    ~TerminalPeer() override { m_listener->over = true; }
    QList<QByteArray> hear(const QByteArray &message) override
    {
        m_buffer += message;
        if (!m_signedIn)
            return signIn();
        QList<QByteArray> answers;
        while (const auto typed = takeInput())
            if (!typed->isEmpty())
                answers.append(shown(*typed));
        return answers;
    }
    bool isOver() const override { return m_isOver; }

private:
    QList<QByteArray> signIn()
    {
        const auto end = m_buffer.indexOf('\n');
        if (end < 0)
            return {};
        m_signedIn = m_buffer.left(end) == (m_listener->user + u':' + m_listener->ticket).toUtf8();
        m_isOver = !m_signedIn;
        m_buffer.remove(0, end + 1);
        return m_signedIn ? QList<QByteArray>{"OK"} : QList<QByteArray>{};
    }
    /// "0:LEN:DATA" is typed; "1:COLS:ROWS:" and "2" say nothing. nullopt while nothing is whole.
    std::optional<QByteArray> takeInput()
    {
        if (m_buffer.startsWith('2')) {
            m_buffer.remove(0, 1);
            return QByteArray();
        }
        const auto second = m_buffer.indexOf(':', 2);
        if (second < 0)
            return std::nullopt;
        if (m_buffer.startsWith('1')) {
            const auto third = m_buffer.indexOf(':', second + 1);
            m_buffer.remove(0, third < 0 ? 0 : third + 1);
            return third < 0 ? std::nullopt : std::optional(QByteArray());
        }
        const auto length = m_buffer.mid(2, second - 2).toInt();
        if (m_buffer.size() < second + 1 + length)
            return std::nullopt;
        const auto typed = m_buffer.mid(second + 1, length);
        m_buffer.remove(0, second + 1 + length);
        return typed;
    }
    QByteArray shown(QByteArray typed) const
    {
        return typed.replace('\r', "\r\nroot@" + m_listener->name.toUtf8() + ":~# ");
    }

    std::shared_ptr<ConsoleListener> m_listener;
    QByteArray m_buffer;
    bool m_signedIn = false;
    bool m_isOver = false;
};
} // namespace

std::shared_ptr<WebSocketPeer> ConsolePeers::of(std::shared_ptr<ConsoleListener> listener)
{
    if (listener->kind == ConsoleListener::Kind::Screen)
        return std::make_shared<ScreenPeer>(std::move(listener));
    return std::make_shared<TerminalPeer>(std::move(listener));
}
