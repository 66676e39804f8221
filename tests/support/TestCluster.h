#pragma once
#include "inventory/Poller.h"
#include "pve/Connection.h"
#include "secrets/MemoryStore.h"
#include "simulator/Simulator.h"
#include "simulator/world/Homelab.h"
#include "support/Await.h"
#include <QCryptographicHash>

/// What a test may want otherwise than TestCluster has it.
struct TestClusterOptions {
    /// One of Homelab::tokenSecret's: "labhelm@pve!desktop" may do everything, "auditor@pve!view" only looks.
    QString token = QStringLiteral("labhelm@pve!desktop");
    QString name = QStringLiteral("homelab");
    /// True: the cluster stands still until `clock` is moved. False: it lives on the machine's clock.
    bool hasManualClock = true;
    /// Tasks last this many times as long; 0 ends them at once.
    double taskPace = 1.0;
    /// If more than the homelab has, further ones are made up to this number.
    int guests = 0;
    /// By default the cluster is asked only when the test calls refresh().
    PollPace pace{.active = std::chrono::hours(1), .idle = std::chrono::hours(1), .gap = std::chrono::milliseconds(0)};
};

/// A simulated cluster and everything that speaks to it, in this process: listening, trusted, signed in, inventory
/// filled once. Needs the rooms simulator and inventory. `QVERIFY(cluster.isFilled())` first.
class TestCluster
{
public:
    explicit TestCluster(const TestClusterOptions &options = {})
        : simulator(simulatorOptions(options)), connections(secrets)
    {
        simulator.world().taskPace = options.taskPace;
        const auto port = simulator.listen();
        remote = remoteAt(port ? *port : quint16(0), options);
        Q_UNUSED(secrets.write(remote.secretKey(), Secret(Homelab::tokenSecret(options.token).toUtf8())));
        poller = std::make_unique<Poller>(connections.open(remote), inventory, clock, options.pace);
        m_isFilled = refresh();
    }
    ~TestCluster() { poller.reset(); }

    bool isFilled() const { return m_isFilled; }
    Connection &connection() { return *connections.find(remote.id); }
    Client &client() { return connection().client(); }
    World &world() { return simulator.world(); }
    InventoryPtr state() const { return inventory.snapshot(remote.id); }
    /// Asks the cluster once; true if the answer was published.
    bool refresh() { return static_cast<bool>(await(poller->refresh())); }
    /// Moves the cluster's clock; what is due happens with the next request.
    void pass(std::chrono::milliseconds time) { clock.advance(time); }

    ManualClock clock; ///< moves the cluster unless it lives on the machine's clock
    Simulator simulator;
    MemoryStore secrets;
    Connections connections;
    Inventory inventory;
    Remote remote;
    std::unique_ptr<Poller> poller;

private:
    Simulator::Options simulatorOptions(const TestClusterOptions &options) const
    {
        Simulator::Options made;
        made.clock = options.hasManualClock ? &clock : nullptr;
        made.refusalDelay = std::chrono::milliseconds(0);
        made.guests = options.guests;
        return made;
    }
    Remote remoteAt(quint16 port, const TestClusterOptions &options) const
    {
        const auto address = QStringLiteral("127.0.0.1:%1").arg(port);
        Remote made;
        made.id = options.name + QLatin1String("-1");
        made.name = options.name;
        made.addresses = QStringList{address};
        made.user = options.token;
        made.pins.insert(address, simulator.certificate().certificate.digest(QCryptographicHash::Sha256));
        return made;
    }
    bool m_isFilled = false;
};
