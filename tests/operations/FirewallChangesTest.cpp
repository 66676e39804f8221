#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Rules by their place, which moves; options; and who may touch which door.
class FirewallChangesTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    Firewall &wall(const QString &place) { return m_stage->cluster.world().firewalls[place]; }
    static QJsonObject rule(const QString &action, const QString &dport, int enable = 1)
    {
        return {{"type", "in"}, {"action", action}, {"proto", "tcp"}, {"dport", dport}, {"enable", enable}};
    }
    QStringList ports(const QString &place)
    {
        QStringList all;
        for (const auto &each : std::as_const(wall(place).rules))
            all << each[QStringLiteral("dport")].toString();
        return all;
    }
    QByteArray state(const QString &place)
    {
        QJsonArray rules;
        for (const auto &each : std::as_const(wall(place).rules))
            rules.append(each);
        return QJsonDocument(QJsonObject{{"rules", rules}, {"options", wall(place).options}}).toJson();
    }
    static QJsonObject with(QJsonObject all, const char *key, const QJsonValue &value)
    {
        all.insert(QLatin1String(key), value);
        return all;
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
        for (const auto *place : {"guest/101", "cluster", "node/pve1"})
            wall(QLatin1String(place)).rules = {rule("DROP", "1"), rule("ACCEPT", "2"), rule("DROP", "3", 0),
                                                rule("ACCEPT", "4"), rule("DROP", "5")};
    }
    void cleanup() { m_stage.reset(); }

    void takesBackEachChange_data()
    {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QJsonObject>("arguments");
        const QJsonObject fresh{
            {"type", "in"}, {"action", "ACCEPT"}, {"proto", "tcp"}, {"dport", "22"}, {"comment", "a=b;c"}};
        QTest::newRow("add first") << "firewall.rule.add" << fresh;
        QTest::newRow("add in the middle") << "firewall.rule.add" << with(fresh, "position", 3);
        QTest::newRow("add last") << "firewall.rule.add" << with(fresh, "position", 5);
        QTest::newRow("set and unset") << "firewall.rule.set"
                                       << QJsonObject{{"position", 1},
                                                      {"action", "DROP"},
                                                      {"source", "10.0.0.0/8"},
                                                      {"enable", false},
                                                      {"unset", QJsonArray{"dport"}}};
        QTest::newRow("move down") << "firewall.rule.move" << QJsonObject{{"position", 0}, {"to", 3}};
        QTest::newRow("move to the end") << "firewall.rule.move" << QJsonObject{{"position", 1}, {"to", 4}};
        QTest::newRow("move up") << "firewall.rule.move" << QJsonObject{{"position", 4}, {"to", 0}};
        QTest::newRow("delete one") << "firewall.rule.delete" << QJsonObject{{"positions", QJsonArray{2}}};
        QTest::newRow("options") << "firewall.options.set"
                                 << QJsonObject{{"enable", true}, {"policy_in", "DROP"}, {"macfilter", false}};
    }
    void takesBackEachChange()
    {
        QFETCH(QString, operation);
        QFETCH(QJsonObject, arguments);
        for (const auto &[place, where] :
             {std::pair("101", "guest/101"), std::pair("datacenter", "cluster"), std::pair("pve1", "node/pve1")}) {
            if (operation == QLatin1String("firewall.options.set") && qstrcmp(place, "101") != 0)
                continue; // its options are those of guests
            const auto before = state(QLatin1String(where));
            const auto done = m_stage->run(qPrintable(operation), with(arguments, "place", place));
            OUTCOME_IS_GOOD(done);
            QVERIFY2(state(QLatin1String(where)) != before, where);
            OUTCOME_IS_GOOD(m_stage->undo(done));
            QCOMPARE(state(QLatin1String(where)), before);
        }
    }
    void putsARuleWhereItWasAskedFor()
    {
        const QJsonObject fresh{{"place", "nextcloud"}, {"type", "in"},  {"action", "DROP"},
                                {"proto", "tcp"},       {"dport", "22"}, {"position", 3}};
        OUTCOME_IS_GOOD(m_stage->run("firewall.rule.add", fresh));
        QCOMPARE(ports("guest/101"), (QStringList{"1", "2", "3", "22", "4", "5"}));
        REFUSED_WITH(m_stage->run("firewall.rule.add", with(fresh, "position", 9)), Error::Kind::Invalid, "0 to 6");
    }
    // A32: deletes go from the last place to the first.
    void deletesFromTheHighestPlace_A32()
    {
        m_stage->cluster.simulator.forgetRequests();
        OUTCOME_IS_GOOD(m_stage->run("firewall.rule.delete", {{"place", 101}, {"positions", QJsonArray{1, 3}}}));
        QStringList paths;
        for (const auto &write : m_stage->cluster.simulator.writes())
            paths << write.path.section(u'/', -1);
        QCOMPARE(paths, (QStringList{"3", "1"}));
        QCOMPARE(ports("guest/101"), (QStringList{"1", "3", "5"}));
    }
    // A32: a rule that somebody puts in between reading and deleting ends the call before anything is deleted.
    void deletesNothingWhenTheRulesChangeMeanwhile_A32()
    {
        m_stage->saysYes = false;
        std::optional<CallResult> ended;
        Call call;
        call.operation = QStringLiteral("firewall.rule.delete");
        call.arguments = R"({"place": "101", "positions": [1]})";
        m_stage->executor.start(std::move(call), [&ended](const CallResult &result) { ended = result; });
        QTRY_VERIFY(m_stage->approver.isAsking());
        wall("guest/101").rules.prepend(rule("ACCEPT", "99"));
        m_stage->cluster.simulator.forgetRequests();
        m_stage->approver.allow();
        QTRY_VERIFY(ended.has_value());
        REFUSED_WITH(*ended, Error::Kind::Conflict, "changed after this was allowed");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    // A32: the second step of a call meets rules that are not as the first left them.
    void stopsBetweenTwoStepsWhenTheRulesChange_A32()
    {
        const auto spoil =
            connect(&m_stage->cluster.simulator, &Simulator::heard, this, [this](const HeardRequest &heard) {
                if (heard.method == QLatin1String("DELETE") && ports("guest/101").size() == 4)
                    wall("guest/101").rules.prepend(rule("ACCEPT", "99"));
            });
        const auto failed = m_stage->run("firewall.rule.delete", {{"place", 101}, {"positions", QJsonArray{1, 3}}});
        disconnect(spoil);
        REFUSED_WITH(failed, Error::Kind::Conflict, "Only 1 of 2 steps");
        QCOMPARE(ports("guest/101"), (QStringList{"99", "1", "2", "3", "5"}));
    }
    void judgesWhatOpensAccessAsWideningIt_data()
    {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QJsonObject>("arguments");
        QTest::addColumn<bool>("opens");
        const QJsonObject fresh{{"type", "in"}, {"action", "ACCEPT"}};
        QTest::newRow("a rule that lets in") << "firewall.rule.add" << fresh << true;
        QTest::newRow("a group of rules")
            << "firewall.rule.add" << QJsonObject{{"type", "group"}, {"action", "web"}} << true;
        QTest::newRow("a rule that is off") << "firewall.rule.add" << with(fresh, "enable", false) << false;
        QTest::newRow("a rule that blocks") << "firewall.rule.add" << with(fresh, "action", "DROP") << false;
        QTest::newRow("a block goes") << "firewall.rule.delete" << QJsonObject{{"positions", QJsonArray{0}}} << true;
        QTest::newRow("an allowance goes")
            << "firewall.rule.delete" << QJsonObject{{"positions", QJsonArray{1}}} << false;
        QTest::newRow("turned off") << "firewall.options.set" << QJsonObject{{"enable", false}} << true;
        QTest::newRow("open by default") << "firewall.options.set" << QJsonObject{{"policy_in", "ACCEPT"}} << true;
        QTest::newRow("turned on") << "firewall.options.set" << QJsonObject{{"enable", true}} << false;
    }
    void judgesWhatOpensAccessAsWideningIt()
    {
        QFETCH(QString, operation);
        QFETCH(QJsonObject, arguments);
        QFETCH(bool, opens);
        const auto preview = m_stage->run(qPrintable(operation), with(arguments, "place", 101), Actor::person(), true);
        OUTCOME_IS_GOOD(preview);
        QCOMPARE(preview.plan->raised == Effect::Destroys, opens);
        QVERIFY(!preview.plan->isForPeople);
    }
    void leavesDoorsOfTheDatacenterToPeople_data()
    {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QJsonObject>("arguments");
        QTest::newRow("block") << "firewall.rule.add" << QJsonObject{{"type", "in"}, {"action", "DROP"}};
        QTest::newRow("delete an allowance") << "firewall.rule.delete" << QJsonObject{{"positions", QJsonArray{1}}};
        QTest::newRow("turn on") << "firewall.options.set" << QJsonObject{{"enable", true}};
    }
    void leavesDoorsOfTheDatacenterToPeople()
    {
        QFETCH(QString, operation);
        QFETCH(QJsonObject, arguments);
        m_stage->cluster.simulator.forgetRequests();
        for (const auto *place : {"datacenter", "pve1"}) {
            const auto denied =
                m_stage->run(qPrintable(operation), with(arguments, "place", place), ClusterStage::agent("operator"));
            QCOMPARE(denied.state, CallState::Denied);
        }
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    void refusesWhatAPlaceDoesNotHave()
    {
        REFUSED_WITH(m_stage->run("firewall.options.set", {{"place", "datacenter"}, {"macfilter", true}}),
                     Error::Kind::Invalid, "no option \"macfilter\"");
        REFUSED_WITH(m_stage->run("firewall.rule.set", {{"place", 101}, {"position", 7}, {"enable", true}}),
                     Error::Kind::NotFound, "0 to 4");
        REFUSED_WITH(m_stage->run("firewall.rules", {{"place", "nowhere"}}), Error::Kind::NotFound, "datacenter");
        REFUSED_WITH(m_stage->run("firewall.rules", {{"place", "datacenter"}, {"log_lines", 5}}), Error::Kind::Invalid,
                     "no log");
    }
    // V6: off and not set are two things; nodes are on by default.
    void tellsOffFromNotSet_V6()
    {
        QCOMPARE(m_stage->answer("firewall.rules", {{"place", "pve1"}})[QStringLiteral("enabled")], QJsonValue(true));
        QCOMPARE(m_stage->answer("firewall.rules", {{"place", "101"}})[QStringLiteral("enabled")], QJsonValue(false));
        wall("guest/101").options.insert("enable", 1);
        const auto shown = m_stage->answer("firewall.rules", {{"place", 101}, {"log_lines", 3}});
        QCOMPARE(shown[QStringLiteral("enabled")], QJsonValue(true));
        QCOMPARE(shown[QStringLiteral("rules")].toArray().size(), 5);
        QVERIFY(shown.contains(QStringLiteral("log")) && shown.contains(QStringLiteral("ipsets")));
    }
};

LABHELM_TEST(FirewallChangesTest)
#include "FirewallChangesTest.moc"
