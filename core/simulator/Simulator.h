#pragma once
#include "base/Result.h"
#include "simulator/Faults.h"
#include "simulator/http/Certificate.h"
#include "simulator/world/World.h"
#include <QJsonObject>
#include <QObject>
#include <QUrl>

/// A request that the simulator heard, whether it was answered or not.
struct HeardRequest {
    QString method;
    QString path;           ///< decoded, without "/api2/json"
    QJsonObject parameters; ///< query and body together; secrets left out
    QString who;            ///< user or token that was accepted; empty when none
    int status = 0;         ///< of the answer; 0 while there is none, or none was given
    bool isWrite() const { return method != QLatin1String("GET"); }
};

/// A Proxmox VE cluster in memory behind the real REST dialect over TLS. Everything happens on the thread it lives on.
class Simulator : public QObject
{
    Q_OBJECT
public:
    struct Options {
        quint64 seed = 1;
        const Clock *clock = nullptr; ///< nullptr = the machine's; a ManualClock makes nothing happen until it is moved
        int version = 9;              ///< 8 or 9
        /// How long a 401 takes and how long a dead node is tried; by default 3 s on the machine's clock, 0 on another.
        std::optional<std::chrono::milliseconds> refusalDelay = {};
        int guests = 0;     ///< if more than the homelab has, further ones are made up to this number
        bool empty = false; ///< no homelab: the test fills world() itself
    };
    explicit Simulator(const Options &options);
    Simulator() : Simulator(Options()) {}
    ~Simulator() override;

    /// Listens on 127.0.0.1; port 0 takes a free one. Returns the port.
    Result<quint16> listen(quint16 port = 0);
    /// Stops listening and cuts every connection.
    void close();
    QUrl url() const;
    const Certificate &certificate() const;
    /// SHA-256 with colons.
    QString fingerprint() const;
    /// Another certificate from the next connection on, as after a reinstallation.
    void renewCertificate();

    World &world();
    Faults &faults();
    const QList<HeardRequest> &requests() const;
    /// Requests that are no GET and no sign-in.
    QList<HeardRequest> writes() const;
    /// How often a call arrived; '*' in the path stands for anything.
    int count(const QString &method, const QString &path) const;
    void forgetRequests();
    /// How many connections were accepted so far.
    int connections() const;
    /// Cuts every open connection.
    void cutConnections();

Q_SIGNALS:
    /// A request has arrived and, unless a fault dropped it, was carried out.
    void heard(const HeardRequest &request);

private:
    friend class HttpServer;
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};
