#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Pools: made, filled, emptied and deleted, and each taken back.
class PoolChangesTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    /// The pools as text, members sorted.
    QStringList pools()
    {
        QStringList all;
        for (auto pool : m_stage->cluster.world().pools) {
            pool.guests.sort();
            pool.storages.sort();
            all << QString(pool.name + u'|' + pool.comment + u'|' + pool.guests.join(u',') + u'|' +
                           pool.storages.join(u','));
        }
        return all;
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    void takesBackEachChange_data()
    {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QJsonObject>("arguments");
        QTest::newRow("create") << "pool.create" << QJsonObject{{"pool", "attic"}, {"comment", "old things"}};
        QTest::newRow("create with members")
            << "pool.create"
            << QJsonObject{
                   {"pool", "attic"}, {"guests", QJsonArray{"213", "fedora-test"}}, {"storages", QJsonArray{"local"}}};
        QTest::newRow("delete a pool with members") << "pool.delete" << QJsonObject{{"pool", "lab"}};
        QTest::newRow("put in and take out") << "pool.members.set"
                                             << QJsonObject{{"pool", "prod"},
                                                            {"add", QJsonArray{"214"}},
                                                            {"remove", QJsonArray{"nextcloud", "201"}},
                                                            {"remove_storages", QJsonArray{"nas-images"}}};
    }
    void takesBackEachChange()
    {
        QFETCH(QString, operation);
        QFETCH(QJsonObject, arguments);
        const auto before = pools();
        const auto done = m_stage->run(qPrintable(operation), arguments);
        OUTCOME_IS_GOOD(done);
        QVERIFY(pools() != before);
        const auto undone = m_stage->undo(done);
        OUTCOME_IS_GOOD(undone);
        auto after = pools(), wanted = before;
        after.sort();
        wanted.sort();
        QCOMPARE(after, wanted);
    }
    void saysWhichRightsGoWithAPool()
    {
        const auto deleted = m_stage->run("pool.delete", {{"pool", "media"}}, Actor::person(), true);
        OUTCOME_IS_GOOD(deleted);
        QVERIFY(deleted.plan->losses.join(u' ').contains(QLatin1String("PVEVMUser for media@pve")));
        QCOMPARE(deleted.plan->undo, Undo::Partly);
    }
    void leavesAGuestInThePoolThatHasIt()
    {
        m_stage->cluster.simulator.forgetRequests();
        REFUSED_WITH(m_stage->run("pool.members.set", {{"pool", "lab"}, {"add", QJsonArray{"jellyfin"}}}),
                     Error::Kind::Conflict, "jellyfin 104 is in the pool media");
        REFUSED_WITH(m_stage->run("pool.create", {{"pool", "lab"}}), Error::Kind::Conflict, "already");
        REFUSED_WITH(m_stage->run("pool.members.set", {{"pool", "lab"}, {"add", QJsonArray{"nobody"}}}),
                     Error::Kind::NotFound, "nobody");
        REFUSED_WITH(m_stage->run("pool.create", {{"pool", "a b"}}), Error::Kind::Invalid, "does not have the form");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    void refusesAnUndoAfterSomebodyElseChangedIt()
    {
        const auto done = m_stage->run("pool.members.set", {{"pool", "lab"}, {"add", QJsonArray{"214"}}});
        OUTCOME_IS_GOOD(done);
        for (auto &pool : m_stage->cluster.world().pools)
            pool.guests.removeAll(QStringLiteral("214"));
        m_stage->cluster.world().poolsChanged();
        QVERIFY(!m_stage->undo(done).outcome);
    }
};

LABHELM_TEST(PoolChangesTest)
#include "PoolChangesTest.moc"
