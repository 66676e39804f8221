// Figures of the audit log: appends beside bare SQLite in the same run, then reading in a log of many calls.
// bench_AuditAppend [calls to read among, 1000000 if not said]
#include "audit/AuditLog.h"
#include "audit/AuditQuery.h"
#include "secrets/MemoryStore.h"
#include "store/Database.h"
#include <QCoreApplication>
#include <QCoro/QCoroTask>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QVariant>
#include <algorithm>
#include <cstdio>
#include <ctime>

static constexpr qint64 start = 1'760'000'000'000;
static constexpr qint64 year = 365LL * 24 * 3600 * 1000;

static AuditEvent event(qint64 number, AuditEvent::Kind kind, qint64 wallMs)
{
    const bool isPerson = number % 3 == 0;
    QJsonObject actor{{QStringLiteral("kind"), isPerson ? QStringLiteral("person") : QStringLiteral("agent")}};
    if (!isPerson)
        actor.insert(QStringLiteral("id"), QStringLiteral("agent-%1").arg(number % 7));
    const bool isRead = kind == AuditEvent::Kind::Read;
    return {.callId = QStringLiteral("c%1").arg(number, 12, 10, QLatin1Char('0')),
            .kind = kind,
            .wallMs = wallMs,
            .utcOffset = 3600,
            .body = {{QStringLiteral("actor"), actor},
                     {QStringLiteral("operation"),
                      isRead ? QStringLiteral("guest.get") : QStringLiteral("guest.config.set")},
                     {QStringLiteral("effect"), isRead ? QStringLiteral("Reads") : QStringLiteral("Changes")},
                     {QStringLiteral("remote"), QStringLiteral("homelab")},
                     {QStringLiteral("target"), QStringLiteral("homelab:%1").arg(100 + number % 200)},
                     {QStringLiteral("targetLabel"), QStringLiteral("web %1").arg(100 + number % 200)},
                     {QStringLiteral("headline"), number % 50'000 == 7
                                                      ? QStringLiteral("Look at the needle")
                                                      : QStringLiteral("Look at web %1").arg(100 + number % 200)},
                     {QStringLiteral("state"), QStringLiteral("done")},
                     {QStringLiteral("durationMs"), 12}}};
}

static QCoro::Task<> appendUntil(AuditLog *log, AuditEvent::Kind kind, const QElapsedTimer *clock, qint64 untilMs,
                                 qint64 *count, int *running)
{
    static qint64 number = 0;
    while (clock->elapsed() < untilMs) {
        const auto next = event(++number, kind, 0);
        auto seq = co_await log->append(next);
        if (!seq)
            std::fprintf(stderr, "%s\n", qPrintable(seq.error().message));
        *count += seq ? 1 : 0;
    }
    --*running;
}

/// Microseconds of processor time, of all threads: tells the work from what the disk and other programs take.
static double processorUs()
{
    return double(std::clock()) * 1e6 / CLOCKS_PER_SEC;
}

struct Rate {
    double perSecond = 0, processorUs = 0;
};

static Rate appendsPerSecond(AuditLog &log, AuditEvent::Kind kind, int inFlight)
{
    QElapsedTimer clock;
    clock.start();
    const auto before = processorUs();
    qint64 count = 0;
    int running = inFlight;
    for (int i = 0; i < inFlight; ++i)
        appendUntil(&log, kind, &clock, 2000, &count, &running);
    while (running > 0)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return {double(count) * 1000 / double(clock.elapsed()),
            (processorUs() - before) / double(std::max<qint64>(1, count))};
}

