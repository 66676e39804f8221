#include "pages/agents/AgentsPage.h"
#include "pages/agents/AgentCard.h"
#include "pages/agents/AgentRights.h"
#include "pages/agents/ConnectAgentDialog.h"
#include "pages/agents/LiveCalls.h"
#include "pages/agents/PairingCard.h"
#include "policy/Grants.h"
#include "support/BridgeClient.h"
#include "support/Desk.h"
#include "support/Pictures.h"
#include "support/TestMain.h"
#include "widgets/Pill.h"
#include "widgets/RowTable.h"
#include "widgets/SegmentedControl.h"
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QRadioButton>

class AgentsPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void pairsAnAgentThatMayOnlyLookUnlessMoreIsChosen();
    void showsTheExactTextForEachClient();
    void saysWhyNothingWasPaired();
    void showsWhoIsConnectedAndWhatItCalls();
    void letsAConnectedProgramOnlyDoWhatItsPresetSays();
    void letsAPausedProgramGoOnWhenAPersonSaysSo();
    void letsAHeldAgentGoOnOnlyWhenAPersonChooses();
    void changesAPresetAndRemembersIt();
    void asksOnceMoreBeforeAnAgentOperates();
    void changesNothingThatCannotBeRecorded();
    void shutsAnAgentOut();
    void reviewsWhatWaits();
    void pairsNoUnknownProgramByOneClick();
    void ignoresAnUnknownProgram();

private:
    QString pairByHand(const QString &name, Preset preset);
    QStringList commandFor(const QString &id) const;
    std::unique_ptr<BridgeClient> connectClient(const QString &id);
    QStringList notes();
    template <class T>
    T *child(const char *name) const
    {
        return m_page->findChild<T *>(QLatin1String(name));
    }
    AgentCard *card(const QString &named) const;
    static QString pillsOf(const QWidget *widget);
    Actor actorOf(const QString &id) const { return {.kind = Actor::Kind::Agent, .id = id, .name = id}; }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Desk> m_desk;
    std::unique_ptr<PairedAgents> m_agents;
    std::unique_ptr<Grants> m_grants;
    std::unique_ptr<McpServer> m_server;
    std::unique_ptr<AgentsPage> m_page;
};

void AgentsPageTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_desk = std::make_unique<Desk>();
    QVERIFY(m_desk->isReady());
    m_desk->policy.revoke(QStringLiteral("claude-code"));
    m_agents = std::make_unique<PairedAgents>(m_folder->filePath(QStringLiteral("agents.json")),
                                              m_folder->filePath(QStringLiteral("keys")), m_desk->book.secrets());
    QVERIFY(m_agents->load());
    m_grants = std::make_unique<Grants>(m_folder->filePath(QStringLiteral("grants.json")), Seal(Secret("key")));
    m_server = std::make_unique<McpServer>(McpServerParts{*m_desk->executor, *m_agents, Clock::system()});
    QVERIFY(m_server->listen(m_folder->filePath(QStringLiteral("run"))));
    m_page = std::make_unique<AgentsPage>(AgentsPageParts{
        *m_agents, *m_server, m_desk->policy, *m_grants, m_desk->limits, *m_desk->executor, m_desk->queue,
        m_desk->book.log(), Clock::system(), false, QStringLiteral(LABHELM_BIN "/labhelm-mcp"), false});
    m_page->resize(1280, 730);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
}

void AgentsPageTest::cleanup()
{
    m_page.reset();
    m_server.reset();
    m_agents.reset();
    m_desk.reset();
}

/// Goes through "Connect an agent…" as a person does; returns the new agent's id.
QString AgentsPageTest::pairByHand(const QString &name, Preset preset)
{
    QTest::mouseClick(child<QPushButton>("connectAgent"), Qt::LeftButton);
    auto *dialog = m_page->findChild<ConnectAgentDialog *>();
    QTest::keyClicks(dialog->findChild<QLineEdit *>(QStringLiteral("agentName")), name);
    dialog->findChild<QRadioButton *>(presetName(preset))->click();
    QTest::mouseClick(dialog->findChild<QPushButton *>(QStringLiteral("makeKey")), Qt::LeftButton);
    auto *done = dialog->findChild<QPushButton *>(QStringLiteral("done"));
    if (!QTest::qWaitFor([done] { return done->isVisible(); }))
        return {};
    Pictures::take(*dialog, QStringLiteral("agents-setup"));
    QTest::mouseClick(done, Qt::LeftButton);
    return m_agents->all().back().id;
}

