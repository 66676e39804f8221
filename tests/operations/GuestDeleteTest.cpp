#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Deleting says what goes, and goes only through when nothing forbids it.
class GuestDeleteTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    void deletesAStoppedGuestAndSaysWhatWent()
    {
        const auto deleted = m_stage->run("guest.delete", {{"guest", "win11-test"}});
        OUTCOME_IS_GOOD(deleted);
        QVERIFY(!m_stage->cluster.world().guest(120));
        const auto asked = m_stage->approver.asked.front();
        QCOMPARE(asked.effect, Effect::Destroys);
        QVERIFY(asked.plan->losses.join(u' ').contains(QLatin1String("vm-120-disk-0")));
        QStringList labels;
        for (const auto &fact : asked.plan->facts)
            labels << fact.label;
        QCOMPARE(labels, QStringList({"State now", "Last backup", "Snapshots", "Refers to it"}));
        QCOMPARE(asked.plan->undo, Undo::None);
    }
    void refusesRunningProtectedAndLockedGuests()
    {
        REFUSED_WITH(m_stage->run("guest.delete", {{"guest", 104}}), Error::Kind::Conflict, "Shut it down first");
        REFUSED_WITH(m_stage->run("guest.delete", {{"guest", 213}}), Error::Kind::Conflict, "protected");
        REFUSED_WITH(m_stage->run("guest.delete", {{"guest", 113}}), Error::Kind::Conflict, "locked");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    void namesTheCandidatesWhenTheTargetIsUnknown()
    {
        const auto result = m_stage->run("guest.delete", {{"guest", "nextclowd"}});
        QCOMPARE(result.outcome.error().code(), QStringLiteral("not_found"));
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
};

LABHELM_TEST(GuestDeleteTest)
#include "GuestDeleteTest.moc"
