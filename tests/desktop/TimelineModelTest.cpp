#include "pages/timeline/TimelineModel.h"
#include "support/AuditBook.h"
#include "support/TestMain.h"
#include <QAbstractItemModelTester>
#include <QSignalSpy>

class TimelineModelTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void showsTheNewestFirst();
    void readsOlderPagesWhenAsked();
    void showsWhatIsCommittedMeanwhile();
    void updatesARowInPlace();
    void updatesARowBelowTheNewestPage();
    void keepsUpWithABurstOfMoreThanAPage();
    void doesNotPileUpWhatComesByItself();
    void readsNothingWhileNobodyLooks();
    void keepsToItsFilter_data();
    void keepsToItsFilter();
    void dropsARowThatNoLongerFits();
    void offersUndoOnlyWhereItCanBeTried();
    void offersReviewOfWhatWaits();
    void showsTextFromOutsideLiterally();
    void saysWhyNothingCanBeRead();

private:
    QString id(int number) const { return QStringLiteral("call-%1").arg(number, 6, 10, QLatin1Char('0')); }
    void fill(int count);
    void load(const CallFilter &filter = {});
    QString cell(int row, int column) const { return m_model->index(row, column).data().toString(); }
    std::unique_ptr<AuditBook> m_book;
    std::unique_ptr<TimelineModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    int m_made = 0;
};

void TimelineModelTest::init()
{
    m_made = 0;
    m_book = std::make_unique<AuditBook>();
    QVERIFY(m_book->open());
    m_model = std::make_unique<TimelineModel>(m_book->query(), m_book->log());
    m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get());
}

void TimelineModelTest::cleanup()
{
    m_tester.reset();
    m_model.reset();
    m_book.reset();
}

void TimelineModelTest::fill(int count)
{
    for (int i = 0; i < count; ++i)
        (void)m_book->log().append(AuditBook::read(id(m_made++)));
    QVERIFY(m_book->change(id(m_made++)));
}

void TimelineModelTest::load(const CallFilter &filter)
{
    QSignalSpy loaded(m_model.get(), &TimelineModel::loaded);
    m_model->setFilter(filter);
    QVERIFY(loaded.wait());
}

void TimelineModelTest::showsTheNewestFirst()
{
    fill(3);
    load();
    QCOMPARE(m_model->rowCount(), 4);
    QCOMPARE(cell(0, TimelineModel::What), QStringLiteral("Change memory 4096 to 6144 MiB"));
    QCOMPARE(cell(0, TimelineModel::Who), QStringLiteral("Agent a1"));
    QCOMPARE(cell(0, TimelineModel::Target), QStringLiteral("web 101"));
    QCOMPARE(cell(0, TimelineModel::Harm), QStringLiteral("changes"));
    QCOMPARE(cell(0, TimelineModel::Outcome), QStringLiteral("done"));
    QCOMPARE(cell(1, TimelineModel::What), QStringLiteral("Look at web 101"));
    QCOMPARE(m_model->rows().last().callId, id(0));
}

void TimelineModelTest::readsOlderPagesWhenAsked()
{
    m_tester.reset(); // it fetches by itself
    fill(2 * TimelineModel::pageSize + 49);
    load();
    QCOMPARE(m_model->rowCount(), TimelineModel::pageSize);
    for (const int expected : {2 * TimelineModel::pageSize, 2 * TimelineModel::pageSize + 50}) {
        QVERIFY(m_model->canFetchMore({}));
        m_model->fetchMore({});
        QTRY_COMPARE(m_model->rowCount(), expected);
    }
    QVERIFY(!m_model->canFetchMore({}));
    QSet<QString> seen;
    for (int i = 0; i < m_model->rowCount(); ++i) {
        seen << m_model->rows()[i].callId;
        QVERIFY(i == 0 || m_model->rows()[i].seq < m_model->rows()[i - 1].seq);
    }
    QCOMPARE(seen.size(), m_model->rowCount());
}

