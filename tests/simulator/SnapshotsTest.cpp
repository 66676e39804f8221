#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

using namespace std::chrono_literals;

/// Snapshots as PVE keeps them: a tree in the configuration, errors in the task, ZFS only backwards by one.
class SnapshotsTest : public QObject
{
    Q_OBJECT

    Guest &guest(qint64 vmid) { return *m_cluster->world().guest(vmid); }
    QString parentOf(qint64 vmid, const char *name) { return guest(vmid).snapshot(QLatin1String(name))->parent(); }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void aNewSnapshotBecomesTheParentOfNow();
    void errorsShowInTheTaskOnly();
    void reservedNamesAreRefusedAtOnce();
    void memoryTakesLongerAndSaysHowFar();
    void deletingHandsChildrenToTheParent();
    void rollingBackBringsTheConfigurationBack();
    void rollingBackStopsTheGuestUnlessMemoryWasKept();
    void zfsGoesBackToTheNewestOnly();
    void theGuestIsLockedMeanwhile();
    void anInterruptedDeletionLeavesItsLock();
    void aDescriptionCanBeChanged();
};

void SnapshotsTest::aNewSnapshotBecomesTheParentOfNow()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/lxc/104/snapshot", "snapname=fresh&description=today"),
             QStringLiteral("OK"));
    const auto rows = m_cluster->data("GET /nodes/pve1/lxc/104/snapshot").toArray();
    QCOMPARE(rows.size(), 4);
    QCOMPARE(rows[2][QLatin1String("name")].toString(), QStringLiteral("fresh"));
    QCOMPARE(rows[2][QLatin1String("parent")].toString(), QStringLiteral("weekly"));
    QCOMPARE(rows[3][QLatin1String("parent")].toString(), QStringLiteral("fresh"));
    QVERIFY(!rows[2].toObject().contains(QLatin1String("vmstate")));
}

void SnapshotsTest::errorsShowInTheTaskOnly()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/101/snapshot", "snapname=installed"),
             QStringLiteral("snapshot name 'installed' already used"));
    QCOMPARE(m_cluster->outcome("DELETE /nodes/pve1/qemu/101/snapshot/nope"),
             QStringLiteral("snapshot 'nope' does not exist"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/101/snapshot/nope/rollback"),
             QStringLiteral("snapshot 'nope' does not exist"));
}

void SnapshotsTest::reservedNamesAreRefusedAtOnce()
{
    const auto answer = m_cluster->call("POST /nodes/pve1/qemu/101/snapshot", "snapname=current");
    QCOMPARE(answer.status, 500);
    QCOMPARE(answer.reason, QByteArray("unable to use snapshot name 'current' (reserved name)"));
}

void SnapshotsTest::memoryTakesLongerAndSaysHowFar()
{
    const auto upid = m_cluster->data("POST /nodes/pve1/qemu/101/snapshot", "snapname=hot&vmstate=1").toString();
    m_cluster->advance(5s);
    const auto *task = m_cluster->world().task(upid);
    QVERIFY(task->isRunning());
    QVERIFY(task->log(m_cluster->world().nowMs()).last().contains(QLatin1String("MiB in 5s")));
    m_cluster->advance(5s);
    QCOMPARE(task->exitStatus, QStringLiteral("OK"));
    QVERIFY(guest(101).snapshot(QStringLiteral("hot"))->hasMemory());
}

void SnapshotsTest::deletingHandsChildrenToTheParent()
{
    QCOMPARE(m_cluster->outcome("DELETE /nodes/pve1/qemu/101/snapshot/before-28"), QStringLiteral("OK"));
    QCOMPARE(parentOf(101, "broken-28"), QStringLiteral("installed"));
    QCOMPARE(parentOf(101, "after-28"), QStringLiteral("installed"));
    QCOMPARE(m_cluster->outcome("DELETE /nodes/pve1/qemu/101/snapshot/before-29"), QStringLiteral("OK"));
    QCOMPARE(guest(101).config.value(QStringLiteral("parent")), QStringLiteral("after-28"));
}

void SnapshotsTest::rollingBackBringsTheConfigurationBack()
{
    guest(101).config[QStringLiteral("cores")] = QStringLiteral("12");
    guest(101).config[QStringLiteral("description")] = QStringLiteral("kept");
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/101/snapshot/broken-28/rollback"), QStringLiteral("OK"));
    QCOMPARE(guest(101).config.value(QStringLiteral("cores")), QStringLiteral("4"));
    QCOMPARE(guest(101).config.value(QStringLiteral("description")), QStringLiteral("kept"));
    QCOMPARE(guest(101).config.value(QStringLiteral("parent")), QStringLiteral("broken-28"));
    QVERIFY(!guest(101).config.contains(QStringLiteral("snaptime")));
}

void SnapshotsTest::rollingBackStopsTheGuestUnlessMemoryWasKept()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/101/snapshot/before-29/rollback"), QStringLiteral("OK"));
    QVERIFY(guest(101).isRunning());
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/101/snapshot/installed/rollback"), QStringLiteral("OK"));
    QVERIFY(!guest(101).isRunning());
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/101/snapshot/after-28/rollback", "start=1"),
             QStringLiteral("OK"));
    QVERIFY(guest(101).isRunning());
}

void SnapshotsTest::zfsGoesBackToTheNewestOnly()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/lxc/104/snapshot/before-gpu/rollback"),
             QStringLiteral("can't rollback, 'before-gpu' is not most recent snapshot on 'subvol-104-disk-0'"));
    QVERIFY(guest(104).isRunning());
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/lxc/104/snapshot/weekly/rollback"), QStringLiteral("OK"));
    QVERIFY(!guest(104).isRunning());
}

void SnapshotsTest::theGuestIsLockedMeanwhile()
{
    const auto upid = m_cluster->data("POST /nodes/pve1/qemu/101/snapshot/before-29/rollback").toString();
    QCOMPARE(guest(101).lock(), QStringLiteral("rollback"));
    QCOMPARE(m_cluster->call("PUT /nodes/pve1/qemu/101/config", "onboot=0").reason,
             QByteArray("VM is locked (rollback)"));
    m_cluster->advance(1min);
    QVERIFY(guest(101).lock().isEmpty());
}

void SnapshotsTest::anInterruptedDeletionLeavesItsLock()
{
    const auto upid = m_cluster->data("DELETE /nodes/pve1/qemu/101/snapshot/installed").toString();
    m_cluster->world().interrupt(upid);
    m_cluster->advance(1min);
    QCOMPARE(guest(101).lock(), QStringLiteral("snapshot-delete"));
    QVERIFY(guest(101).snapshot(QStringLiteral("installed")));
}

void SnapshotsTest::aDescriptionCanBeChanged()
{
    QCOMPARE(m_cluster->call("PUT /nodes/pve1/qemu/101/snapshot/installed/config", "description=first+day").status,
             200);
    const auto config = m_cluster->data("GET /nodes/pve1/qemu/101/snapshot/installed/config");
    QCOMPARE(config[QLatin1String("description")].toString(), QStringLiteral("first day"));
    QVERIFY(config[QLatin1String("snaptime")].isDouble());
}

LABHELM_TEST(SnapshotsTest)
#include "SnapshotsTest.moc"