/// The same bytes into one plain table, one transaction a group: what the disk and SQLite give at best.
static double bareRowsPerSecond(const QString &folder, const QByteArray &body, bool isFull, int group)
{
    QFile sql(folder + QStringLiteral("/001-bare.sql"));
    if (!sql.open(QIODevice::WriteOnly) || sql.write("CREATE TABLE bare (id INTEGER PRIMARY KEY, body BLOB);\n") < 0)
        return 0;
    sql.close();
    auto database = Database::open(folder + QStringLiteral("/bare/bare.sqlite"), folder, Database::Access::Write);
    if (!database || !(*database)->run(isFull ? QStringLiteral("PRAGMA synchronous=FULL")
                                              : QStringLiteral("PRAGMA synchronous=NORMAL")))
        return 0;
    auto insert = (*database)->prepare(QStringLiteral("INSERT INTO bare (body) VALUES (?)"));
    QElapsedTimer clock;
    clock.start();
    qint64 count = 0;
    while (clock.elapsed() < 2000) {
        auto done = (*database)->transact([&]() -> Result<> {
            for (int i = 0; i < group; ++i) {
                insert->bindValue(0, body);
                if (auto ran = (*database)->run(*insert); !ran)
                    return ran;
            }
            return {};
        });
        count += done ? group : 0;
    }
    return double(count) * 1000 / double(clock.elapsed());
}

template <class T>
static Result<T> wait(Future<T> future)
{
    while (!future.isReady())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return future.await_resume();
}

template <class Ask>
static void median(const char *what, Ask ask)
{
    QList<qint64> times;
    const auto before = processorUs();
    for (int i = 0; i < 15; ++i) {
        QElapsedTimer clock;
        clock.start();
        if (const auto answer = wait(ask()); !answer)
            std::fprintf(stderr, "%s: %s\n", what, qPrintable(answer.error().message));
        times.append(clock.nsecsElapsed());
    }
    const auto each = (processorUs() - before) / 15 / 1000;
    std::sort(times.begin(), times.end());
    std::printf("  %-52s %9.2f ms median %9.2f ms worst %9.2f ms of processor time\n", what, double(times[7]) / 1e6,
                double(times[14]) / 1e6, each);
}

static void fill(AuditLog &log, qint64 calls)
{
    std::vector<Future<qint64>> answers;
    for (qint64 i = 0; i < calls; ++i) {
        const qint64 at = start + i * (year / calls);
        if (i % 10) {
            answers.push_back(log.append(event(i, AuditEvent::Kind::Read, at)));
        } else {
            answers.push_back(log.append(event(i, AuditEvent::Kind::Intent, at)));
            auto outcome = event(i, AuditEvent::Kind::Outcome, at + 900);
            if (i % 20)
                outcome.body.insert(QStringLiteral("inverse"),
                                    QJsonObject{{QStringLiteral("operation"), QStringLiteral("guest.config.set")}});
            answers.push_back(log.append(outcome));
        }
        if (answers.size() >= 10'000 || i + 1 == calls) {
            for (auto &answer : answers)
                (void)wait(std::move(answer));
            answers.clear();
        }
    }
}

static void measureAppends(const QString &folder)
{
    MemoryStore secrets;
    AuditLog log(folder + QStringLiteral("/appends"), secrets);
    if (const auto opened = log.open(); !opened)
        return (void)std::fprintf(stderr, "%s\n", qPrintable(opened.error().message));
    const auto body = QByteArray(330, 'b');
    std::printf("Appends a second, by how many wait at once (log: hash, chain, table of calls; bare: one table, same "
                "groups)\n");
    for (const int inFlight : {1, 10, 100, 1000}) {
        for (const bool isFull : {true, false}) {
            const auto ours =
                appendsPerSecond(log, isFull ? AuditEvent::Kind::Intent : AuditEvent::Kind::Read, inFlight);
            const auto bare = bareRowsPerSecond(folder, body, isFull, inFlight);
            std::printf("  %-24s %5d at once %8.0f, bare %8.0f: %5.2f of it; %6.1f us of processor time each\n",
                        isFull ? "changes (fsync a group)" : "reads (no fsync)", inFlight, ours.perSecond, bare,
                        bare > 0 ? ours.perSecond / bare : 0, ours.processorUs);
        }
    }
}

