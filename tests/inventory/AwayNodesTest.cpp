#include "support/PollSample.h"
#include "support/TestCluster.h"
#include "support/TestMain.h"

using namespace std::chrono_literals;
using Status = NodeState::Status;

/// What is said of a node that is away, and of what runs there: nothing that nobody can know.
class AwayNodesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // A12: after five minutes of silence PVE sends {"id":"qemu/1002","node":"pve2","status":"unknown"} and no name.
    void keepsTheNameOfAGuestWhoseNodeIsSilent_A12()
    {
        const auto before = read(guestRow(R"("name":"db","status":"running","tags":"prod")"), nullptr);
        const auto after = read(guestRow(R"("status":"unknown")", "offline"), &before);
        QCOMPARE(after.guests.size(), size_t(2));
        const auto *guest = after.guest(*Vmid::from(1002));
        QCOMPARE(guest->name, QStringLiteral("db"));
        QCOMPARE(guest->power, GuestState::Power::Unknown);
        QCOMPARE(after.guest(*Vmid::from(100))->power, GuestState::Power::Running);
        const auto never = read(guestRow(R"("status":"unknown")", "offline"), nullptr);
        QCOMPARE(never.guests.size(), size_t(2));
        QCOMPARE(never.guest(*Vmid::from(1002))->name, QString());
    }
    // A13
    void leavesANodeThatIsAwayOutOfTheMean_A13()
    {
        const auto state =
            read({QStringLiteral(R"({"type":"node","node":"pve1","status":"online","cpu":0.2,"maxcpu":8})"),
                  QStringLiteral(R"({"type":"node","node":"pve2","status":"online","cpu":0.6,"maxcpu":8})"),
                  QStringLiteral(R"({"type":"node","node":"pve3","status":"offline"})")});
        const auto load = state.load();
        QCOMPARE(*load.cpu, 0.4);
        QCOMPARE(load.counted, 2);
        QCOMPARE(load.nodes, 3);
        const auto none = read({QStringLiteral(R"({"type":"node","node":"pve3","status":"offline","cpu":0.5})")});
        QVERIFY(!none.load().cpu);
    }
    void doesNotCountALoadThatWasNotTold_A13()
    {
        const auto state = read({QStringLiteral(R"({"type":"node","node":"pve1","status":"online","cpu":0.2})"),
                                 QStringLiteral(R"({"type":"node","node":"pve2","status":"online","cpu":null})")});
        QCOMPARE(*state.load().cpu, 0.2);
        QCOMPARE(state.load().counted, 1);
    }
    // R10, A15
    void saysWhichNodeIsMissingAndSinceWhen()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        QCOMPARE(missing(cluster), QStringList{QStringLiteral("pve3")}); // off from the start: never seen
        QVERIFY(!cluster.state()->missingNodes()[0]->lastSeenMs);
        const auto seenAt = cluster.state()->takenAtMs;
        cluster.pass(10s);
        cluster.world().setOnline(QStringLiteral("pve2"), false);
        for (int rounds = 0; rounds < 3; ++rounds) {
            QVERIFY(cluster.refresh());
            QCOMPARE(missing(cluster), (QStringList{QStringLiteral("pve2"), QStringLiteral("pve3")}));
            QCOMPARE(*cluster.state()->missingNodes()[0]->lastSeenMs, seenAt);
            cluster.pass(1min);
        }
        cluster.world().setOnline(QStringLiteral("pve2"), true);
        QVERIFY(cluster.refresh());
        QCOMPARE(missing(cluster), QStringList{QStringLiteral("pve3")});
        QVERIFY(!cluster.state()->node(*NodeName::from(QStringLiteral("pve2")))->lastSeenMs);
    }
    void keepsTheAgeOfAMissingNodeWhileTheClusterItselfIsAway()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        const auto seenAt = cluster.state()->takenAtMs;
        cluster.pass(10s);
        cluster.world().setOnline(QStringLiteral("pve2"), false);
        QVERIFY(cluster.refresh());
        const auto port = quint16(cluster.simulator.url().port());
        cluster.simulator.close();
        QVERIFY(!cluster.refresh());
        QVERIFY(cluster.simulator.listen(port));
        cluster.pass(1h);
        QVERIFY(cluster.refresh());
        QCOMPARE(*cluster.state()->missingNodes()[0]->lastSeenMs, seenAt);
    }

private:
    static QStringList missing(const TestCluster &cluster)
    {
        QStringList names;
        for (const auto *node : cluster.state()->missingNodes())
            names << node->name.text();
        return names;
    }
    static QStringList guestRow(const char *rest, const char *status = "online")
    {
        return {
            QStringLiteral(R"({"type":"node","node":"pve1","status":"online"})"),
            QStringLiteral(R"({"type":"node","node":"pve2","status":"%1"})").arg(QLatin1String(status)),
            QStringLiteral(R"({"type":"lxc","id":"lxc/100","vmid":100,"node":"pve1","name":"a","status":"running"})"),
            QStringLiteral(R"({"type":"qemu","id":"qemu/1002","vmid":1002,"node":"pve2",%1})")
                .arg(QLatin1String(rest))};
    }
    static InventorySnapshot read(const QStringList &rows, const InventorySnapshot *previous = nullptr)
    {
        PollAnswers answers;
        answers.remoteId = QStringLiteral("lab-1");
        const auto text = u'[' + rows.join(u',') + u']';
        answers.resources = QJsonDocument::fromJson(text.toUtf8()).array();
        answers.status = QJsonValue(QJsonArray());
        answers.tasks = QJsonValue(QJsonArray());
        const auto state = readAnswers(answers, previous);
        return state ? *state : InventorySnapshot();
    }
};

LABHELM_TEST(AwayNodesTest)
#include "AwayNodesTest.moc"
