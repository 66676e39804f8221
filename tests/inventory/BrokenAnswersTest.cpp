#include "inventory/Poller.h"
#include "pve/Client.h"
#include "pve/Session.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include "support/MadeUp.h"
#include "support/PollBreakage.h"
#include "support/ScriptedTransport.h"
#include "support/TestMain.h"

using namespace std::chrono_literals;
using Reach = InventorySnapshot::Reach;

/// What comes of answers that no server should give, all the way from the bytes to the inventory.
class BrokenAnswersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_remote.id = QStringLiteral("lab-1");
        m_remote.name = QStringLiteral("homelab");
        m_remote.user = QStringLiteral("root@pam!test");
        m_transport = std::make_unique<ScriptedTransport>();
        Q_UNUSED(m_secrets.write(m_remote.secretKey(), Secret("secret")));
        m_session = std::make_unique<Session>(m_remote, *m_transport, m_secrets);
        m_client = std::make_unique<Client>(*m_transport, *m_session);
        m_inventory = std::make_unique<Inventory>();
        const PollPace still{.active = 1h, .idle = 1h, .gap = 0ms};
        m_poller = std::make_unique<Poller>(*m_client, m_remote.id, m_remote.name, *m_inventory, m_clock, still);
        script(PollSample::answers());
        const QJsonObject all{
            {QStringLiteral("VM.Audit"), 1}, {QStringLiteral("Sys.Audit"), 1}, {QStringLiteral("Datastore.Audit"), 1}};
        m_transport->script("/access/permissions", QJsonObject{{QStringLiteral("/"), all}});
        const auto filled = await(m_poller->refresh());
        QVERIFY2(filled, qPrintable(filled ? QString() : filled.error().message + filled.error().detail));
    }
    void cleanup()
    {
        m_poller.reset();
        m_client.reset();
        m_session.reset();
        m_transport.reset();
    }

    void readsTheWholeSample()
    {
        QCOMPARE(state()->reach, Reach::Live);
        QCOMPARE(state()->guests.size(), size_t(5));
        QCOMPARE(state()->problem, QString());
    }
    void keepsTheLastStateIfResourcesAreBroken_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("empty") << 200 << QByteArray();
        QTest::newRow("HTML of a proxy") << 502 << QByteArray("<html><body>Bad Gateway</body></html>");
        QTest::newRow("null") << 200 << QByteArray(R"({"data":null})");
        QTest::newRow("a string") << 200 << QByteArray(R"({"data":"soon"})");
        QTest::newRow("an object") << 200 << QByteArray(R"({"data":{}})");
        QTest::newRow("no data") << 200 << QByteArray(R"({"other":[]})");
        QTest::newRow("cut") << 200 << QByteArray(R"({"data":[{"type":"qemu","vmid":100)");
        QTest::newRow("NaN") << 200 << QByteArray(R"({"data":[{"type":"qemu","vmid":100,"cpu":NaN}]})");
        QTest::newRow("two of one key")
            << 200 << QByteArray(R"({"data":[{"type":"qemu","vmid":100,"vmid":101,"status":"stopped"}]})");
        QTest::newRow("an error") << 500 << QByteArray(R"({"data":null,"message":"got timeout\n"})");
    }
    void keepsTheLastStateIfResourcesAreBroken()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        const auto before = state();
        m_transport->script("/cluster/resources", [status, body]() -> Result<HttpAnswer> {
            return ScriptedTransport::text(status, status == 200 ? QStringLiteral("OK") : QStringLiteral("Error"),
                                           body);
        });
        QVERIFY(!await(m_poller->refresh()));
        QCOMPARE(state()->reach, Reach::Stale);
        QVERIFY(!state()->problem.isEmpty());
        QCOMPARE(state()->guests, before->guests);
    }
    // A11: what cannot be read is no reason to ask less often.
    void asksAgainAtOnceAfterARowThatCannotBeRead_A11()
    {
        const PollPace quick{.active = 2ms, .idle = 1h, .gap = 0ms};
        m_transport->script("/cluster/resources", QJsonArray{QJsonObject{{QStringLiteral("vmid"), QJsonObject()}}});
        Inventory inventory;
        Poller poller(*m_client, m_remote.id, m_remote.name, inventory, m_clock, quick);
        QVERIFY(await(poller.refresh()));
        QVERIFY(!inventory.snapshot(m_remote.id)->problem.isEmpty());
        const auto rounds = poller.rounds();
        QVERIFY(waitUntil([&] { return poller.rounds() > rounds + 5; }));
    }
    void staysLiveWithoutTheTaskList()
    {
        const auto before = state();
        m_transport->script("/cluster/tasks", []() -> Result<HttpAnswer> {
            return ScriptedTransport::text(500, QStringLiteral("got timeout"), {});
        });
        QVERIFY(await(m_poller->refresh()));
        QCOMPARE(state()->reach, Reach::Live);
        QCOMPARE(state()->tasks, before->tasks);
        QVERIFY(state()->problem.contains(QStringLiteral("list of tasks")));
    }
    void isStaleIfTheLineBreaksInTheMiddleOfARound()
    {
        m_transport->script("/cluster/tasks", []() -> Result<HttpAnswer> {
            return Error{Error::Kind::Unreachable, QStringLiteral("cut")};
        });
        QVERIFY(!await(m_poller->refresh()));
        QCOMPARE(state()->reach, Reach::Stale);
        QCOMPARE(state()->problem, QStringLiteral("cut"));
    }
    void asksNothingMoreIfTheFirstQuestionFails()
    {
        const auto asked = m_transport->count("/cluster/resources");
        m_transport->script(
            "/version", []() -> Result<HttpAnswer> { return ScriptedTransport::text(401, QStringLiteral("no"), {}); });
        QVERIFY(!await(m_poller->refresh()));
        QCOMPARE(m_transport->count("/cluster/resources"), asked);
        QCOMPARE(state()->reach, Reach::Stale);
    }
    void neverMakesSomethingUp()
    {
        QRandomGenerator dice(1307);
        const auto whole = *state();
        const int cases = qEnvironmentVariableIsSet("LABHELM_LONG") ? 20'000 : 1'000;
        int stale = 0, live = 0;
        for (int i = 0; i < cases; ++i) {
            QStringList what;
            script(PollBreakage::broken(dice, 1 + dice.bounded(4), what));
            const auto refreshed = await(m_poller->refresh());
            ++(refreshed ? live : stale);
            QCOMPARE(state()->reach, refreshed ? Reach::Live : Reach::Stale);
            const auto fault = MadeUp::claims(whole, *state());
            QVERIFY2(fault.isEmpty(),
                     qPrintable(QStringLiteral("case %1 (%2): %3").arg(i).arg(what.join(QStringLiteral(", ")), fault)));
            script(PollSample::answers());
            QVERIFY(await(m_poller->refresh()));
            QCOMPARE(state()->guests, whole.guests);
        }
        qInfo("%d rounds with broken answers: %d read as far as possible, %d kept the last state", cases, live, stale);
    }

private:
    InventoryPtr state() const { return m_inventory->snapshot(m_remote.id); }
    void script(const PollAnswers &answers)
    {
        m_transport->script("/version", answers.version);
        m_transport->script("/cluster/resources", answers.resources);
        m_transport->script("/cluster/status", answers.status ? *answers.status : QJsonValue());
        m_transport->script("/cluster/tasks", answers.tasks ? *answers.tasks : QJsonValue());
    }

    Remote m_remote;
    MemoryStore m_secrets;
    ManualClock m_clock;
    std::unique_ptr<ScriptedTransport> m_transport;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Client> m_client;
    std::unique_ptr<Inventory> m_inventory;
    std::unique_ptr<Poller> m_poller;
};

LABHELM_TEST(BrokenAnswersTest)
#include "BrokenAnswersTest.moc"
