#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

using namespace std::chrono_literals;

/// What is set for the cluster and for its nodes: options and tags, networks, names and time.
class SettingsTest : public QObject
{
    Q_OBJECT

    QJsonObject interface(const QByteArray &name)
    {
        return m_cluster->data("GET /nodes/pve1/network/" + name).toObject();
    }
    QString changes() { return m_cluster->call("GET /nodes/pve1/network").json()[QLatin1String("changes")].toString(); }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void optionsThatArePropertyStringsComeBackAsObjects();
    void registeredTagsMayBeGiven();
    void whoMayNotAuditSeesOnlyHowTagsLook();
    void withoutQuorumNoOptionIsSet();
    void aClusterTellsHowToJoinIt();
    void aNetworkChangeWaitsUntilItIsApplied();
    void aNetworkChangeIsReverted();
    void anInterfaceThatIsThereIsNotMadeAgain();
    void aStaleDigestOfTheHostsIsRefused();
    void namesAndTimeAreKept();
};

void SettingsTest::optionsThatArePropertyStringsComeBackAsObjects()
{
    QCOMPARE(m_cluster
                 ->call("PUT /cluster/options",
                        "tag-style=case-sensitive%3D1,shape%3Dfull&migration=type%3Dinsecure&keyboard=de")
                 .status,
             200);
    const auto data = m_cluster->data("GET /cluster/options").toObject();
    QCOMPARE(data[QLatin1String("tag-style")].toObject(), (QJsonObject{{"case-sensitive", 1}, {"shape", "full"}}));
    QCOMPARE(data[QLatin1String("migration")].toObject(), (QJsonObject{{"type", "insecure"}}));
    QCOMPARE(data[QLatin1String("keyboard")].toString(), QStringLiteral("de"));
    m_cluster->call("PUT /cluster/options", "delete=keyboard,tag-style");
    const auto after = m_cluster->data("GET /cluster/options").toObject();
    QVERIFY(!after.contains(QLatin1String("keyboard")) && !after.contains(QLatin1String("tag-style")));
}

void SettingsTest::registeredTagsMayBeGiven()
{
    m_cluster->call("PUT /cluster/options", "registered-tags=zebra%3Baudited");
    const auto data = m_cluster->data("GET /cluster/options");
    QCOMPARE(data[QLatin1String("registered-tags")].toArray(), (QJsonArray{"audited", "zebra"}));
    QVERIFY(data[QLatin1String("allowed-tags")].toArray().contains(QLatin1String("zebra")));
    m_cluster->call("PUT /cluster/options", "user-tag-access=user-allow%3Dnone");
    m_cluster->token = "auditor@pve!view";
    const auto narrow = m_cluster->data("GET /cluster/options")[QLatin1String("allowed-tags")].toArray();
    QCOMPARE(narrow, (QJsonArray{"audited", "zebra"}));
}

void SettingsTest::whoMayNotAuditSeesOnlyHowTagsLook()
{
    m_cluster->call("PUT /cluster/options", "tag-style=shape%3Ddense");
    m_cluster->token = "media@pve!pool";
    QCOMPARE(m_cluster->data("GET /cluster/options").toObject().keys(), (QStringList{"allowed-tags", "tag-style"}));
    QCOMPARE(m_cluster->call("PUT /cluster/options", "keyboard=de").status, 403);
}

void SettingsTest::withoutQuorumNoOptionIsSet()
{
    m_cluster->world().quorate = false;
    QCOMPARE(m_cluster->call("PUT /cluster/options", "keyboard=de").reason,
             QByteArray("cfs-lock 'file-datacenter_cfg' error: no quorum!"));
}

void SettingsTest::aClusterTellsHowToJoinIt()
{
    const auto join = m_cluster->data("GET /cluster/config/join");
    QCOMPARE(join[QLatin1String("nodelist")].toArray().size(), 3);
    QCOMPARE(join[QLatin1String("totem")][QLatin1String("cluster_name")].toString(), QStringLiteral("homelab"));
    QCOMPARE(m_cluster->data("GET /cluster/config/nodes").toArray()[1][QLatin1String("nodeid")].toString(),
             QStringLiteral("2"));
    m_cluster->world().nodes.resize(1);
    const auto alone = m_cluster->call("GET /cluster/config/join");
    QCOMPARE(alone.status, 424);
    QCOMPARE(m_cluster->data("GET /cluster/config/nodes").toArray().size(), 0);
}

