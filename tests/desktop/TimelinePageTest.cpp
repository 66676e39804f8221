#include "pages/timeline/TimelinePage.h"
#include "pages/timeline/TimelineDetail.h"
#include "pages/timeline/TimelineFilters.h"
#include "pages/timeline/TimelineModel.h"
#include "support/Approvals.h"
#include "support/Desk.h"
#include "support/Pictures.h"
#include "support/TestMain.h"
#include "widgets/DiffView.h"
#include "widgets/Pill.h"
#include "widgets/RowTable.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>

class TimelinePageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void tellsAChangeWithBeforeAndAfter();
    void undoesAChangeFromTheDetail();
    void undoesAChangeFromItsRow();
    void saysWhenNothingCanBeUndoneAnyMore();
    void saysWhyAReadHasNoUndo();
    void offersReviewOfARequest();
    void narrowsByTheMenus();
    void narrowsByWords();
    void narrowsToOneObjectAndBack();
    void narrowsByDraggingOverTheHistogram();
    void verifiesTheChainInWords();
    void copiesAnEntryAsJson();
    void saysThatNothingFits();

private:
    void changeMemory(int mebibytes);
    void choose(int row);
    void pick(const char *button, const QString &text);
    template <class T>
    T *child(const char *name) const
    {
        return m_page->findChild<T *>(QLatin1String(name));
    }
    QString label(const char *name) const { return child<QLabel>(name) ? child<QLabel>(name)->text() : QString(); }
    std::unique_ptr<Desk> m_desk;
    std::unique_ptr<TimelinePage> m_page;
    RowTable *m_table = nullptr;
    TimelineModel *m_model = nullptr;
};

void TimelinePageTest::init()
{
    m_desk = std::make_unique<Desk>();
    QVERIFY(m_desk->isReady());
    m_page = std::make_unique<TimelinePage>(m_desk->book.query(), m_desk->book.log(), *m_desk->executor);
    m_page->resize(1280, 730);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    m_table = child<RowTable>("entries");
    m_model = qobject_cast<TimelineModel *>(m_table->model());
    QTRY_VERIFY(!m_model->isLoading());
}

void TimelinePageTest::cleanup()
{
    m_page.reset();
    m_desk.reset();
}

void TimelinePageTest::changeMemory(int mebibytes)
{
    const auto result = m_desk->run(Desk::call(
        "guest.config.set", {{QStringLiteral("guest"), QStringLiteral("104")}, {QStringLiteral("memory"), mebibytes}}));
    QVERIFY2(result.outcome, result.outcome ? "" : qPrintable(result.outcome.error().message));
    QTRY_VERIFY(m_model->find(result.callId) >= 0);
    QTRY_COMPARE(m_model->rows()[m_model->find(result.callId)].state, CallState::Done);
}

void TimelinePageTest::choose(int row)
{
    const auto index = m_model->index(row, TimelineModel::What);
    QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {}, m_table->visualRect(index).center());
    QTRY_COMPARE(m_page->findChild<TimelineDetail *>()->callId(), m_model->rows()[row].callId);
}

/// Chooses an entry of a filter's menu.
void TimelinePageTest::pick(const char *button, const QString &text)
{
    for (auto *action : child<QPushButton>(button)->menu()->actions())
        if (action->text() == text) {
            QSignalSpy loaded(m_model, &TimelineModel::loaded);
            action->trigger();
            QVERIFY(loaded.wait());
            return;
        }
    QFAIL("no such choice");
}

void TimelinePageTest::tellsAChangeWithBeforeAndAfter()
{
    changeMemory(6144);
    choose(0);
    QVERIFY2(label("what").contains(QStringLiteral("6144")), qPrintable(label("what")));
    const auto diff = m_page->findChild<DiffView *>()->text();
    QVERIFY2(diff.contains(QStringLiteral("- memory: 4096")) && diff.contains(QStringLiteral("+ memory: 6144")),
             qPrintable(diff));
    QVERIFY(
        child<QPlainTextEdit>("requests")->toPlainText().startsWith(QStringLiteral("PUT /nodes/pve1/lxc/104/config")));
    QVERIFY(label("chain").contains(QStringLiteral("first ")));
    QTRY_VERIFY2(label("undoWords").startsWith(QStringLiteral("Would now: ")), qPrintable(label("undoWords")));
}

