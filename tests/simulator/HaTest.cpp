#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

using namespace std::chrono_literals;

/// What the HA manager looks after, and where it may be: groups in release 8, rules in release 9.
class HaTest : public QObject
{
    Q_OBJECT

    void use(int version)
    {
        Simulator::Options options;
        options.version = version;
        m_cluster = std::make_unique<SimulatedCluster>(options);
    }
    QByteArray reason(const QByteArray &call, const QByteArray &form = {})
    {
        return m_cluster->call(call, form).reason;
    }
    QStringList rules()
    {
        QStringList found;
        for (const auto &row : m_cluster->data("GET /cluster/ha/rules").toArray())
            found.append(row[QLatin1String("rule")].toString() + u' ' + row[QLatin1String("resources")].toString());
        return found;
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { use(9); }

    void whatWasNotSaidIsNotShown();
    void aBareNumberNamesTheGuest();
    void aGuestThatIsManagedIsNotAddedTwice();
    void theManagerStartsWhatShallRun();
    void theManagerStopsWhatShallNot();
    void aRequestToMigrateHappensLater();
    void groupsOf8AreRulesIn9();
    void aGroupInUseStays();
    void aRuleNamesOnlyWhatIsManaged();
    void aGuestHasOneNodeRule();
    void aGuestThatLeavesIsForgottenByRules();
    void aStaleDigestOfARuleIsRefused();
    void onlyRelease9KnowsFailback();
    void theManagersSayWhenTheyWereSeen();
    void withoutQuorumNothingIsTakenOver();
};

void HaTest::whatWasNotSaidIsNotShown()
{
    QCOMPARE(m_cluster->call("POST /cluster/ha/resources", "sid=vm:101").status, 200);
    auto row = m_cluster->data("GET /cluster/ha/resources/vm:101").toObject();
    row.remove(QLatin1String("digest"));
    QCOMPARE(row, (QJsonObject{{"sid", "vm:101"}, {"type", "vm"}}));
    m_cluster->call("PUT /cluster/ha/resources/vm:101", "max_restart=3&state=stopped");
    m_cluster->call("PUT /cluster/ha/resources/vm:101", "delete=max_restart");
    row = m_cluster->data("GET /cluster/ha/resources/vm:101").toObject();
    QVERIFY(!row.contains(QLatin1String("max_restart")));
    QCOMPARE(row[QLatin1String("state")].toString(), QStringLiteral("stopped"));
}

void HaTest::aBareNumberNamesTheGuest()
{
    m_cluster->call("POST /cluster/ha/resources", "sid=104");
    QCOMPARE(m_cluster->call("GET /cluster/ha/resources/ct:104").status, 200);
    QCOMPARE(m_cluster->call("GET /cluster/ha/resources/104").status, 200);
}

void HaTest::aGuestThatIsManagedIsNotAddedTwice()
{
    QCOMPARE(reason("POST /cluster/ha/resources", "sid=vm:201"),
             QByteArray("create resource failed: resource ID 'vm:201' already defined"));
    QCOMPARE(reason("POST /cluster/ha/resources", "sid=ct:201"),
             QByteArray("resource 'ct:201' does not exist in cluster"));
    QCOMPARE(reason("DELETE /cluster/ha/resources/vm:101"), QByteArray("resource 'vm:101' is not HA managed"));
}

void HaTest::theManagerStartsWhatShallRun()
{
    QVERIFY(!m_cluster->world().guest(120)->isRunning());
    m_cluster->call("POST /cluster/ha/resources", "sid=vm:120&state=started");
    QVERIFY(!m_cluster->world().guest(120)->isRunning());
    m_cluster->advance(1min);
    QVERIFY(m_cluster->world().guest(120)->isRunning());
    QCOMPARE(m_cluster->world().tasks().first()->type, QStringLiteral("qmstart"));
}

void HaTest::theManagerStopsWhatShallNot()
{
    m_cluster->call("PUT /cluster/ha/resources/vm:201", "state=ignored");
    m_cluster->advance(1min);
    QVERIFY(m_cluster->world().guest(201)->isRunning());
    m_cluster->call("PUT /cluster/ha/resources/vm:201", "state=stopped");
    m_cluster->advance(1min);
    QVERIFY(!m_cluster->world().guest(201)->isRunning());
}

void HaTest::aRequestToMigrateHappensLater()
{
    const auto from = m_cluster->world().guest(201)->node;
    const QByteArray to = from == "pve1" ? "pve2" : "pve1";
    QCOMPARE(m_cluster->data("POST /cluster/ha/resources/vm:201/migrate", "node=" + to).toObject(),
             (QJsonObject{{"sid", "vm:201"}, {"requested-node", QString::fromLatin1(to)}}));
    QCOMPARE(m_cluster->world().guest(201)->node, from);
    m_cluster->advance(2min);
    QCOMPARE(m_cluster->world().guest(201)->node.toLatin1(), to);
    QCOMPARE(m_cluster->world().tasks().first()->type, QStringLiteral("qmigrate"));
}

void HaTest::groupsOf8AreRulesIn9()
{
    QCOMPARE(reason("POST /cluster/ha/groups", "group=near&nodes=pve1"),
             QByteArray("cannot create group: ha groups have been migrated to rules"));
    QCOMPARE(reason("PUT /cluster/ha/resources/vm:201", "group=near"),
             QByteArray("invalid parameter 'group': ha groups have been migrated to rules"));
    QCOMPARE(
        m_cluster
            ->call("POST /cluster/ha/rules", "rule=near&type=node-affinity&resources=vm:201&nodes=pve1:2,pve2&strict=1")
            .status,
        200);
    QCOMPARE(rules(), QStringList{"near vm:201"});
    use(8);
    QCOMPARE(m_cluster->call("GET /cluster/ha/rules").status, 501);
    QCOMPARE(m_cluster->call("POST /cluster/ha/groups", "group=near&nodes=pve1:2,pve2&restricted=1").status, 200);
    QCOMPARE(m_cluster->call("PUT /cluster/ha/resources/vm:201", "group=near").status, 200);
    QCOMPARE(m_cluster->data("GET /cluster/ha/resources/vm:201")[QLatin1String("group")].toString(),
             QStringLiteral("near"));
    auto row = m_cluster->data("GET /cluster/ha/groups").toArray()[0].toObject();
    row.remove(QLatin1String("digest"));
    QCOMPARE(row, (QJsonObject{{"group", "near"}, {"type", "group"}, {"nodes", "pve1:2,pve2"}, {"restricted", 1}}));
}

void HaTest::aGroupInUseStays()
{
    use(8);
    QCOMPARE(reason("PUT /cluster/ha/resources/vm:201", "group=near"), QByteArray("HA group 'near' does not exist"));
    m_cluster->call("POST /cluster/ha/groups", "group=near&nodes=pve1");
    m_cluster->call("PUT /cluster/ha/resources/vm:201", "group=near");
    QCOMPARE(reason("DELETE /cluster/ha/groups/near"),
             QByteArray("delete ha group failed: ha group is used by service 'vm:201'"));
    m_cluster->call("PUT /cluster/ha/resources/vm:201", "delete=group");
    QCOMPARE(m_cluster->call("DELETE /cluster/ha/groups/near").status, 200);
}

void HaTest::aRuleNamesOnlyWhatIsManaged()
{
    QCOMPARE(reason("POST /cluster/ha/rules", "rule=r1&type=node-affinity&resources=vm:101&nodes=pve1"),
             QByteArray("create ha rule failed: cannot use unmanaged resource(s) vm:101."));
    QCOMPARE(reason("POST /cluster/ha/rules", "rule=r1&type=node-affinity&resources=vm:201&nodes=pve9"),
             QByteArray("create ha rule failed: cannot use non-existant node(s) pve9."));
    QCOMPARE(reason("POST /cluster/ha/rules", "rule=r1&type=node-affinity&resources=vm:201"),
             QByteArray("missing value for required option 'nodes'"));
}

void HaTest::aGuestHasOneNodeRule()
{
    m_cluster->call("POST /cluster/ha/rules", "rule=one&type=node-affinity&resources=vm:201&nodes=pve1");
    const auto refused =
        m_cluster->call("POST /cluster/ha/rules", "rule=two&type=node-affinity&resources=vm:201&nodes=pve2");
    QCOMPARE(refused.status, 400);
    QCOMPARE(refused.reason, QByteArray("Rule 'two' is invalid."));
    QVERIFY(refused.json()[QLatin1String("errors")].toObject().contains(QLatin1String("resources")));
    QCOMPARE(
        m_cluster
            ->call("POST /cluster/ha/rules", "rule=apart&type=resource-affinity&resources=vm:201&affinity=negative")
            .status,
        400);
    QCOMPARE(m_cluster
                 ->call("POST /cluster/ha/rules",
                        "rule=apart&type=resource-affinity&resources=vm:201,ct:203&affinity=negative")
                 .status,
             200);
}

void HaTest::aGuestThatLeavesIsForgottenByRules()
{
    m_cluster->call("POST /cluster/ha/rules", "rule=alone&type=node-affinity&resources=vm:201&nodes=pve1");
    m_cluster->call("POST /cluster/ha/rules",
                    "rule=apart&type=resource-affinity&resources=vm:201,ct:203&affinity=negative");
    m_cluster->call("DELETE /cluster/ha/resources/vm:201");
    QCOMPARE(rules(), QStringList{"apart ct:203"});
    m_cluster->call("DELETE /cluster/ha/resources/ct:203?purge=0");
    QCOMPARE(rules(), QStringList{"apart ct:203"});
}

void HaTest::aStaleDigestOfARuleIsRefused()
{
    m_cluster->call("POST /cluster/ha/rules", "rule=near&type=node-affinity&resources=vm:201&nodes=pve1");
    const auto digest = m_cluster->data("GET /cluster/ha/rules/near")[QLatin1String("digest")].toString().toUtf8();
    QCOMPARE(m_cluster->call("PUT /cluster/ha/rules/near", "type=node-affinity&comment=a&digest=" + digest).status,
             200);
    QCOMPARE(m_cluster->call("PUT /cluster/ha/rules/near", "type=node-affinity&comment=b&digest=" + digest).status,
             500);
    QCOMPARE(m_cluster->data("GET /cluster/ha/rules/near")[QLatin1String("comment")].toString(), QStringLiteral("a"));
}

void HaTest::onlyRelease9KnowsFailback()
{
    QCOMPARE(m_cluster->call("PUT /cluster/ha/resources/vm:201", "failback=0").status, 200);
    use(8);
    QCOMPARE(m_cluster->call("PUT /cluster/ha/resources/vm:201", "failback=0").status, 400);
    for (const auto &row : m_cluster->data("GET /cluster/ha/status/current").toArray())
        QVERIFY(!row.toObject().contains(QLatin1String("failback")));
    QVERIFY(m_cluster->data("POST /cluster/ha/resources/vm:201/migrate", "node=pve2").isNull());
}

void HaTest::theManagersSayWhenTheyWereSeen()
{
    QMap<QString, QJsonObject> rows;
    for (const auto &row : m_cluster->data("GET /cluster/ha/status/current").toArray())
        rows.insert(row[QLatin1String("id")].toString(), row.toObject());
    QCOMPARE(rows["master"][QLatin1String("node")].toString(), QStringLiteral("pve1"));
    QVERIFY(rows["lrm:pve3"][QLatin1String("status")].toString().contains(QLatin1String("dead?")));
    QCOMPARE(rows["service:vm:201"][QLatin1String("state")].toString(), QStringLiteral("started"));
    const auto manager = m_cluster->data("GET /cluster/ha/status/manager_status")[QLatin1String("manager_status")];
    QCOMPARE(manager[QLatin1String("node_status")][QLatin1String("pve2")].toString(), QStringLiteral("online"));
}

void HaTest::withoutQuorumNothingIsTakenOver()
{
    m_cluster->world().quorate = false;
    QCOMPARE(reason("POST /cluster/ha/resources", "sid=vm:101"), QByteArray("cluster not ready - no quorum?"));
    QCOMPARE(reason("PUT /cluster/ha/resources/vm:201", "state=stopped"),
             QByteArray("update resource failed: cfs-lock 'domain-ha' error: no quorum!"));
}

LABHELM_TEST(HaTest)
#include "HaTest.moc"
