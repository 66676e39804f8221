#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Configuration and notes: what is sent, what stays, what an undo brings back.
class GuestConfigTest : public QObject
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

    void changesMemoryAndSaysItInWords()
    {
        const auto changed = m_stage->run("guest.config.set", {{"guest", "jellyfin"}, {"memory", 6144}});
        OUTCOME_IS_GOOD(changed);
        QCOMPARE(m_stage->guest(104).config[QStringLiteral("memory")], QStringLiteral("6144"));
        const auto row = await(m_stage->query.detail(changed.callId))->row;
        QCOMPARE(row.headline, QString::fromUtf8("Changed memory 4096 → 6144 MiB"));
    }
    // A09: memory is a property string since qemu-server 8.0.8; "current=2048" and 2048 are the same.
    void readsMemoryInEveryFormThatPveSends_A09()
    {
        m_stage->guest(214).config[QStringLiteral("memory")] = QStringLiteral("current=2048");
        const auto same = m_stage->run("guest.config.set", {{"guest", 214}, {"memory", 2048}, {"cores", 3}});
        OUTCOME_IS_GOOD(same);
        QVERIFY(!m_stage->cluster.simulator.writes().last().parameters.contains(QStringLiteral("memory")));
        const auto changed = m_stage->run("guest.config.set", {{"guest", 214}, {"memory", 1024}});
        OUTCOME_IS_GOOD(changed);
        QCOMPARE(await(m_stage->query.detail(changed.callId))->row.headline,
                 QString::fromUtf8("Changed memory 2048 → 1024 MiB"));
        OUTCOME_IS_GOOD(m_stage->undo(changed));
        QCOMPARE(m_stage->guest(214).config[QStringLiteral("memory")], QStringLiteral("2048"));
    }
    void putsEverythingBackOnUndo_data()
    {
        QTest::addColumn<int>("vmid");
        QTest::addColumn<QJsonObject>("wanted");
        QTest::newRow("container, several keys")
            << 107 << QJsonObject{{"memory", 2048}, {"swap", 0}, {"cores", 4}, {"onboot", true}, {"name", "radarr-2"}};
        QTest::newRow("stopped machine, keys that were absent")
            << 214
            << QJsonObject{{"balloon", 1024}, {"cpulimit", 1.5}, {"cpuunits", 200}, {"startup", "order=7,up=20"}};
        QTest::newRow("stopped machine, removed keys") << 214 << QJsonObject{{"unset", QJsonArray{"cores", "sockets"}}};
        QTest::newRow("protection of a container") << 107 << QJsonObject{{"protection", true}};
    }
    void putsEverythingBackOnUndo()
    {
        QFETCH(int, vmid);
        QFETCH(QJsonObject, wanted);
        const auto before = m_stage->guest(vmid).config;
        wanted.insert(QStringLiteral("guest"), vmid);
        const auto changed = m_stage->run("guest.config.set", wanted);
        OUTCOME_IS_GOOD(changed);
        QVERIFY(m_stage->guest(vmid).config != before);
        OUTCOME_IS_GOOD(m_stage->undo(changed));
        QCOMPARE(m_stage->guest(vmid).config, before);
    }
    void sendsTheDigestSoThatNobodyIsOverwritten()
    {
        OUTCOME_IS_GOOD(m_stage->run("guest.config.set", {{"guest", 214}, {"cores", 3}}));
        const auto writes = m_stage->cluster.simulator.writes();
        QCOMPARE(writes.size(), 1);
        QVERIFY(!writes.first().parameters[QStringLiteral("digest")].toString().isEmpty());
    }
    void voidsAnApprovalWhenTheConfigurationChangedMeanwhile()
    {
        m_stage->saysYes = false;
        Call call;
        call.operation = QStringLiteral("guest.config.set");
        call.arguments = R"({"guest":214,"cores":3})";
        call.actor = ClusterStage::agent(QStringLiteral("asker"));
        std::optional<CallResult> ended;
        m_stage->executor.start(std::move(call), [&](const CallResult &result) { ended = result; });
        QTRY_VERIFY(m_stage->approver.isAsking());
        m_stage->cluster.world().setConfig(214, QStringLiteral("onboot"), QStringLiteral("1"));
        m_stage->approver.allow();
        QTRY_VERIFY(ended.has_value());
        REFUSED_WITH(*ended, Error::Kind::Conflict, "changed after this was allowed");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    void refusesAnUndoWhenTheKeyWasChangedSince()
    {
        const auto changed = m_stage->run("guest.config.set", {{"guest", 107}, {"memory", 2048}});
        OUTCOME_IS_GOOD(changed);
        m_stage->cluster.world().setConfig(107, QStringLiteral("memory"), QStringLiteral("3072"));
        REFUSED_WITH(m_stage->undo(changed), Error::Kind::Conflict, "3072");
        QCOMPARE(m_stage->guest(107).config[QStringLiteral("memory")], QStringLiteral("3072"));
    }
    void saysWhenNothingWouldChange()
    {
        REFUSED_WITH(m_stage->run("guest.config.set", {{"guest", 104}, {"memory", 4096}}), Error::Kind::Conflict,
                     "nothing to change");
        REFUSED_WITH(m_stage->run("guest.config.set", {{"guest", 104}}), Error::Kind::Invalid, "at least one");
    }
    void saysWhatOnlyTheOtherKindHas()
    {
        REFUSED_WITH(m_stage->run("guest.config.set", {{"guest", 201}, {"swap", 512}}), Error::Kind::Invalid,
                     "only containers");
        REFUSED_WITH(m_stage->run("guest.config.set", {{"guest", 104}, {"sockets", 2}}), Error::Kind::Invalid,
                     "only virtual machines");
    }
    void saysThatARunningMachineNeedsARestart()
    {
        const auto plan = m_stage->run("guest.config.set", {{"guest", 201}, {"memory", 12288}}, Actor::person(), true);
        OUTCOME_IS_GOOD(plan);
        const auto facts = QJsonDocument(plan.outcome->answer.toObject()[QStringLiteral("facts")].toArray()).toJson();
        QVERIFY2(facts.contains("next stop and start"), facts.constData());
    }
    void keepsEveryCharacterOfNotes_data()
    {
        QTest::addColumn<QString>("notes");
        QTest::newRow("equals and semicolons") << "a=b;c=d&e+f %20 100%";
        QTest::newRow("several lines") << QString::fromUtf8("# Überschrift\n\n* Zeile – zwei\n");
        QTest::newRow("other scripts") << QString::fromUtf8("ノート заметки ملاحظات");
    }
    void keepsEveryCharacterOfNotes()
    {
        QFETCH(QString, notes);
        const auto before = m_stage->guest(104).config;
        const auto written = m_stage->run("guest.notes.set", {{"guest", 104}, {"notes", notes}});
        OUTCOME_IS_GOOD(written);
        QCOMPARE(m_stage->answer("guest.get", {{"guest", 104}})[QStringLiteral("notes")].toString(), notes);
        OUTCOME_IS_GOOD(m_stage->undo(written));
        QCOMPARE(m_stage->guest(104).config, before);
    }
    void emptyNotesRemoveThem()
    {
        const auto before = m_stage->guest(104).config;
        const auto removed = m_stage->run("guest.notes.set", {{"guest", 104}, {"notes", ""}});
        OUTCOME_IS_GOOD(removed);
        QVERIFY(!m_stage->guest(104).config.contains(QStringLiteral("description")));
        OUTCOME_IS_GOOD(m_stage->undo(removed));
        QCOMPARE(m_stage->guest(104).config, before);
    }
    void doesNotShowNotesToPrograms()
    {
        const auto shown =
            m_stage->answer("guest.get", {{"guest", 104}}, ClusterStage::agent(QStringLiteral("reader")));
        QVERIFY(shown[QStringLiteral("has_notes")].toBool());
        QVERIFY(!QJsonDocument(shown).toJson().contains("passthrough"));
    }
};

LABHELM_TEST(GuestConfigTest)
#include "GuestConfigTest.moc"
