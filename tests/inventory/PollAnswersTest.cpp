#include "inventory/PollAnswers.h"
#include "pve/AnswerReader.h"
#include "support/MadeUp.h"
#include "support/PollBreakage.h"
#include "support/TestMain.h"

using Power = GuestState::Power;
using Status = NodeState::Status;

class PollAnswersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsACluster()
    {
        const auto state = read(PollSample::answers());
        QCOMPARE(state.clusterName, QStringLiteral("lab"));
        QCOMPARE(state.quorate, std::optional(true));
        QCOMPARE(state.version, QStringLiteral("9.1.6"));
        QCOMPARE(state.reach, InventorySnapshot::Reach::Live);
        QCOMPARE(state.problem, QString());
        QCOMPARE(state.pools, (QStringList{QStringLiteral("dev"), QStringLiteral("empty")}));
        QCOMPARE(state.nodes.size(), size_t(2));
        QCOMPARE(state.nodes[0].status, Status::Online);
        QCOMPARE(state.nodes[1].status, Status::Offline);
        QVERIFY(!state.nodes[1].cpu && !state.nodes[1].memory);
        QCOMPARE(state.nodes[1].maxMemory, std::optional<qint64>(16'000));
        QCOMPARE(state.storages.size(), size_t(2));
        QVERIFY(state.storages[0].isAvailable);
        QVERIFY(!state.storages[1].isAvailable);
    }
    void readsAGuestWithAllItsNumbers()
    {
        const auto state = read(PollSample::answers());
        const auto *web = state.guest(*Vmid::from(100));
        QVERIFY(web);
        QCOMPARE(web->kind, GuestKind::Qemu);
        QCOMPARE(web->power, Power::Running);
        QCOMPARE(web->tags, (QStringList{QStringLiteral("prod"), QStringLiteral("db")}));
        QCOMPARE(web->pool, QStringLiteral("dev"));
        QCOMPARE(web->haState, QStringLiteral("started"));
        QCOMPARE(web->cpu, std::optional(0.25));
        QCOMPARE(web->maxMemory, std::optional<qint64>(66'624'765'952));
        QCOMPARE(web->netIn, std::optional<qint64>(17));
    }
    void tellsStoppedSuspendedAndUnknownApart()
    {
        const auto state = read(PollSample::answers());
        QCOMPARE(state.guest(*Vmid::from(101))->power, Power::Stopped);
        QCOMPARE(state.guest(*Vmid::from(102))->power, Power::Suspended);
        QCOMPARE(state.guest(*Vmid::from(103))->power, Power::Paused);
        // PVE still says "stopped" of a guest whose node is away (answer 743 of the recordings).
        const auto *away = state.guest(*Vmid::from(201));
        QCOMPARE(away->power, Power::Unknown);
        QCOMPARE(away->node.text(), QStringLiteral("pve2"));
        QVERIFY(!away->cpu && !away->memory && !away->uptime);
        QCOMPARE(away->maxMemory, std::optional<qint64>(512));
    }
    void keepsZeroAndAbsentApart()
    {
        const auto state = read(PollSample::answers());
        QCOMPARE(state.guest(*Vmid::from(101))->cpu, std::optional(0.0));
        QCOMPARE(state.guest(*Vmid::from(101))->memory, std::optional<qint64>(0));
        QVERIFY(!state.guest(*Vmid::from(101))->netIn);
    }
    // A10: more than 32 and more than 53 bits, from the bytes of an answer on.
    void keepsByteCountsToTheLastByte_A10()
    {
        HttpAnswer answer;
        answer.status = 200;
        answer.body = R"({"data":[{"type":"node","node":"pve1","status":"online","maxmem":66624765952},)"
                      R"({"type":"qemu","vmid":100,"node":"pve1","status":"running","maxdisk":9007199254740993,)"
                      R"("netin":"9007199254740993","mem":1e300,"disk":-1,"diskread":1.5,"cpu":null}]})";
        const ApiRequest request{Method::Get, {QStringLiteral("cluster"), QStringLiteral("resources")}};
        const auto read = AnswerReader::read(request, answer);
        QVERIFY(read);
        auto answers = PollSample::answers();
        answers.resources = read->data;
        const auto state = readAnswers(answers, nullptr);
        QVERIFY(state);
        QCOMPARE(state->nodes[0].maxMemory, std::optional<qint64>(66'624'765'952));
        const auto &guest = state->guests[0];
        QCOMPARE(guest.maxDisk, std::optional<qint64>(9'007'199'254'740'993));
        QCOMPARE(guest.netIn, std::optional<qint64>(9'007'199'254'740'993));
        QVERIFY(!guest.memory && !guest.disk && !guest.diskRead && !guest.cpu);
    }
    // A11
    void marksOnlyTheRowThatCannotBeRead_A11()
    {
        auto answers = PollSample::answers();
        answers.resources = QJsonArray{QJsonObject{{QStringLiteral("type"), QStringLiteral("node")},
                                                   {QStringLiteral("node"), QStringLiteral("pve1")},
                                                   {QStringLiteral("status"), QStringLiteral("online")}},
                                       row(QStringLiteral("lxc"), 100), row(QStringLiteral("lxc"), QJsonObject()),
                                       row(QStringLiteral("lxc"), 102)};
        const auto state = readAnswers(answers, nullptr);
        QVERIFY(state);
        QCOMPARE(state->reach, InventorySnapshot::Reach::Live);
        QCOMPARE(state->guests.size(), size_t(2));
        QVERIFY2(state->problem.contains(QStringLiteral(": 1, such as ")), qPrintable(state->problem));
        QVERIFY2(state->problem.contains(QStringLiteral(R"("vmid":{})")), qPrintable(state->problem));
        // The guest that it may have been does not vanish.
        auto whole = PollSample::answers();
        whole.resources = QJsonArray{row(QStringLiteral("lxc"), 100), row(QStringLiteral("lxc"), 101)};
        const auto before = readAnswers(whole, nullptr);
        const auto after = readAnswers(answers, &*before);
        QCOMPARE(after->guests.size(), size_t(3));
        QCOMPARE(after->guest(*Vmid::from(101))->power, Power::Unknown);
    }
    void putsTheNewestTaskFirst()
    {
        const auto state = read(PollSample::answers());
        QCOMPARE(state.tasks.size(), size_t(3));
        QVERIFY(state.tasks[0].isRunning());
        QCOMPARE(state.tasks[0].user, QStringLiteral("root@pam!ci"));
        QCOMPARE(state.tasks[1].status, QStringLiteral("VM 100 already running"));
        QCOMPARE(state.tasks[2].status, QStringLiteral("OK"));
        QVERIFY(!state.tasks[2].isRunning());
    }
    void readsAStandaloneNode()
    {
        auto answers = PollSample::answers();
        auto rows = answers.status->toArray();
        rows.removeFirst();
        answers.status = QJsonValue(rows);
        const auto state = read(answers);
        QCOMPARE(state.clusterName, QString());
        QVERIFY(!state.quorate);
    }
    void takesTheStateOfNodesFromResourcesIfTheClusterMayNotBeRead()
    {
        auto answers = PollSample::answers();
        answers.status = Error{Error::Kind::Forbidden, QStringLiteral("no")};
        const auto state = read(answers);
        QCOMPARE(state.nodes[0].status, Status::Online);
        QCOMPARE(state.nodes[1].status, Status::Offline);
        QVERIFY(!state.quorate);
        QCOMPARE(state.problem, QString()); // `hidden` tells it
    }
    void keepsTheTasksOfTheLastRoundIfTheyCannotBeRead()
    {
        const auto before = read(PollSample::answers());
        auto answers = PollSample::answers();
        answers.tasks = Error{Error::Kind::Rejected, QStringLiteral("broken pipe")};
        const auto state = read(answers, &before);
        QCOMPARE(state.tasks, before.tasks);
        QVERIFY(state.problem.contains(QStringLiteral("list of tasks")));
    }
    void refusesResourcesThatAreNoList()
    {
        for (const QJsonValue &odd : {QJsonValue(), QJsonValue(QJsonValue::Undefined), QJsonValue(0),
                                      QJsonValue(QStringLiteral("x")), QJsonValue(QJsonObject())}) {
            auto answers = PollSample::answers();
            answers.resources = odd;
            const auto state = readAnswers(answers, nullptr);
            QVERIFY(!state);
            QCOMPARE(state.error().kind, Error::Kind::Malformed);
        }
    }
    void keepsGuestsThatAnUnreadableRowMayHaveBeen()
    {
        const auto before = read(PollSample::answers());
        auto answers = PollSample::answers();
        auto rows = answers.resources.toArray();
        for (qsizetype i = 0; i < rows.size(); ++i)
            if (rows[i].toObject().value(QLatin1String("vmid")).toInt() == 100)
                rows[i] = QJsonObject{{QStringLiteral("type"), QStringLiteral("qemu")}};
        answers.resources = rows;
        const auto state = read(answers, &before);
        QVERIFY(state.guest(*Vmid::from(100)));
        QCOMPARE(state.guest(*Vmid::from(100))->power, Power::Unknown);
        QVERIFY(state.problem.contains(u'1'));
        // A guest that is gone from a readable list is gone.
        answers = PollSample::answers();
        rows = answers.resources.toArray();
        rows.removeFirst();
        answers.resources = rows;
        QVERIFY(!read(answers, &before).guest(*Vmid::from(100)));
    }
    void saysWhatASignInMayNotSee()
    {
        auto answers = PollSample::answers();
        answers.permissions = QJsonObject{};
        auto hidden = read(answers).hidden;
        QVERIFY2(hidden.contains(QStringLiteral("all guests (VM.Audit on /vms)")), qPrintable(hidden));
        QVERIFY(hidden.contains(QStringLiteral("all storages")));

        const QJsonObject one{{QStringLiteral("VM.Audit"), 1}, {QStringLiteral("VM.PowerMgmt"), 1}};
        answers.permissions = QJsonObject{{QStringLiteral("/vms/200"), one}};
        QVERIFY(read(answers).hidden.contains(QStringLiteral("some guests")));

        const QJsonObject all{{QStringLiteral("VM.Audit"), 1},
                              {QStringLiteral("Sys.Audit"), QStringLiteral("1")},
                              {QStringLiteral("Datastore.Audit"), 1}};
        answers.permissions = QJsonObject{{QStringLiteral("/"), all}};
        QCOMPARE(read(answers).hidden, QString());

        const QJsonObject onlyThere{{QStringLiteral("VM.Audit"), 0}};
        answers.permissions = QJsonObject{{QStringLiteral("/"), onlyThere}};
        QVERIFY(read(answers).hidden.contains(QStringLiteral("all guests")));
    }
    void remembersWhatIsHiddenBetweenTheQuestions()
    {
        auto answers = PollSample::answers();
        answers.permissions = QJsonObject{};
        const auto before = read(answers);
        answers.permissions.reset();
        QCOMPARE(read(answers, &before).hidden, before.hidden);
        answers.permissions = QJsonValue(QStringLiteral("odd"));
        QCOMPARE(read(answers, &before).hidden, before.hidden);
    }

    void neverMakesSomethingUpFromBrokenFields_data()
    {
        QTest::addColumn<bool>("hasPrevious");
        QTest::addColumn<int>("faults");
        QTest::newRow("one fault, first round") << false << 1;
        QTest::newRow("one fault, later round") << true << 1;
        QTest::newRow("five faults, first round") << false << 5;
        QTest::newRow("five faults, later round") << true << 5;
    }
    void neverMakesSomethingUpFromBrokenFields()
    {
        QFETCH(bool, hasPrevious);
        QFETCH(int, faults);
        QRandomGenerator dice(20260730);
        const auto whole = read(PollSample::answers());
        const int cases = qEnvironmentVariableIsSet("LABHELM_LONG") ? 100'000 : 2'500;
        int refused = 0;
        for (int i = 0; i < cases; ++i) {
            QStringList what;
            const auto broken = PollBreakage::broken(dice, faults, what);
            const auto state = readAnswers(broken, hasPrevious ? &whole : nullptr);
            if (!state) {
                ++refused;
                continue;
            }
            const auto fault = MadeUp::claims(whole, *state);
            QVERIFY2(fault.isEmpty(),
                     qPrintable(QStringLiteral("case %1 (%2): %3").arg(i).arg(what.join(QStringLiteral(", ")), fault)));
        }
        qInfo("%d broken answers, %d refused as a whole", cases, refused);
        QVERIFY(refused < cases / 2);
    }

private:
    static QJsonObject row(const QString &type, const QJsonValue &vmid)
    {
        return {{QStringLiteral("type"), type},
                {QStringLiteral("vmid"), vmid},
                {QStringLiteral("node"), QStringLiteral("pve1")},
                {QStringLiteral("status"), QStringLiteral("running")}};
    }
    static InventorySnapshot read(const PollAnswers &answers, const InventorySnapshot *previous = nullptr)
    {
        auto state = readAnswers(answers, previous);
        return state ? *state : InventorySnapshot();
    }
};

LABHELM_TEST(PollAnswersTest)
#include "PollAnswersTest.moc"
