#include "Application.h"
#include "approval/ApprovalDialog.h"
#include "approval/ApprovalQueue.h"
#include "operations/PersonCalls.h"
#include "pages/connect/ConnectDialog.h"
#include "pages/connect/ConnectForm.h"
#include "pages/connect/ConnectPage.h"
#include "pages/inventory/InventoryPage.h"
#include "secrets/MemoryStore.h"
#include "shell/MainWindow.h"
#include "shell/Palette.h"
#include "simulator/Simulator.h"
#include "simulator/world/Homelab.h"
#include "support/Await.h"
#include "support/BridgeClient.h"
#include "support/Pictures.h"
#include "support/TestMain.h"
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

/// The whole program before any cluster is known, and what its door tells.
class FirstRunTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void offersToConnectWhileNothingIsKnown();
    void showsTheClusterOnceItIsConnected();
    void connectsAnotherClusterFromBelowTheTree();
    void writesDownWhoKnockedWithoutAKey();

private:
    template <class T>
    T *child(const char *name) const
    {
        for (auto *one : m_application->window().findChildren<T *>(QLatin1String(name)))
            if (one->isVisible())
                return one;
        return nullptr;
    }
    void connectByHand();
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Simulator> m_simulator;
    std::unique_ptr<Application> m_application;
};

void FirstRunTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_simulator = std::make_unique<Simulator>();
    QVERIFY(m_simulator->listen());
    CommandLine line;
    line.dataFolder = m_folder->path();
    m_application = std::make_unique<Application>(line, std::make_unique<MemoryStore>());
    QVERIFY(m_application->start());
    QVERIFY(QTest::qWaitForWindowExposed(&m_application->window()));
}

void FirstRunTest::cleanup()
{
    QSignalSpy ended(m_application.get(), &Application::ended);
    m_application->window().close();
    QVERIFY(ended.wait(10'000));
    m_application.reset();
    m_simulator.reset();
}

void FirstRunTest::connectByHand()
{
    const auto token = QStringLiteral("labhelm@pve!desktop");
    QTest::keyClicks(child<QLineEdit>("address"), QStringLiteral("127.0.0.1:%1").arg(m_simulator->url().port()));
    QTest::keyClicks(child<QLineEdit>("user"), token);
    QTest::keyClicks(child<QLineEdit>("secret"), Homelab::tokenSecret(token));
    QTest::keyClick(child<QLineEdit>("secret"), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("trust"), 20'000);
    child<QPushButton>("trust")->click(); // the dialog may still be growing under a mouse
    QTRY_VERIFY_WITH_TIMEOUT(child<QLineEdit>("name"), 20'000);
}

void FirstRunTest::offersToConnectWhileNothingIsKnown()
{
    QVERIFY(child<QLineEdit>("address"));
    QVERIFY(!m_application->inventoryPage().isVisible());
    QVERIFY(!child<QPushButton>("back")); // there is nowhere to go back to
    QVERIFY(child<QPushButton>("demo"));
    Pictures::take(m_application->window(), QStringLiteral("first-run"));
}

void FirstRunTest::showsTheClusterOnceItIsConnected()
{
    connectByHand();
    QTest::mouseClick(child<QPushButton>("go"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_application->inventoryPage().isVisible(), 20'000);
    const auto isLive = [this] {
        const auto all = m_application->engine().inventory.snapshots();
        return !all.empty() && all.front()->reach == InventorySnapshot::Reach::Live;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isLive(), 20'000);
}

void FirstRunTest::connectsAnotherClusterFromBelowTheTree()
{
    connectByHand();
    QTest::mouseClick(child<QPushButton>("go"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("connectCluster"), 20'000);
    QTest::mouseClick(child<QPushButton>("connectCluster"), Qt::LeftButton);
    QTRY_VERIFY(m_application->window().findChild<ConnectDialog *>());
    connectByHand();
    QTest::keyClick(child<QLineEdit>("name"), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(child<QLineEdit>("name"), QStringLiteral("second"));
    QTest::mouseClick(child<QPushButton>("go"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_application->engine().remotes.all().size(), 2u, 20'000);
    QTRY_VERIFY(!m_application->window().findChild<ConnectDialog *>());
    QTRY_COMPARE_WITH_TIMEOUT(m_application->engine().inventory.snapshots().size(), 2u, 20'000);
}

void FirstRunTest::writesDownWhoKnockedWithoutAKey()
{
    BridgeClient stranger(
        {QStringLiteral(LABHELM_BIN "/labhelm-mcp"), QStringLiteral("--socket"), m_application->engine().mcp->path()});
    QVERIFY(!stranger.introduce());
    QTRY_COMPARE(m_application->engine().mcp->pairingRequests().size(), 1u);
    const auto hasRow = [this] {
        const auto page = await(m_application->engine().query->page({}, 0, 50));
        return page && !page->isEmpty() && page->first().actor.kind == Actor::Kind::Labhelm;
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasRow(), 10'000);
}

LABHELM_TEST(FirstRunTest)
#include "FirstRunTest.moc"
