#include "Application.h"
#include "base/StrictJson.h"
#include "pages/inventory/InventoryPage.h"
#include "remotes/RemoteList.h"
#include "secrets/MemoryStore.h"
#include "shell/MainWindow.h"
#include "support/Await.h"
#include "support/LoopWatch.h"
#include "support/TestMain.h"
#include <QLineEdit>
#include <QProcess>
#include <QTabWidget>
#include <QTemporaryDir>

/// The window answers at once, however slow the cluster is.
class ResponsivenessTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void answersAtOnceOverASlowCluster();

private:
    QByteArray lineOf(QProcess &process) const;
    void command(const QByteArray &json);
    void walk(const char *what, const std::function<void()> &step);
    void walkThePages(Application &application, const QString &remote);
    static constexpr int latencyMs = 1500;
    QProcess m_simulator;
    Remote m_remote;
    QByteArray m_token;
    QTemporaryDir m_folder;
    double m_worstBusy = 0, m_worstWall = 0;
};

QByteArray ResponsivenessTest::lineOf(QProcess &process) const
{
    while (!process.canReadLine())
        if (!process.waitForReadyRead(20'000))
            return {};
    return process.readLine().trimmed();
}

void ResponsivenessTest::command(const QByteArray &json)
{
    m_simulator.write(json + '\n');
    QVERIFY(StrictJson::parseObject(lineOf(m_simulator))->value(QLatin1String("ok")).toBool());
}

void ResponsivenessTest::initTestCase()
{
    m_simulator.start(QStringLiteral(LABHELM_BIN "/labhelm-simulator"),
                      {QStringLiteral("--control"), QStringLiteral("stdio")});
    const auto words = lineOf(m_simulator).split(' ');
    QCOMPARE(words.size(), 3);
    const auto address = QStringLiteral("127.0.0.1:") + QString::fromLatin1(words[1]);
    m_remote.name = QStringLiteral("slow");
    m_remote.addresses = QStringList{address};
    m_remote.user = QStringLiteral("labhelm@pve!desktop");
    m_remote.pins.insert(address, QByteArray::fromHex(QByteArray(words[2]).replace(':', "")));
    m_simulator.write("{\"id\":0,\"do\":\"accounts\"}\n");
    const auto accounts = StrictJson::parseObject(lineOf(m_simulator));
    QVERIFY(accounts);
    m_token = accounts->value(QLatin1String("result"))[QLatin1String("tokens")][m_remote.user].toString().toUtf8();
    command("{\"id\":1,\"do\":\"latency\",\"ms\":" + QByteArray::number(latencyMs) + '}');
}

void ResponsivenessTest::cleanupTestCase()
{
    m_simulator.closeWriteChannel();
    QVERIFY(m_simulator.waitForFinished());
}

/// Does one thing and lets the loop run on for a while; the longest stretch of all counts.
void ResponsivenessTest::walk(const char *what, const std::function<void()> &step)
{
    const LoopWatch watch;
    QMetaObject::invokeMethod(this, step, Qt::QueuedConnection);
    waitUntil([] { return false; }, std::chrono::milliseconds(250)); // the stretch that is watched
    qInfo("%-28s busy %5.1f ms, wall %6.1f ms", what, watch.longestBusyMs(), watch.longestWallMs());
    m_worstBusy = std::max(m_worstBusy, watch.longestBusyMs());
    m_worstWall = std::max(m_worstWall, watch.longestWallMs());
}

void ResponsivenessTest::answersAtOnceOverASlowCluster()
{
    CommandLine line;
    line.dataFolder = m_folder.path();
    RemoteList list(Application::foldersOf(line).config + QStringLiteral("/connections.json"));
    QVERIFY(list.load());
    const auto kept = list.add(m_remote);
    QVERIFY2(kept, qPrintable(kept ? QString() : kept.error().message));
    auto secrets = std::make_unique<MemoryStore>();
    Q_UNUSED(secrets->write(kept->secretKey(), Secret(m_token)))
    Application application(line, std::move(secrets));
    QVERIFY(application.start());
    const auto isThere = [&] {
        const auto state = application.engine().inventory.snapshot(kept->id);
        return state && state->reach == InventorySnapshot::Reach::Live;
    };
    walk("after the start", [] {});
    QTRY_VERIFY_WITH_TIMEOUT(isThere(), 30'000);
    walk("tree filled", [] {});
    walkThePages(application, kept->id);
    QVERIFY2(m_worstWall < latencyMs / 2, "nothing waits for the network");
#ifdef __SANITIZE_ADDRESS__
    QVERIFY(m_worstBusy < 400);
#else
    QVERIFY(m_worstBusy <= 50);
#endif
}

void ResponsivenessTest::walkThePages(Application &application, const QString &remote)
{
    auto &pages = application.inventoryPage();
    const auto show = [&](qint64 vmid) {
        pages.select({.kind = Selection::Kind::Guest, .remote = remote, .vmid = *Vmid::from(vmid)});
    };
    for (const qint64 vmid : {104, 101, 107, 301})
        walk("another guest", [&] { show(vmid); });
    QTabWidget *tabs = nullptr;
    for (auto *each : pages.findChildren<QTabWidget *>())
        if (each->accessibleName() == QLatin1String("Parts of this guest"))
            tabs = each;
    show(104);
    QVERIFY(tabs && tabs->count() >= 3);
    for (int at = 0; at < tabs->count(); ++at)
        walk("another tab", [&, at] { tabs->setCurrentIndex(at); });
    walk("filter", [&] { pages.findChild<QLineEdit *>()->setText(QStringLiteral("media")); });
    walk("filter cleared", [&] { pages.findChild<QLineEdit *>()->clear(); });
    for (const auto &page : application.window().pages())
        walk("another page", [&] { application.window().showPage(page); });
}

LABHELM_TEST(ResponsivenessTest)
#include "ResponsivenessTest.moc"
