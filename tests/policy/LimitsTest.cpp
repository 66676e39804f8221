#include "policy/Limits.h"
#include "support/TestMain.h"

/// What a program may use up: over a rate a call is refused, over a budget the program is paused.
class LimitsTest : public QObject
{
    Q_OBJECT
    static Actor agent(const char *id) { return {.kind = Actor::Kind::Agent, .id = QLatin1String(id)}; }
    Result<> call(const char *id, const QByteArray &arguments = {}, bool waitsOnly = false)
    {
        return m_limits->admit(agent(id), QStringLiteral("guest.get"), arguments, waitsOnly);
    }
    /// Another call each time.
    Result<> another(const char *id) { return call(id, QByteArray::number(++m_calls)); }
    void restart(qint64 offMs = 0)
    {
        const auto kept = m_limits->json();
        m_clock.wall += offMs;
        m_clock.monotonic = 5'000; // the machine has started anew
        const auto allowance = m_limits->allowance;
        m_limits = std::make_unique<Limits>(m_clock);
        m_limits->allowance = allowance;
        m_limits->restore(kept);
    }

private Q_SLOTS:
    void init()
    {
        m_clock.wall = 1'800'000'000'000;
        m_clock.monotonic = 90'000'000;
        m_limits = std::make_unique<Limits>(m_clock);
    }
    void countCallsOfOneProgramOnly()
    {
        m_limits->allowance.callsPerMinute = 2;
        QVERIFY(another("asker"));
        QVERIFY(another("asker"));
        QCOMPARE(another("asker").error().kind, Error::Kind::Limited);
        QVERIFY(another("reader"));
        QVERIFY(m_limits->admit(Actor::person(), QStringLiteral("guest.get"), {}));
        m_clock.wall -= 86'400'000; // the wall clock jumps; the rate does not care
        QVERIFY(!another("asker"));
        m_clock.monotonic += 60'000;
        QVERIFY(another("asker"));
        QCOMPARE(m_limits->callsThisMinute(QStringLiteral("asker")), 1);
    }
    void countAllSessionsOfAProgramTogether()
    {
        m_limits->allowance.callsPerMinute = 1;
        auto first = agent("asker");
        auto second = agent("asker");
        first.session = QStringLiteral("s1");
        second.session = QStringLiteral("s2");
        QVERIFY(m_limits->admit(first, QStringLiteral("guest.list"), {}));
        QVERIFY(!m_limits->admit(second, QStringLiteral("guest.list"), {}));
    }
    void rememberWhatWasRepeatedAcrossARestart()
    {
        for (int i = 0; i < 25; ++i)
            QVERIFY(call("asker", R"({"guest":101})"));
        restart();
        QCOMPARE(call("asker", R"({"guest":101})").error().kind, Error::Kind::Limited);
        QVERIFY(call("asker", R"({"guest":102})"));
    }
    void refuseTheSameCallAgainAndAgain()
    {
        for (int i = 0; i < 25; ++i)
            QVERIFY(call("asker", R"({"guest":101})"));
        QCOMPARE(call("asker", R"({"guest":101})").error().kind, Error::Kind::Limited);
        QVERIFY(call("asker", R"({"guest":102})"));
        QVERIFY(m_limits->admit(agent("asker"), QStringLiteral("guest.metrics"), R"({"guest":101})"));
        QVERIFY(call("reader", R"({"guest":101})"));
        QVERIFY(m_limits->pausedBecause(QStringLiteral("asker")).isEmpty()); // a rate refuses, it does not pause
        m_clock.monotonic += 120'000;
        QVERIFY(call("asker", R"({"guest":101})"));
    }
    void letWaitingBeRepeated()
    {
        for (int i = 0; i < 100; ++i)
            QVERIFY(call("asker", {}, true));
    }
    void pauseAProgramOverTheBudgetOfChanges()
    {
        m_limits->allowance.changesPerHour = 3;
        for (int i = 0; i < 3; ++i) {
            QVERIFY(m_limits->admitChange(agent("asker"), 0));
            m_clock.monotonic += 60'000;
        }
        QVERIFY(!m_limits->admitChange(agent("asker"), 0));
        QVERIFY(!another("asker"));
        m_clock.monotonic += 7'200'000; // time does not end a pause, a person does
        QVERIFY(!another("asker"));
        QVERIFY(another("reader"));
        m_limits->resume(QStringLiteral("asker"));
        QVERIFY(another("asker"));
        QVERIFY(m_limits->admitChange(agent("asker"), 0));
    }
    void refuseMoreChangesAtOnceWithoutPausing()
    {
        QVERIFY(m_limits->admitChange(agent("asker"), 7));
        QVERIFY(!m_limits->admitChange(agent("asker"), 8));
        QVERIFY(another("asker"));
        QVERIFY(m_limits->admitChange(Actor::person(), 100));
    }
    void pauseAProgramOverTheBudgetOfAnswersUntilTheNextDay()
    {
        m_limits->allowance.answerBytesPerDay = 1000;
        m_limits->noteAnswer(agent("asker"), 1000);
        QVERIFY(another("asker"));
        m_limits->noteAnswer(agent("asker"), 1);
        QVERIFY(!another("asker"));
        m_limits->noteAnswer(agent("reader"), 900);
        m_clock.wall += 86'400'000;
        m_limits->noteAnswer(agent("reader"), 900);
        QVERIFY(another("reader"));
    }
    void holdAcrossARestart()
    {
        m_limits->allowance.callsPerMinute = 3;
        m_limits->allowance.changesPerHour = 2;
        for (int i = 0; i < 3; ++i)
            QVERIFY(another("asker"));
        QVERIFY(m_limits->admitChange(agent("asker"), 0));
        restart();
        QVERIFY(!another("asker"));
        QCOMPARE(m_limits->changesThisHour(QStringLiteral("asker")), 1);
        restart(60'000);
        QVERIFY(another("asker"));
        QVERIFY(m_limits->admitChange(agent("asker"), 0));
        QVERIFY(!m_limits->admitChange(agent("asker"), 0));
        restart();
        QVERIFY(!m_limits->pausedBecause(QStringLiteral("asker")).isEmpty());
        QVERIFY(!another("asker"));
    }
    void doNotStandStillWhenTheClockWasSetBack()
    {
        m_limits->allowance.callsPerMinute = 1;
        QVERIFY(another("asker"));
        restart(-86'400'000);
        QVERIFY(!another("asker"));
        m_clock.monotonic += 60'000;
        QVERIFY(another("asker"));
    }

private:
    ManualClock m_clock;
    std::unique_ptr<Limits> m_limits;
    int m_calls = 0;
};

LABHELM_TEST(LimitsTest)
#include "LimitsTest.moc"
