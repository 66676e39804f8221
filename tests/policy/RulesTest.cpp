#include "policy/Policy.h"
#include "support/TestMain.h"
#include <QJsonArray>
#include <QRandomGenerator>
#include <QRegularExpression>

/// What rules decide, case by case. Each row: rules in a few words, and the verdicts that they lead to for one call of
/// every effect. The call: guest.config.set with memory 4096 on the running guest homelab:104 in the pool "lab" with
/// the tags "dev" and "web" on node pve1, at 1000 ms, by the agent "asker", whose preset asks for every change.
class RulesTest : public QObject
{
    Q_OBJECT
    static PolicyQuestion question()
    {
        PolicyQuestion asked;
        asked.actor = {.kind = Actor::Kind::Agent, .id = QStringLiteral("asker")};
        asked.operation = QStringLiteral("guest.config.set");
        asked.target = {.remote = QStringLiteral("homelab"),
                        .node = QStringLiteral("pve1"),
                        .pool = QStringLiteral("lab"),
                        .tags = {QStringLiteral("dev"), QStringLiteral("web")},
                        .guest = QStringLiteral("homelab:104")};
        asked.arguments = {{QStringLiteral("memory"), 4096}, {QStringLiteral("name"), QStringLiteral("web")}};
        asked.nowMs = 1000;
        return asked;
    }
    /// "allow op=guest.config.set pool=lab memory<=8192 until=2000"
    static Rule rule(const QString &text)
    {
        Rule made;
        made.id = text;
        auto words = text.split(u' ', Qt::SkipEmptyParts);
        made.verdict = *verdictFromName(words.takeFirst());
        for (const auto &word : std::as_const(words)) {
            static const QRegularExpression form(QStringLiteral("^([a-z]+)(=|<=|>=)(.+)$"));
            const auto match = form.match(word);
            const auto key = match.captured(1);
            const auto value = match.captured(3);
            static const QStringList places{QStringLiteral("node"), QStringLiteral("pool"), QStringLiteral("tag"),
                                            QStringLiteral("guest")};
            if (match.captured(2) == QLatin1String("<="))
                made.bounds.push_back({.parameter = key, .atMost = value.toDouble()});
            else if (match.captured(2) == QLatin1String(">="))
                made.bounds.push_back({.parameter = key, .atLeast = value.toDouble()});
            else if (key == QLatin1String("who"))
                made.actor = value;
            else if (key == QLatin1String("op"))
                made.operation = value;
            else if (key == QLatin1String("effect"))
                made.effect = effectFromName(value);
            else if (key == QLatin1String("remote"))
                made.remote = value;
            else if (key == QLatin1String("from"))
                made.fromMs = value.toLongLong();
            else if (key == QLatin1String("until"))
                made.untilMs = value.toLongLong();
            else if (const auto at = places.indexOf(key); at >= 0) {
                made.where = static_cast<Rule::Where>(int(Rule::Where::Node) + int(at));
                made.places = value.split(u',');
            } else
                made.bounds.push_back({.parameter = key, .oneOf = value.split(u',')});
        }
        return made;
    }
    static Policy policyOf(const QString &rules)
    {
        Policy policy;
        policy.grant(QStringLiteral("asker"), Preset::AskForWrites);
        for (const auto &text : rules.split(u';', Qt::SkipEmptyParts))
            policy.setRule(rule(text.trimmed()));
        return policy;
    }
    static QString verdicts(const Policy &policy, PolicyQuestion asked = question())
    {
        QStringList words;
        for (const auto effect :
             {Effect::Reads, Effect::Changes, Effect::Disrupts, Effect::Executes, Effect::Destroys}) {
            asked.effect = effect;
            asked.isSensitive = false;
            words << verdictName(policy.decide(asked).verdict);
            if (effect != Effect::Reads)
                continue;
            asked.isSensitive = true;
            words << verdictName(policy.decide(asked).verdict);
        }
        return words.join(u' ');
    }

private Q_SLOTS:
    void decide_data();
    void decide();
    void leaveForAnOperationIsNotLeaveForWhatItsArgumentsMakeOfIt();
    void aMissingArgumentIsNotWithinABound_data();
    void aMissingArgumentIsNotWithinABound();
    void whatMayCutOurAccessIsLeftToPeople();
    void rulesOfAnAgentGoWithIt();
    void aProgramThatIsNotPairedMayNothingWhateverRulesSay();
    void peopleAreNotBoundByRules();
    void tellWhichOfThemDecided();
    void areReadBackAsTheyWere_data() { decide_data(); }
    void areReadBackAsTheyWere();
    void areRefusedAsAWholeWhenAWordIsNotKnown_data();
    void areRefusedAsAWholeWhenAWordIsNotKnown();
    void doNotDependOnTheirOrder();
};