QStringList AgentsPageTest::commandFor(const QString &id) const
{
    return {QStringLiteral(LABHELM_BIN "/labhelm-mcp"),
            QStringLiteral("--agent"),
            id,
            QStringLiteral("--key"),
            m_agents->keyFile(id),
            QStringLiteral("--socket"),
            m_server->path()};
}

std::unique_ptr<BridgeClient> AgentsPageTest::connectClient(const QString &id)
{
    auto client = std::make_unique<BridgeClient>(commandFor(id));
    return client->introduce() ? std::move(client) : nullptr;
}

QStringList AgentsPageTest::notes()
{
    QStringList all;
    for (const auto &row : m_desk->book.page())
        if (row.operation.isEmpty())
            all.prepend(row.headline);
    return all;
}

AgentCard *AgentsPageTest::card(const QString &named) const
{
    for (auto *one : m_page->findChildren<AgentCard *>())
        if (one->accessibleName().startsWith(named))
            return one;
    return nullptr;
}

QString AgentsPageTest::pillsOf(const QWidget *widget)
{
    QStringList all;
    for (const auto *pill : widget->findChildren<Pill *>())
        if (pill->isVisible())
            all << pill->text();
    return all.join(u'|');
}

void AgentsPageTest::pairsAnAgentThatMayOnlyLookUnlessMoreIsChosen()
{
    QTest::mouseClick(child<QPushButton>("connectAgent"), Qt::LeftButton);
    auto *dialog = m_page->findChild<ConnectAgentDialog *>();
    QVERIFY(dialog->findChild<QRadioButton *>(QStringLiteral("observe"))->isChecked());
    auto *make = dialog->findChild<QPushButton *>(QStringLiteral("makeKey"));
    QVERIFY(!make->isEnabled()); // not without a name
    QTest::keyClicks(dialog->findChild<QLineEdit *>(QStringLiteral("agentName")), QStringLiteral("Claude Code"));
    Pictures::take(*dialog, QStringLiteral("agents-connect"));
    QTest::mouseClick(make, Qt::LeftButton);
    QTRY_COMPARE(m_agents->all().size(), 1u);
    QTRY_COMPARE(m_desk->policy.granted(m_agents->all().front().id), Preset::Observe);
    QTRY_COMPARE(notes(), QStringList{QStringLiteral("Paired Claude Code: Observe")});
    Policy kept;
    QVERIFY(Grants(m_grants->file(), Seal(Secret("key"))).load(kept));
    QCOMPARE(kept.granted(m_agents->all().front().id), Preset::Observe);
    QTRY_VERIFY(card(QStringLiteral("Claude Code")));
}

void AgentsPageTest::showsTheExactTextForEachClient()
{
    const auto id = pairByHand(QStringLiteral("Claude Code"), Preset::AskForWrites);
    QTest::mouseClick(child<QPushButton>("showSetup"), Qt::LeftButton);
    QTRY_VERIFY(m_page->findChild<QComboBox *>(QStringLiteral("client")));
    auto *client = m_page->findChildren<QComboBox *>(QStringLiteral("client")).last();
    auto *text = m_page->findChildren<QPlainTextEdit *>(QStringLiteral("setup")).last();
    const auto secret = await(m_agents->key(id));
    QVERIFY(secret);
    for (int i = 0; i < client->count(); ++i) {
        client->setCurrentIndex(i);
        QVERIFY2(text->toPlainText().contains(QStringLiteral("/labhelm-mcp")), qPrintable(client->itemText(i)));
        QVERIFY(text->toPlainText().contains(id));
        QVERIFY(!text->toPlainText().contains(QString::fromLatin1(secret->reveal())));
        if (client->itemText(i) == QLatin1String("VS Code")) {
            const auto json = QJsonDocument::fromJson(text->toPlainText().toUtf8()).object();
            const auto server = json[QStringLiteral("servers")][QStringLiteral("labhelm")];
            QCOMPARE(server[QStringLiteral("command")].toString(), commandFor(id).first());
            QCOMPARE(server[QStringLiteral("args")].toVariant().toStringList(), commandFor(id).mid(1));
        }
    }
    QTest::mouseClick(m_page->findChildren<QPushButton *>(QStringLiteral("copySetup")).last(), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), text->toPlainText());
}