void TimelinePageTest::undoesAChangeFromTheDetail()
{
    changeMemory(6144);
    choose(0);
    const auto changed = m_model->rows().first().callId;
    QTRY_VERIFY(child<QPushButton>("undo"));
    QTest::mouseClick(child<QPushButton>("undo"), Qt::LeftButton);
    QTRY_COMPARE(m_model->rowCount(), 2);
    QTRY_COMPARE(m_model->index(m_model->find(changed), TimelineModel::Outcome).data().toString(),
                 QStringLiteral("undone"));
    QCOMPARE(m_desk->cluster.world().guest(104)->config.value(QStringLiteral("memory")), QStringLiteral("4096"));
    QTRY_VERIFY(!child<QPushButton>("undo"));
    QCOMPARE(label("undoWords"), QStringLiteral("This was undone already."));
}

void TimelinePageTest::undoesAChangeFromItsRow()
{
    changeMemory(6144);
    const auto link = m_model->index(0, TimelineModel::Action);
    QCOMPARE(link.data().toString(), QStringLiteral("Undo"));
    QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {}, m_table->visualRect(link).center());
    QTRY_COMPARE(m_model->index(1, TimelineModel::Outcome).data().toString(), QStringLiteral("undone"));
    QCOMPARE(m_desk->cluster.world().guest(104)->config.value(QStringLiteral("memory")), QStringLiteral("4096"));
}

void TimelinePageTest::saysWhenNothingCanBeUndoneAnyMore()
{
    changeMemory(6144);
    m_desk->cluster.world().setConfig(104, QStringLiteral("memory"), QStringLiteral("8192"));
    choose(0);
    QTRY_VERIFY2(label("undoWords").contains(QStringLiteral("8192")), qPrintable(label("undoWords")));
    QVERIFY(!child<QPushButton>("undo")->isEnabled());
    QCOMPARE(m_desk->cluster.simulator.writes().size(), 1);
    Pictures::take(*m_page, QStringLiteral("timeline-drift"));
}

void TimelinePageTest::saysWhyAReadHasNoUndo()
{
    m_desk->run(Desk::call("inventory.overview", {}, Approvals::agent()));
    QTRY_COMPARE(m_model->rowCount(), 1);
    choose(0);
    QVERIFY(!child<QPushButton>("undo"));
    QVERIFY(child<QPushButton>("copyJson"));
}

void TimelinePageTest::offersReviewOfARequest()
{
    QSignalSpy review(m_page.get(), &TimelinePage::reviewAsked);
    auto call = Desk::call("guest.config.set",
                           {{QStringLiteral("guest"), QStringLiteral("104")}, {QStringLiteral("memory"), 6144}},
                           Approvals::agent());
    const auto id = m_desk->start(call);
    QTRY_COMPARE(m_model->find(id), 0);
    const auto link = m_model->index(0, TimelineModel::Action);
    QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {}, m_table->visualRect(link).center());
    QCOMPARE(review.size(), 1);
    QCOMPARE(review.first().first().toString(), id);
    QTRY_VERIFY(child<QPushButton>("review"));
    QTest::mouseClick(child<QPushButton>("review"), Qt::LeftButton);
    QCOMPARE(review.size(), 2);
    m_desk->executor->cancel(id);
    QTRY_VERIFY(!child<QPushButton>("review"));
}

void TimelinePageTest::narrowsByTheMenus()
{
    changeMemory(6144);
    m_desk->run(Desk::call("inventory.overview", {}, Approvals::agent()));
    QTRY_COMPARE(m_model->rowCount(), 2);
    pick("who", QStringLiteral("You"));
    QCOMPARE(m_model->rowCount(), 1);
    QCOMPARE(child<QPushButton>("who")->text(), QStringLiteral("You ▾"));
    pick("who", QStringLiteral("Any agent"));
    QCOMPARE(m_model->rowCount(), 1);
    QVERIFY(m_model->rows().first().actor.isProgram());
    pick("effect", QStringLiteral("changes"));
    QCOMPARE(m_model->rowCount(), 0);
    pick("who", QStringLiteral("Anyone"));
    QCOMPARE(m_model->rowCount(), 1);
    pick("outcome", QStringLiteral("denied"));
    QCOMPARE(m_model->rowCount(), 0);
    pick("outcome", QStringLiteral("can be undone"));
    QCOMPARE(m_model->rowCount(), 1);
    for (const auto *span : {"Last hour", "Last 7 days", "Last 30 days", "Last year", "All time", "Today"}) {
        pick("when", QLatin1String(span));
        QCOMPARE(m_model->rowCount(), 1);
    }
}

