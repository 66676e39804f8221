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
        Garbage      ///< not done; `body` is sent as it is, without any HTTP, then cut
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

/// The faults that are set, and which request meets which.
class Faults
{
public:
    void add(Fault fault) { m_faults.push_back({std::move(fault), 0, false}); }
    void clear() { m_faults.clear(); }
    /// Every answer takes this long, on the machine's clock.
    std::chrono::milliseconds latency{0};
    /// The fault that hits this request, which is counted.
    std::optional<Fault> next(const QString &method, const QString &path);
    static std::optional<Fault::Kind> kindFromName(const QString &name);

private:
    struct Set {
        Fault fault;
        int seen;
        bool spent;
    };
    std::vector<Set> m_faults;
};
