#include "Application.h"
#include "demo/DemoCluster.h"
#include "secrets/MemoryStore.h"
#include "shell/MainWindow.h"
#include "support/Await.h"
#include "support/BridgeClient.h"
#include "support/LiveHeap.h"
#include "support/TestMain.h"
#include <QSignalSpy>
#include <QTemporaryDir>

/// The whole program with its window, three clusters and five agents that never rest: what it holds in memory and open
/// files stays the same, and it has nothing to complain about. By default some hundred calls; LABHELM_LONG makes it a
/// busy day of 9,000.
class SoakTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void staysTheSameOverADay_R27();
    void cleanupTestCase();

private:
    static constexpr int clusters = 3, agents = 5;
    /// One agent and what it asks next.
    struct Worker {
        std::unique_ptr<BridgeClient> client;
        int asked = 0; ///< id of the request under way
        int number = 0;
    };
    bool connectCluster(int number);
    bool pairAgent(int number);
    static std::pair<QString, QJsonObject> nextCall(int agent, int number);
    bool work(int calls);
    void ask(Worker &worker, int agent);
    bool hasReplied() const;
    void rest();

    QTemporaryDir m_folder;
    std::vector<std::unique_ptr<DemoCluster>> m_clusters;
    MemoryStore *m_secrets = nullptr; ///< the application's
    std::unique_ptr<Application> m_application;
    std::vector<Worker> m_workers;
};

void SoakTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    CommandLine line;
    line.dataFolder = m_folder.path();
    auto secrets = std::make_unique<MemoryStore>();
    m_secrets = secrets.get();
    m_application = std::make_unique<Application>(line, std::move(secrets));
    QVERIFY(m_application->start());
    auto &engine = m_application->engine();
    engine.limits.allowance = {.callsPerMinute = 1'000'000, .identicalCalls = 1'000'000, .changesPerHour = 1'000'000};
    for (int number = 0; number < clusters; ++number)
        QVERIFY(connectCluster(number));
    for (const auto &remote : engine.remotes.all())
        QTRY_VERIFY_WITH_TIMEOUT(engine.inventory.snapshot(remote.id) &&
                                     engine.inventory.snapshot(remote.id)->reach == InventorySnapshot::Reach::Live,
                                 20'000);
    for (int number = 0; number < agents; ++number)
        QVERIFY(pairAgent(number));
}

