#include "store/Database.h"
#include "support/AuditBook.h"
#include "support/TestMain.h"
#include <QRandomGenerator>

/// Reading: pages, filters, the histogram and what was left open.
class AuditQueryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void pagesFromTheNewestWithoutGapOrRepetition();
    void findsWhatTheFilterSays_data();
    void findsWhatTheFilterSays();
    void agreesWithAPlainSearchForRandomFilters();
    void findsWordsInAnyOrderAndTakesMarksLiterally();
    void ordersByTheChainWhateverTheClockDid();
    void refusesAnEmptyOrEndlessPage();
    void tellsEverythingAboutOneCall();
    void saysThatACallIsUnknown();
    void countsEveryCallOfAStretchOnce();
    void countsTheSameByHoursAsByCalls();
    void refusesAHistogramWithoutAStretch();
    void listsIntentsWithoutAnOutcome();
    void seesWhatWasAcknowledged();
    void saysThatThereIsNoDatabaseYet();
    void dropsWhatWaitsWhenItIsDestroyed();

private:
    static constexpr qint64 start = 1'790'000'000'000;
    std::unique_ptr<AuditBook> m_book; ///< 240 calls, a minute apart
    QList<CallRow> m_all;              ///< newest first

    static AuditEvent at(AuditEvent event, qint64 ms)
    {
        event.wallMs = ms;
        event.utcOffset = 7200;
        return event;
    }
    bool fits(const CallRow &row, const CallFilter &filter) const;
};