void TimelineModelTest::showsWhatIsCommittedMeanwhile()
{
    fill(2);
    load();
    const auto rows = m_model->rowCount();
    QVERIFY(m_book->append(AuditBook::read(QStringLiteral("new"))));
    QTRY_COMPARE(m_model->rowCount(), rows + 1);
    QCOMPARE(m_model->rows().first().callId, QStringLiteral("new"));
}

void TimelineModelTest::updatesARowInPlace()
{
    QVERIFY(m_book->append(AuditBook::intent(QStringLiteral("moving"))));
    fill(2);
    load();
    const int row = m_model->find(QStringLiteral("moving"));
    QCOMPARE(cell(row, TimelineModel::Outcome), QStringLiteral("running"));
    const QPersistentModelIndex kept = m_model->index(row, 0);
    QVERIFY(m_book->append(AuditBook::outcome(QStringLiteral("moving"))));
    QTRY_COMPARE(cell(row, TimelineModel::Outcome), QStringLiteral("done"));
    QVERIFY(kept.isValid() && kept.row() == row); // the selection stays where it was
}

void TimelineModelTest::updatesARowBelowTheNewestPage()
{
    QVERIFY(m_book->change(QStringLiteral("old")));
    fill(TimelineModel::pageSize + 10);
    load();
    m_model->fetchMore({});
    QTRY_VERIFY(m_model->find(QStringLiteral("old")) > TimelineModel::pageSize);
    QVERIFY(
        m_book->append(AuditBook::undo(AuditEvent::Kind::UndoClaimed, QStringLiteral("old"), QStringLiteral("by"))));
    QVERIFY(m_book->append(AuditBook::undo(AuditEvent::Kind::Undone, QStringLiteral("old"), QStringLiteral("by"))));
    QTRY_COMPARE(cell(m_model->find(QStringLiteral("old")), TimelineModel::Outcome), QStringLiteral("undone"));
}

void TimelineModelTest::keepsUpWithABurstOfMoreThanAPage()
{
    fill(5);
    load();
    fill(3 * TimelineModel::pageSize);
    QTRY_COMPARE(m_model->rows().first().callId, id(m_made - 1));
    while (m_model->canFetchMore({}) || m_model->isLoading()) {
        const auto rows = m_model->rowCount();
        m_model->fetchMore({});
        QTRY_VERIFY(m_model->rowCount() > rows || !m_model->isLoading());
    }
    QTRY_COMPARE(m_model->rowCount(), m_made);
}

void TimelineModelTest::doesNotPileUpWhatComesByItself()
{
    m_tester.reset(); // it fetches by itself
    fill(2);
    load();
    const int most = 3 + TimelineModel::pageSize + TimelineModel::newestKept;
    while (m_made < most + TimelineModel::pageSize) {
        fill(TimelineModel::pageSize / 2);
        QTRY_COMPARE(m_model->rows().first().callId, id(m_made - 1));
        QVERIFY(m_model->rowCount() <= most);
    }
    while (m_model->canFetchMore({})) {
        m_model->fetchMore({});
        QTRY_VERIFY(!m_model->isLoading());
    }
    QCOMPARE(m_model->rowCount(), m_made);
}

void TimelineModelTest::readsNothingWhileNobodyLooks()
{
    fill(2);
    load();
    m_model->setWatched(false);
    QSignalSpy touched(m_model.get(), &TimelineModel::touched);
    fill(4);
    QCOMPARE(m_model->rowCount(), 3);
    m_model->setWatched(true);
    QTRY_COMPARE(m_model->rowCount(), 8);
    fill(0);
    QTRY_COMPARE(m_model->rowCount(), 9);
    QCOMPARE(touched.size(), 1);
    QCOMPARE(touched[0][0].value<QSet<QString>>(), QSet<QString>{id(m_made - 1)});
}

void TimelineModelTest::keepsToItsFilter_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("rows");
    QTest::newRow("effect") << 0 << 1;
    QTest::newRow("outcome") << 1 << 0;
    QTest::newRow("text") << 2 << 3;
    QTest::newRow("object") << 3 << 1;
    QTest::newRow("another agent") << 4 << 0;
    QTest::newRow("an hour ago") << 5 << 0;
    QTest::newRow("can be undone") << 6 << 1;
}