void AgentsPageTest::saysWhyNothingWasPaired()
{
    QTest::mouseClick(child<QPushButton>("connectAgent"), Qt::LeftButton);
    auto *dialog = m_page->findChild<ConnectAgentDialog *>();
    auto *name = dialog->findChild<QLineEdit *>(QStringLiteral("agentName"));
    QTest::keyClicks(name, QStringLiteral("!!!"));
    QTest::mouseClick(dialog->findChild<QPushButton *>(QStringLiteral("makeKey")), Qt::LeftButton);
    auto *problem = dialog->findChild<QLabel *>(QStringLiteral("problem"));
    QTRY_VERIFY(problem->isVisible());
    QVERIFY(!problem->text().isEmpty());
    QCOMPARE(name->text(), QStringLiteral("!!!")); // what was typed stays
    QVERIFY(m_agents->all().empty());
}

void AgentsPageTest::showsWhoIsConnectedAndWhatItCalls()
{
    const auto id = pairByHand(QStringLiteral("Claude Code"), Preset::AskForWrites);
    QVERIFY(pillsOf(card(QStringLiteral("Claude Code"))).contains(QStringLiteral("never seen")));
    const auto client = connectClient(id);
    QVERIFY(client);
    const auto call = client->call(QStringLiteral("guest_list"), {});
    QVERIFY(client->waitFor(call));
    QVERIFY2(!client->isError(call), qPrintable(client->text(call)));
    QTRY_COMPARE(pillsOf(card(QStringLiteral("Claude Code"))), QStringLiteral("connected|Ask for writes"));
    const auto *live = child<RowTable>("liveCalls")->model();
    QTRY_VERIFY(live->rowCount() >= 1);
    QCOMPARE(live->index(0, LiveCalls::What).data().toString(), QStringLiteral("guest_list {}"));
    QTRY_VERIFY(live->index(0, LiveCalls::State).data().toString().endsWith(QStringLiteral(" ms")));
}

void AgentsPageTest::letsAConnectedProgramOnlyDoWhatItsPresetSays()
{
    const auto id = pairByHand(QStringLiteral("Goose"), Preset::Observe);
    const auto client = connectClient(id);
    QVERIFY(client);
    const auto call =
        client->call(QStringLiteral("guest_shutdown"), {{QStringLiteral("guest"), QStringLiteral("104")}});
    QVERIFY(client->waitFor(call));
    QVERIFY(client->isError(call));
    QCOMPARE(m_desk->queue.count(), 0);
    QVERIFY(m_desk->cluster.simulator.writes().isEmpty());
}

void AgentsPageTest::letsAPausedProgramGoOnWhenAPersonSaysSo()
{
    const auto id = pairByHand(QStringLiteral("Goose"), Preset::Observe);
    const auto client = connectClient(id);
    QVERIFY(client);
    m_desk->limits.allowance.answerBytesPerDay = 0;
    const auto ask = [&client] {
        const auto call = client->call(QStringLiteral("node_list"), {});
        return client->waitFor(call) && !client->isError(call);
    };
    QVERIFY(!ask()); // what it was greeted with is over the budget
    QTRY_VERIFY(child<QPushButton>("resumeAgent") && child<QPushButton>("resumeAgent")->isVisible());
    m_desk->limits.allowance.answerBytesPerDay = 1'000'000;
    QVERIFY(!ask());
    QTest::mouseClick(child<QPushButton>("resumeAgent"), Qt::LeftButton);
    QVERIFY(ask());
    QTRY_COMPARE(notes().last(), QStringLiteral("Let Goose go on"));
    QTRY_VERIFY(!child<QPushButton>("resumeAgent")->isVisible());
}