void AuditQueryTest::initTestCase()
{
    m_book = std::make_unique<AuditBook>();
    QVERIFY(m_book->open());
    std::vector<Future<qint64>> answers;
    for (int i = 0; i < 240; ++i) {
        const auto id = QString("c%1").arg(i, 3, 10, QLatin1Char('0'));
        auto event = at(i % 3 ? AuditBook::read(id) : AuditBook::intent(id), start + i * 60'000);
        event.body.insert("target", QString("homelab:%1").arg(100 + i % 5));
        if (i % 4 == 0)
            event.body.insert("actor", QJsonObject{{"kind", "person"}});
        else if (i % 4 == 1)
            event.body.insert("actor", AuditBook::agent("a2"));
        else if (i % 10 == 7)
            event.body.insert("actor", QJsonObject{{"kind", "terminal"}, {"id", "cli"}});
        if (i % 6 == 0)
            event.body.insert("headline", QString("Take snapshot 100%_done of web-%1").arg(i));
        if (i % 30 == 0)
            event.body.insert("effect", "Destroys");
        answers.push_back(m_book->log().append(event));
        if (i % 3 == 0 && i % 5)
            answers.push_back(m_book->log().append(
                at(AuditBook::outcome(id, i % 2 ? CallState::Done : CallState::Failed), start + i * 60'000 + 5000)));
    }
    for (auto &answer : answers)
        QVERIFY(await(std::move(answer)));
    QVERIFY(await(m_book->log().append(AuditBook::undo(AuditEvent::Kind::UndoClaimed, "c003", "u1"))));
    m_all = m_book->page({}, 0, 1000);
    QCOMPARE(m_all.size(), 240);
}

bool AuditQueryTest::fits(const CallRow &row, const CallFilter &filter) const
{
    const auto has = [&row](const QString &word) {
        return QString(row.headline + u'\n' + row.target + u'\n' + row.targetLabel + u'\n' + row.operation + u'\n' +
                       row.error)
            .contains(word, Qt::CaseInsensitive);
    };
    const auto words = filter.text.split(u' ', Qt::SkipEmptyParts);
    return (!filter.fromMs || row.atMs >= *filter.fromMs) && (!filter.toMs || row.atMs < *filter.toMs) &&
           (!filter.actorKind || row.actor.kind == *filter.actorKind) &&
           (filter.actorId.isEmpty() || row.actor.id == filter.actorId) &&
           (!filter.effect || row.effect == filter.effect) && (!filter.state || row.state == *filter.state) &&
           (filter.target.isEmpty() || row.target == filter.target) && std::all_of(words.begin(), words.end(), has) &&
           (!filter.onlyUndoable || (row.hasInverse && row.undoneBy.isEmpty() && row.claimedBy.isEmpty()));
}

void AuditQueryTest::pagesFromTheNewestWithoutGapOrRepetition()
{
    QStringList ids;
    qint64 before = 0;
    for (;;) {
        const auto rows = m_book->page({}, before, 7);
        for (const auto &row : rows)
            ids.append(row.callId);
        if (rows.size() < 7)
            break;
        before = rows.last().seq;
    }
    QCOMPARE(ids.size(), 240);
    for (int i = 0; i < 240; ++i)
        QCOMPARE(ids[i], QString("c%1").arg(239 - i, 3, 10, QLatin1Char('0')));
}

void AuditQueryTest::findsWhatTheFilterSays_data()
{
    QTest::addColumn<CallFilter>("filter");
    QTest::newRow("from") << CallFilter{.fromMs = start + 200 * 60'000};
    QTest::newRow("to") << CallFilter{.toMs = start + 20 * 60'000};
    QTest::newRow("a stretch") << CallFilter{.fromMs = start + 50 * 60'000, .toMs = start + 60 * 60'000};
    QTest::newRow("people") << CallFilter{.actorKind = Actor::Kind::Person};
    QTest::newRow("one agent") << CallFilter{.actorKind = Actor::Kind::Agent, .actorId = "a2"};
    QTest::newRow("terminal") << CallFilter{.actorKind = Actor::Kind::Terminal};
    QTest::newRow("changes") << CallFilter{.effect = Effect::Changes};
    QTest::newRow("destroys") << CallFilter{.effect = Effect::Destroys};
    QTest::newRow("failed") << CallFilter{.state = CallState::Failed};
    QTest::newRow("running") << CallFilter{.state = CallState::Running};
    QTest::newRow("one guest") << CallFilter{.target = "homelab:103"};
    QTest::newRow("undoable") << CallFilter{.onlyUndoable = true};
    QTest::newRow("words") << CallFilter{.text = "snapshot WEB"};
    QTest::newRow("several") << CallFilter{
        .fromMs = start + 30 * 60'000, .actorKind = Actor::Kind::Person, .effect = Effect::Changes, .text = "snapshot"};
}

void AuditQueryTest::findsWhatTheFilterSays()
{
    QFETCH(const CallFilter, filter);
    QStringList expected, found;
    for (const auto &row : m_all)
        if (fits(row, filter))
            expected.append(row.callId);
    QVERIFY(!expected.isEmpty() && expected.size() < 240);
    for (const auto &row : m_book->page(filter, 0, 1000))
        found.append(row.callId);
    QCOMPARE(found, expected);
}

void AuditQueryTest::agreesWithAPlainSearchForRandomFilters()
{
    const auto seed = QRandomGenerator::global()->generate();
    QRandomGenerator random(seed);
    const auto one = [&random](int in) { return random.bounded(in) == 0; };
    for (int i = 0; i < 200; ++i) {
        CallFilter filter;
        if (one(2))
            filter.fromMs = start + random.bounded(-10, 250) * 60'000;
        if (one(2))
            filter.toMs = start + random.bounded(-10, 250) * 60'000;
        if (one(3))
            filter.actorKind = Actor::Kind(random.bounded(5));
        if (one(4))
            filter.actorId = one(2) ? "a1" : "a2";
        if (one(3))
            filter.effect = Effect(random.bounded(5));
        if (one(3))
            filter.state = CallState(random.bounded(9));
        if (one(3))
            filter.target = QString("homelab:%1").arg(random.bounded(98, 106));
        if (one(4))
            filter.text = one(2) ? "web" : "look 10";
        filter.onlyUndoable = one(6);
        const qint64 before = one(2) ? 0 : random.bounded(1, 400);
        const int limit = random.bounded(1, 60);
        QList<qint64> expected, found;
        for (const auto &row : m_all)
            if (fits(row, filter) && (before == 0 || row.seq < before) && expected.size() < limit)
                expected.append(row.seq);
        for (const auto &row : m_book->page(filter, before, limit))
            found.append(row.seq);
        QVERIFY2(found == expected, qPrintable(QString("seed %1, filter %2").arg(seed).arg(i)));
    }
}

void AuditQueryTest::findsWordsInAnyOrderAndTakesMarksLiterally()
{
    QCOMPARE(m_book->page({.text = "web-120 snapshot"}).size(), 1);
    QCOMPARE(m_book->page({.text = "  SNAPSHOT\n web-120  "}).size(), 1);
    QCOMPARE(m_book->page({.text = "100%_done"}, 0, 1000).size(), 40);
    QCOMPARE(m_book->page({.text = "%"}, 0, 1000).size(), 40);
    QCOMPARE(m_book->page({.text = "web_120"}).size(), 0);
    QCOMPARE(m_book->page({.text = "\\"}).size(), 0);
    QCOMPARE(m_book->page({.text = "' OR 1=1 --"}).size(), 0);
    QCOMPARE(m_book->page({.target = "x' OR '1'='1"}).size(), 0);
    QCOMPARE(m_book->page({.text = QString(100'000, u'x')}).size(), 0);
}

void AuditQueryTest::ordersByTheChainWhateverTheClockDid()
{
    AuditBook book;
    QVERIFY(book.open());
    const QList<qint64> minutes = {10, 11, 500'000, 12, -900, 13, 14};
    for (int i = 0; i < minutes.size(); ++i)
        QVERIFY(book.append(at(AuditBook::read(QString::number(i)), start + minutes[i] * 60'000)));
    QStringList ids;
    for (const auto &row : book.page({.fromMs = start, .toMs = start + 13 * 60'000 + 1}))
        ids.append(row.callId);
    QCOMPARE(ids, QStringList({"5", "3", "1", "0"}));
    QCOMPARE(book.page({.fromMs = start + 14 * 60'000}).size(), 2);
    QCOMPARE(book.page({.toMs = start}).size(), 1);
}

void AuditQueryTest::refusesAnEmptyOrEndlessPage()
{
    for (const int limit : {0, -1, 1001}) {
        const auto rows = await(m_book->query().page({}, 0, limit));
        QVERIFY(!rows);
        QCOMPARE(rows.error().kind, Error::Kind::Invalid);
    }
}

void AuditQueryTest::tellsEverythingAboutOneCall()
{
    const auto detail = await(m_book->query().detail("c003"));
    QVERIFY(detail);
    QCOMPARE(detail->events.size(), 3);
    QCOMPARE(detail->events[0].kind, AuditEvent::Kind::Intent);
    QCOMPARE(detail->events[2].kind, AuditEvent::Kind::UndoClaimed);
    QCOMPARE(detail->events[0].utcOffset, 7200);
    QCOMPARE(detail->row.claimedBy, "u1");
    QCOMPARE(detail->merged["state"].toString(), "done");
    QCOMPARE(detail->merged["operation"].toString(), "guest.config.set");
    QCOMPARE(detail->merged["by"].toString(), "u1");
    QCOMPARE(detail->firstHash.size(), 32);
    QVERIFY(detail->firstHash != detail->lastHash);
    QCOMPARE(await(m_book->query().detail("c002"))->lastHash, detail->previousHash);
}

void AuditQueryTest::saysThatACallIsUnknown()
{
    const auto detail = await(m_book->query().detail("nobody"));
    QVERIFY(!detail);
    QCOMPARE(detail.error().kind, Error::Kind::NotFound);
}

void AuditQueryTest::countsEveryCallOfAStretchOnce()
{
    for (const int buckets : {1, 7, 240, 2000}) {
        const CallFilter filter{.fromMs = start + 10 * 60'000, .toMs = start + 230 * 60'000 + 1};
        const auto all = await(m_book->query().histogram(filter, buckets));
        QVERIFY(all);
        QCOMPARE(all->size(), buckets);
        for (int i = 0; i < buckets; ++i) {
            const auto from = (*all)[i].fromMs;
            const auto to = i + 1 < buckets ? (*all)[i + 1].fromMs : *filter.toMs;
            int people = 0, agents = 0;
            for (const auto &row : m_all)
                if (row.atMs >= from && row.atMs < to)
                    ++(row.actor.kind == Actor::Kind::Person ? people : agents);
            QCOMPARE((*all)[i].people, people);
            QCOMPARE((*all)[i].agents, agents);
            QCOMPARE((*all)[i].others, 0);
        }
        QCOMPARE(all->first().fromMs, *filter.fromMs);
    }
    const auto destroys = await(
        m_book->query().histogram({.fromMs = start, .toMs = start + 240 * 60'000, .effect = Effect::Destroys}, 1));
    QCOMPARE(destroys->first().people + destroys->first().agents, 8);
}

void AuditQueryTest::countsTheSameByHoursAsByCalls()
{
    AuditBook book;
    QVERIFY(book.open());
    const auto seed = QRandomGenerator::global()->generate();
    QRandomGenerator random(seed);
    const qint64 hour = 3'600'000, first = -5 * hour; // also before 1970
    std::vector<Future<qint64>> answers;
    QList<qint64> times;
    for (int i = 0; i < 2000; ++i) {
        const auto ms = first + qint64(random.bounded(200.0 * double(hour)));
        times.append(i % 10 ? ms : first + random.bounded(200) * hour - i % 3);
        if (times.last() == 0) // would be filled in with the time now
            times.last() = 1;
        auto event = at(AuditBook::read(QString::number(i)), times.last());
        if (i % 3 == 0)
            event.body.remove("actor");
        answers.push_back(book.log().append(event));
        if (i % 6 == 0) // who it was is said later
            answers.push_back(book.log().append(at(AuditBook::intent(QString::number(i)), times.last())));
    }
    for (auto &answer : answers)
        QVERIFY(await(std::move(answer)));
    for (int round = 0; round < 40; ++round) {
        const auto from = first + random.bounded(-10, 100) * hour + (round % 2 ? random.bounded(int(hour)) : 0);
        const auto to = from + (20 + random.bounded(150)) * hour + (round % 3 ? random.bounded(int(hour)) : 0);
        const int buckets = 1 + random.bounded(10);
        const auto all = await(book.query().histogram({.fromMs = from, .toMs = to}, buckets));
        QVERIFY(all);
        for (int b = 0; b < buckets; ++b) {
            const auto end = b + 1 < buckets ? (*all)[b + 1].fromMs : to;
            int agents = 0, others = 0;
            for (int i = 0; i < times.size(); ++i)
                if (times[i] >= (*all)[b].fromMs && times[i] < end)
                    ++(i % 3 == 0 && i % 6 != 0 ? others : agents);
            QVERIFY2((*all)[b].agents == agents && (*all)[b].others == others,
                     qPrintable(QString("seed %1 round %2").arg(seed).arg(round)));
        }
    }
    QVERIFY(await(book.query().verify())->isWhole);
}

void AuditQueryTest::refusesAHistogramWithoutAStretch()
{
    for (const auto &filter :
         {CallFilter{}, CallFilter{.fromMs = 5}, CallFilter{.toMs = 5}, CallFilter{.fromMs = 5, .toMs = 5}})
        QCOMPARE(await(m_book->query().histogram(filter, 10)).error().kind, Error::Kind::Invalid);
    for (const int buckets : {0, -3, 2001})
        QCOMPARE(await(m_book->query().histogram({.fromMs = 0, .toMs = 5}, buckets)).error().kind,
                 Error::Kind::Invalid);
}

void AuditQueryTest::listsIntentsWithoutAnOutcome()
{
    const auto open = await(m_book->query().unsettled());
    QVERIFY(open);
    QCOMPARE(open->size(), 16);
    QCOMPARE(open->first().row.callId, "c000");
    QCOMPARE(open->last().row.callId, "c225");
    QVERIFY(open->first().events[0].kind == AuditEvent::Kind::Intent);
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    QVERIFY(book.append({.callId = "c1", .kind = AuditEvent::Kind::Recovered, .body = {{"state", "unknown"}}}));
    QCOMPARE(await(book.query().unsettled())->size(), 0);
}

void AuditQueryTest::seesWhatWasAcknowledged()
{
    AuditBook book;
    QVERIFY(book.open());
    for (int i = 0; i < 50; ++i) {
        QVERIFY(book.append(i % 2 ? AuditBook::read(QString::number(i)) : AuditBook::intent(QString::number(i))));
        QCOMPARE(book.page().first().callId, QString::number(i));
    }
}

void AuditQueryTest::saysThatThereIsNoDatabaseYet()
{
    AuditBook book;
    const auto rows = await(book.query().page({}, 0, 10));
    QVERIFY(!rows);
    QCOMPARE(rows.error().kind, Error::Kind::Unavailable);
    QVERIFY(book.open());
    QVERIFY(await(book.query().page({}, 0, 10))); // the same reader, once there is one
}

void AuditQueryTest::dropsWhatWaitsWhenItIsDestroyed()
{
    auto query = std::make_unique<AuditQuery>(m_book->log());
    std::vector<Future<QList<CallRow>>> pages;
    for (int i = 0; i < 200; ++i)
        pages.push_back(query->page({}, 0, 1000));
    auto report = query->verify();
    query.reset();
    for (auto &page : pages) {
        QVERIFY(page.isReady());
        QVERIFY(!page.await_resume());
    }
    QVERIFY(report.isReady());
}

LABHELM_TEST(AuditQueryTest)
#include "AuditQueryTest.moc"