void TimelineModelTest::keepsToItsFilter()
{
    QFETCH(int, which);
    QFETCH(int, rows);
    fill(3);
    CallFilter filter;
    switch (which) {
    case 0: filter.effect = Effect::Changes; break;
    case 1: filter.state = CallState::Denied; break;
    case 2: filter.text = QStringLiteral("look"); break;
    case 3: filter.target = QStringLiteral("homelab:101"); break;
    case 4:
        filter.actorKind = Actor::Kind::Agent;
        filter.actorId = QStringLiteral("another");
        break;
    case 5: filter.toMs = QDateTime::currentMSecsSinceEpoch() - 3'600'000; break;
    default: filter.onlyUndoable = true;
    }
    load(filter);
    QCOMPARE(m_model->rowCount(), rows);
    fill(0); // one more change
    QTRY_COMPARE(m_model->rowCount(), which == 0 || which == 3 || which == 6 ? rows + 1 : rows);
}

void TimelineModelTest::dropsARowThatNoLongerFits()
{
    QVERIFY(m_book->append(AuditBook::intent(QStringLiteral("running"))));
    CallFilter filter;
    filter.state = CallState::Running;
    load(filter);
    QCOMPARE(m_model->rowCount(), 1);
    QVERIFY(m_book->append(AuditBook::outcome(QStringLiteral("running"))));
    QTRY_COMPARE(m_model->rowCount(), 0);
}

void TimelineModelTest::offersUndoOnlyWhereItCanBeTried()
{
    fill(1);
    load();
    QCOMPARE(cell(0, TimelineModel::Action), QStringLiteral("Undo"));
    QCOMPARE(cell(1, TimelineModel::Action), QString());
    const auto changed = m_model->rows().first().callId;
    QVERIFY(m_book->append(AuditBook::undo(AuditEvent::Kind::UndoClaimed, changed, QStringLiteral("by"))));
    QVERIFY(m_book->append(AuditBook::undo(AuditEvent::Kind::Undone, changed, QStringLiteral("by"))));
    QTRY_COMPARE(cell(0, TimelineModel::Action), QString());
}

void TimelineModelTest::offersReviewOfWhatWaits()
{
    auto asked = AuditBook::intent(QStringLiteral("asking"));
    asked.kind = AuditEvent::Kind::Asked;
    QVERIFY(m_book->append(asked));
    load();
    QCOMPARE(cell(0, TimelineModel::Action), QStringLiteral("Review"));
    QCOMPARE(cell(0, TimelineModel::Outcome), QStringLiteral("waiting for you"));
    QCOMPARE(cell(0, TimelineModel::What), QStringLiteral("Asks: Change memory 4096 to 6144 MiB"));
}

void TimelineModelTest::showsTextFromOutsideLiterally()
{
    auto read = AuditBook::read(QStringLiteral("hostile"));
    read.body[QStringLiteral("headline")] = QStringLiteral("<b>x</b>\u202E\x1b[2K");
    read.body[QStringLiteral("targetLabel")] = QStringLiteral("a\u200Bb");
    QVERIFY(m_book->append(read));
    load();
    QCOMPARE(cell(0, TimelineModel::What), QStringLiteral("<b>x</b><U+202E>\\x1b[2K"));
    QCOMPARE(cell(0, TimelineModel::Target), QStringLiteral("a<U+200B>b"));
    const auto tip = m_model->index(0, TimelineModel::What).data(Qt::ToolTipRole).toString();
    QVERIFY(!tip.contains(u'<')); // tool tips are the one place where Qt guesses at rich text
}

void TimelineModelTest::saysWhyNothingCanBeRead()
{
    QTemporaryDir folder;
    MemoryStore secrets;
    AuditLog log(folder.filePath(QStringLiteral("none")), secrets);
    AuditQuery query(log);
    TimelineModel model(query, log);
    QSignalSpy loaded(&model, &TimelineModel::loaded);
    model.setFilter({});
    QVERIFY(loaded.wait());
    QVERIFY(!loaded.first().first().toString().isEmpty());
}

LABHELM_TEST(TimelineModelTest)
#include "TimelineModelTest.moc"
