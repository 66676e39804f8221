#include "Application.h"
#include "base/PrivateFile.h"
#include "inventory/InventoryCache.h"
#include "pages/inventory/InventoryPage.h"
#include "remotes/RemoteList.h"
#include "secrets/MemoryStore.h"
#include "shell/MainWindow.h"
#include "simulator/world/Homelab.h"
#include "support/TestCluster.h"
#include <QAbstractItemView>
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>

namespace
{
/// What a process holds alone plus its share of what it holds with others, in MiB.
double memory()
{
    QFile rollup(QStringLiteral("/proc/self/smaps_rollup"));
    if (rollup.open(QIODevice::ReadOnly))
        for (const auto &line : rollup.readAll().split('\n'))
            if (line.startsWith("Pss:"))
                return line.simplified().split(' ')[1].toDouble() / 1024;
    return 0;
}

void say(const char *word)
{
    std::printf("%s %.1f\n", word, memory());
    std::fflush(stdout);
}

/// Tells when a widget has been painted while `isReady` held.
class PaintWatch : public QObject
{
public:
    PaintWatch(QWidget *watched, std::function<bool()> isReady, std::function<void()> then)
        : QObject(watched), m_isReady(std::move(isReady)), m_then(std::move(then))
    {
        watched->installEventFilter(this);
    }

private:
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Paint && m_isReady())
            QMetaObject::invokeMethod(
                this, [this] { std::exchange(m_then, [] {})(); }, Qt::QueuedConnection);
        return false;
    }
    std::function<bool()> m_isReady;
    std::function<void()> m_then;
};

/// The least that a program with a window needs.
int emptyWindow(QApplication &application)
{
    QWidget window;
    window.resize(1280, 800);
    new PaintWatch(
        &window, [] { return true; },
        [&application] {
            say("usable");
            application.quit();
        });
    window.show();
    return QApplication::exec();
}

/// Labhelm on what an earlier run left in `folder`: usable when the tree with its guests has been painted.
int desktop(QApplication &application, const QString &folder, const QString &remoteId, bool waitsForCluster)
{
    CommandLine line;
    line.dataFolder = folder;
    auto secrets = std::make_unique<MemoryStore>();
    Q_UNUSED(secrets->write(QStringLiteral("remote/%1/token").arg(remoteId),
                            Secret(Homelab::tokenSecret(QStringLiteral("labhelm@pve!desktop")).toUtf8())));
    const Theme theme(Theme::Appearance::Light);
    Application labhelm(std::move(line), std::move(secrets));
    if (const auto started = labhelm.start(); !started)
        qFatal("%s", qPrintable(started.error().message));
    auto *tree = labhelm.window().findChild<QAbstractItemView *>(QStringLiteral("inventory"));
    const auto state = [&labhelm, &remoteId] { return labhelm.engine().inventory.snapshot(remoteId); };
    new PaintWatch(
        tree->viewport(), [tree] { return tree->model()->rowCount() > 0; },
        [&application, waitsForCluster] {
            say("usable");
            if (!waitsForCluster)
                application.quit();
        });
    QObject::connect(&labhelm.engine().inventory, &Inventory::changed, &application, [&] {
        if (waitsForCluster && state() && state()->reach == InventorySnapshot::Reach::Live)
            QTimer::singleShot(5000, &application, [&application] {
                say("live");
                application.quit();
            });
    });
    return QApplication::exec();
}

/// A folder as an earlier run leaves it.
void leaveBehind(const QString &folder, TestCluster &cluster, Remote remote)
{
    const QString config = folder + QStringLiteral("/config");
    if (!PrivateFile::makeFolder(config))
        qFatal("no folder");
    RemoteList remotes(config + QStringLiteral("/connections.json"));
    if (!remotes.load() || !remotes.addPrepared(remote))
        qFatal("no connection");
    InventoryCache cache(folder + QStringLiteral("/data/inventory"), cluster.inventory, std::chrono::milliseconds(0));
    if (!cluster.refresh() || !await(cache.flush()))
        qFatal("no cache");
}

struct Start {
    double milliseconds = 0, memory = 0, liveMemory = 0;
};

Start startOnce(const QStringList &arguments)
{
    Start start;
    QElapsedTimer clock;
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    clock.start();
    process.start(QCoreApplication::applicationFilePath(), arguments);
    QObject::connect(&process, &QProcess::readyReadStandardOutput, &process, [&] {
        while (process.canReadLine()) {
            const auto words = process.readLine().trimmed().split(' ');
            if (words[0] == "usable") {
                start.milliseconds = double(clock.nsecsElapsed()) / 1e6;
                start.memory = words[1].toDouble();
            } else {
                start.liveMemory = words[1].toDouble();
            }
        }
    });
    if (!waitUntil([&process] { return process.state() == QProcess::NotRunning; }, std::chrono::minutes(1)))
        qFatal("a window did not come");
    return start;
}

Start median(const QStringList &arguments, int count)
{
    std::vector<Start> all;
    for (int i = 0; i < count; ++i)
        all.push_back(startOnce(arguments));
    std::sort(all.begin(), all.end(),
              [](const Start &one, const Start &other) { return one.milliseconds < other.milliseconds; });
    return all[all.size() / 2];
}
} // namespace

/// How long it takes from starting the program to a window full of guests, read from the cache while the cluster is
/// away, beside an empty window in the same run; and what memory it holds then, and when the cluster answers.
int main(int argc, char *argv[])
{
    QApplication application(argc, argv);
    const auto words = QApplication::arguments();
    if (words.value(1) == QLatin1String("empty"))
        return emptyWindow(application);
    if (words.value(1) == QLatin1String("desktop"))
        return desktop(application, words.value(2), words.value(3), words.value(4) == QLatin1String("live"));

    const int runs = words.size() > 1 ? words[1].toInt() : 11;
    const auto empty = median({QStringLiteral("empty")}, runs);
    std::printf("an empty window: %.0f ms, %.1f MiB\n", empty.milliseconds, empty.memory);
    for (const int guests : {40, 1000, 10'000}) {
        TestClusterOptions options;
        options.guests = guests;
        TestCluster cluster(options);
        const QTemporaryDir away, there;
        auto remote = cluster.remote;
        leaveBehind(there.path(), cluster, remote);
        remote.addresses = QStringList{QStringLiteral("127.0.0.1:1")};
        leaveBehind(away.path(), cluster, remote);
        const QString mode = QStringLiteral("desktop");
        const auto cached = median({mode, away.path(), remote.id}, runs);
        const auto live = startOnce({mode, there.path(), remote.id, QStringLiteral("live")});
        std::printf("%d guests from the cache: %.0f ms = %.2f empty windows, %.1f MiB; with the cluster %.1f MiB\n",
                    guests, cached.milliseconds, cached.milliseconds / empty.milliseconds, cached.memory,
                    live.liveMemory);
    }
    return 0;
}
