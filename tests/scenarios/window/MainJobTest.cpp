#include "mcp/McpServer.h"
#include "pages/timeline/TimelineDetail.h"
#include "pages/timeline/TimelineModel.h"
#include "pages/timeline/TimelinePage.h"
#include "scenarios/window/OfficialClient.h"
#include "support/Desk.h"
#include "support/TestMain.h"
#include "widgets/RowTable.h"
#include <QJsonArray>
#include <QLabel>

using namespace std::chrono_literals;

/// The main job with the official client on one side and the real dialog on the other: what is allowed is done and on
/// the timeline; of what is denied, left unanswered or overtaken nothing reaches the cluster.
class MainJobTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void rollsBackWhatAPersonAllowed_data() { eras(); }
    void rollsBackWhatAPersonAllowed();
    void takesASnapshotAndAPersonUndoesIt_data() { eras(); }
    void takesASnapshotAndAPersonUndoesIt();
    void sendsNothingWhenAPersonDenies_data() { eras(); }
    void sendsNothingWhenAPersonDenies();
    void sendsNothingWhenNobodyAnswers_data() { eras(); }
    void sendsNothingWhenNobodyAnswers();
    void sendsNothingWhenTheClientTakesItBack_data() { eras(); }
    void sendsNothingWhenTheClientTakesItBack();
    void sendsNothingWhenTheGuestHasChangedMeanwhile_data() { eras(); }
    void sendsNothingWhenTheGuestHasChangedMeanwhile();

