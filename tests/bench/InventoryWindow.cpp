// How long the window's thread stands still while a cluster of 10,000 guests is polled and shown in the real tree and
// table, over real sockets. The cluster is labhelm-simulator in a process of its own.
#include "base/StrictJson.h"
#include "inventory/Poller.h"
#include "pages/inventory/InventoryPage.h"
#include "pages/inventory/InventoryTree.h"
#include "pve/Connection.h"
#include "secrets/MemoryStore.h"
#include "support/LoopWatch.h"
#include "widgets/GuestTable.h"
#include <QApplication>
#include <QLineEdit>
#include <QProcess>
#include <QTimer>
#include <cstdio>
#include <fstream>

using namespace std::chrono_literals;

namespace
{
constexpr int guests = 10'000;

double residentMb()
{
    std::ifstream file("/proc/self/statm");
    long whole = 0, resident = 0;
    file >> whole >> resident;
    return double(resident) * 4096 / 1e6;
}

/// Processor time of the whole process.
double workedMs()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

void turn(std::chrono::milliseconds time)
{
    QEventLoop loop;
    QTimer::singleShot(time, &loop, &QEventLoop::quit);
    loop.exec();
}

QByteArray lineOf(QProcess &process)
{
    while (!process.canReadLine())
        if (!process.waitForReadyRead(120'000))
            return {};
    return process.readLine().trimmed();
}

/// Where the simulator listens, with the token that it made.
std::optional<Remote> start(QProcess &simulator, QByteArray &token)
{
    simulator.start(
        QStringLiteral(LABHELM_BIN "/labhelm-simulator"),
        {QStringLiteral("--control"), QStringLiteral("stdio"), QStringLiteral("--guests"), QString::number(guests)});
    const auto words = lineOf(simulator).split(' ');
    if (words.size() != 3)
        return {};
    Remote remote;
    const auto address = QStringLiteral("127.0.0.1:") + QString::fromLatin1(words[1]);
    remote.id = remote.name = QStringLiteral("big");
    remote.addresses = QStringList{address};
    remote.user = QStringLiteral("labhelm@pve!desktop");
    remote.pins.insert(address, QByteArray::fromHex(QByteArray(words[2]).replace(':', "")));
    simulator.write("{\"id\":0,\"do\":\"accounts\"}\n");
    const auto accounts = StrictJson::parseObject(lineOf(simulator));
    if (!accounts)
        return {};
    token = accounts->value(QLatin1String("result"))[QLatin1String("tokens")][remote.user].toString().toUtf8();
    return remote;
}

void say(const char *what, const LoopWatch &watch)
{
    std::printf("longest stall, %-34s %8.2f ms of work, %8.2f ms on the wall (at most 50 wanted)\n", what,
                watch.longestBusyMs(), watch.longestWallMs());
}

template <class Step>
void during(const char *what, std::chrono::milliseconds time, Step step)
{
    const LoopWatch watch;
    QTimer::singleShot(0, step);
    turn(time);
    say(what, watch);
}

/// The real tree and table over a cluster, as the window has them.
struct Shown {
    Shown()
    {
        page.resize(1280, 800);
        page.show();
        table.resize(900, 600);
        table.show();
        QObject::connect(&inventory, &Inventory::changed, &table,
                         [this](const QString &id) { table.show(inventory.snapshot(id)); });
        turn(200ms);
    }
    Inventory inventory;
    InventoryPage page{inventory};
    GuestTable table;
};

void measure(Shown &shown, Connections &connections, const Remote &remote)
{
    const auto before = residentMb();
    std::unique_ptr<Poller> poller;
    int rounds = 0;
    QObject::connect(&shown.inventory, &Inventory::refreshed, &shown.inventory, [&] { ++rounds; });
    during("the first answer, tree and table filled", 6s,
           [&] { poller = std::make_unique<Poller>(connections.open(remote), shown.inventory); });
    const auto state = shown.inventory.snapshot(remote.id);
    std::printf("%zu guests on %zu nodes are shown\n", state->guests.size(), state->nodes.size());
    std::printf("memory for them with tree and table %8.1f MB (%.1f MB in all, at most 400 wanted)\n",
                residentMb() - before, residentMb());
    rounds = 0;
    const auto worked = workedMs();
    during("polled for 20 s", 20s, [] {});
    std::printf("%d polls, %.2f ms of processor time of all threads for each\n", rounds,
                (workedMs() - worked) / std::max(rounds, 1));
    auto *filter = shown.page.findChild<QLineEdit *>();
    during("a filter is typed", 2s, [&] { filter->setText(QStringLiteral("1234")); });
    during("the filter is cleared", 2s, [&] { filter->clear(); });
    std::printf("memory at the end %8.1f MB\n", residentMb());
}
}

int main(int argc, char *argv[])
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QProcess simulator;
    QByteArray token;
    const auto remote = start(simulator, token);
    if (!remote)
        return 1;
    MemoryStore secrets;
    Q_UNUSED(secrets.write(remote->secretKey(), Secret(token)))
    Connections connections(secrets);
    Shown shown;
    measure(shown, connections, *remote);
    simulator.closeWriteChannel();
    simulator.waitForFinished();
    return 0;
}