void SoakTest::cleanupTestCase()
{
    m_workers.clear();
    if (m_application) {
        QSignalSpy ended(m_application.get(), &Application::ended);
        m_application->window().close();
        QVERIFY(ended.wait(20'000));
    }
    m_application.reset();
    m_clusters.clear();
}

bool SoakTest::connectCluster(int number)
{
    auto cluster = std::make_unique<DemoCluster>();
    std::optional<Remote> reached;
    connect(cluster.get(), &DemoCluster::ready, this, [&](const Remote &remote, const Secret &token) {
        auto wanted = remote;
        wanted.id.clear();
        wanted.isDemo = false;
        wanted.name = QStringLiteral("lab%1").arg(number);
        const auto prepared = m_application->engine().remotes.prepare(wanted);
        if (prepared && await(m_secrets->write(prepared->secretKey(), token)) &&
            m_application->engine().remotes.addPrepared(*prepared))
            reached = *prepared;
    });
    cluster->start(QStringLiteral(LABHELM_BIN "/labhelm-simulator"));
    const bool isReached = waitUntil([&] { return reached.has_value(); });
    m_clusters.push_back(std::move(cluster));
    return isReached;
}

bool SoakTest::pairAgent(int number)
{
    auto &engine = m_application->engine();
    const auto paired = await(engine.agents->pair(QStringLiteral("Agent %1").arg(number)));
    if (!paired)
        return false;
    engine.policy.grant(paired->agent.id, Preset::Operate);
    Worker worker;
    worker.client = std::make_unique<BridgeClient>(
        QStringList{QStringLiteral(LABHELM_BIN "/labhelm-mcp"), QStringLiteral("--agent"), paired->agent.id,
                    QStringLiteral("--key"), paired->keyFile, QStringLiteral("--socket"), engine.folders.mcpSocket()});
    const bool isIn = worker.client->introduce();
    m_workers.push_back(std::move(worker));
    return isIn;
}

/// Mostly looking around; every fifth call changes something of the agent's own guest, there and back.
std::pair<QString, QJsonObject> SoakTest::nextCall(int agent, int number)
{
    static const QStringList own{QStringLiteral("101"), QStringLiteral("102"), QStringLiteral("103"),
                                 QStringLiteral("104"), QStringLiteral("107")};
    const auto cluster = QStringLiteral("lab%1").arg(number % clusters);
    const auto guest = cluster + u':' + own[agent];
    switch (number % 10) {
    case 0:
        return {QStringLiteral("guest_notes_set"),
                {{QStringLiteral("guest"), guest}, {QStringLiteral("notes"), QStringLiteral("Day %1").arg(number)}}};
    case 1:
    case 6: return {QStringLiteral("guest_list"), {{QStringLiteral("remote"), cluster}}};
    case 2: return {QStringLiteral("inventory_overview"), {}};
    case 3: return {QStringLiteral("task_list"), {{QStringLiteral("remote"), cluster}, {QStringLiteral("limit"), 20}}};
    case 4: return {QStringLiteral("audit_search"), {{QStringLiteral("limit"), 20}}};
    case 5:
        return {QStringLiteral("guest_config_set"),
                {{QStringLiteral("guest"), guest}, {QStringLiteral("memory"), 1024 + number % 1000}}};
    case 7: return {QStringLiteral("snapshot_list"), {{QStringLiteral("guest"), guest}}};
    case 8: return {QStringLiteral("guest_metrics"), {{QStringLiteral("guest"), guest}}};
    default: return {QStringLiteral("guest_get"), {{QStringLiteral("guest"), guest}}};
    }
}

void SoakTest::ask(Worker &worker, int agent)
{
    const auto [tool, arguments] = nextCall(agent, worker.number++);
    worker.asked = worker.client->call(tool, arguments);
}

bool SoakTest::hasReplied() const
{
    return std::any_of(m_workers.begin(), m_workers.end(),
                       [](const Worker &worker) { return worker.client->isAnswered(worker.asked); });
}

/// Until this many more calls are answered; false when one went wrong or none was for long.
bool SoakTest::work(int calls)
{
    int left = calls;
    for (int agent = 0; agent < agents; ++agent)
        ask(m_workers[size_t(agent)], agent);
    int underWay = agents;
    while (underWay > 0) {
        if (!waitUntil([this] { return hasReplied(); }, std::chrono::seconds(60)))
            return false;
        for (int agent = 0; agent < agents; ++agent) {
            auto &worker = m_workers[size_t(agent)];
            if (!worker.client->isAnswered(worker.asked))
                continue;
            if (worker.client->isError(worker.asked)) {
                qInfo("call %d of agent %d: %s", worker.number, agent, qPrintable(worker.client->text(worker.asked)));
                return false;
            }
            worker.client->take(worker.asked);
            worker.asked = 0;
            --underWay;
            if (--left >= agents) {
                ask(worker, agent);
                ++underWay;
            }
        }
    }
    return true;
}

/// Lets what was begun come to its end: rows, the index, a poll of each cluster.
void SoakTest::rest()
{
    auto &inventory = m_application->engine().inventory;
    int polls = 0;
    const auto counting = connect(&inventory, &Inventory::changed, this, [&polls] { ++polls; });
    QVERIFY(waitUntil([&polls] { return polls >= 2 * clusters; }));
    disconnect(counting);
}

void SoakTest::staysTheSameOverADay_R27()
{
    const int calls = qEnvironmentVariableIsSet("LABHELM_LONG") ? 9000 : 600;
    QList<qint64> heap;
    QList<int> descriptors;
    for (int part = 0; part < 3; ++part) {
        QVERIFY2(work(calls / 3), "an agent's call failed");
        rest();
        heap << liveHeapBytes();
        descriptors << openDescriptors();
        qInfo("after %d calls: live heap %.2f MiB, %d descriptors", calls * (part + 1) / 3,
              double(heap.last()) / 1048576, descriptors.last());
    }
    // caches (pages of the database, the table of the timeline) fill in the first thousands of calls
    const qint64 noise = 3 * 1024 * 1024;
    QVERIFY2(heap[2] - heap[1] < noise, "memory grows with every call");
    QVERIFY2(descriptors[2] <= descriptors[1] + 2, "files or sockets stay open");
    const auto report = await(m_application->engine().query->verify(), std::chrono::seconds(60));
    QVERIFY(report);
    QVERIFY2(report->isWhole, qPrintable(report->finding));
}

LABHELM_TEST(SoakTest)
#include "SoakTest.moc"
