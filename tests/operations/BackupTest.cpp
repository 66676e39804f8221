#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Backups: made, protected, deleted and restored, in a free place or over a guest.
class BackupTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    World &world() { return m_stage->cluster.world(); }
    QStringList backups(qint64 vmid)
    {
        QStringList ids;
        for (const auto &volume : world().volumes)
            if (volume.content == QLatin1String("backup") && volume.vmid == vmid)
                ids << volume.id;
        return ids;
    }
    Volume &volume(const QString &id) { return *world().volume(id, QStringLiteral("pve1")); }
    QString open(qint64 vmid)
    {
        for (const auto &id : backups(vmid))
            if (!volume(id).isProtected)
                return id;
        return {};
    }
    QString kept(qint64 vmid)
    {
        for (const auto &id : backups(vmid))
            if (volume(id).isProtected)
                return id;
        return {};
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    void backsUpAndTakesItBack_data()
    {
        QTest::addColumn<int>("vmid");
        QTest::newRow("virtual machine") << 102;
        QTest::newRow("container") << 104;
    }
    void backsUpAndTakesItBack()
    {
        QFETCH(int, vmid);
        const auto before = backups(vmid);
        const auto done = m_stage->run(
            "backup.run", {{"guest", vmid}, {"storage", "nas-backup"}, {"notes", "by hand"}, {"protected", false}});
        OUTCOME_IS_GOOD(done);
        const auto after = backups(vmid);
        QCOMPARE(after.size(), before.size() + 1); // nothing older was pruned
        QCOMPARE(volume(after.last()).notes, QStringLiteral("by hand"));
        QVERIFY(done.outcome->answer.toObject()[QStringLiteral("backup")].toString().endsWith(
            after.last().section(u':', 1)));
        OUTCOME_IS_GOOD(m_stage->undo(done));
        QCOMPARE(backups(vmid), before);
    }
    void asksWhereToBackUpToWhenThereAreSeveral()
    {
        REFUSED_WITH(m_stage->run("backup.run", {{"guest", 104}}), Error::Kind::Ambiguous, "nas-backup");
        REFUSED_WITH(m_stage->run("backup.run", {{"guest", 104}, {"storage", "nas-images"}}), Error::Kind::Conflict,
                     "not set up for content");
        REFUSED_WITH(m_stage->run("backup.run", {{"guest", 104}, {"storage", "pve2/local"}}), Error::Kind::Invalid,
                     "another node");
        REFUSED_WITH(m_stage->run("backup.run", {{"guest", 113}, {"storage", "nas-backup"}}), Error::Kind::Conflict,
                     "locked");
    }
    void protectsAndTakesItBack()
    {
        const auto id = open(104);
        const auto notes = volume(id).notes;
        const auto done =
            m_stage->run("backup.protect", {{"backup", id}, {"protected", true}, {"notes", "before the move"}});
        OUTCOME_IS_GOOD(done);
        QVERIFY(volume(id).isProtected);
        OUTCOME_IS_GOOD(m_stage->undo(done));
        QVERIFY(!volume(id).isProtected);
        QCOMPARE(volume(id).notes, notes);
        REFUSED_WITH(m_stage->run("backup.protect", {{"backup", id}, {"protected", false}}), Error::Kind::Conflict,
                     "so already");
    }
    // L-07, L-06: what is deleted as a backup must be there, be a backup, and not be protected.
    void deletesABackupOnly_L07()
    {
        m_stage->cluster.simulator.forgetRequests();
        REFUSED_WITH(m_stage->run("backup.delete", {{"backup", kept(104)}}), Error::Kind::Conflict, "protected");
        REFUSED_WITH(m_stage->run("backup.delete", {{"backup", "nas-backup:backup/nothing.tar.zst"}}),
                     Error::Kind::NotFound, "no volume");
        REFUSED_WITH(m_stage->run("backup.delete", {{"backup", "nas-images:iso/virtio-win-0.1.262.iso"}}),
                     Error::Kind::Invalid, "not a backup");
        REFUSED_WITH(m_stage->run("backup.delete", {{"backup", "100"}}), Error::Kind::Invalid, "whole id");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
        const auto id = open(104);
        OUTCOME_IS_GOOD(m_stage->run("backup.delete", {{"backup", id}}));
        QVERIFY(!backups(104).contains(id));
    }
    // L-05: a container's archive goes by another name than a machine's.
    void restoresEachKindAsItsOwn_L05_data()
    {
        QTest::addColumn<int>("vmid");
        QTest::addColumn<QString>("name");
        QTest::newRow("virtual machine") << 101 << "archive";
        QTest::newRow("container") << 104 << "ostemplate";
    }
    void restoresEachKindAsItsOwn_L05()
    {
        QFETCH(int, vmid);
        QFETCH(QString, name);
        m_stage->cluster.simulator.forgetRequests();
        const auto done = m_stage->run("backup.restore", {{"backup", open(vmid)}, {"vmid", 950}});
        OUTCOME_IS_GOOD(done);
        QCOMPARE(m_stage->cluster.simulator.writes().first().parameters[name].toString(), open(vmid));
        QCOMPARE(m_stage->guest(950).kind, m_stage->guest(vmid).kind);
        QVERIFY(m_stage->cluster.refresh());
        OUTCOME_IS_GOOD(m_stage->undo(done));
        QVERIFY(!world().guest(950));
    }
    // B-23: an id that is taken on another node is taken.
    void restoresIntoAFreeIdOnly_B23()
    {
        m_stage->cluster.simulator.forgetRequests();
        REFUSED_WITH(m_stage->run("backup.restore", {{"backup", open(104)}, {"vmid", 201}}), Error::Kind::Conflict,
                     "201 is taken");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
        const auto done = m_stage->run("backup.restore", {{"backup", open(104)}});
        OUTCOME_IS_GOOD(done);
        QVERIFY(world().guest(done.plan->before[QStringLiteral("vmid")].toString().toLongLong()));
    }
    void restoresOverAGuestAndBackFromTheBackupTakenFirst()
    {
        m_stage->guest(107).config[QStringLiteral("memory")] = QStringLiteral("777");
        const auto done =
            m_stage->run("backup.restore_over", {{"backup", open(104)}, {"guest", "radarr"}, {"backup_first", true}});
        OUTCOME_IS_GOOD(done);
        QCOMPARE(m_stage->guest(107).config[QStringLiteral("memory")],
                 m_stage->guest(104).config[QStringLiteral("memory")]);
        QCOMPARE(backups(107).size(), 1);
        const auto undone = m_stage->undo(done);
        OUTCOME_IS_GOOD(undone);
        QCOMPARE(m_stage->guest(107).config[QStringLiteral("memory")], QStringLiteral("777"));
    }
    void replacesOnlyWhatMayBeReplaced()
    {
        m_stage->cluster.simulator.forgetRequests();
        const auto over = [this](qint64 guest, qint64 of) {
            return m_stage->run("backup.restore_over", {{"backup", open(of)}, {"guest", guest}});
        };
        REFUSED_WITH(over(106, 104), Error::Kind::Conflict, "Shut it down first");
        REFUSED_WITH(over(107, 101), Error::Kind::Conflict, "another kind");
        REFUSED_WITH(over(213, 101), Error::Kind::Conflict, "protected");
        REFUSED_WITH(over(113, 104), Error::Kind::Conflict, "locked");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
        const auto preview =
            m_stage->run("backup.restore_over", {{"backup", open(104)}, {"guest", 107}}, Actor::person(), true);
        QVERIFY(preview.plan && !preview.plan->losses.isEmpty());
        QCOMPARE(preview.plan->undo, Undo::None);
    }
};

LABHELM_TEST(BackupTest)
#include "BackupTest.moc"
