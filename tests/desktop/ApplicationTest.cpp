#include "Application.h"
#include "approval/ApprovalDialog.h"
#include "approval/ApprovalQueue.h"
#include "operations/PersonCalls.h"
#include "pages/inventory/InventoryPage.h"
#include "secrets/MemoryStore.h"
#include "shell/MainWindow.h"
#include "shell/NavButton.h"
#include "shell/Palette.h"
#include "support/Await.h"
#include "support/TestMain.h"
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <sys/stat.h>

/// The whole program with the demo cluster as a child process.
class ApplicationTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void understandsItsCommandLine();
    void startsTheDemoAndSaysSo();
    void keepsEverythingInOnePrivatePlace();
    void startsFullFromWhatWasKept();
    void letsASecondOneOnlyRaiseTheFirst();
    void remembersWhereOneWas();
    void findsAGuestByTyping();
    void runsAnActionFromTheSearch();
    void pausesAgents();
    void saysSoWhenTheDemoCannotStart();
    void letsAgentsOnlyLookWhenAnotherProgramChangedWhatTheyMayDo();
    void endsByItselfWithTheWindow();

private:
    CommandLine demo(const QString &simulator = QStringLiteral(LABHELM_BIN "/labhelm-simulator")) const
    {
        CommandLine line;
        line.isDemo = true;
        line.dataFolder = m_folder->path();
        line.simulator = simulator;
        return line;
    }
    static bool isLive(Application &application)
    {
        const auto state = application.engine().inventory.snapshot(QStringLiteral("homelab"));
        return state && state->reach == InventorySnapshot::Reach::Live;
    }
    static bool has(Application &application, const QString &text)
    {
        for (const auto *label : application.window().findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains(text))
                return true;
        return false;
    }
    static void end(Application &application)
    {
        QSignalSpy ended(&application, &Application::ended);
        application.window().close();
        QVERIFY(ended.wait(10'000));
    }
    std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();
};

void ApplicationTest::understandsItsCommandLine()
{
    const auto line = CommandLine::from(
        {QStringLiteral("labhelm"), QStringLiteral("--demo"), QStringLiteral("--data"), QStringLiteral("/x")});
    QVERIFY(line && line->isDemo);
    QCOMPARE(line->dataFolder, QStringLiteral("/x"));
    QVERIFY(!CommandLine::from({QStringLiteral("labhelm"), QStringLiteral("--bogus")}));
    QVERIFY(!CommandLine::from({QStringLiteral("labhelm"), QStringLiteral("word")}));
    QVERIFY(!CommandLine::from({QStringLiteral("labhelm"), QStringLiteral("--appearance"), QStringLiteral("pink")}));
    QVERIFY(CommandLine::help().contains(QLatin1String("--demo")));
}

void ApplicationTest::startsTheDemoAndSaysSo()
{
    Application application(demo(), std::make_unique<MemoryStore>());
    QVERIFY(application.start());
    QTRY_VERIFY_WITH_TIMEOUT(isLive(application), 20'000);
    QVERIFY(application.window().windowTitle().contains(QLatin1String("demo")));
    QTRY_VERIFY(has(application, QStringLiteral("3 nodes · 41 guests")));
    QTRY_VERIFY(has(application, QStringLiteral("Audit chain verified")));
    const auto ended = std::make_shared<std::optional<CallResult>>();
    application.calls().change(QStringLiteral("guest.start"), {{QStringLiteral("guest"), QStringLiteral("107")}}, this,
                               [ended](const CallResult &result) { *ended = result; });
    QTRY_VERIFY_WITH_TIMEOUT(*ended, 20'000);
    QCOMPARE((*ended)->state, CallState::Done);
    QTRY_VERIFY(application.engine().inventory.snapshot(QStringLiteral("homelab"))->guest(*Vmid::from(107))->power ==
                GuestState::Power::Running);
    end(application);
}

void ApplicationTest::keepsEverythingInOnePrivatePlace()
{
    const auto folders = Application::foldersOf(demo());
    for (const auto &folder : {folders.config, folders.data, folders.socket}) {
        QVERIFY(folder.startsWith(m_folder->path()));
        struct stat about {
        };
        QCOMPARE(::stat(qPrintable(folder), &about), 0);
        QCOMPARE(about.st_mode & 0777u, 0700u);
    }
    CommandLine real;
    QVERIFY(Application::foldersOf(real).data != Folders::ofThisUser(true).data);
}

void ApplicationTest::startsFullFromWhatWasKept()
{
    Application application(demo(QStringLiteral("/nowhere/labhelm-simulator")), std::make_unique<MemoryStore>());
    QVERIFY(application.start());
    QTRY_VERIFY(application.engine().inventory.snapshot(QStringLiteral("homelab")));
    const auto state = application.engine().inventory.snapshot(QStringLiteral("homelab"));
    QCOMPARE(state->reach, InventorySnapshot::Reach::Cached);
    QCOMPARE(state->guests.size(), size_t(41));
    QTRY_VERIFY(has(application, QStringLiteral("as of")));
    end(application);
}

void ApplicationTest::letsASecondOneOnlyRaiseTheFirst()
{
    Application first(demo(), std::make_unique<MemoryStore>());
    QVERIFY(first.start());
    first.window().hide();
    Application second(demo(), std::make_unique<MemoryStore>());
    const auto started = second.start();
    QVERIFY(!started);
    QCOMPARE(started.error().kind, Error::Kind::Conflict);
    QTRY_VERIFY(first.window().isVisible());
    end(first);
}

void ApplicationTest::remembersWhereOneWas()
{
    {
        Application application(demo(), std::make_unique<MemoryStore>());
        QVERIFY(application.start());
        QTRY_VERIFY_WITH_TIMEOUT(isLive(application), 20'000);
        application.inventoryPage().select(
            {.kind = Selection::Kind::Guest, .remote = QStringLiteral("homelab"), .vmid = *Vmid::from(201)});
        application.window().resize(1111, 777);
        application.window().showPage(QStringLiteral("timeline"));
        end(application);
    }
    Application application(demo(), std::make_unique<MemoryStore>());
    QVERIFY(application.start());
    QTRY_COMPARE(application.inventoryPage().selection().vmid, *Vmid::from(201));
    QCOMPARE(application.window().currentPage(), QStringLiteral("timeline"));
    QCOMPARE(application.window().size(), QSize(1111, 777));
    application.window().showPage(QStringLiteral("inventory"));
    end(application);
}

void ApplicationTest::findsAGuestByTyping()
{
    Application application(demo(), std::make_unique<MemoryStore>());
    QVERIFY(application.start());
    QTRY_VERIFY_WITH_TIMEOUT(isLive(application), 20'000);
    application.window().activateWindow();
    QTest::keyClick(&application.window(), Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(application.window().search().hasFocus());
    QTest::keyClicks(&application.window().search(), QStringLiteral("jelly"));
    const auto *list = application.window().findChild<QListView *>(QStringLiteral("paletteList"));
    QVERIFY(list->isVisible());
    QTest::keyClick(&application.window().search(), Qt::Key_Return);
    QCOMPARE(application.inventoryPage().selection().vmid, *Vmid::from(104));
    QVERIFY(!list->isVisible());
    end(application);
}

void ApplicationTest::runsAnActionFromTheSearch()
{
    Application application(demo(), std::make_unique<MemoryStore>());
    QVERIFY(application.start());
    QTRY_VERIFY_WITH_TIMEOUT(isLive(application), 20'000);
    application.inventoryPage().select(
        {.kind = Selection::Kind::Guest, .remote = QStringLiteral("homelab"), .vmid = *Vmid::from(104)});
    auto &search = application.window().search();
    search.setFocus();
    QTest::keyClicks(&search, QStringLiteral("shut down"));
    QTest::keyClick(&search, Qt::Key_Return);
    QTRY_VERIFY(application.approvals().dialog());
    QTest::keyClick(application.approvals().dialog(), Qt::Key_Escape);
    end(application);
}

void ApplicationTest::pausesAgents()
{
    Application application(demo(), std::make_unique<MemoryStore>());
    QVERIFY(application.start());
    auto *pause = application.window().findChild<QPushButton *>(QStringLiteral("pauseAgents"));
    QTest::mouseClick(pause, Qt::LeftButton);
    QVERIFY(application.engine().executor->isPaused());
    QVERIFY(pause->text().contains(QLatin1String("Resume")));
    QTest::mouseClick(pause, Qt::LeftButton);
    QVERIFY(!application.engine().executor->isPaused());
    const auto isOnTheTimeline = [&application] {
        const auto rows = await(application.engine().query->page({}, 0, 10)).valueOr({});
        return std::any_of(rows.begin(), rows.end(),
                           [](const CallRow &row) { return row.headline == QLatin1String("Paused all agents"); });
    };
    QTRY_VERIFY(isOnTheTimeline());
    end(application);
}

void ApplicationTest::saysSoWhenTheDemoCannotStart()
{
    Application application(demo(QStringLiteral("/nowhere/labhelm-simulator")), std::make_unique<MemoryStore>());
    QVERIFY(application.start());
    QTRY_VERIFY(has(application, QStringLiteral("could not be started")));
    end(application);
}

void ApplicationTest::letsAgentsOnlyLookWhenAnotherProgramChangedWhatTheyMayDo()
{
    const auto line = demo(QStringLiteral("/nowhere/labhelm-simulator"));
    QFile file(Application::foldersOf(line).config + QStringLiteral("/grants.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"grants":{"terminal":"operate"},"rules":[]})");
    file.close();
    Application application(line, std::make_unique<MemoryStore>());
    QVERIFY(application.start());
    QTRY_VERIFY(has(application, QStringLiteral("was changed outside Labhelm")));
    QVERIFY(application.engine().policy.granted(PairedAgents::terminalId) == Preset::Observe);
    end(application);
}

void ApplicationTest::endsByItselfWithTheWindow()
{
    Application application(demo(), std::make_unique<MemoryStore>());
    QVERIFY(application.start());
    QTRY_VERIFY_WITH_TIMEOUT(isLive(application), 20'000);
    application.calls().change(QStringLiteral("guest.stop"), {{QStringLiteral("guest"), QStringLiteral("104")}});
    QTRY_VERIFY(application.approvals().dialog());
    end(application);
}

LABHELM_TEST(ApplicationTest)
#include "ApplicationTest.moc"