void AgentsPageTest::letsAHeldAgentGoOnOnlyWhenAPersonChooses()
{
    const auto id = pairByHand(QStringLiteral("Claude Code"), Preset::AskForWrites);
    m_desk->policy.hold(id);
    QTRY_VERIFY(child<QPushButton>("trustAgain")->isVisible());
    QVERIFY(pillsOf(card(QStringLiteral("Claude Code"))).startsWith(QStringLiteral("held")));
    Pictures::take(*m_page, QStringLiteral("agents-held"));
    QTest::mouseClick(child<QPushButton>("trustAgain"), Qt::LeftButton);
    QTRY_VERIFY(!m_desk->policy.isHeld(id));
    QCOMPARE(m_desk->policy.granted(id), Preset::AskForWrites);
    QTRY_VERIFY(!child<QPushButton>("trustAgain")->isVisible());
    QTRY_COMPARE(notes().last(), QStringLiteral("Claude Code may now: Ask for writes (before: held)"));
}

void AgentsPageTest::changesAPresetAndRemembersIt()
{
    const auto id = pairByHand(QStringLiteral("Claude Code"), Preset::Observe);
    auto *presets = m_page->findChild<SegmentedControl *>();
    QTRY_COMPARE(presets->current(), int(Preset::Observe));
    Q_EMIT presets->chosen(int(Preset::AskForWrites));
    QTRY_COMPARE(m_desk->policy.granted(id), Preset::AskForWrites);
    QTRY_COMPARE(notes().last(), QStringLiteral("Claude Code may now: Ask for writes (before: Observe)"));
    Policy kept;
    QVERIFY(Grants(m_grants->file(), Seal(Secret("key"))).load(kept));
    QCOMPARE(kept.granted(id), Preset::AskForWrites);
    QTRY_VERIFY(pillsOf(card(QStringLiteral("Claude Code"))).endsWith(QStringLiteral("|Ask for writes")));
}

void AgentsPageTest::asksOnceMoreBeforeAnAgentOperates()
{
    const auto id = pairByHand(QStringLiteral("Claude Code"), Preset::Observe);
    auto *presets = m_page->findChild<SegmentedControl *>();
    Q_EMIT presets->chosen(int(Preset::Operate));
    QVERIFY(child<QPushButton>("letOperate")->isVisible());
    QCOMPARE(m_desk->policy.granted(id), Preset::Observe);
    QTest::mouseClick(child<QPushButton>("keepPreset"), Qt::LeftButton);
    QCOMPARE(presets->current(), int(Preset::Observe));
    Q_EMIT presets->chosen(int(Preset::Operate));
    QTest::mouseClick(child<QPushButton>("letOperate"), Qt::LeftButton);
    QTRY_COMPARE(m_desk->policy.granted(id), Preset::Operate);
    QCOMPARE(notes().last(), QStringLiteral("Claude Code may now: Operate (before: Observe)"));
}

void AgentsPageTest::changesNothingThatCannotBeRecorded()
{
    const auto id = pairByHand(QStringLiteral("Claude Code"), Preset::Observe);
    QVERIFY(await(m_desk->book.log().close()));
    bool isTold = false;
    m_page->rights().setPreset(id, Preset::Operate, [&](const Result<> &done) { isTold = !done; });
    QTRY_VERIFY(isTold);
    QCOMPARE(m_desk->policy.granted(id), Preset::Observe);
    bool isRefused = false;
    m_page->rights().pair(QStringLiteral("Another"), Preset::Operate,
                          [&](const Result<Pairing> &done) { isRefused = !done; });
    QTRY_VERIFY(isRefused);
    QCOMPARE(m_agents->all().size(), 1u);
    m_page->rights().revoke(id, [](const Result<> &) {}); // while shutting out never waits for anything
    QVERIFY(m_agents->all().empty());
    QVERIFY(!m_desk->policy.granted(id));
}

