#include "model/Actor.h"
#include "model/Effect.h"
#include "support/TestMain.h"

/// The words that rows, rules and answers use come back as what they were.
class WordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesEachEffectBothWays();
    void ordersEffectsByHarm();
    void namesEachKindOfActorBothWays();
    void tellsActorsApartByKindAndId();
};

void WordsTest::namesEachEffectBothWays()
{
    for (const auto effect : {Effect::Reads, Effect::Changes, Effect::Disrupts, Effect::Executes, Effect::Destroys})
        QCOMPARE(effectFromName(effectName(effect)), effect);
    QCOMPARE(effectName(Effect::Destroys), QStringLiteral("Destroys"));
    QVERIFY(!effectFromName(QStringLiteral("destroys")));
    QVERIFY(!effectFromName(QString()));
}

void WordsTest::ordersEffectsByHarm()
{
    QVERIFY(Effect::Reads < Effect::Changes);
    QVERIFY(Effect::Changes < Effect::Disrupts);
    QVERIFY(Effect::Disrupts < Effect::Executes);
    QVERIFY(Effect::Executes < Effect::Destroys);
}

void WordsTest::namesEachKindOfActorBothWays()
{
    using Kind = Actor::Kind;
    for (const auto kind : {Kind::Person, Kind::Agent, Kind::Terminal, Kind::Labhelm, Kind::Outside})
        QCOMPARE(actorKindFromName(actorKindName(kind)), kind);
    QCOMPARE(actorKindName(Kind::Agent), QStringLiteral("agent"));
    QVERIFY(!actorKindFromName(QStringLiteral("Agent")));
}

void WordsTest::tellsActorsApartByKindAndId()
{
    const Actor agent{.kind = Actor::Kind::Agent, .id = QStringLiteral("a1"), .name = QStringLiteral("Claude")};
    auto renamed = agent;
    renamed.name = QStringLiteral("Person");
    QVERIFY(agent == renamed);
    QVERIFY(!(agent == Actor{.kind = Actor::Kind::Terminal, .id = QStringLiteral("a1")}));
    QVERIFY(!(agent == Actor::person()));
    QVERIFY(agent.isProgram());
    QVERIFY(!Actor::person().isProgram());
    QVERIFY(!Actor::labhelm().isProgram());
}

LABHELM_TEST(WordsTest)
#include "WordsTest.moc"
