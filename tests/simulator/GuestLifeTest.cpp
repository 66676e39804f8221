#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/// Guests come, are copied, move and go as on a real cluster, and so do their disks.
class GuestLifeTest : public QObject
{
    Q_OBJECT

    Guest &guest(qint64 vmid) { return *m_cluster->world().guest(vmid); }
    QString line(qint64 vmid, const QString &key) { return guest(vmid).config.value(key); }
    bool hasVolume(const QString &id)
    {
        return std::any_of(m_cluster->world().volumes.begin(), m_cluster->world().volumes.end(),
                           [&](const auto &volume) { return volume.id == id; });
    }
    QString begun(const QByteArray &call, const QByteArray &form = {})
    {
        return m_cluster->data(call, form).toString();
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void aMachineIsMadeListedChangedAndDeleted();
    void whileItIsMadeNothingButItsLockIsKnown();
    void aCreationThatIsStoppedLeavesNothing();
    void aTakenNumberIsRefusedWithItsOwner();
    void aContainerNeedsATemplateThatIsThere();
    void aDiskMayComeFromAnImportedImage();
    void aNewGuestJoinsItsPoolAndStartsWhenAsked();
    void creatingNeedsRightsOnGuestAndStorage();
    void aFreeNumberIsNoReservation();
    void aSizeWithAUnitIsNoVolume();
    void aSizeWithoutAUnitIsBytes();
    void onlyRootGivesAContainerMoreThanNesting();
    void onlyRootBindsFoldersOfTheNode();
    void aDetachedDiskStaysUntilItIsDeleted();
    void aFullCloneHasItsOwnDisksAndAddresses();
    void aLinkedCloneGrowsOutOfItsTemplate();
    void aTemplateWithClonesStays();
    void onlyTemplatesMakeLinkedClones();
    void aCloneOfASnapshotIsAsItWas();
    void localDisksAreNotClonedToAnotherNode();
    void aStoppedGuestBecomesATemplate();
    void aDiskGrowsButNeverShrinks();
    void aMovedDiskLeavesItsSourceUnused();
    void aContainersVolumeMovesOnlyWhileStopped();
    void unlinkingTakesOffAndThenDeletes();
    void cloudInitWaitsForItsDrive();
    void cloudInitFilesSayWhatIsConfigured();
    void migrationMovesGuestAndDisks();
    void aRunningMachineMovesOnlyOnline();
    void attachedLocalDisksNeedTheirOption();
    void aLocalMediumKeepsItFromMoving();
    void aContainerRestartsOnTheOtherNode();
    void anUnreachableNodeFailsInTheTask();
    void theManagerOfHaMovesWhatIsItsOwn();
    void withoutQuorumNothingIsMade();
};

void GuestLifeTest::aMachineIsMadeListedChangedAndDeleted()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu", "vmid=400&name=fresh&memory=2048&cores=2&scsi0=local-zfs%3A8"
                                                         "&net0=virtio%2Cbridge%3Dvmbr0"),
             u"OK"_s);
    const auto config = m_cluster->data("GET /nodes/pve1/qemu/400/config");
    QCOMPARE(config["scsi0"_L1].toString(), u"local-zfs:vm-400-disk-0,size=8G"_s);
    QVERIFY(config["net0"_L1].toString().startsWith(u"virtio=BC:24:11:"_s));
    QCOMPARE(config["boot"_L1].toString(), u"order=scsi0;net0"_s);
    QCOMPARE(m_cluster->call("PUT /nodes/pve1/qemu/400/config", "description=mine").status, 200);
    bool listed = false;
    for (const auto &row : m_cluster->data("GET /cluster/resources?type=vm").toArray())
        listed = listed || row["vmid"_L1].toInt() == 400;
    QVERIFY(listed);
    QCOMPARE(m_cluster->outcome("DELETE /nodes/pve1/qemu/400"), u"OK"_s);
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/400/config").status, 500);
    QVERIFY(!hasVolume(u"local-zfs:vm-400-disk-0"_s));
}

void GuestLifeTest::whileItIsMadeNothingButItsLockIsKnown()
{
    begun("POST /nodes/pve1/qemu", "vmid=400&memory=2048");
    const auto config = m_cluster->data("GET /nodes/pve1/qemu/400/config").toObject();
    QCOMPARE(config.keys(), (QStringList{u"digest"_s, u"lock"_s}));
    QCOMPARE(m_cluster->call("PUT /nodes/pve1/qemu/400/config", "cores=2").reason, QByteArray("VM is locked (create)"));
}