void AgentsPageTest::shutsAnAgentOut()
{
    const auto id = pairByHand(QStringLiteral("Claude Code"), Preset::AskForWrites);
    const auto client = connectClient(id);
    QVERIFY(client);
    const auto asking =
        client->call(QStringLiteral("guest_shutdown"), {{QStringLiteral("guest"), QStringLiteral("104")}});
    Q_UNUSED(asking)
    QTRY_COMPARE(m_desk->queue.count(), 1);
    QTest::mouseClick(child<QPushButton>("revoke"), Qt::LeftButton);
    QTRY_VERIFY(child<QPushButton>("shutOut"));
    QTest::mouseClick(child<QPushButton>("shutOut"), Qt::LeftButton);
    QTRY_VERIFY(m_agents->all().empty());
    QTRY_COMPARE(client->process().state(), QProcess::NotRunning);
    QTRY_COMPARE(m_desk->queue.count(), 0);
    QTRY_COMPARE(notes().last(), QStringLiteral("Shut out Claude Code"));
    QVERIFY(!m_desk->policy.granted(id));
    QVERIFY(!card(QStringLiteral("Claude Code")) || !card(QStringLiteral("Claude Code"))->isVisible() ||
            QTest::qWaitFor([this] { return !card(QStringLiteral("Claude Code")); }));
    QVERIFY(!connectClient(id));
    QVERIFY(m_desk->cluster.simulator.writes().isEmpty());
}

void AgentsPageTest::reviewsWhatWaits()
{
    const auto id = pairByHand(QStringLiteral("Claude Code"), Preset::AskForWrites);
    const auto client = connectClient(id);
    QVERIFY(client);
    const auto call =
        client->call(QStringLiteral("guest_config_set"),
                     {{QStringLiteral("guest"), QStringLiteral("104")}, {QStringLiteral("memory"), 6144}});
    QTRY_VERIFY(child<QPushButton>("review"));
    QVERIFY(!m_desk->queue.dialog()); // nothing opens by itself
    QTRY_VERIFY(pillsOf(card(QStringLiteral("Claude Code"))).startsWith(QStringLiteral("connected")));
    Pictures::take(*m_page, QStringLiteral("agents"));
    QTest::mouseClick(child<QPushButton>("review"), Qt::LeftButton);
    QVERIFY(m_desk->queue.dialog());
    Pictures::take(*m_desk->queue.dialog(), QStringLiteral("approval-real"));
    QVERIFY(m_desk->allowOpenDialog());
    QVERIFY(client->waitFor(call));
    QVERIFY2(!client->isError(call), qPrintable(client->text(call)));
    QCOMPARE(m_desk->cluster.world().guest(104)->config.value(QStringLiteral("memory")), QStringLiteral("6144"));
    QTRY_VERIFY(!child<QPushButton>("review"));
}

void AgentsPageTest::pairsNoUnknownProgramByOneClick()
{
    BridgeClient stranger({QStringLiteral(LABHELM_BIN "/labhelm-mcp"), QStringLiteral("--socket"), m_server->path()},
                          QStringLiteral("<b>stranger</b>"));
    QVERIFY(!stranger.introduce());
    QTRY_VERIFY(m_page->findChild<PairingCard *>());
    Pictures::take(*m_page, QStringLiteral("agents-unknown"));
    QTest::mouseClick(child<QPushButton>("pair"), Qt::LeftButton);
    QVERIFY(m_agents->all().empty());
    auto *dialog = m_page->findChild<ConnectAgentDialog *>();
    QVERIFY(dialog);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(m_agents->all().empty());
}

void AgentsPageTest::ignoresAnUnknownProgram()
{
    BridgeClient stranger({QStringLiteral(LABHELM_BIN "/labhelm-mcp"), QStringLiteral("--socket"), m_server->path()});
    QVERIFY(!stranger.introduce());
    QTRY_VERIFY(m_page->findChild<PairingCard *>());
    QTest::mouseClick(child<QPushButton>("ignore"), Qt::LeftButton);
    QTRY_VERIFY(!m_page->findChild<PairingCard *>());
    QVERIFY(m_server->pairingRequests().empty());
}

LABHELM_TEST(AgentsPageTest)
#include "AgentsPageTest.moc"
