#include "policy/Policy.h"
#include "support/TestMain.h"

/// Who may do what, case by case.
class PolicyTest : public QObject
{
    Q_OBJECT
    static Policy granted()
    {
        Policy policy;
        policy.grant(QStringLiteral("reader"), Preset::Observe);
        policy.grant(QStringLiteral("asker"), Preset::AskForWrites);
        policy.grant(QStringLiteral("operator"), Preset::Operate);
        return policy;
    }
    static Verdict decided(const Actor &actor, Effect effect, bool isSensitive = false)
    {
        return granted()
            .decide({.actor = actor,
                     .effect = effect,
                     .operation = QStringLiteral("guest.start"),
                     .isSensitive = isSensitive})
            .verdict;
    }
    static Actor agent(const char *id) { return {.kind = Actor::Kind::Agent, .id = QLatin1String(id)}; }

private Q_SLOTS:
    void decidesByPresetAndEffect_data()
    {
        QTest::addColumn<QString>("who");
        QTest::addColumn<QString>("verdicts"); // Reads, sensitive read, Changes, Disrupts, Executes, Destroys
        QTest::newRow("observe") << "reader"
                                 << "allow ask deny deny deny deny";
        QTest::newRow("ask for writes") << "asker"
                                        << "allow ask ask ask ask ask";
        QTest::newRow("operate") << "operator"
                                 << "allow allow allow allow allow ask";
        QTest::newRow("not paired") << "stranger"
                                    << "deny deny deny deny deny deny";
    }
    void decidesByPresetAndEffect()
    {
        QFETCH(QString, who);
        QFETCH(QString, verdicts);
        const auto actor = agent(qPrintable(who));
        const QStringList got{
            verdictName(decided(actor, Effect::Reads)),    verdictName(decided(actor, Effect::Reads, true)),
            verdictName(decided(actor, Effect::Changes)),  verdictName(decided(actor, Effect::Disrupts)),
            verdictName(decided(actor, Effect::Executes)), verdictName(decided(actor, Effect::Destroys))};
        QCOMPARE(got.join(u' '), verdicts);
    }
    void asksThePersonOnlyBeforeInterruptionOrLoss()
    {
        QCOMPARE(decided(Actor::person(), Effect::Reads, true), Verdict::Allow);
        QCOMPARE(decided(Actor::person(), Effect::Changes), Verdict::Allow);
        QCOMPARE(decided(Actor::person(), Effect::Disrupts), Verdict::Ask);
        QCOMPARE(decided(Actor::person(), Effect::Destroys), Verdict::Ask);
    }
    void letsAProgramThatIsHeldOnlyLookWhateverItWasGranted()
    {
        auto policy = granted();
        Rule rule;
        rule.id = QStringLiteral("r1");
        rule.verdict = Verdict::Allow;
        policy.setRule(rule);
        policy.hold(QStringLiteral("operator"));
        PolicyQuestion asked{.actor = agent("operator"), .operation = QStringLiteral("guest.start")};
        for (const auto effect : {Effect::Changes, Effect::Disrupts, Effect::Executes, Effect::Destroys}) {
            asked.effect = effect;
            QCOMPARE(policy.decide(asked).verdict, Verdict::Deny);
        }
        asked.effect = Effect::Reads;
        QCOMPARE(policy.decide(asked).verdict, Verdict::Allow);
        asked.isSensitive = true;
        QCOMPARE(policy.decide(asked).verdict, Verdict::Ask);
        policy.grant(QStringLiteral("operator"), Preset::Operate); // a person chose again
        asked = {.actor = agent("operator"), .effect = Effect::Changes, .operation = QStringLiteral("guest.start")};
        QCOMPARE(policy.decide(asked).verdict, Verdict::Allow);
    }
    void asksForEveryChangeOfTheTerminal()
    {
        const Actor terminal{.kind = Actor::Kind::Terminal, .id = QStringLiteral("terminal")};
        QCOMPARE(decided(terminal, Effect::Reads), Verdict::Allow);
        QCOMPARE(decided(terminal, Effect::Changes), Verdict::Ask);
        QCOMPARE(decided(terminal, Effect::Destroys), Verdict::Ask);
    }
    void letsLabhelmReadOnly()
    {
        QCOMPARE(decided(Actor::labhelm(), Effect::Reads), Verdict::Allow);
        QCOMPARE(decided(Actor::labhelm(), Effect::Changes), Verdict::Deny);
    }
    void doesNotTakeANameForAnIdentity()
    {
        Actor poser = agent("stranger");
        poser.name = QStringLiteral("operator");
        QCOMPARE(decided(poser, Effect::Reads), Verdict::Deny);
    }
    void givesAReasonForEveryVerdict()
    {
        for (const auto *who : {"reader", "asker", "operator", "stranger"})
            for (const auto effect :
                 {Effect::Reads, Effect::Changes, Effect::Disrupts, Effect::Executes, Effect::Destroys})
                QVERIFY(!granted().decide({.actor = agent(who), .effect = effect}).why.isEmpty());
    }
    void forgetsARevokedGrantAtOnce()
    {
        auto policy = granted();
        policy.revoke(QStringLiteral("operator"));
        QCOMPARE(policy.decide({.actor = agent("operator"), .effect = Effect::Reads}).verdict, Verdict::Deny);
    }
};

LABHELM_TEST(PolicyTest)
#include "PolicyTest.moc"