void GuestLifeTest::aCreationThatIsStoppedLeavesNothing()
{
    const auto upid = begun("POST /nodes/pve1/qemu", "vmid=400&scsi0=local-zfs%3A8");
    m_cluster->world().interrupt(upid);
    m_cluster->advance(1min);
    QVERIFY(!m_cluster->world().guest(400));
    QVERIFY(!hasVolume(u"local-zfs:vm-400-disk-0"_s));
}

void GuestLifeTest::aTakenNumberIsRefusedWithItsOwner()
{
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu", "vmid=202").reason,
             QByteArray("unable to create VM 202 - CT 202 already exists on node 'pve2'"));
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu/101/clone", "newid=102").reason,
             QByteArray("unable to create VM 102: config file already exists"));
}

void GuestLifeTest::aContainerNeedsATemplateThatIsThere()
{
    const auto answer =
        m_cluster->call("POST /nodes/pve1/lxc", "vmid=401&storage=local-zfs&ostemplate=local%3Avztmpl%2Fno.tar.zst");
    QCOMPARE(answer.reason, QByteArray("volume 'local:vztmpl/no.tar.zst' does not exist"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/lxc", "vmid=401&storage=local-zfs&password=secret12&ostemplate="
                                                        "local%3Avztmpl%2Fdebian-12-standard_12.7-1_amd64.tar.zst"),
             u"OK"_s);
    QCOMPARE(line(401, u"rootfs"_s), u"local-zfs:subvol-401-disk-0,size=4G"_s);
    QCOMPARE(line(401, u"hostname"_s), u"CT401"_s);
    QCOMPARE(line(401, u"ostype"_s), u"debian"_s);
    QVERIFY(!guest(401).config.contains(u"password"_s));
}

void GuestLifeTest::aDiskMayComeFromAnImportedImage()
{
    Volume image;
    image.id = u"local:import/cloud.qcow2"_s;
    image.storage = u"local"_s;
    image.node = u"pve1"_s;
    image.content = u"import"_s;
    image.size = 3LL << 30;
    m_cluster->world().volumes.push_back(image);
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu",
                                "vmid=400&scsi0=local-zfs%3A0%2Cimport-from%3Dlocal%3Aimport%2Fcloud.qcow2"),
             u"OK"_s);
    QCOMPARE(line(400, u"scsi0"_s), u"local-zfs:vm-400-disk-0,size=3G"_s);
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu",
                                "vmid=402&scsi0=local-zfs%3A0%2Cimport-from%3Dlocal%3Aimport%2Fno.qcow2"),
             u"unable to create VM 402 - volume 'local:import/no.qcow2' does not exist"_s);
    QVERIFY(!m_cluster->world().guest(402));
}

void GuestLifeTest::aNewGuestJoinsItsPoolAndStartsWhenAsked()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu", "vmid=400&pool=lab&start=1"), u"OK"_s);
    QCOMPARE(m_cluster->world().poolOf(400), u"lab"_s);
    QVERIFY(guest(400).isRunning());
}

void GuestLifeTest::creatingNeedsRightsOnGuestAndStorage()
{
    m_cluster->token = u"auditor@pve!view"_s;
    const auto refused = m_cluster->call("POST /nodes/pve1/qemu", "vmid=400");
    QCOMPARE(refused.status, 403);
    QCOMPARE(refused.reason, QByteArray("Permission check failed"));
    m_cluster->world().access.grants.push_back({u"/vms"_s, u"auditor@pve"_s, u"PVEVMAdmin"_s, true});
    m_cluster->world().access.grants.push_back({u"/vms"_s, u"auditor@pve!view"_s, u"PVEVMAdmin"_s, true});
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu", "vmid=400&scsi0=local-zfs%3A8").reason,
             QByteArray("Permission check failed (/storage/local-zfs, Datastore.AllocateSpace)"));
}

