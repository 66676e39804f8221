#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

using namespace std::chrono_literals;

/// Power, configuration and removal of guests.
class GuestsTest : public QObject
{
    Q_OBJECT

    const Guest &guest(qint64 vmid) { return *m_cluster->world().guest(vmid); }
    QString refusal(const QByteArray &call, const QByteArray &form = {})
    {
        const auto answer = m_cluster->call(call, form);
        return QStringLiteral("%1 %2").arg(answer.status).arg(QString::fromUtf8(answer.reason));
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void aPausedMachineGoesOn();
    void aMachineSuspendedToDiskComesBack();
    void aLockedGuestRefusesChanges();
    void theHaManagerStartsWhatItManagesAfterAWhile();
    void aRunningMachineTakesWhatItCanAndKeepsTheRestPending();
    void pendingValuesApplyAtTheNextStart();
    void pendingValuesCanBeReverted();
    void aRunningContainerTakesMemoryAtOnce();
    void anOldDigestIsRefused();
    void aChangeBehindTheBackChangesTheDigest();
    void deletingADiskLeavesItUnused();
    void aNewDiskIsMadeOnTheStorage();
    void aNewCardGetsAnAddress();
    void someLinesAreForRootAlone();
    void nothingToChangeIsAnError();
    void aRunningGuestIsNotDestroyed();
    void aProtectedGuestIsNotDestroyed();
    void aManagedGuestIsDestroyedOnlyWithPurge();
    void destroyingTakesDisksAndPoolPlaceAway();
    void theAgentTellsAddresses();
};

void GuestsTest::aPausedMachineGoesOn()
{
    QCOMPARE(refusal("POST /nodes/pve1/qemu/111/status/shutdown"),
             QStringLiteral("500 VM is paused - cannot shutdown"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/111/status/resume"), QStringLiteral("OK"));
    QCOMPARE(guest(111).run, Guest::Run::Running);
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/111/status/suspend"), QStringLiteral("OK"));
    QCOMPARE(guest(111).run, Guest::Run::Paused);
}

void GuestsTest::aMachineSuspendedToDiskComesBack()
{
    QCOMPARE(guest(121).lock(), QStringLiteral("suspended"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/121/status/start"), QStringLiteral("OK"));
    QVERIFY(guest(121).isRunning() && guest(121).lock().isEmpty());
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/121/status/suspend", "todisk=1"), QStringLiteral("OK"));
    QVERIFY(!guest(121).isRunning());
    QCOMPARE(guest(121).lock(), QStringLiteral("suspended"));
}

void GuestsTest::aLockedGuestRefusesChanges()
{
    QCOMPARE(refusal("PUT /nodes/pve1/qemu/112/config", "onboot=1"), QStringLiteral("500 VM is locked (backup)"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/112/snapshot", "snapname=x1"),
             QStringLiteral("VM is locked (backup)"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/lxc/113/status/start"),
             QStringLiteral("CT is locked (snapshot-delete)"));
}

void GuestsTest::theHaManagerStartsWhatItManagesAfterAWhile()
{
    const auto upid = m_cluster->data("POST /nodes/pve2/qemu/213/status/start").toString();
    QVERIFY(upid.contains(QLatin1String(":hastart:213:")));
    m_cluster->advance(2s);
    QCOMPARE(m_cluster->world().task(upid)->exitStatus, QStringLiteral("OK"));
    QVERIFY(!guest(213).isRunning());
    m_cluster->advance(15s);
    QVERIFY(guest(213).isRunning());
    QVERIFY(m_cluster->world().tasks().first()->upid.contains(QLatin1String(":qmstart:213:root@pam:")));
}

void GuestsTest::aRunningMachineTakesWhatItCanAndKeepsTheRestPending()
{
    QCOMPARE(refusal("PUT /nodes/pve1/qemu/101/config", "description=new&cores=6&net1=virtio%2Cbridge%3Dvmbr1"),
             QStringLiteral("200 OK"));
    const auto now = m_cluster->data("GET /nodes/pve1/qemu/101/config?current=1");
    QCOMPARE(now[QLatin1String("description")].toString(), QStringLiteral("new"));
    QCOMPARE(now[QLatin1String("cores")].toInt(), 4);
    QVERIFY(now[QLatin1String("net1")].toString().contains(QLatin1String("bridge=vmbr1")));
    QCOMPARE(m_cluster->data("GET /nodes/pve1/qemu/101/config")[QLatin1String("cores")].toInt(), 6);
    for (const auto &row : m_cluster->data("GET /nodes/pve1/qemu/101/pending").toArray())
        QCOMPARE(row.toObject().contains(QLatin1String("pending")),
                 row[QLatin1String("key")] == QLatin1String("cores"));
}

void GuestsTest::pendingValuesApplyAtTheNextStart()
{
    QCOMPARE(guest(110).pending.value(QStringLiteral("memory")), QStringLiteral("6144"));
    m_cluster->call("PUT /nodes/pve1/qemu/110/config", "delete=agent");
    QCOMPARE(guest(110).pendingDeletes, QStringList{"agent"});
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/110/status/reboot"), QStringLiteral("OK"));
    QCOMPARE(guest(110).config.value(QStringLiteral("memory")), QStringLiteral("6144"));
    QVERIFY(!guest(110).config.contains(QStringLiteral("agent")));
    QVERIFY(guest(110).pending.isEmpty() && guest(110).pendingDeletes.isEmpty());
}

void GuestsTest::pendingValuesCanBeReverted()
{
    QCOMPARE(refusal("PUT /nodes/pve1/qemu/110/config", "revert=memory"), QStringLiteral("200 OK"));
    QVERIFY(guest(110).pending.isEmpty());
    QCOMPARE(guest(110).config.value(QStringLiteral("memory")), QStringLiteral("4096"));
}

void GuestsTest::aRunningContainerTakesMemoryAtOnce()
{
    QCOMPARE(refusal("PUT /nodes/pve1/lxc/104/config", "memory=6144&arch=arm64"), QStringLiteral("200 OK"));
    QCOMPARE(m_cluster->data("GET /nodes/pve1/lxc/104/config?current=1")[QLatin1String("memory")].toInt(), 6144);
    QCOMPARE(guest(104).pending.keys(), QStringList{"arch"});
}

void GuestsTest::anOldDigestIsRefused()
{
    const auto digest =
        m_cluster->data("GET /nodes/pve1/lxc/104/config")[QLatin1String("digest")].toString().toLatin1();
    QCOMPARE(refusal("PUT /nodes/pve1/lxc/104/config", "onboot=0&digest=" + digest), QStringLiteral("200 OK"));
    QCOMPARE(refusal("PUT /nodes/pve1/lxc/104/config", "onboot=1&digest=" + digest),
             QStringLiteral("500 checksum mismatch (file change by other user?)"));
}

void GuestsTest::aChangeBehindTheBackChangesTheDigest()
{
    const auto before = guest(104).digest();
    m_cluster->world().setConfig(104, QStringLiteral("description"), QStringLiteral("somebody was here"));
    QVERIFY(guest(104).digest() != before);
    QCOMPARE(m_cluster->data("GET /nodes/pve1/lxc/104/config")[QLatin1String("description")].toString(),
             QStringLiteral("somebody was here"));
}

void GuestsTest::deletingADiskLeavesItUnused()
{
    const auto volume = guest(214).config.value(QStringLiteral("scsi0")).section(u',', 0, 0);
    QCOMPARE(refusal("PUT /nodes/pve2/qemu/214/config", "delete=scsi0"), QStringLiteral("200 OK"));
    QCOMPARE(guest(214).config.value(QStringLiteral("unused0")), volume);
    const auto count = m_cluster->world().volumes.size();
    QCOMPARE(refusal("PUT /nodes/pve2/qemu/214/config", "delete=unused0"), QStringLiteral("200 OK"));
    QCOMPARE(m_cluster->world().volumes.size(), count - 1);
}

void GuestsTest::aNewDiskIsMadeOnTheStorage()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve2/qemu/214/config", "scsi1=local-zfs%3A16%2Cdiscard%3Don"),
             QStringLiteral("OK"));
    QCOMPARE(guest(214).config.value(QStringLiteral("scsi1")),
             QStringLiteral("local-zfs:vm-214-disk-1,discard=on,size=16G"));
    QCOMPARE(refusal("PUT /nodes/pve2/qemu/214/config", "scsi2=nope%3A1"),
             QStringLiteral("500 storage 'nope' does not exist"));
    QCOMPARE(refusal("PUT /nodes/pve2/qemu/214/config", "scsi2=local%3A1"),
             QStringLiteral("400 Parameter verification failed."));
}

void GuestsTest::aNewCardGetsAnAddress()
{
    m_cluster->call("PUT /nodes/pve2/qemu/214/config", "net1=model%3Dvirtio%2Cbridge%3Dvmbr0");
    QVERIFY(guest(214).config.value(QStringLiteral("net1")).startsWith(QLatin1String("virtio=BC:24:11:")));
    m_cluster->call("PUT /nodes/pve2/qemu/214/config",
                    "net1=virtio%3DBC%3A24%3A11%3A00%3A00%3A01%2Cbridge%3Dvmbr0%2Ctag%3D5");
    QCOMPARE(guest(214).config.value(QStringLiteral("net1")),
             QStringLiteral("virtio=BC:24:11:00:00:01,bridge=vmbr0,tag=5"));
}

void GuestsTest::someLinesAreForRootAlone()
{
    QCOMPARE(refusal("PUT /nodes/pve1/qemu/101/config", "args=-foo"),
             QStringLiteral("500 only root can set 'args' config"));
    QCOMPARE(refusal("PUT /nodes/pve1/qemu/101/config", "hookscript=local%3Asnippets%2Fx.sh"),
             QStringLiteral("500 only root can set 'hookscript' config"));
}

void GuestsTest::nothingToChangeIsAnError()
{
    QCOMPARE(refusal("PUT /nodes/pve1/qemu/101/config"), QStringLiteral("500 no options specified"));
    QCOMPARE(refusal("PUT /nodes/pve1/qemu/101/config", "delete=colour"),
             QStringLiteral("400 Parameter verification failed."));
}

void GuestsTest::aRunningGuestIsNotDestroyed()
{
    QCOMPARE(refusal("DELETE /nodes/pve1/qemu/101"), QStringLiteral("500 VM 101 is running - destroy failed"));
    QCOMPARE(refusal("DELETE /nodes/pve1/lxc/104"),
             QStringLiteral("500 unable to destroy CT 104 - container is running"));
}

void GuestsTest::aProtectedGuestIsNotDestroyed()
{
    QCOMPARE(refusal("DELETE /nodes/pve2/qemu/213?purge=1"),
             QStringLiteral("500 can't remove VM 213 - protection mode enabled"));
}

void GuestsTest::aManagedGuestIsDestroyedOnlyWithPurge()
{
    m_cluster->world().setConfig(213, QStringLiteral("protection"), {});
    QCOMPARE(refusal("DELETE /nodes/pve2/qemu/213"),
             QStringLiteral("500 unable to remove VM 213 - used in HA resources and purge parameter not set."));
    QCOMPARE(m_cluster->outcome("DELETE /nodes/pve2/qemu/213?purge=1"), QStringLiteral("OK"));
    QVERIFY(!m_cluster->world().guest(213));
    QCOMPARE(m_cluster->world().ha.size(), size_t(2));
}

void GuestsTest::destroyingTakesDisksAndPoolPlaceAway()
{
    QCOMPARE(m_cluster->outcome("DELETE /nodes/pve1/lxc/107?destroy-unreferenced-disks=1"), QStringLiteral("OK"));
    QCOMPARE(refusal("GET /nodes/pve1/lxc/107/config"),
             QStringLiteral("500 Configuration file 'nodes/pve1/lxc/107.conf' does not exist"));
    QVERIFY(m_cluster->world().poolOf(107).isEmpty());
    for (const auto &volume : m_cluster->world().volumes)
        QVERIFY(volume.vmid != 107);
}

void GuestsTest::theAgentTellsAddresses()
{
    const auto result =
        m_cluster->data("GET /nodes/pve1/qemu/101/agent/network-get-interfaces")[QLatin1String("result")].toArray();
    QCOMPARE(result.size(), 2);
    QCOMPARE(refusal("GET /nodes/pve2/qemu/212/agent/network-get-interfaces"),
             QStringLiteral("500 VM 212 is not running"));
    QCOMPARE(refusal("GET /nodes/pve1/qemu/115/agent/network-get-interfaces"),
             QStringLiteral("500 QEMU guest agent is not running"));
    const auto container = m_cluster->data("GET /nodes/pve1/lxc/104/interfaces").toArray();
    QCOMPARE(container[1][QLatin1String("inet")].toString(), QStringLiteral("192.168.1.34/24"));
}

LABHELM_TEST(GuestsTest)
#include "GuestsTest.moc"
