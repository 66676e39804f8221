#pragma once
#include <QByteArray>
#include <QString>
#include <chrono>
#include <optional>
#include <vector>

/// Something that goes wrong with one or all requests of a kind.
struct Fault {
    enum class Kind {
        DropUnheard, ///< the connection is cut when the request has arrived; nothing is done
        CutBefore,   ///< it is done, but cut before the first byte of the answer
        CutDuring,   ///< cut in the middle of the answer, or after `bytes`
        CutAfter,    ///< cut right after the whole answer
        Hang,        ///< it is done and never answered
        Delay,       ///< answered after `delay`
        Answer,      ///< not done; answered with `status`, `reason`, `contentType`, `body`
        Garbage,     ///< not done; `body` is sent as it is, without any HTTP, then cut
        Slow,        ///< it is done; the answer comes in steps of `bytes` (1), one every `delay`
        Huge,        ///< not done; answered 200 with JSON of `bytes` bytes
        ProxyPage    ///< not done; a page in HTML, as from a proxy between: 502, 503, 504, or 200 asking to sign in
    };
    Kind kind = Kind::Delay;
    QString method;      ///< empty = all
    QString path;        ///< decoded, without "/api2/json"; '*' stands for anything; empty = all
    int nth = 1;         ///< the n-th request that fits, counted from when the fault was set
    bool always = false; ///< from the n-th on, all
    std::optional<qint64> bytes = {};
    std::chrono::milliseconds delay{0};
    int status = 500;
    QByteArray reason = {};
    QByteArray contentType = {};
    QByteArray body = {};
};

/// What a connection does with its socket.
enum class SocketOperation { Accept, Tls, Read, Write };

/// The faults that are set, and which request meets which.
class Faults
{
public:
    void add(Fault fault) { m_faults.push_back({std::move(fault), 0, false}); }
    void clear()
    {
        m_faults.clear();
        failSocket(0);
    }
    /// Every answer takes this long, on the machine's clock.
    std::chrono::milliseconds latency{0};
    /// The fault that hits this request, which is counted.
    std::optional<Fault> next(const QString &method, const QString &path);
    static std::optional<Fault::Kind> kindFromName(const QString &name);
    /// From now on operations of sockets are counted, and the n-th fails: its connection is cut there. 0 = none fails.
    void failSocket(int nth);
    bool failsNow(SocketOperation operation);
    /// How many there were since failSocket().
    int socketOperations() const { return m_operations; }
    /// The one that failed.
    std::optional<SocketOperation> failedOperation() const { return m_failed; }
    static QString nameOf(SocketOperation operation);

private:
    struct Set {
        Fault fault;
        int seen;
        bool spent;
    };
    std::vector<Set> m_faults;
    int m_failAt = 0;
    int m_operations = 0;
    std::optional<SocketOperation> m_failed;
};