// A25
void GuestLifeTest::aFreeNumberIsNoReservation()
{
    const auto one = m_cluster->data("GET /cluster/nextid").toString();
    QCOMPARE(m_cluster->data("GET /cluster/nextid").toString(), one);
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu", "vmid=" + one.toLatin1()).status, 200);
    QCOMPARE(m_cluster->call("POST /nodes/pve2/qemu", "vmid=" + one.toLatin1()).reason,
             QByteArray("unable to create VM 100 - VM 100 already exists on node 'pve1'"));
    QCOMPARE(m_cluster->data("GET /cluster/nextid").toString(), u"116"_s);
}

// A30
void GuestLifeTest::aSizeWithAUnitIsNoVolume()
{
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu", "vmid=400&scsi0=nas-images%3A1G").reason,
             QByteArray("unable to parse directory volume name '1G'"));
    QCOMPARE(m_cluster->call("PUT /nodes/pve1/qemu/110/config", "scsi1=local-zfs%3A1G").reason,
             QByteArray("unable to parse zfs volume name '1G'"));
    QVERIFY(!m_cluster->world().guest(400));
}

// A30
void GuestLifeTest::aSizeWithoutAUnitIsBytes()
{
    QCOMPARE(m_cluster->outcome("PUT /nodes/pve1/qemu/110/resize", "disk=scsi0&size=70"),
             u"shrinking disks is not supported"_s);
    QCOMPARE(m_cluster->outcome("PUT /nodes/pve1/qemu/110/resize", "disk=scsi0&size=70G"), u"OK"_s);
}

// A33
void GuestLifeTest::onlyRootGivesAContainerMoreThanNesting()
{
    QCOMPARE(m_cluster->call("PUT /nodes/pve1/lxc/105/config", "features=nesting%3D1").status, 200);
    const auto answer = m_cluster->call("PUT /nodes/pve1/lxc/105/config", "features=nesting%3D1%2Ckeyctl%3D1");
    QCOMPARE(answer.status, 403);
    QCOMPARE(
        answer.reason,
        QByteArray("Permission check failed (changing feature flags (except nesting) is only allowed for root@pam)"));
}

// A34
void GuestLifeTest::onlyRootBindsFoldersOfTheNode()
{
    QCOMPARE(m_cluster->call("PUT /nodes/pve1/lxc/105/config", "mp3=%2Fnas%2Fmedia%2Cmp%3D%2Fmedia").reason,
             QByteArray("Permission check failed (mount point type bind is only allowed for root@pam)"));
    QVERIFY(!guest(105).config.contains(u"mp3"_s));
}

// A31
void GuestLifeTest::aDetachedDiskStaysUntilItIsDeleted()
{
    QCOMPARE(m_cluster->call("PUT /nodes/pve2/qemu/214/config", "delete=scsi0").status, 200);
    QCOMPARE(line(214, u"unused0"_s), u"local-zfs:vm-214-disk-0"_s);
    QVERIFY(hasVolume(u"local-zfs:vm-214-disk-0"_s));
    QCOMPARE(m_cluster->call("PUT /nodes/pve2/qemu/214/config", "delete=unused0").status, 200);
    QVERIFY(!hasVolume(u"local-zfs:vm-214-disk-0"_s));
}

void GuestLifeTest::aFullCloneHasItsOwnDisksAndAddresses()
{
    const auto upid = begun("POST /nodes/pve1/qemu/110/clone", "newid=400&name=copy&full=1");
    QCOMPARE(guest(400).lock(), u"clone"_s);
    m_cluster->advance(10min);
    QCOMPARE(m_cluster->world().task(upid)->exitStatus, u"OK"_s);
    QVERIFY(line(400, u"scsi0"_s).startsWith(u"local-zfs:vm-400-disk-0,"_s));
    QCOMPARE(line(400, u"name"_s), u"copy"_s);
    QVERIFY(line(400, u"net0"_s) != line(110, u"net0"_s));
    QVERIFY(line(400, u"vmgenid"_s) != line(110, u"vmgenid"_s));
    QVERIFY(guest(400).lock().isEmpty());
}

// A29
void GuestLifeTest::aLinkedCloneGrowsOutOfItsTemplate()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/9001/clone", "newid=400"), u"OK"_s);
    QVERIFY(line(400, u"scsi0"_s).startsWith(u"local-zfs:base-9001-disk-0/vm-400-disk-0,"_s));
    QVERIFY(!guest(400).isTemplate());
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu/9001/clone", "newid=401&storage=nas-images").reason,
             QByteArray("parameter 'storage' not allowed for linked clones"));
}