void SettingsTest::aNetworkChangeWaitsUntilItIsApplied()
{
    QVERIFY(changes().isEmpty());
    m_cluster->call("POST /nodes/pve1/network", "iface=vmbr1&type=bridge&autostart=1&cidr=10.9.0.1/24");
    QVERIFY(changes().contains(QLatin1String("+iface vmbr1 inet static")));
    QVERIFY(!interface("vmbr1").contains(QLatin1String("active")));
    QCOMPARE(m_cluster->outcome("PUT /nodes/pve1/network"), QStringLiteral("OK"));
    QVERIFY(changes().isEmpty());
    QCOMPARE(interface("vmbr1")[QLatin1String("active")].toInt(), 1);
    QCOMPARE(interface("vmbr1")[QLatin1String("netmask")].toString(), QStringLiteral("24"));
    QCOMPARE(m_cluster->data("GET /nodes/pve2/network").toArray().size(), 2);
    QCOMPARE(m_cluster->data("GET /nodes/pve1/network?type=bridge").toArray().size(), 2);
}

void SettingsTest::aNetworkChangeIsReverted()
{
    m_cluster->call("PUT /nodes/pve1/network/vmbr0", "type=bridge&cidr=10.0.0.9/16");
    QVERIFY(changes().contains(QLatin1String("-\taddress 192.168.1.11/24")));
    m_cluster->call("DELETE /nodes/pve1/network/eno1");
    QCOMPARE(m_cluster->call("GET /nodes/pve1/network/eno1").status, 400);
    m_cluster->call("DELETE /nodes/pve1/network");
    QCOMPARE(interface("vmbr0")[QLatin1String("cidr")].toString(), QStringLiteral("192.168.1.11/24"));
    QCOMPARE(interface("eno1")[QLatin1String("type")].toString(), QStringLiteral("eth"));
}

void SettingsTest::anInterfaceThatIsThereIsNotMadeAgain()
{
    const auto refused = m_cluster->call("POST /nodes/pve1/network", "iface=vmbr0&type=bridge");
    QCOMPARE(refused.json()[QLatin1String("errors")].toObject(), (QJsonObject{{"iface", "interface already exists"}}));
    QVERIFY(changes().isEmpty());
}

void SettingsTest::aStaleDigestOfTheHostsIsRefused()
{
    const auto digest = m_cluster->data("GET /nodes/pve1/hosts")[QLatin1String("digest")].toString().toUtf8();
    QCOMPARE(m_cluster->call("POST /nodes/pve1/hosts", "data=127.0.0.1+a%0A&digest=" + digest).status, 200);
    QCOMPARE(m_cluster->call("POST /nodes/pve1/hosts", "data=127.0.0.1+b%0A&digest=" + digest).status, 500);
    QCOMPARE(m_cluster->data("GET /nodes/pve1/hosts")[QLatin1String("data")].toString(),
             QStringLiteral("127.0.0.1 a\n"));
}

void SettingsTest::namesAndTimeAreKept()
{
    m_cluster->call("PUT /nodes/pve1/dns", "search=homelab.test&dns1=9.9.9.9");
    QCOMPARE(m_cluster->data("GET /nodes/pve1/dns").toObject(),
             (QJsonObject{{"search", "homelab.test"}, {"dns1", "9.9.9.9"}}));
    m_cluster->call("PUT /nodes/pve1/time", "timezone=Europe/Berlin");
    QCOMPARE(m_cluster->data("GET /nodes/pve1/time")[QLatin1String("timezone")].toString(),
             QStringLiteral("Europe/Berlin"));
    QCOMPARE(m_cluster->data("GET /nodes/pve2/time")[QLatin1String("timezone")].toString(), QStringLiteral("Etc/UTC"));
}

LABHELM_TEST(SettingsTest)
#include "SettingsTest.moc"