struct Case {
    const char *rules;
    const char *verdicts; ///< Reads, sensitive read, Changes, Disrupts, Executes, Destroys
};
static constexpr Case cases[] = {
    {"", "allow ask ask ask ask ask"},
    // everything, of everybody
    {"allow", "allow ask allow allow allow ask"},
    {"ask", "ask ask ask ask ask ask"},
    {"deny", "deny deny deny deny deny deny"},
    // who
    {"allow who=asker", "allow ask allow allow allow ask"},
    {"allow who=other", "allow ask ask ask ask ask"},
    {"deny who=other", "allow ask ask ask ask ask"},
    {"deny; allow who=asker", "allow deny allow allow allow deny"},
    {"allow; deny who=asker", "deny deny deny deny deny deny"},
    // which operation
    {"allow op=guest.config.set", "allow allow allow allow allow allow"},
    {"allow op=guest.*", "allow allow allow allow allow ask"},
    {"allow op=guest.config.*", "allow allow allow allow allow ask"},
    {"allow op=guest.conf.*", "allow ask ask ask ask ask"},
    {"allow op=snapshot.*", "allow ask ask ask ask ask"},
    {"allow op=guest.config", "allow ask ask ask ask ask"},
    {"deny op=guest.config.set", "deny deny deny deny deny deny"},
    {"deny op=guest.*; allow op=guest.config.set", "allow allow allow allow allow allow"},
    {"allow op=guest.*; deny op=guest.config.set", "deny deny deny deny deny deny"},
    {"deny; allow op=guest.*", "allow allow allow allow allow deny"},
    // which effect
    {"allow effect=Changes", "allow ask allow ask ask ask"},
    {"allow effect=Destroys", "allow ask ask ask ask ask"},
    {"deny effect=Reads", "deny deny ask ask ask ask"},
    {"ask effect=Reads", "ask ask ask ask ask ask"},
    {"deny effect=Disrupts", "allow ask ask deny ask ask"},
    {"allow; deny effect=Executes", "allow ask allow allow deny ask"},
    {"deny; allow effect=Changes", "deny deny allow deny deny deny"},
    {"allow op=guest.config.set effect=Destroys", "allow ask ask ask ask allow"},
    {"allow effect=Changes; deny op=guest.config.set", "deny deny deny deny deny deny"},
    // where
    {"allow remote=homelab", "allow ask allow allow allow ask"},
    {"allow remote=office", "allow ask ask ask ask ask"},
    {"allow node=pve1", "allow ask allow allow allow ask"},
    {"allow node=pve2", "allow ask ask ask ask ask"},
    {"allow pool=lab", "allow ask allow allow allow ask"},
    {"allow pool=prod,lab", "allow ask allow allow allow ask"},
    {"allow pool=prod", "allow ask ask ask ask ask"},
    {"allow pool=Lab", "allow ask ask ask ask ask"},
    {"allow tag=dev", "allow ask allow allow allow ask"},
    {"allow tag=web", "allow ask allow allow allow ask"},
    {"allow tag=prod", "allow ask ask ask ask ask"},
    {"allow guest=homelab:104", "allow ask allow allow allow ask"},
    {"allow guest=homelab:10", "allow ask ask ask ask ask"},
    {"allow guest=office:104", "allow ask ask ask ask ask"},
    {"allow remote=office pool=lab", "allow ask ask ask ask ask"},
    {"deny; allow remote=homelab", "allow deny allow allow allow deny"},
    {"deny remote=homelab; allow node=pve1", "allow deny allow allow allow deny"},
    {"deny node=pve1; allow pool=lab", "allow deny allow allow allow deny"},
    {"deny pool=lab; allow tag=dev", "allow deny allow allow allow deny"},
    {"deny tag=dev; allow guest=homelab:104", "allow deny allow allow allow deny"},
    {"allow tag=dev; deny tag=web", "deny deny deny deny deny deny"},
    {"allow guest=homelab:104; deny pool=lab", "allow deny allow allow allow deny"},
    {"allow pool=lab; deny guest=homelab:104", "deny deny deny deny deny deny"},
    // with which values
    {"allow memory<=8192", "allow ask allow allow allow ask"},
    {"allow memory<=4096", "allow ask allow allow allow ask"},
    {"allow memory<=4095", "allow ask ask ask ask ask"},
    {"allow memory>=4096 memory<=8192", "allow ask allow allow allow ask"},
    {"allow memory>=8192", "allow ask ask ask ask ask"},
    {"deny memory>=4096", "deny deny deny deny deny deny"},
    {"deny memory>=8192", "allow ask ask ask ask ask"},
    {"allow; deny memory>=4096", "deny deny deny deny deny deny"},
    {"allow cores<=4", "allow ask ask ask ask ask"},
    {"deny cores>=4", "allow ask ask ask ask ask"},
    {"allow name=web,db", "allow ask allow allow allow ask"},
    {"allow name=db", "allow ask ask ask ask ask"},
    {"allow name<=8", "allow ask ask ask ask ask"},
    {"deny name>=8", "deny deny deny deny deny deny"},
    {"ask op=guest.config.set; allow op=guest.config.set memory<=8192", "allow allow allow allow allow allow"},
    {"deny op=guest.config.set; allow op=guest.config.set memory<=2048", "deny deny deny deny deny deny"},
    // when
    {"allow until=2000", "allow ask allow allow allow ask"},
    {"allow until=1000", "allow ask ask ask ask ask"},
    {"allow from=1000", "allow ask allow allow allow ask"},
    {"allow from=1001", "allow ask ask ask ask ask"},
    {"deny from=500 until=1500", "deny deny deny deny deny deny"},
    {"deny; allow until=2000", "allow deny allow allow allow deny"},
    {"deny; allow until=900", "deny deny deny deny deny deny"},
    // narrower in one thing and wider in another: the stricter one
    {"allow guest=homelab:104; deny op=guest.config.set", "deny deny deny deny deny deny"},
    {"deny guest=homelab:104; allow op=guest.config.set", "deny deny deny deny deny deny"},
    {"allow who=asker; deny pool=lab", "deny deny deny deny deny deny"},
    {"ask who=asker; allow pool=lab", "ask ask ask ask ask ask"},
    {"allow who=asker pool=lab; deny pool=lab", "allow deny allow allow allow deny"},
    {"allow op=guest.config.set pool=lab; deny op=guest.config.set; ask pool=lab",
     "allow allow allow allow allow allow"},
    {"allow; ask; deny", "deny deny deny deny deny deny"},
    {"allow; ask", "ask ask ask ask ask ask"},
};