void GuestLifeTest::aTemplateWithClonesStays()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/9001/clone", "newid=400"), u"OK"_s);
    QCOMPARE(m_cluster->outcome("DELETE /nodes/pve1/qemu/9001"),
             u"base volume 'local-zfs:base-9001-disk-0' is still in use by linked cloned"_s);
    QVERIFY(m_cluster->world().guest(9001));
}

void GuestLifeTest::onlyTemplatesMakeLinkedClones()
{
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu/110/clone", "newid=400&full=0").reason,
             QByteArray("Linked clone feature is not supported for 'local-zfs:vm-110-disk-0' (scsi0)"));
}

void GuestLifeTest::aCloneOfASnapshotIsAsItWas()
{
    guest(101).config[u"cores"_s] = u"12"_s;
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/101/clone", "newid=400&full=1&snapname=installed"), u"OK"_s);
    QCOMPARE(line(400, u"cores"_s), u"4"_s);
    QVERIFY(guest(400).snapshots.isEmpty());
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu/101/clone", "newid=401&full=1&snapname=nope").reason,
             QByteArray("snapshot 'nope' does not exist"));
}

void GuestLifeTest::localDisksAreNotClonedToAnotherNode()
{
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu/110/clone", "newid=400&full=1&target=pve2").reason,
             QByteArray("Can't clone VM to node 'pve2' (VM uses local storage)"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/101/clone", "newid=400&full=1&target=pve2"), u"OK"_s);
    QCOMPARE(guest(400).node, u"pve2"_s);
}

void GuestLifeTest::aStoppedGuestBecomesATemplate()
{
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu/110/template").reason,
             QByteArray("you can't convert a VM to template if VM is running"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve2/qemu/214/template"), u"OK"_s);
    QVERIFY(guest(214).isTemplate());
    QVERIFY(line(214, u"scsi0"_s).startsWith(u"local-zfs:base-214-disk-0,"_s));
    QVERIFY(hasVolume(u"local-zfs:base-214-disk-0"_s));
    // A container's answer has no task.
    const auto answer = m_cluster->call("POST /nodes/pve1/lxc/107/template");
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.json()["data"_L1].isNull());
    QVERIFY(guest(107).isTemplate());
}

void GuestLifeTest::aDiskGrowsButNeverShrinks()
{
    QCOMPARE(m_cluster->outcome("PUT /nodes/pve1/qemu/110/resize", "disk=scsi0&size=%2B8G"), u"OK"_s);
    QVERIFY(line(110, u"scsi0"_s).contains(u"size=72G"_s));
    QCOMPARE(m_cluster->world().volume(u"local-zfs:vm-110-disk-0"_s, u"pve1"_s)->size, 72LL << 30);
    QCOMPARE(m_cluster->outcome("PUT /nodes/pve1/qemu/110/resize", "disk=scsi0&size=10G"),
             u"shrinking disks is not supported"_s);
    QVERIFY(line(110, u"scsi0"_s).contains(u"size=72G"_s));
}

void GuestLifeTest::aMovedDiskLeavesItsSourceUnused()
{
    const auto upid = begun("POST /nodes/pve1/qemu/110/move_disk", "disk=scsi0&storage=nas-images&format=qcow2");
    QCOMPARE(guest(110).lock(), u"disk"_s);
    m_cluster->advance(10min);
    QCOMPARE(m_cluster->world().task(upid)->exitStatus, u"OK"_s);
    QVERIFY(line(110, u"scsi0"_s).startsWith(u"nas-images:110/vm-110-disk-0.qcow2,"_s));
    QCOMPARE(line(110, u"unused0"_s), u"local-zfs:vm-110-disk-0"_s);
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/110/move_disk", "disk=scsi0&storage=local-zfs&delete=1"),
             u"OK"_s);
    QVERIFY(!hasVolume(u"nas-images:110/vm-110-disk-0.qcow2"_s));
}

