#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

/// Pools: who is in one, and what that lets others do.
class PoolsTest : public QObject
{
    Q_OBJECT

    QStringList members(const QByteArray &pool)
    {
        QStringList found;
        for (const auto &row : m_cluster->data("GET /pools/" + pool)[QLatin1String("members")].toArray())
            found.append(row[QLatin1String("id")].toString());
        return found;
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void aGuestIsInOnePoolAlone();
    void aMemberBringsItsRightsAlong();
    void movingNeedsTheRightToGrantOnTheGuest();
    void aPoolWithMembersStays();
    void aPoolThatGoesTakesItsGrantsAlong();
    void aPoolCanLieInAnother();
    void oneWrongMemberMovesNobody();
};

void PoolsTest::aGuestIsInOnePoolAlone()
{
    QVERIFY(members("media").contains("lxc/104"));
    QCOMPARE(m_cluster->call("PUT /pools/lab", "vms=104").reason,
             QByteArray("update pools failed: VM 104 belongs already to pool 'media' and 'allow-move' is not set"));
    QCOMPARE(m_cluster->call("PUT /pools/lab", "vms=104&allow-move=1").status, 200);
    QVERIFY(!members("media").contains("lxc/104") && members("lab").contains("lxc/104"));
}

void PoolsTest::aMemberBringsItsRightsAlong()
{
    m_cluster->token = "media@pve!pool";
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/101/status/current").status, 403);
    m_cluster->token = "labhelm@pve!desktop";
    m_cluster->call("PUT /pools/media", "vms=101&allow-move=1");
    m_cluster->token = "media@pve!pool";
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/101/status/current").status, 200);
    m_cluster->token = "labhelm@pve!desktop";
    m_cluster->call("PUT /pools/media", "vms=101&delete=1");
    m_cluster->token = "media@pve!pool";
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/101/status/current").status, 403);
}

void PoolsTest::movingNeedsTheRightToGrantOnTheGuest()
{
    m_cluster->world().access.grants.push_back({"/pool/media", "media@pve", "PVEPoolAdmin", true});
    m_cluster->world().access.grants.push_back({"/pool/media", "media@pve!pool", "PVEPoolAdmin", true});
    m_cluster->token = "media@pve!pool";
    QCOMPARE(m_cluster->call("PUT /pools/media", "comment=ours").status, 200);
    QCOMPARE(m_cluster->call("PUT /pools/media", "vms=120").reason,
             QByteArray("Permission check failed (/vms/120, Permissions.Modify|VM.Allocate)"));
}

void PoolsTest::aPoolWithMembersStays()
{
    QCOMPARE(m_cluster->call("DELETE /pools/media").reason,
             QByteArray("delete pool failed: pool 'media' is not empty (contains VM 104)"));
    QCOMPARE(m_cluster->call("DELETE /pools?poolid=media").status, 500);
}

void PoolsTest::aPoolThatGoesTakesItsGrantsAlong()
{
    QCOMPARE(m_cluster->call("PUT /pools/media", "vms=104,106,107,205&delete=1").status, 200);
    QCOMPARE(m_cluster->call("DELETE /pools?poolid=media").status, 200);
    for (const auto &row : m_cluster->data("GET /access/acl").toArray())
        QVERIFY(row[QLatin1String("path")].toString() != "/pool/media");
    QCOMPARE(m_cluster->call("GET /pools/media").reason, QByteArray("pool 'media' does not exist"));
}

void PoolsTest::aPoolCanLieInAnother()
{
    QCOMPARE(m_cluster->call("POST /pools", "poolid=nobody/kids").status, 500);
    QCOMPARE(m_cluster->call("POST /pools", "poolid=media/kids&comment=small").status, 200);
    QCOMPARE(m_cluster->call("PUT /pools", "poolid=media/kids&vms=120&allow-move=1").status, 200);
    QCOMPARE(m_cluster->data("GET /pools?poolid=media/kids").toArray()[0][QLatin1String("members")].toArray().size(),
             1);
    // What was granted on the outer one holds in the inner one.
    m_cluster->token = "media@pve!pool";
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/120/status/current").status, 200);
}

void PoolsTest::oneWrongMemberMovesNobody()
{
    const auto before = members("lab");
    QCOMPARE(m_cluster->call("PUT /pools/lab", "vms=213,101").status, 500);
    QCOMPARE(members("lab"), before);
}

LABHELM_TEST(PoolsTest)
#include "PoolsTest.moc"