static void measureQueries(AuditLog &log, qint64 calls)
{
    AuditQuery query(log);
    const qint64 middle = start + year / 2;
    const qint64 week = 7LL * 24 * 3600 * 1000;
    const CallFilter person{.actorKind = Actor::Kind::Person};
    median("page of 200, newest", [&] { return query.page({}, 0, 200); });
    median("page of 200, from the middle", [&] { return query.page({}, calls / 2, 200); });
    median("page, people", [&] { return query.page(person, 0, 200); });
    median("page, one guest", [&] { return query.page({.target = QStringLiteral("homelab:117")}, 0, 200); });
    median("page, a week in the middle", [&] { return query.page({.fromMs = middle, .toMs = middle + week}, 0, 200); });
    median("page, half a year", [&] { return query.page({.fromMs = start + year / 10, .toMs = middle}, 0, 200); });
    median("page, a month + people + changes", [&] {
        return query.page(
            {.fromMs = middle, .toMs = middle + 4 * week, .actorKind = Actor::Kind::Person, .effect = Effect::Changes},
            0, 200);
    });
    median("page, undoable", [&] { return query.page({.onlyUndoable = true}, 0, 200); });
    median("page, text in many rows", [&] { return query.page({.text = QStringLiteral("web 150")}, 0, 200); });
    median("page, text in few rows (whole table)",
           [&] { return query.page({.text = QStringLiteral("needle")}, 0, 200); });
    median("histogram of 120, all", [&] { return query.histogram({.fromMs = start, .toMs = start + year}, 120); });
    median("histogram of 120, a week", [&] { return query.histogram({.fromMs = middle, .toMs = middle + week}, 120); });
    median("histogram of 120, all, changes only",
           [&] { return query.histogram({.fromMs = start, .toMs = start + year, .effect = Effect::Changes}, 120); });
    median("detail",
           [&] { return query.detail(QStringLiteral("c%1").arg(calls / 20 * 10, 12, 10, QLatin1Char('0'))); });
    median("unsettled", [&] { return query.unsettled(); });
}

static void measureReading(const QString &folder, qint64 calls)
{
    MemoryStore secrets;
    AuditLog log(folder + QStringLiteral("/many"), secrets);
    if (const auto opened = log.open(); !opened)
        return (void)std::fprintf(stderr, "%s\n", qPrintable(opened.error().message));
    QElapsedTimer clock;
    clock.start();
    fill(log, calls);
    std::printf("%lld calls written in %.1f s, %lld MB\n", static_cast<long long>(calls),
                double(clock.elapsed()) / 1000, static_cast<long long>(QFile(log.file()).size() / 1'000'000));
    measureQueries(log, calls);
    AuditQuery query(log);
    clock.restart();
    const auto before = processorUs();
    const auto report = wait(query.verify());
    const auto work = processorUs() - before;
    if (report)
        std::printf("  verify: %lld events in %.1f s, %.0f a second, %.1f us of processor time each; %s\n",
                    static_cast<long long>(report->events), double(clock.elapsed()) / 1000,
                    double(report->events) * 1000 / double(clock.elapsed()), work / double(report->events),
                    qPrintable(report->finding));
    clock.restart();
    AuditLog again(folder + QStringLiteral("/many"), secrets);
    const auto opened = again.open();
    const auto openMs = clock.elapsed();
    (void)wait(again.append(event(calls + 1, AuditEvent::Kind::Intent, 0)));
    std::printf("  open: %lld ms (%s); checked and first change written after %lld ms\n",
                static_cast<long long>(openMs), opened ? "ok" : "refused", static_cast<long long>(clock.elapsed()));
}

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    const auto arguments = QCoreApplication::arguments();
    const qint64 calls = arguments.size() > 1 ? arguments[1].toLongLong() : 1'000'000;
    const QTemporaryDir folder;
    measureAppends(folder.path());
    measureReading(folder.path(), calls);
    return 0;
}
