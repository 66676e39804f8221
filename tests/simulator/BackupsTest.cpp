#include "simulator/SimulatedCluster.h"
#include "simulator/world/Calendar.h"
#include "support/TestMain.h"
#include <QDateTime>
#include <QJsonArray>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/// Backups run, fail in their tasks, come back as guests, and are asked for by jobs.
class BackupsTest : public QObject
{
    Q_OBJECT

    Guest &guest(qint64 vmid) { return *m_cluster->world().guest(vmid); }
    QStringList backups(qint64 vmid)
    {
        QStringList ids;
        const auto path = "GET /nodes/pve1/storage/nas-backup/content?content=backup&vmid=" + QByteArray::number(vmid);
        for (const auto &row : m_cluster->data(path).toArray())
            ids.append(row["volid"_L1].toString());
        return ids;
    }
    QByteArray freshBackup(qint64 vmid)
    {
        const auto before = backups(vmid);
        m_cluster->outcome("POST /nodes/pve1/vzdump", "storage=nas-backup&remove=0&vmid=" + QByteArray::number(vmid));
        for (const auto &id : backups(vmid))
            if (!before.contains(id))
                return id.toLatin1().toPercentEncoding();
        return {};
    }
    static QString at(const QString &event, const char *after)
    {
        const auto time = QDateTime::fromString(QLatin1String(after) + u'Z', Qt::ISODate).toSecsSinceEpoch();
        const auto next = Calendar::next(event, time);
        return next ? QDateTime::fromSecsSinceEpoch(*next, Qt::UTC).toString(Qt::ISODate) : u"never"_s;
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void aBackupAppearsWithItsNotesWhenItIsOver();
    void theGuestIsLockedWhileItIsSaved();
    void aMissingOrLockedGuestFailsTheJobOnly();
    void aContainersLogReadsLikeTheRecordedOne();
    void aContainerInModeStopStandsStillMeanwhile();
    void someGuestsAreSavedOneAfterTheOther();
    void guestsOfOtherNodesAreTheirAffair();
    void aStorageMustTakeBackups();
    void oldBackupsGoWhenTheStorageSaysHowManyStay();
    void aBackupComesBackAsAnotherGuest();
    void aTakenNumberIsRestoredOverOnlyWithForce();
    void aRunningGuestIsNotRestoredOver();
    void aContainerComesBackToo();
    void theConfigurationInABackupCanBeRead();
    void aJobIsMadeChangedAndRemoved();
    void aJobNeedsGuestsAndTime();
    void whoIsInNoJobIsNotBackedUp();
    void whatAJobTakesIsListedDiskByDisk();
    void calendarEventsComeWhenTheySay();
    void aReplicationJobTellsWhenItRan();
};

void BackupsTest::aBackupAppearsWithItsNotesWhenItIsOver()
{
    const auto before = backups(101).size();
    const auto upid =
        m_cluster
            ->data("POST /nodes/pve1/vzdump",
                   "vmid=101&storage=nas-backup&remove=0&notes-template=%7B%7Bguestname%7D%7D+on+%7B%7Bnode%7D%7D")
            .toString();
    m_cluster->advance(20s);
    QCOMPARE(backups(101).size(), before);
    m_cluster->advance(1min);
    QCOMPARE(m_cluster->world().task(upid)->exitStatus, u"OK"_s);
    QCOMPARE(backups(101).size(), before + 1);
    QCOMPARE(m_cluster->world().volumes.back().notes, u"nextcloud on pve1"_s);
}

void BackupsTest::theGuestIsLockedWhileItIsSaved()
{
    const auto upid = m_cluster->data("POST /nodes/pve1/vzdump", "vmid=101&storage=nas-backup").toString();
    QCOMPARE(guest(101).lock(), u"backup"_s);
    m_cluster->world().interrupt(upid);
    QVERIFY(guest(101).lock().isEmpty());
    const auto before = backups(101).size();
    m_cluster->advance(5min);
    QCOMPARE(backups(101).size(), before);
}

void BackupsTest::aMissingOrLockedGuestFailsTheJobOnly()
{
    const auto upid = m_cluster->data("POST /nodes/pve1/vzdump", "vmid=999&storage=nas-backup").toString();
    m_cluster->advance(1min);
    const auto *task = m_cluster->world().task(upid);
    QCOMPARE(task->exitStatus, u"job errors"_s);
    QVERIFY(
        task->log(m_cluster->world().nowMs()).contains(u"ERROR: Backup of VM 999 failed - unable to find VM '999'"_s));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/vzdump", "vmid=112&storage=nas-backup"), u"job errors"_s);
    QCOMPARE(guest(112).lock(), u"backup"_s);
}

void BackupsTest::aContainersLogReadsLikeTheRecordedOne()
{
    const auto upid =
        m_cluster->data("POST /nodes/pve1/vzdump", "vmid=105&storage=nas-backup&mode=stop&notes-template=x").toString();
    m_cluster->advance(1min);
    // In the order of recording 512, numbers and names aside.
    static const QStringList starts{u"INFO: starting new backup job: vzdump 105 "_s,
                                    u"INFO: Starting Backup of VM 105 (lxc)"_s,
                                    u"INFO: Backup started at 20"_s,
                                    u"INFO: status = running"_s,
                                    u"INFO: backup mode: stop"_s,
                                    u"INFO: ionice priority: 7"_s,
                                    u"INFO: CT Name: pihole"_s,
                                    u"INFO: including mount point rootfs ('/') in backup"_s,
                                    u"INFO: stopping virtual guest"_s,
                                    u"INFO: creating vzdump archive '/mnt/pve/nas-backup/dump/"_s,
                                    u"INFO: Total bytes written: "_s,
                                    u"INFO: archive file size: "_s,
                                    u"INFO: adding notes to backup"_s,
                                    u"INFO: restarting vm"_s,
                                    u"INFO: guest is online again after "_s,
                                    u"INFO: Finished Backup of VM 105 (00:00:"_s,
                                    u"INFO: Backup finished at 20"_s,
                                    u"INFO: Backup job finished successfully"_s,
                                    u"TASK OK"_s};
    const auto log = m_cluster->world().task(upid)->log(m_cluster->world().nowMs());
    QCOMPARE(log.size(), starts.size());
    for (qsizetype i = 0; i < log.size(); ++i)
        QVERIFY2(log[i].startsWith(starts[i]), qPrintable(log[i]));
}

void BackupsTest::aContainerInModeStopStandsStillMeanwhile()
{
    m_cluster->data("POST /nodes/pve1/vzdump", "vmid=105&storage=nas-backup&mode=stop");
    m_cluster->advance(20s);
    QVERIFY(!guest(105).isRunning());
    m_cluster->advance(1min);
    QVERIFY(guest(105).isRunning());
    m_cluster->data("POST /nodes/pve1/vzdump", "vmid=101&storage=nas-backup&mode=stop");
    m_cluster->advance(20s);
    QVERIFY(guest(101).isRunning());
}

void BackupsTest::someGuestsAreSavedOneAfterTheOther()
{
    const auto upid =
        m_cluster->data("POST /nodes/pve1/vzdump", "vmid=110%2C105&storage=nas-backup&remove=0").toString();
    QVERIFY(upid.contains(u":vzdump::"_s));
    QCOMPARE(guest(110).lock(), u"backup"_s);
    QVERIFY(guest(105).lock().isEmpty());
    m_cluster->advance(50s);
    QVERIFY(guest(110).lock().isEmpty());
    QCOMPARE(guest(105).lock(), u"backup"_s);
    QCOMPARE(backups(110).size(), 1);
    m_cluster->advance(1min);
    QCOMPARE(m_cluster->world().task(upid)->exitStatus, u"OK"_s);
    QVERIFY(guest(105).lock().isEmpty());
}

void BackupsTest::guestsOfOtherNodesAreTheirAffair()
{
    QCOMPARE(m_cluster->data("POST /nodes/pve1/vzdump", "vmid=201&storage=nas-backup"), QJsonValue(u"OK"_s));
    const auto upid = m_cluster->data("POST /nodes/pve2/vzdump", "pool=prod&storage=nas-backup").toString();
    m_cluster->advance(10min);
    QCOMPARE(m_cluster->world().task(upid)->exitStatus, u"OK"_s);
    const auto log = m_cluster->world().task(upid)->log(m_cluster->world().nowMs()).first();
    QVERIFY(log.contains(u"vzdump 201 202 203 "_s));
}

void BackupsTest::aStorageMustTakeBackups()
{
    QCOMPARE(
        m_cluster->call("POST /nodes/pve1/vzdump", "vmid=101&storage=local-zfs").reason,
        QByteArray("could not get storage information for 'local-zfs': can't use storage 'local-zfs' for backups - "
                   "wrong content type"));
    QCOMPARE(m_cluster->call("POST /nodes/pve1/vzdump", "vmid=101&storage=usb-old").reason,
             QByteArray("could not get storage information for 'usb-old': storage 'usb-old' is disabled"));
}

void BackupsTest::oldBackupsGoWhenTheStorageSaysHowManyStay()
{
    QCOMPARE(m_cluster->call("PUT /storage/nas-backup", "prune-backups=keep-last%3D3").status, 200);
    m_cluster->outcome("POST /nodes/pve1/vzdump", "vmid=101&storage=nas-backup");
    // Three, and the protected one.
    QCOMPARE(backups(101).size(), 4);
    QVERIFY(backups(104).size() > 5);
}

void BackupsTest::aBackupComesBackAsAnotherGuest()
{
    guest(110).config[u"description"_s] = u"as it was"_s;
    const auto archive = freshBackup(110);
    guest(110).config[u"description"_s] = u"changed"_s;
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu", "vmid=400&unique=1&archive=" + archive), u"OK"_s);
    QCOMPARE(guest(400).config.value(u"description"_s), u"as it was"_s);
    QVERIFY(guest(400).config.value(u"scsi0"_s).startsWith(u"local-zfs:vm-400-disk-0,"_s));
    QVERIFY(guest(400).config.value(u"net0"_s) != guest(110).config.value(u"net0"_s));
    QVERIFY(!guest(400).isRunning());
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu", "vmid=401&storage=nas-images&archive=" + archive), u"OK"_s);
    QVERIFY(guest(401).config.value(u"scsi0"_s).startsWith(u"nas-images:401/vm-401-disk-0.raw,"_s));
}

void BackupsTest::aTakenNumberIsRestoredOverOnlyWithForce()
{
    const auto archive = freshBackup(110);
    m_cluster->outcome("POST /nodes/pve1/qemu/110/status/stop");
    guest(110).config[u"cores"_s] = u"9"_s;
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu", "vmid=110&archive=" + archive).reason,
             QByteArray("unable to restore VM 110 - VM 110 already exists on node 'pve1'"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu", "vmid=110&force=1&archive=" + archive), u"OK"_s);
    QCOMPARE(guest(110).config.value(u"cores"_s), u"2"_s);
    QVERIFY(!backups(110).isEmpty());
}

void BackupsTest::aRunningGuestIsNotRestoredOver()
{
    const auto archive = freshBackup(110);
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu", "vmid=110&force=1&archive=" + archive),
             u"unable to restore VM 110 - vm is running"_s);
    QVERIFY(guest(110).isRunning());
}

void BackupsTest::aContainerComesBackToo()
{
    const auto archive = freshBackup(105);
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/lxc", "vmid=402&restore=1&ostemplate=" + archive), u"OK"_s);
    QCOMPARE(guest(402).config.value(u"hostname"_s), u"pihole"_s);
    QVERIFY(guest(402).config.value(u"rootfs"_s).startsWith(u"local-zfs:subvol-402-disk-0,"_s));
}

void BackupsTest::theConfigurationInABackupCanBeRead()
{
    guest(110).config[u"description"_s] = u"two\nlines"_s;
    const auto text = m_cluster->data("GET /nodes/pve1/vzdump/extractconfig?volume=" + freshBackup(110)).toString();
    QVERIFY(text.startsWith(u"#two\n#lines\n"_s));
    QVERIFY(text.contains(u"name: paperless\n"_s));
}

void BackupsTest::aJobIsMadeChangedAndRemoved()
{
    QCOMPARE(
        m_cluster->call("POST /cluster/backup", "id=weekly&schedule=sun+01%3A00&storage=nas-backup&all=1&enabled=1")
            .status,
        200);
    QCOMPARE(m_cluster->call("POST /cluster/backup", "id=weekly&schedule=daily&all=1").reason,
             QByteArray("Job 'weekly' already exists"));
    QCOMPARE(m_cluster->call("PUT /cluster/backup/weekly", "vmid=101&comment=one").status, 200);
    const auto job = m_cluster->data("GET /cluster/backup/weekly").toObject();
    QVERIFY(!job.contains("all"_L1));
    QCOMPARE(job["vmid"_L1].toString(), u"101"_s);
    QCOMPARE(job["enabled"_L1].toInt(), 1);
    QCOMPARE(m_cluster->call("PUT /cluster/backup/weekly", "delete=vmid").json()["errors"_L1]["vmid"_L1],
             QJsonValue(u"property is missing"_s));
    QCOMPARE(m_cluster->call("DELETE /cluster/backup/weekly").status, 200);
    QCOMPARE(m_cluster->call("GET /cluster/backup/weekly").json()["errors"_L1]["id"_L1],
             QJsonValue(u"No such job 'weekly'"_s));
}

void BackupsTest::aJobNeedsGuestsAndTime()
{
    QVERIFY(
        m_cluster->call("POST /cluster/backup", "schedule=daily").json()["errors"_L1].toObject().contains("vmid"_L1));
    QCOMPARE(m_cluster->call("POST /cluster/backup", "schedule=whenever&all=1").json()["errors"_L1]["schedule"_L1],
             QJsonValue(u"invalid format - unable to parse calendar event - whenever\n"_s));
}

void BackupsTest::whoIsInNoJobIsNotBackedUp()
{
    const auto missing = [this] {
        QList<int> ids;
        for (const auto &row : m_cluster->data("GET /cluster/backup-info/not-backed-up").toArray())
            ids.append(row["vmid"_L1].toInt());
        return ids;
    };
    QVERIFY(missing().contains(110));
    QVERIFY(!missing().contains(101));
    QCOMPARE(m_cluster->call("POST /cluster/backup", "schedule=daily&all=1&exclude=110").status, 200);
    QCOMPARE(missing(), QList<int>{110});
}

void BackupsTest::whatAJobTakesIsListedDiskByDisk()
{
    guest(101).config[u"scsi1"_s] = u"local-zfs:vm-101-disk-1,size=8G,backup=0"_s;
    const auto guests = m_cluster->data("GET /cluster/backup/nightly/included_volumes")["children"_L1].toArray();
    QCOMPARE(guests.size(), 5);
    const auto disks = guests[0]["children"_L1].toArray();
    QCOMPARE(disks.size(), 2);
    QCOMPARE(disks[0]["included"_L1].toInt(), 1);
    QCOMPARE(disks[1]["included"_L1].toInt(), 0);
}

void BackupsTest::calendarEventsComeWhenTheySay()
{
    QCOMPARE(at(u"02:30"_s, "2026-11-30T02:29:59"), u"2026-11-30T02:30:00Z"_s);
    QCOMPARE(at(u"02:30"_s, "2026-11-30T02:30:00"), u"2026-12-01T02:30:00Z"_s);
    QCOMPARE(at(u"daily"_s, "2026-11-30T09:00:00"), u"2026-12-01T00:00:00Z"_s);
    QCOMPARE(at(u"*/15"_s, "2026-11-30T09:01:00"), u"2026-11-30T09:15:00Z"_s);
    QCOMPARE(at(u"mon..fri 22:00"_s, "2026-11-27T22:00:00"), u"2026-11-30T22:00:00Z"_s);
    QCOMPARE(at(u"sat,sun 1:00"_s, "2026-11-30T09:00:00"), u"2026-12-05T01:00:00Z"_s);
    QCOMPARE(at(u"monthly"_s, "2026-11-30T09:00:00"), u"2026-12-01T00:00:00Z"_s);
    QCOMPARE(at(u"8..17/3:00"_s, "2026-11-30T09:00:00"), u"2026-11-30T11:00:00Z"_s);
    QCOMPARE(at(u"whenever"_s, "2026-11-30T09:00:00"), u"never"_s);
}

void BackupsTest::aReplicationJobTellsWhenItRan()
{
    QCOMPARE(m_cluster->call("POST /cluster/replication", "id=105-0&type=local&target=pve2&schedule=*%2F30").status,
             200);
    QCOMPARE(m_cluster->call("POST /cluster/replication", "id=105-0&type=local&target=pve2").reason,
             QByteArray("replication job '105-0' already exists"));
    QCOMPARE(m_cluster->data("GET /nodes/pve1/replication/105-0/status")["last_sync"_L1].toInteger(), 0);
    m_cluster->advance(60min);
    const auto row = m_cluster->data("GET /nodes/pve1/replication").toArray()[0];
    QCOMPARE(row["last_sync"_L1].toInteger() % 1800, 0);
    QCOMPARE(row["next_sync"_L1].toInteger() - row["last_sync"_L1].toInteger(), 1800);
    QVERIFY(m_cluster->data("GET /nodes/pve2/replication").toArray().isEmpty());
    QCOMPARE(m_cluster->call("DELETE /cluster/replication/105-0").status, 200);
    QVERIFY(m_cluster->data("GET /cluster/replication").toArray().isEmpty());
}

LABHELM_TEST(BackupsTest)
#include "BackupsTest.moc"