void RulesTest::decide_data()
{
    QTest::addColumn<QString>("rules");
    QTest::addColumn<QString>("verdicts");
    for (const auto &each : cases)
        QTest::newRow(each.rules) << each.rules << each.verdicts;
}

void RulesTest::decide()
{
    QFETCH(QString, rules);
    QTEST(RulesTest::verdicts(policyOf(rules)), "verdicts");
}

void RulesTest::leaveForAnOperationIsNotLeaveForWhatItsArgumentsMakeOfIt()
{
    auto asked = question();
    asked.effect = Effect::Destroys;
    asked.isRaised = true; // hostpci, args, a firewall that opens
    const auto verdict = [&asked](const char *rules) { return policyOf(QLatin1String(rules)).decide(asked).verdict; };
    QCOMPARE(verdict("allow op=guest.config.set"), Verdict::Ask);
    QCOMPARE(verdict("allow op=guest.config.set guest=homelab:104 memory<=8192"), Verdict::Ask);
    QCOMPARE(verdict("deny op=guest.config.set"), Verdict::Deny);
    QCOMPARE(verdict("allow op=guest.config.set effect=Destroys"), Verdict::Allow);
}

void RulesTest::aMissingArgumentIsNotWithinABound_data()
{
    QTest::addColumn<QJsonValue>("memory");
    QTest::addColumn<Verdict>("leave");
    QTest::addColumn<Verdict>("ban");
    QTest::newRow("missing") << QJsonValue(QJsonValue::Undefined) << Verdict::Ask << Verdict::Ask;
    QTest::newRow("null") << QJsonValue() << Verdict::Ask << Verdict::Ask;
    QTest::newRow("a number as text") << QJsonValue(QStringLiteral("2048")) << Verdict::Allow << Verdict::Ask;
    QTest::newRow("no number") << QJsonValue(QStringLiteral("8G")) << Verdict::Ask << Verdict::Deny;
    QTest::newRow("not a number") << QJsonValue(QStringLiteral("nan")) << Verdict::Ask << Verdict::Deny;
    QTest::newRow("without end") << QJsonValue(QStringLiteral("inf")) << Verdict::Ask << Verdict::Deny;
    QTest::newRow("a list") << QJsonValue(QJsonArray{2048}) << Verdict::Ask << Verdict::Deny;
    QTest::newRow("zero") << QJsonValue(0) << Verdict::Allow << Verdict::Ask;
}