void GuestLifeTest::aContainersVolumeMovesOnlyWhileStopped()
{
    m_cluster->world().storage(u"nas-images"_s)->content.append(u"rootdir"_s);
    QCOMPARE(m_cluster->call("POST /nodes/pve1/lxc/105/move_volume", "volume=rootfs&storage=nas-images").reason,
             QByteArray("cannot move volumes of a running container"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/lxc/107/move_volume", "volume=rootfs&storage=nas-images"), u"OK"_s);
    QVERIFY(line(107, u"rootfs"_s).startsWith(u"nas-images:107/vm-107-disk-0.raw,"_s));
}

void GuestLifeTest::unlinkingTakesOffAndThenDeletes()
{
    QCOMPARE(m_cluster->call("PUT /nodes/pve2/qemu/214/unlink", "idlist=scsi0").status, 200);
    QCOMPARE(line(214, u"unused0"_s), u"local-zfs:vm-214-disk-0"_s);
    QVERIFY(hasVolume(u"local-zfs:vm-214-disk-0"_s));
    QCOMPARE(m_cluster->call("PUT /nodes/pve2/qemu/214/unlink", "idlist=unused0").status, 200);
    QVERIFY(!hasVolume(u"local-zfs:vm-214-disk-0"_s));
}

void GuestLifeTest::cloudInitWaitsForItsDrive()
{
    guest(110).config[u"ide2"_s] = u"local-zfs:vm-110-cloudinit,media=cdrom"_s;
    QCOMPARE(m_cluster->call("PUT /nodes/pve1/qemu/110/config", "ciuser=anna&cipassword=secret-words").status, 200);
    QMap<QString, QString> waits;
    for (const auto &row : m_cluster->data("GET /nodes/pve1/qemu/110/cloudinit").toArray())
        waits[row["key"_L1].toString()] = row["pending"_L1].toString();
    QCOMPARE(waits.value(u"ciuser"_s), u"anna"_s);
    QCOMPARE(waits.value(u"cipassword"_s), u"**********"_s);
    QCOMPARE(m_cluster->call("PUT /nodes/pve1/qemu/110/cloudinit").status, 200);
    for (const auto &row : m_cluster->data("GET /nodes/pve1/qemu/110/cloudinit").toArray())
        QVERIFY(!row.toObject().contains("pending"_L1));
    QVERIFY(!m_cluster->call("GET /nodes/pve1/qemu/110/config").body.contains("secret-words"));
    QVERIFY(!m_cluster->call("GET /nodes/pve1/qemu/110/pending").body.contains("secret-words"));
}

void GuestLifeTest::cloudInitFilesSayWhatIsConfigured()
{
    guest(110).config[u"ipconfig0"_s] = u"ip=10.0.0.9/24,gw=10.0.0.1"_s;
    guest(110).config[u"sshkeys"_s] = u"ssh-ed25519%20AAAA%20anna%40home%0A"_s;
    const auto user = m_cluster->data("GET /nodes/pve1/qemu/110/cloudinit/dump?type=user").toString();
    QVERIFY(user.startsWith(u"#cloud-config\nhostname: paperless\n"_s));
    QVERIFY(user.contains(u"ssh_authorized_keys:\n  - ssh-ed25519 AAAA anna@home\n"_s));
    const auto network = m_cluster->data("GET /nodes/pve1/qemu/110/cloudinit/dump?type=network").toString();
    QVERIFY(network.contains(u"address: '10.0.0.9'\n        netmask: '255.255.255.0'\n"_s));
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/110/cloudinit/dump?type=other").status, 400);
}

void GuestLifeTest::migrationMovesGuestAndDisks()
{
    const auto checked = m_cluster->data("GET /nodes/pve2/qemu/214/migrate");
    QCOMPARE(checked["allowed_nodes"_L1].toArray(), QJsonArray{u"pve1"_s});
    QCOMPARE(checked["local_disks"_L1].toArray().size(), 1);
    QCOMPARE(m_cluster->outcome("POST /nodes/pve2/qemu/214/migrate", "target=pve1"), u"OK"_s);
    QCOMPARE(guest(214).node, u"pve1"_s);
    QVERIFY(m_cluster->world().volume(u"local-zfs:vm-214-disk-0"_s, u"pve1"_s));
    QCOMPARE(m_cluster->call("GET /nodes/pve2/qemu/214/config").status, 500);
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/214/config").status, 200);
}

void GuestLifeTest::aRunningMachineMovesOnlyOnline()
{
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu/101/migrate", "target=pve2").reason,
             QByteArray("can't migrate running VM without --online"));
    QCOMPARE(
        m_cluster->call("POST /nodes/pve1/qemu/101/migrate", "target=pve1&online=1").json()["errors"_L1]["target"_L1],
        QJsonValue(u"target is local node."_s));
    const auto upid = begun("POST /nodes/pve1/qemu/101/migrate", "target=pve2&online=1");
    QCOMPARE(guest(101).lock(), u"migrate"_s);
    QCOMPARE(guest(101).node, u"pve1"_s);
    m_cluster->advance(10min);
    QCOMPARE(m_cluster->world().task(upid)->exitStatus, u"OK"_s);
    QCOMPARE(guest(101).node, u"pve2"_s);
    QVERIFY(guest(101).isRunning());
}

void GuestLifeTest::attachedLocalDisksNeedTheirOption()
{
    const auto upid = begun("POST /nodes/pve1/qemu/110/migrate", "target=pve2&online=1");
    m_cluster->advance(1min);
    QCOMPARE(m_cluster->world().task(upid)->exitStatus, u"migration aborted"_s);
    QVERIFY(m_cluster->world()
                .task(upid)
                ->log(m_cluster->world().nowMs())
                .first()
                .contains(u"can't live migrate attached local disks without with-local-disks option"_s));
    QCOMPARE(guest(110).node, u"pve1"_s);
    QVERIFY(guest(110).lock().isEmpty());
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/110/migrate", "target=pve2&online=1&with-local-disks=1"),
             u"OK"_s);
    QCOMPARE(guest(110).node, u"pve2"_s);
}

