// What a state of 10,000 guests costs: reading the bytes, turning them into a state, publishing it with its
// differences, keeping it on disk; and how long the owner's thread stands still while a poller does all of it. Ratios
// are to reading the bytes.
#include "inventory/InventoryFile.h"
#include "inventory/Poller.h"
#include "pve/Client.h"
#include "pve/Session.h"
#include "secrets/MemoryStore.h"
#include "support/ManyAnswers.h"
#include "support/ScriptedTransport.h"
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonArray>
#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace std::chrono_literals;

namespace
{
constexpr int guests = 10'000, nodes = 50, repeats = 15;

/// Median of several runs, in milliseconds.
template <class Work>
double median(Work work)
{
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        QElapsedTimer time;
        time.start();
        work(i);
        times.push_back(double(time.nsecsElapsed()) / 1e6);
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[repeats / 2];
}

PollAnswers answersOf(const QByteArray &text)
{
    PollAnswers answers;
    answers.remoteId = QStringLiteral("big-1");
    const auto json = StrictJson::parseObject(text);
    answers.resources = json ? json->value(QLatin1String("data")) : QJsonValue();
    answers.status = QJsonValue(QJsonArray());
    answers.tasks = QJsonValue(QJsonArray());
    return answers;
}

void say(const char *what, double ms, double parsing)
{
    std::printf("%-44s %8.2f ms   %6.4f of parsing\n", what, ms, ms / parsing);
}

void measureParts(const QByteArray (&texts)[2])
{
    const auto parsing = median([&](int i) { Q_UNUSED(StrictJson::parseObject(texts[i % 2])); });
    say("reading the bytes, strictly", parsing, parsing);
    const PollAnswers answers[] = {answersOf(texts[0]), answersOf(texts[1])};
    say("turning them into a state (worker)", median([&](int i) { Q_UNUSED(readAnswers(answers[i % 2], nullptr)); }),
        parsing);
    InventoryPtr states[2];
    for (int i = 0; i < 2; ++i)
        if (auto state = readAnswers(answers[i], nullptr))
            states[i] = std::make_shared<const InventorySnapshot>(std::move(*state));
    Inventory inventory;
    size_t changed = 0;
    QObject::connect(&inventory, &Inventory::changed, &inventory,
                     [&](const QString &, const InventoryDiff &diff) { changed = diff.changed.size(); });
    say("publishing, every guest changed (owner)", median([&](int i) { inventory.publish(states[i % 2]); }), parsing);
    std::printf("%-44s %zu of %d guests\n", "  changed in each", changed, guests);
    inventory.publish(states[0]);
    say("publishing, nothing changed (owner)", median([&](int) { inventory.publish(states[0]); }), parsing);
    say("finding a guest by its name (owner)",
        median([&](int) { Q_UNUSED(inventory.resolveGuest(QStringLiteral("guest-number-9999"))); }), parsing);
    QByteArray kept;
    say("writing the cache (worker)", median([&](int) { kept = InventoryFile::write(*states[0]); }), parsing);
    say("reading the cache (worker)", median([&](int) { Q_UNUSED(InventoryFile::parse(kept)); }), parsing);
    std::printf("%-44s %.2f MB, kept as %.2f MB\n", "  answer", double(texts[0].size()) / 1e6,
                double(kept.size()) / 1e6);
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

/// What this thread has worked so far; unlike the wall it does not count what other programs take.
double workedMs()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

/// The longest time between two turns of the loop while the poller works.
void measureStall(const QByteArray (&texts)[2])
{
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
    const PollPace eager{.active = 1ms, .idle = 1ms, .gap = 0ms};
    Poller poller(client, remote.id, remote.id, inventory, Clock::system(), eager);
    QElapsedTimer turn;
    double longest = 0, longestWork = 0, worked = workedMs();
    QTimer beat;
    QObject::connect(&beat, &QTimer::timeout, &beat, [&] {
        longest = std::max(longest, double(turn.nsecsElapsed()) / 1e6);
        longestWork = std::max(longestWork, workedMs() - std::exchange(worked, workedMs()));
        turn.restart();
    });
    QElapsedTimer all;
    QObject::connect(&inventory, &Inventory::refreshed, &inventory, [&] {
        if (poller.rounds() <= 2)
            longest = longestWork = 0; // what is made once: threads, plugins
        if (poller.rounds() > repeats)
            QCoreApplication::quit();
    });
    beat.start(0);
    turn.start();
    all.start();
    QCoreApplication::exec();
    const auto whole = double(all.nsecsElapsed()) / 1e6;
    std::printf("%-44s %8.2f ms, of which its own work %.2f (at most 50 wanted)\n",
                "longest stall of the owner's thread", longest, longestWork);
    std::printf("%-44s %8.2f ms, %d rounds\n", "  one round", whole / poller.rounds(), poller.rounds());
}
}

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    const QByteArray texts[] = {ManyAnswers::resources(guests, nodes, 1), ManyAnswers::resources(guests, nodes, 2)};
    std::printf("%d guests on %d nodes, median of %d\n", guests, nodes, repeats);
    measureParts(texts);
    measureStall(texts);
    return 0;
}