void RulesTest::aMissingArgumentIsNotWithinABound()
{
    QFETCH(QJsonValue, memory);
    auto asked = question();
    asked.effect = Effect::Changes;
    asked.arguments.remove(QStringLiteral("memory"));
    if (!memory.isUndefined())
        asked.arguments.insert(QStringLiteral("memory"), memory);
    QTEST(policyOf(QStringLiteral("allow memory<=8192")).decide(asked).verdict, "leave");
    QTEST(policyOf(QStringLiteral("deny memory>=8192")).decide(asked).verdict, "ban");
}

void RulesTest::whatMayCutOurAccessIsLeftToPeople()
{
    auto asked = question();
    asked.isForPeople = true;
    QCOMPARE(verdicts(policyOf(QStringLiteral("allow op=guest.config.set")), asked),
             QStringLiteral("allow allow deny deny deny deny"));
    asked.actor = Actor::person();
    asked.effect = Effect::Changes;
    QCOMPARE(Policy().decide(asked).verdict, Verdict::Allow);
}

void RulesTest::rulesOfAnAgentGoWithIt()
{
    auto policy = policyOf(QStringLiteral("allow who=asker; deny who=other; deny effect=Reads"));
    policy.revoke(QStringLiteral("asker"));
    QCOMPARE(policy.rules().size(), 2);
}

void RulesTest::aProgramThatIsNotPairedMayNothingWhateverRulesSay()
{
    auto policy = policyOf(QStringLiteral("allow"));
    policy.revoke(QStringLiteral("asker"));
    QCOMPARE(verdicts(policy), QStringLiteral("deny deny deny deny deny deny"));
}

void RulesTest::peopleAreNotBoundByRules()
{
    auto asked = question();
    asked.actor = Actor::person();
    asked.effect = Effect::Changes;
    QCOMPARE(policyOf(QStringLiteral("deny")).decide(asked).verdict, Verdict::Allow);
}

void RulesTest::tellWhichOfThemDecided()
{
    auto policy = policyOf(QStringLiteral("allow pool=lab"));
    auto named = rule(QStringLiteral("deny guest=homelab:104"));
    named.note = QStringLiteral("Family photos");
    policy.setRule(named);
    const auto decision = policy.decide(question());
    QCOMPARE(decision.rule, named.id);
    QVERIFY2(decision.why.contains(named.note), qPrintable(decision.why));
}

