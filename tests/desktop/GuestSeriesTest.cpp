#include "pages/guest/GuestSeries.h"
#include "support/TestMain.h"
#include <QJsonObject>
#include <cmath>

/// A guest's load over time.
class GuestSeriesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepsAGapWhereNothingWasMeasured();
    void readsNumbersThatComeAsText();
    void goesOnWithWhatIsWatched();
    void reckonsRatesFromCounters();
    void showsAGapWhenACounterWentBack();
    void dropsWatchedPointsThatAreKeptByNow();
    void addsNothingWhileTheGuestIsDown();
    void saysUnknownWhereNothingIsKnown();

private:
    static QJsonObject point(double time, const QJsonValue &cpu)
    {
        return {{QStringLiteral("time"), time}, {QStringLiteral("cpu"), cpu}, {QStringLiteral("netout"), 100.0}};
    }
    static GuestState running(double cpu, qint64 netOut)
    {
        GuestState guest;
        guest.power = GuestState::Power::Running;
        guest.cpu = cpu;
        guest.netOut = netOut;
        return guest;
    }
};

void GuestSeriesTest::keepsAGapWhereNothingWasMeasured()
{
    GuestSeries series;
    series.keep({point(60, 0.5), QJsonObject{{QStringLiteral("time"), 120}}, point(180, 0.0)});
    const auto cpu = series.values(GuestSeries::Cpu);
    QCOMPARE(series.times(), (QVector<double>{60, 120, 180}));
    QVERIFY(std::isnan(cpu[1]));
    QCOMPARE(cpu[2], 0.0);
}

void GuestSeriesTest::readsNumbersThatComeAsText()
{
    GuestSeries series;
    series.keep({point(60, QStringLiteral("0.25"))});
    QCOMPARE(series.newest(GuestSeries::Cpu), std::optional(0.25));
}

void GuestSeriesTest::goesOnWithWhatIsWatched()
{
    GuestSeries series;
    series.keep({point(60, 0.1), point(120, 0.2), QJsonObject{{QStringLiteral("time"), 180}}});
    series.watch(running(0.3, 1000), 130'000);
    QCOMPARE(series.times(), (QVector<double>{60, 120, 130})); // the unfinished interval would hide it
    QCOMPARE(series.newest(GuestSeries::Cpu), std::optional(0.3));
}

void GuestSeriesTest::reckonsRatesFromCounters()
{
    GuestSeries series;
    series.watch(running(0.1, 1000), 10'000);
    series.watch(running(0.1, 5000), 12'000);
    const auto out = series.values(GuestSeries::NetOut);
    QVERIFY(std::isnan(out[0]));
    QCOMPARE(out[1], 2000.0);
}

void GuestSeriesTest::showsAGapWhenACounterWentBack()
{
    GuestSeries series;
    series.watch(running(0.1, 5000), 10'000);
    series.watch(running(0.1, 10), 12'000);
    QVERIFY(std::isnan(series.values(GuestSeries::NetOut)[1]));
}

void GuestSeriesTest::dropsWatchedPointsThatAreKeptByNow()
{
    GuestSeries series;
    series.watch(running(0.1, 0), 90'000);
    series.watch(running(0.1, 0), 150'000);
    series.keep({point(60, 0.1), point(120, 0.2)});
    QCOMPARE(series.times(), (QVector<double>{60, 120, 150}));
}

void GuestSeriesTest::addsNothingWhileTheGuestIsDown()
{
    GuestSeries series;
    auto guest = running(0.1, 0);
    guest.power = GuestState::Power::Stopped;
    series.watch(guest, 90'000);
    QVERIFY(series.times().isEmpty());
}

void GuestSeriesTest::saysUnknownWhereNothingIsKnown()
{
    GuestSeries series;
    QVERIFY(!series.newest(GuestSeries::Memory));
    series.keep({point(60, 0.5)});
    QVERIFY(!series.newest(GuestSeries::Memory));
}

LABHELM_TEST(GuestSeriesTest)
#include "GuestSeriesTest.moc"