private:
    static void eras();
    void connectClient();
    QString oldestSnapshot();
    int askForRollback(const QString &snapshot, int patienceMs = 120'000);
    bool openReview();
    void pressInDialog(const char *button);
    CallDetail rowOf(const QJsonObject &result);
    /// Everything the cluster was told to change since the client connected.
    qsizetype writes() const { return m_desk->cluster.simulator.writes().size(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Desk> m_desk;
    std::unique_ptr<PairedAgents> m_agents;
    std::unique_ptr<McpServer> m_server;
    std::unique_ptr<TimelinePage> m_page;
    std::unique_ptr<OfficialClient> m_client;
};

void MainJobTest::eras()
{
    QTest::addColumn<QString>("era");
    QTest::newRow("2025-11-25") << QStringLiteral("legacy");
    QTest::newRow("2026-07-28") << QStringLiteral("modern");
}

void MainJobTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    TestClusterOptions options;
    options.hasManualClock = false;
    options.taskPace = 0.05;
    m_desk = std::make_unique<Desk>(options);
    QVERIFY(m_desk->isReady());
    m_agents = std::make_unique<PairedAgents>(m_folder->filePath(QStringLiteral("agents.json")),
                                              m_folder->filePath(QStringLiteral("keys")), m_desk->book.secrets());
    m_server = std::make_unique<McpServer>(McpServerParts{*m_desk->executor, *m_agents, Clock::system()});
    QVERIFY(m_server->listen(m_folder->filePath(QStringLiteral("run"))));
    m_page = std::make_unique<TimelinePage>(m_desk->book.query(), m_desk->book.log(), *m_desk->executor);
    connect(m_page.get(), &TimelinePage::reviewAsked, &m_desk->queue, &ApprovalQueue::review);
    m_page->resize(1280, 730);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    connectClient();
}

void MainJobTest::cleanup()
{
    m_client.reset();
    m_page.reset();
    m_server.reset();
    m_agents.reset();
    m_desk.reset();
}

void MainJobTest::connectClient()
{
    QFETCH(QString, era);
    const auto paired = await(m_agents->pair(QStringLiteral("Claude Code")));
    QVERIFY(paired);
    m_desk->policy.grant(paired->agent.id, Preset::AskForWrites);
    m_client = std::make_unique<OfficialClient>(
        era, QStringList{QStringLiteral(LABHELM_BIN "/labhelm-mcp"), QStringLiteral("--agent"), paired->agent.id,
                         QStringLiteral("--key"), paired->keyFile, QStringLiteral("--socket"), m_server->path()});
    QVERIFY(m_client->isReady());
}

QString MainJobTest::oldestSnapshot()
{
    const int id = m_client->call("snapshot_list", {{QStringLiteral("guest"), QStringLiteral("nextcloud")}});
    if (!m_client->waitFor(id))
        return {};
    return m_client->result(id)[QStringLiteral("snapshots")][0][QStringLiteral("name")].toString();
}

/// Asks, and waits until the question is in front of the person.
int MainJobTest::askForRollback(const QString &snapshot, int patienceMs)
{
    const int id = m_client->call("snapshot_rollback",
                                  {{QStringLiteral("guest"), QStringLiteral("nextcloud")},
                                   {QStringLiteral("name"), snapshot},
                                   {QStringLiteral("reason"), QStringLiteral("The update broke the file index.")}},
                                  patienceMs);
    const bool isAsked = QTest::qWaitFor([this] { return m_desk->queue.count() == 1; }, 30'000);
    return isAsked ? id : 0;
}

/// Reviews the request from its row, as a person does.
bool MainJobTest::openReview()
{
    auto *table = m_page->findChild<RowTable *>(QStringLiteral("entries"));
    const auto *model = qobject_cast<TimelineModel *>(table->model());
    const auto callId = m_desk->queue.waiting().front().callId;
    if (!QTest::qWaitFor(
            [&] { return model->find(callId) >= 0 && model->rows()[model->find(callId)].state == CallState::Waiting; }))
        return false;
    const auto link = model->index(model->find(callId), TimelineModel::Action);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(link).center());
    return m_desk->queue.dialog() && m_desk->queue.dialog()->callId() == callId;
}

void MainJobTest::pressInDialog(const char *button)
{
    QTest::mouseClick(m_desk->queue.dialog()->findChild<QPushButton *>(QLatin1String(button)), Qt::LeftButton);
}

CallDetail MainJobTest::rowOf(const QJsonObject &result)
{
    const auto detail = await(m_desk->book.query().detail(result[QStringLiteral("entry")].toString()));
    return detail ? *detail : CallDetail();
}

void MainJobTest::rollsBackWhatAPersonAllowed()
{
    const int listing = m_client->call("guest_list", {});
    QVERIFY(m_client->waitFor(listing));
    QVERIFY2(m_client->result(listing)[QStringLiteral("guests")].toArray().size() > 10, m_client->text(listing));
    const auto snapshot = oldestSnapshot();
    QVERIFY(!snapshot.isEmpty());

    const int asking = askForRollback(snapshot);
    QVERIFY2(asking, m_client->text(asking));
    QVERIFY(!m_desk->queue.dialog()); // no window rises by itself
    QCOMPARE(writes(), 0);
    QVERIFY(openReview());
    QCOMPARE(m_desk->queue.dialog()->wantedId(), QStringLiteral("101"));
    QVERIFY(!m_desk->queue.dialog()->findChild<QPushButton *>(QStringLiteral("allow"))->isEnabled());
    QCOMPARE(writes(), 0);
    QVERIFY(m_desk->allowOpenDialog()); // types the id, waits for the guard, clicks Allow
    QVERIFY(m_client->waitFor(asking));

    const auto result = m_client->result(asking);
    QCOMPARE(result[QStringLiteral("state")].toString(), QStringLiteral("done"));
    QVERIFY2(result[QStringLiteral("upid")].toString().startsWith(QStringLiteral("UPID:")), m_client->text(asking));
    QCOMPARE(m_desk->cluster.simulator.count(QStringLiteral("POST"),
                                             QStringLiteral("/nodes/pve1/qemu/101/snapshot/*/rollback")),
             1);
    QCOMPARE(writes(), 1);
    const auto row = rowOf(result);
    QCOMPARE(row.row.state, CallState::Done);
    QCOMPARE(row.row.reason, QStringLiteral("The update broke the file index."));
    QVERIFY(!row.merged[QStringLiteral("before")].toObject().isEmpty());
    QVERIFY(!row.merged[QStringLiteral("plan")].toObject()[QStringLiteral("requests")].toArray().isEmpty());
    QVERIFY(await(m_desk->book.query().verify())->isWhole);
}

void MainJobTest::takesASnapshotAndAPersonUndoesIt()
{
    const int taking = m_client->call("snapshot_create", {{QStringLiteral("guest"), QStringLiteral("nextcloud")},
                                                          {QStringLiteral("name"), QStringLiteral("before-upgrade")}});
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->queue.count(), 1, 30'000);
    QVERIFY(openReview());
    QVERIFY(m_desk->allowOpenDialog());
    QVERIFY(m_client->waitFor(taking));
    const auto entry = m_client->result(taking)[QStringLiteral("entry")].toString();
    QVERIFY2(!entry.isEmpty(), m_client->text(taking));
    QCOMPARE(m_client->result(taking)[QStringLiteral("state")].toString(), QStringLiteral("done"));

    m_page->showEntry(entry);
    auto *undo = [this]() -> QPushButton * {
        QPushButton *found = nullptr;
        const bool isThere = QTest::qWaitFor(
            [&] { return (found = m_page->findChild<QPushButton *>(QStringLiteral("undo"))) && found->isEnabled(); });
        return isThere ? found : nullptr;
    }();
    QVERIFY(undo);
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->queue.dialog(), 30'000); // deleting a snapshot is asked back, also of the person
    QVERIFY(m_desk->allowOpenDialog());
    const auto *model =
        qobject_cast<TimelineModel *>(m_page->findChild<RowTable *>(QStringLiteral("entries"))->model());
    QTRY_VERIFY_WITH_TIMEOUT(!model->rows()[model->find(entry)].undoneBy.isEmpty(), 30'000);
    const int listing = m_client->call("snapshot_list", {{QStringLiteral("guest"), QStringLiteral("nextcloud")}});
    QVERIFY(m_client->waitFor(listing));
    QVERIFY2(!m_client->text(listing).contains("before-upgrade"), m_client->text(listing));
    QCOMPARE(writes(), 2); // one took it, one removed it
}

void MainJobTest::sendsNothingWhenAPersonDenies()
{
    const int asking = askForRollback(oldestSnapshot());
    QVERIFY(asking);
    QVERIFY(openReview());
    QTest::keyClicks(m_desk->queue.dialog()->findChild<QLineEdit *>(QStringLiteral("answer")),
                     QStringLiteral("not today"));
    pressInDialog("deny");
    QVERIFY(m_client->waitFor(asking));
    QCOMPARE(m_client->result(asking)[QStringLiteral("state")].toString(), QStringLiteral("denied"));
    QVERIFY2(m_client->text(asking).contains("not today"), m_client->text(asking));
    QCOMPARE(rowOf(m_client->result(asking)).row.state, CallState::Denied);
    QCOMPARE(writes(), 0);
}

void MainJobTest::sendsNothingWhenNobodyAnswers()
{
    const auto snapshot = oldestSnapshot();
    const int asking = askForRollback(snapshot, 2'000); // the client's own patience
    QVERIFY(asking);
    const auto callId = m_desk->queue.waiting().front().callId;
    QVERIFY(m_client->waitFor(asking));
    QVERIFY2(m_client->gaveUp(asking), m_client->text(asking));
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->queue.count(), 0, 30'000); // no answer means no
    QTRY_COMPARE(await(m_desk->book.query().detail(callId))->row.state, CallState::Cancelled);
    QCOMPARE(writes(), 0);
}

void MainJobTest::sendsNothingWhenTheClientTakesItBack()
{
    const int asking = askForRollback(oldestSnapshot());
    QVERIFY(asking);
    QVERIFY(openReview());
    QTest::keyClicks(m_desk->queue.dialog()->findChild<QLineEdit *>(QStringLiteral("typedId")), QStringLiteral("101"));
    m_client->cancel(asking);
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->queue.count(), 0, 30'000);
    QVERIFY(m_desk->queue.dialog()->isVisible()); // the person is told instead of clicking into the void
    auto *allow = m_desk->queue.dialog()->findChild<QPushButton *>(QStringLiteral("allow"));
    QVERIFY(!allow->isEnabled() && !allow->isVisible());
    pressInDialog("deny"); // says "Close" now
    QVERIFY(m_client->waitFor(asking));
    QVERIFY(m_client->gaveUp(asking));
    QCOMPARE(writes(), 0);
}

void MainJobTest::sendsNothingWhenTheGuestHasChangedMeanwhile()
{
    const int asking = askForRollback(oldestSnapshot());
    QVERIFY(asking);
    QVERIFY(openReview());
    m_desk->cluster.world().setConfig(101, QStringLiteral("memory"), QStringLiteral("2048")); // at the node's shell
    QVERIFY(m_desk->allowOpenDialog());
    QVERIFY(m_client->waitFor(asking));
    QVERIFY2(m_client->text(asking).contains("conflict"), m_client->text(asking));
    QCOMPARE(rowOf(m_client->result(asking)).row.state, CallState::Refused);
    QCOMPARE(writes(), 0);
}

LABHELM_NPM_TEST(MainJobTest)
#include "MainJobTest.moc"