void RulesTest::areReadBackAsTheyWere()
{
    QFETCH(QString, rules);
    const auto policy = policyOf(rules);
    for (const auto &made : policy.rules()) {
        const auto read = Rule::fromJson(made.json());
        QVERIFY(read);
        QVERIFY(*read == made);
    }
}

void RulesTest::areRefusedAsAWholeWhenAWordIsNotKnown_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QJsonValue>("value");
    QTest::newRow("unknown verdict") << "verdict" << QJsonValue(QStringLiteral("allowed"));
    QTest::newRow("no verdict") << "verdict" << QJsonValue(QJsonValue::Undefined);
    QTest::newRow("no id") << "id" << QJsonValue(QJsonValue::Undefined);
    QTest::newRow("unknown key") << "except" << QJsonValue(QStringLiteral("guest.delete"));
    QTest::newRow("unknown effect") << "effect" << QJsonValue(QStringLiteral("changes"));
    QTest::newRow("unknown place") << "where" << QJsonValue(QStringLiteral("cluster"));
    QTest::newRow("a place without names") << "places" << QJsonValue(QJsonValue::Undefined);
    QTest::newRow("an empty list of names") << "places" << QJsonValue(QJsonArray());
    QTest::newRow("a name that is no text") << "places" << QJsonValue(QJsonArray{104});
    QTest::newRow("names of no place") << "where" << QJsonValue(QJsonValue::Undefined);
    QTest::newRow("an empty actor") << "actor" << QJsonValue(QString());
    QTest::newRow("an actor that is no text") << "actor" << QJsonValue(3);
    QTest::newRow("a time that is text") << "until_ms" << QJsonValue(QStringLiteral("2000"));
    QTest::newRow("no bounds") << "bounds" << QJsonValue(QJsonArray());
    QTest::newRow("a bound that says nothing")
        << "bounds" << QJsonValue(QJsonArray{QJsonObject{{QStringLiteral("parameter"), QStringLiteral("memory")}}});
    QTest::newRow("a bound that nobody understands")
        << "bounds"
        << QJsonValue(QJsonArray{QJsonObject{{QStringLiteral("parameter"), QStringLiteral("memory")},
                                             {QStringLiteral("at_most"), 5},
                                             {QStringLiteral("unless"), 4}}});
}

void RulesTest::areRefusedAsAWholeWhenAWordIsNotKnown()
{
    QFETCH(QString, key);
    QFETCH(QJsonValue, value);
    auto json = rule(QStringLiteral("allow pool=lab")).json();
    QVERIFY(Rule::fromJson(json));
    json.remove(key);
    if (!value.isUndefined())
        json.insert(key, value);
    QVERIFY(!Rule::fromJson(json));
}

/// 400 sets of rules drawn from the words above, each in two orders.
void RulesTest::doNotDependOnTheirOrder()
{
    const auto words =
        QStringLiteral("who=asker|op=guest.*|op=guest.config.set|effect=Changes|effect=Destroys|pool=lab|"
                       "tag=dev|guest=homelab:104|memory<=8192|until=2000|node=pve1")
            .split(u'|');
    const QStringList verdictWords{QStringLiteral("allow"), QStringLiteral("ask"), QStringLiteral("deny")};
    QRandomGenerator random(7);
    for (int set = 0; set < 400; ++set) {
        QStringList rules;
        for (int i = 0; i < 4; ++i) {
            auto text = verdictWords[random.bounded(3)];
            for (int j = random.bounded(3); j > 0; --j)
                text += u' ' + words[random.bounded(int(words.size()))];
            rules << text;
        }
        const auto forward = verdicts(policyOf(rules.join(u';')));
        std::reverse(rules.begin(), rules.end());
        QCOMPARE(verdicts(policyOf(rules.join(u';'))), forward);
    }
}

LABHELM_TEST(RulesTest)
#include "RulesTest.moc"
