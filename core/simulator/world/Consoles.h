#pragma once
#include <QString>
#include <list>
#include <memory>

/// A port of a node on which a console waits for the one who asked for it.
struct ConsoleListener {
    enum class Kind { Screen, Terminal };
    int port = 0;
    Kind kind = Kind::Screen;
    QString node;
    QString name; ///< of the guest or node, for the prompt
    QString user; ///< who may sign in
    QString ticket;
    qint64 until = 0; ///< it waits no longer, seconds since the epoch
    bool taken = false;
    bool over = false;
};

/// The consoles that wait or are open.
class Consoles
{
public:
    static constexpr int firstPort = 5900;
    static constexpr int lastPort = 5999;
    static constexpr int patience = 10; ///< seconds that one waits

    /// Waits on the first free port.
    std::shared_ptr<ConsoleListener> open(ConsoleListener wish, qint64 now)
    {
        m_all.remove_if([now](const auto &each) { return each->over || (!each->taken && each->until < now); });
        int port = firstPort;
        const auto isTaken = [this, &wish](int asked) {
            for (const auto &each : m_all)
                if (each->port == asked && each->node == wish.node)
                    return true;
            return false;
        };
        while (port < lastPort && isTaken(port))
            ++port;
        wish.port = port;
        wish.until = now + patience;
        return m_all.emplace_back(std::make_shared<ConsoleListener>(std::move(wish)));
    }
    /// The one that still waits there; nullptr when nobody does.
    std::shared_ptr<ConsoleListener> waiting(const QString &node, int port, qint64 now) const
    {
        for (const auto &each : m_all)
            if (each->node == node && each->port == port && !each->taken && !each->over && each->until >= now)
                return each;
        return nullptr;
    }

private:
    std::list<std::shared_ptr<ConsoleListener>> m_all;
};
