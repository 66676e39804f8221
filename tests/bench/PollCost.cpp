// What one poll costs at 40, 1,000 and 10,000 guests, from the bytes of the answers to the published state with its
// differences: processor time of all threads, wall time, the owner's thread alone; as a ratio to a bare parse of the
// same bytes. And how much memory a state takes.
#include "inventory/Poller.h"
#include "pve/Client.h"
#include "pve/Session.h"
#include "secrets/MemoryStore.h"
#include "support/ManyAnswers.h"
#include "support/ScriptedTransport.h"
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <malloc.h>

using namespace std::chrono_literals;

namespace
{
double cpuMs(clockid_t which)
{
    timespec time{};
    ::clock_gettime(which, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

double residentMb()
{
    ::malloc_trim(0);
    std::ifstream file("/proc/self/statm");
    long whole = 0, resident = 0;
    file >> whole >> resident;
    return double(resident) * 4096 / 1e6;
}

/// Median of its processor time, in milliseconds.
double bareParse(const QByteArray &text, int repeats)
{
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        const auto before = cpuMs(CLOCK_THREAD_CPUTIME_ID);
        const auto parsed = QJsonDocument::fromJson(text);
        times.push_back(parsed.isObject() ? cpuMs(CLOCK_THREAD_CPUTIME_ID) - before : 0);
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[size_t(repeats / 2)];
}

void script(ScriptedTransport &transport, const QByteArray (&texts)[2])
{
    transport.script("/version", QJsonObject{{QStringLiteral("version"), QStringLiteral("9.1.6")}});
    transport.script("/cluster/status", QJsonArray());
    transport.script("/cluster/tasks", QJsonArray());
    transport.script("/access/permissions", QJsonObject());
    transport.script("/cluster/resources", [&texts, asked = 0]() mutable -> Result<HttpAnswer> {
        return ScriptedTransport::text(200, QStringLiteral("OK"), texts[++asked % 2]);
    });
}

void measure(int guests)
{
    const int nodes = std::max(3, guests / 200), rounds = guests > 5'000 ? 30 : 200;
    const QByteArray texts[] = {ManyAnswers::resources(guests, nodes, 1), ManyAnswers::resources(guests, nodes, 2)};
    const auto bare = bareParse(texts[0], 31);
    MemoryStore secrets;
    Remote remote;
    remote.id = QStringLiteral("big-1");
    remote.user = QStringLiteral("root@pam!bench");
    Q_UNUSED(secrets.write(remote.secretKey(), Secret("secret")));
    ScriptedTransport transport;
    script(transport, texts);
    Session session(remote, transport, secrets);
    Client client(transport, session);
    Inventory inventory;
    const PollPace onDemand{.active = 1h, .idle = 1h, .gap = 0ms};
    Poller poller(client, remote.id, remote.id, inventory, Clock::system(), onDemand);
    double cpu = 0, owner = 0;
    QElapsedTimer wall;
    int done = 0;
    QObject::connect(&inventory, &Inventory::refreshed, &inventory, [&] {
        if (++done == 3) { // what is made once is made
            cpu = cpuMs(CLOCK_PROCESS_CPUTIME_ID);
            owner = cpuMs(CLOCK_THREAD_CPUTIME_ID);
            wall.start();
        }
        if (done == 3 + rounds)
            QCoreApplication::quit();
        else
            QTimer::singleShot(0, &poller, [&] { Q_UNUSED(poller.refresh()); });
    });
    QCoreApplication::exec();
    cpu = (cpuMs(CLOCK_PROCESS_CPUTIME_ID) - cpu) / rounds;
    owner = (cpuMs(CLOCK_THREAD_CPUTIME_ID) - owner) / rounds;
    const auto elapsed = double(wall.nsecsElapsed()) / 1e6 / rounds;
    std::printf("%6d guests: a poll takes %8.3f ms of processor (%5.2f of a bare parse of %8.3f ms), %8.3f ms on the "
                "wall, %7.3f ms of it on the owner's thread\n",
                guests, cpu, cpu / bare, bare, elapsed, owner);
}

void measureMemory(int guests)
{
    const auto text = ManyAnswers::resources(guests, 50, 1);
    constexpr int copies = 10;
    std::vector<InventoryPtr> states;
    const auto before = residentMb();
    for (int i = 0; i < copies; ++i) {
        PollAnswers answers;
        answers.remoteId = QString::number(i);
        const auto json = StrictJson::parseObject(text);
        answers.resources = json ? json->value(QLatin1String("data")) : QJsonValue();
        answers.status = QJsonValue(QJsonArray());
        answers.tasks = QJsonValue(QJsonArray());
        if (auto state = readAnswers(answers, nullptr))
            states.push_back(std::make_shared<const InventorySnapshot>(std::move(*state)));
    }
    std::printf("%6d guests: a state takes %.1f MB; its answer had %.1f MB\n", guests, (residentMb() - before) / copies,
                double(text.size()) / 1e6);
}
}

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    for (const int guests : {40, 1'000, 10'000})
        measure(guests);
    measureMemory(10'000);
    return 0;
}