void TimelinePageTest::narrowsByWords()
{
    changeMemory(6144);
    m_desk->run(Desk::call("inventory.overview", {}, Approvals::agent()));
    QTRY_COMPARE(m_model->rowCount(), 2);
    QTest::keyClicks(child<QLineEdit>("text"), QStringLiteral("jellyfin"));
    QTRY_COMPARE(m_model->rowCount(), 1);
    child<QLineEdit>("text")->clear();
    QTRY_COMPARE(m_model->rowCount(), 2);
}

void TimelinePageTest::narrowsToOneObjectAndBack()
{
    changeMemory(6144);
    m_desk->run(Desk::call("inventory.overview", {}, Approvals::agent()));
    QTRY_COMPARE(m_model->rowCount(), 2);
    const auto changed = m_model->rows()[m_model->rows()[0].target.isEmpty() ? 1 : 0];
    m_page->showTarget(changed.target, changed.targetLabel);
    QTRY_COMPARE(m_model->rowCount(), 1);
    QTest::mouseClick(child<QPushButton>("target"), Qt::LeftButton);
    QTRY_COMPARE(m_model->rowCount(), 2);
}

void TimelinePageTest::narrowsByDraggingOverTheHistogram()
{
    changeMemory(6144);
    auto *histogram = m_page->findChild<HistogramView *>();
    const auto bottom = histogram->height() / 3;
    QTest::mousePress(histogram, Qt::LeftButton, {}, {5, bottom});
    QTest::mouseMove(histogram, {histogram->width() / 3, bottom});
    QTest::mouseRelease(histogram, Qt::LeftButton, {}, {histogram->width() / 3, bottom});
    QTRY_COMPARE(m_model->rowCount(), 0); // what just happened lies at the right end
    QVERIFY(m_model->filter().toMs.has_value());
    QTest::mouseClick(histogram, Qt::LeftButton, {}, {histogram->width() - 2, bottom});
    QTRY_COMPARE(m_model->rowCount(), 1);
    QTest::keyClick(histogram, Qt::Key_Left);
    QTRY_COMPARE(m_model->rowCount(), 0);
    QTest::keyClick(histogram, Qt::Key_Escape);
    QTRY_COMPARE(m_model->rowCount(), 1);
    QVERIFY(!m_model->filter().toMs.has_value());
}

void TimelinePageTest::verifiesTheChainInWords()
{
    changeMemory(6144);
    QSignalSpy verified(m_page.get(), &TimelinePage::chainVerified);
    QTest::mouseClick(child<QPushButton>("verify"), Qt::LeftButton);
    QVERIFY(!child<QPushButton>("verify")->isEnabled());
    QVERIFY(verified.wait());
    QVERIFY2(verified.first().first().toBool(), qPrintable(verified.first().last().toString()));
    QCOMPARE(child<Pill>("chainPill")->text(), QStringLiteral("chain is whole"));
    QVERIFY(!label("finding").isEmpty());
    QVERIFY(child<QPushButton>("verify")->isEnabled());
    choose(0);
    QTRY_VERIFY(label("undoWords").startsWith(QStringLiteral("Would now")));
    Pictures::take(*m_page, QStringLiteral("timeline"));
}

void TimelinePageTest::copiesAnEntryAsJson()
{
    changeMemory(6144);
    choose(0);
    QTest::mouseClick(child<QPushButton>("copyJson"), Qt::LeftButton);
    const auto copied = QJsonDocument::fromJson(QGuiApplication::clipboard()->text().toUtf8()).object();
    QCOMPARE(copied[QStringLiteral("entry")].toString(), m_model->rows().first().callId);
    QCOMPARE(copied[QStringLiteral("operation")].toString(), QStringLiteral("guest.config.set"));
    QCOMPARE(copied[QStringLiteral("state")].toString(), QStringLiteral("done"));
}

void TimelinePageTest::saysThatNothingFits()
{
    bool isSaid = false;
    for (const auto *one : m_page->findChildren<QLabel *>())
        isSaid =
            isSaid || (one->isVisible() && one->text() == QStringLiteral("Nothing here yet that fits these filters."));
    QVERIFY(isSaid);
}

LABHELM_TEST(TimelinePageTest)
#include "TimelinePageTest.moc"