void GuestLifeTest::aLocalMediumKeepsItFromMoving()
{
    guest(101).config[u"ide2"_s] = u"local:iso/debian-12.7.0-amd64-netinst.iso,media=cdrom"_s;
    const auto upid = begun("POST /nodes/pve1/qemu/101/migrate", "target=pve2&online=1");
    m_cluster->advance(1min);
    QCOMPARE(m_cluster->world().task(upid)->exitStatus, u"migration aborted"_s);
    QVERIFY(m_cluster->world()
                .task(upid)
                ->log(m_cluster->world().nowMs())
                .first()
                .contains(u"can't migrate local cdrom 'local:iso/debian-12.7.0-amd64-netinst.iso'"_s));
}

void GuestLifeTest::aContainerRestartsOnTheOtherNode()
{
    QCOMPARE(m_cluster->call("POST /nodes/pve1/lxc/105/migrate", "target=pve2").reason,
             QByteArray("can't migrate running container without --online or --restart"));
    begun("POST /nodes/pve1/lxc/105/migrate", "target=pve2&restart=1");
    QVERIFY(!guest(105).isRunning());
    m_cluster->advance(10min);
    QCOMPARE(guest(105).node, u"pve2"_s);
    QVERIFY(guest(105).isRunning());
}

void GuestLifeTest::anUnreachableNodeFailsInTheTask()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve2/qemu/214/migrate", "target=pve3"), u"migration aborted"_s);
    QCOMPARE(m_cluster->call("POST /nodes/pve2/qemu/214/migrate", "target=pve9").reason,
             QByteArray("no such cluster node 'pve9'"));
}

void GuestLifeTest::theManagerOfHaMovesWhatIsItsOwn()
{
    const auto upid = begun("POST /nodes/pve2/lxc/203/migrate", "target=pve1&restart=1");
    QCOMPARE(m_cluster->world().task(upid)->type, u"hamigrate"_s);
    m_cluster->advance(3s);
    QCOMPARE(guest(203).node, u"pve2"_s);
    m_cluster->advance(10min);
    m_cluster->advance(10min);
    QCOMPARE(guest(203).node, u"pve1"_s);
}

void GuestLifeTest::withoutQuorumNothingIsMade()
{
    m_cluster->world().quorate = false;
    for (const auto &[call, form] :
         {std::pair("POST /nodes/pve1/qemu", "vmid=400"), std::pair("POST /nodes/pve1/qemu/110/clone", "newid=400"),
          std::pair("POST /nodes/pve1/qemu/101/migrate", "target=pve2&online=1"),
          std::pair("PUT /nodes/pve1/qemu/110/resize", "disk=scsi0&size=%2B1G")})
        QCOMPARE(m_cluster->call(call, form).reason, QByteArray("cluster not ready - no quorum?"));
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/110/config").status, 200);
}

LABHELM_TEST(GuestLifeTest)
#include "GuestLifeTest.moc"
