#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Roles given and taken.
class AccessRulesTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    QStringList grants()
    {
        QStringList all;
        for (const auto &grant : m_stage->cluster.world().access.grants)
            all << QStringLiteral("%1 %2 %3 %4").arg(grant.path, grant.who, grant.role).arg(grant.propagate);
        all.sort();
        return all;
    }
    static QJsonObject grant(const char *path, const char *role, const char *who)
    {
        return {{"path", path}, {"role", role}, {"who", who}};
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
        QTest::newRow("a user") << "access.acl.grant" << grant("/vms/101", "PVEVMUser", "operator@pve");
        QTest::newRow("a token") << "access.acl.grant" << grant("/storage/local", "PVEDatastoreUser", "media@pve!pool");
        auto here = grant("/vms", "PowerOp", "operator@pve");
        here.insert("propagate", false);
        QTest::newRow("only its reach") << "access.acl.grant" << here;
        QTest::newRow("revoke") << "access.acl.revoke" << grant("/pool/media", "PVEVMUser", "media@pve");
    }
    void takesBackEachChange()
    {
        QFETCH(QString, operation);
        QFETCH(QJsonObject, arguments);
        const auto before = grants();
        const auto done = m_stage->run(qPrintable(operation), arguments);
        OUTCOME_IS_GOOD(done);
        QVERIFY(grants() != before);
        OUTCOME_IS_GOOD(m_stage->undo(done));
        QCOMPARE(grants(), before);
    }
    void refusesWhatIsNotThere()
    {
        m_stage->cluster.simulator.forgetRequests();
        REFUSED_WITH(m_stage->run("access.acl.grant", grant("/", "Overlord", "media@pve")), Error::Kind::NotFound,
                     "PVEAuditor");
        REFUSED_WITH(m_stage->run("access.acl.grant", grant("/vms", "PowerOp", "operator@pve")), Error::Kind::Conflict,
                     "already");
        REFUSED_WITH(m_stage->run("access.acl.revoke", grant("/", "PVEAuditor", "media@pve")), Error::Kind::NotFound,
                     "has no role");
        REFUSED_WITH(m_stage->run("access.acl.grant", grant("/", "PVEAuditor", "nobody")), Error::Kind::Invalid,
                     "does not have the form");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    // 34 of the third: rights are given by people, and our own are taken by people only.
    void givesNoProgramARole()
    {
        const auto agent = ClusterStage::agent(QStringLiteral("operator"));
        OUTCOME_IS_GOOD(m_stage->run("access.acl.grant", grant("/vms/101", "PVEVMUser", "media@pve"), agent));
        QCOMPARE(m_stage->approver.asked.size(), size_t(1)); // a person was asked, whatever the preset allows
        m_stage->cluster.simulator.forgetRequests();
        const auto own = m_stage->run("access.acl.revoke", grant("/", "Administrator", "labhelm@pve"), agent);
        QVERIFY(!own.outcome);
        QCOMPARE(own.state, CallState::Denied);
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
};

LABHELM_TEST(AccessRulesTest)
#include "AccessRulesTest.moc"
