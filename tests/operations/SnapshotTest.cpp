#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Snapshots are taken, listed, rolled back to and deleted.
class SnapshotTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    QStringList names(qint64 vmid)
    {
        QStringList all;
        for (const auto &snapshot : m_stage->guest(vmid).snapshots)
            all << snapshot.name;
        return all;
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    void takesASnapshotAndUndoesIt_data()
    {
        QTest::addColumn<int>("vmid");
        QTest::newRow("virtual machine") << 101;
        QTest::newRow("container") << 104;
    }
    void takesASnapshotAndUndoesIt()
    {
        QFETCH(int, vmid);
        const auto before = names(vmid);
        const auto taken =
            m_stage->run("snapshot.create", {{"guest", vmid}, {"name", "before-upgrade"}, {"description", "a=b; c"}});
        OUTCOME_IS_GOOD(taken);
        QVERIFY(names(vmid).contains(QStringLiteral("before-upgrade")));
        QCOMPARE(m_stage->guest(vmid)
                     .snapshot(QStringLiteral("before-upgrade"))
                     ->config[QStringLiteral("description")]
                     .trimmed(),
                 QStringLiteral("a=b; c"));
        const auto undone = m_stage->undo(taken);
        OUTCOME_IS_GOOD(undone);
        QCOMPARE(m_stage->approver.asked.back().effect, Effect::Destroys); // the undo is judged by what it does
        QCOMPARE(names(vmid), before);
    }
    void refusesANameThatIsTakenOrImpossible()
    {
        const auto existing = names(101).first();
        REFUSED_WITH(m_stage->run("snapshot.create", {{"guest", 101}, {"name", existing}}), Error::Kind::Conflict,
                     "already");
        REFUSED_WITH(m_stage->run("snapshot.create", {{"guest", 101}, {"name", "current"}}), Error::Kind::Invalid,
                     "current");
        REFUSED_WITH(m_stage->run("snapshot.create", {{"guest", 101}, {"name", "1 bad"}}), Error::Kind::Invalid,
                     "1 bad");
        REFUSED_WITH(m_stage->run("snapshot.create", {{"guest", 104}, {"name", "memory"}, {"include_memory", true}}),
                     Error::Kind::Invalid, "container");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    void listsTheTreeWithoutTheEntryForThePresentState()
    {
        const auto list = m_stage->answer("snapshot.list", {{"guest", 101}});
        const auto all = list[QStringLiteral("snapshots")].toArray();
        QCOMPARE(all.size(), m_stage->guest(101).snapshots.size());
        QVERIFY(list.contains(QStringLiteral("present_state_follows")));
        for (const auto &one : all)
            QVERIFY(one[QLatin1String("name")].toString() != QLatin1String("current"));
    }
    void rollsBackWithBeforeStateAndPlanInTheRow()
    {
        const auto target = names(101).first();
        const auto memory = m_stage->guest(101).snapshot(target)->config[QStringLiteral("memory")];
        m_stage->cluster.world().setConfig(101, QStringLiteral("memory"), QStringLiteral("12345"));
        const auto rolled = m_stage->run("snapshot.rollback", {{"guest", "nextcloud"}, {"name", target}});
        OUTCOME_IS_GOOD(rolled);
        QCOMPARE(m_stage->guest(101).config[QStringLiteral("memory")], memory);
        const auto merged = await(m_stage->query.detail(rolled.callId))->merged;
        QCOMPARE(merged[QStringLiteral("before")]
                     .toObject()[QStringLiteral("config")]
                     .toObject()[QStringLiteral("memory")]
                     .toString(),
                 QStringLiteral("12345"));
        QVERIFY(merged[QStringLiteral("plan")].toObject()[QStringLiteral("losses")].toArray().size() > 0);
        QVERIFY(!rolled.plan->changes.empty());
    }
    void namesTheSnapshotsThatAreInTheWayOnZfs()
    {
        m_stage->run("snapshot.create", {{"guest", 104}, {"name", "first"}});
        m_stage->cluster.pass(std::chrono::seconds(5));
        m_stage->run("snapshot.create", {{"guest", 104}, {"name", "second"}});
        m_stage->cluster.simulator.forgetRequests();
        REFUSED_WITH(m_stage->run("snapshot.rollback", {{"guest", 104}, {"name", "first"}}), Error::Kind::Conflict,
                     "second");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    void namesTheSnapshotsThatExistWhenOneIsMissing()
    {
        const auto known = names(101).first();
        REFUSED_WITH(m_stage->run("snapshot.rollback", {{"guest", 101}, {"name", "nope"}}), Error::Kind::NotFound,
                     qPrintable(known));
        REFUSED_WITH(m_stage->run("snapshot.delete", {{"guest", 101}, {"name", "nope"}}), Error::Kind::NotFound,
                     qPrintable(known));
    }
    void deletesASnapshotForGood()
    {
        const auto doomed = names(101).last();
        const auto deleted = m_stage->run("snapshot.delete", {{"guest", 101}, {"name", doomed}});
        OUTCOME_IS_GOOD(deleted);
        QVERIFY(!names(101).contains(doomed));
        REFUSED_WITH(m_stage->undo(deleted), Error::Kind::Conflict, "nothing");
    }
};

LABHELM_TEST(SnapshotTest)
#include "SnapshotTest.moc"
