#include "inventory/PollRhythm.h"
#include "support/TestMain.h"

using namespace std::chrono_literals;
using PollRhythm::Facts;
Q_DECLARE_METATYPE(Facts)

/// A cluster is asked as often as it is worth, and never for more than its share of the time.
class PollRhythmTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksAsOftenAsItIsWorth_data()
    {
        QTest::addColumn<Facts>("facts");
        QTest::addColumn<int>("ms");
        const auto row = [](const char *name, const Facts &facts, int ms) { QTest::newRow(name) << facts << ms; };
        row("somebody looks", {.quiet = 30s}, 2'000);
        row("a task runs", {.isTaskOn = true, .quiet = 1h}, 1'000);
        row("something has just happened", {.quiet = 3s}, 1'000);
        row("quiet for long", {.quiet = 10min}, 5'000);
        row("nobody looks", {.isWatched = false, .quiet = 30s}, 10'000);
        row("nobody looks, though something has just happened", {.isWatched = false}, 10'000);
        row("nobody looks, a task runs", {.isWatched = false, .isTaskOn = true, .quiet = 1h}, 2'000);
        row("a slow cluster gets four times the time it took", {.quiet = 30s, .took = 3s}, 12'000);
        row("a slow cluster, though a task runs", {.isTaskOn = true, .took = 2s}, 8'000);
        row("a very slow cluster", {.quiet = 30s, .took = 50s}, 30'000);
        row("away once", {.failures = 1, .quiet = 1h}, 2'000);
        row("away three times", {.failures = 3, .quiet = 1h}, 8'000);
        row("away for hours", {.failures = 4'000, .quiet = 1h}, 30'000);
        row("away and nobody looks", {.isWatched = false, .failures = 1, .quiet = 1h}, 10'000);
    }
    void asksAsOftenAsItIsWorth()
    {
        QFETCH(Facts, facts);
        QFETCH(int, ms);
        QCOMPARE(int(PollRhythm::pauseAfter(facts, PollPace(), 0).count()), ms);
    }
    void spreadsTheReturnsOfManyWindows()
    {
        const Facts away{.failures = 5};
        QCOMPARE(PollRhythm::pauseAfter(away, PollPace(), 0), 30'000ms);
        QCOMPARE(PollRhythm::pauseAfter(away, PollPace(), 0.5), 26'250ms);
        QCOMPARE(PollRhythm::pauseAfter(away, PollPace(), 1), 22'500ms);
        QCOMPARE(PollRhythm::pauseAfter(away, PollPace(), 7), 22'500ms);
    }
    void neverAsksForMoreThanAFifthOfTheTime()
    {
        for (auto took = 0ms; took < 7s; took += 37ms)
            for (const bool isTaskOn : {false, true})
                for (const int failures : {0, 1, 9}) {
                    const Facts facts{.isTaskOn = isTaskOn, .failures = failures, .took = took};
                    QVERIFY(PollRhythm::pauseAfter(facts, PollPace(), 1) >= 4 * took);
                }
    }
};

LABHELM_TEST(PollRhythmTest)
#include "PollRhythmTest.moc"
