#include "pages/guest/GuestPage.h"
#include "operations/OperationDialog.h"
#include "operations/PersonCalls.h"
#include "support/Desk.h"
#include "support/TestMain.h"
#include "widgets/ChartCard.h"
#include "widgets/MarkdownView.h"
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTreeView>
#include <cmath>

/// The guest's page over a simulated cluster, used as a person uses it.
class GuestPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void showsWhatTheGuestIsAndDoes();
    void drawsTheLoadOfTheLastHour();
    void asksForAnotherTimeframe();
    void startsAStoppedGuestAndOffersToUndoIt();
    void asksBackBeforeItShutsDown();
    void sendsNothingWhenThePersonThinksBetterOfIt();
    void changesOneValueAndNothingElse();
    void takesAChangeBackFromTheNotice();
    void removesAValueThatWasEmptied();
    void saysWhyAChangeIsRefusedAndKeepsTheForm();
    void showsSnapshotsAsATree();
    void deletesOnlyAfterTheIdWasTyped();
    void writesNotes();
    void offersNothingForAGuestThatNobodyHearsOf();
    void offersNothingWhenTheClusterIsGone();
    void everyControlHasAnAccessibleName();

private:
    void show(qint64 vmid);
    QPushButton *button(const char *name) const { return m_page->findChild<QPushButton *>(QLatin1String(name)); }
    OperationDialog *dialog() const { return m_desk->window.findChild<OperationDialog *>(); }
    void fill(const char *field, const QString &text);
    void go();
    bool has(const QString &text) const;
    HeardRequest onlyWrite();
    std::unique_ptr<Desk> m_desk;
    std::unique_ptr<PersonCalls> m_calls;
    GuestPage *m_page = nullptr;
    std::unique_ptr<QSignalSpy> m_notices;
};

void GuestPageTest::init()
{
    TestClusterOptions options;
    options.hasManualClock = false;
    options.taskPace = 0;
    m_desk = std::make_unique<Desk>(options);
    QVERIFY(m_desk->isReady());
    m_calls = std::make_unique<PersonCalls>(*m_desk->executor);
    m_notices = std::make_unique<QSignalSpy>(m_calls.get(), &PersonCalls::noticed);
    m_page = new GuestPage(m_desk->cluster.inventory, *m_calls, &m_desk->window);
    m_page->resize(m_desk->window.size());
    m_page->show();
}

void GuestPageTest::cleanup()
{
    m_desk->executor.reset();
    delete std::exchange(m_page, nullptr);
    m_notices.reset();
    m_calls.reset();
    m_desk.reset();
}

void GuestPageTest::show(qint64 vmid)
{
    m_page->show({.kind = Selection::Kind::Guest, .remote = m_desk->cluster.remote.id, .vmid = *Vmid::from(vmid)});
}

void GuestPageTest::fill(const char *field, const QString &text)
{
    auto *line = dialog()->findChild<QLineEdit *>(QLatin1String(field));
    line->setFocus();
    line->selectAll();
    if (text.isEmpty())
        QTest::keyClick(line, Qt::Key_Backspace);
    QTest::keyClicks(line, text);
}

void GuestPageTest::go()
{
    QTest::mouseClick(dialog()->findChild<QPushButton *>(QStringLiteral("go")), Qt::LeftButton);
}

bool GuestPageTest::has(const QString &text) const
{
    for (const auto *label : m_page->findChildren<QLabel *>())
        if (label->isVisibleTo(m_page) && label->text().contains(text))
            return true;
    return false;
}

HeardRequest GuestPageTest::onlyWrite()
{
    const auto writes = m_desk->cluster.simulator.writes();
    return writes.size() == 1 ? writes.first() : HeardRequest{};
}

void GuestPageTest::showsWhatTheGuestIsAndDoes()
{
    show(104);
    QVERIFY(has(QStringLiteral("jellyfin")));
    QVERIFY(has(QStringLiteral("CT 104 · pve1")));
    QTRY_VERIFY(has(QStringLiteral("yes, order=3")));
    QTRY_VERIFY(has(QStringLiteral("2 · newest 6 days ago")));
    QVERIFY(m_page->findChild<MarkdownView *>()->toPlainText().contains(QLatin1String("GPU passthrough")));
}

void GuestPageTest::drawsTheLoadOfTheLastHour()
{
    show(104);
    const auto cards = m_page->findChildren<ChartCard *>();
    QCOMPARE(cards.size(), 4);
    QTRY_VERIFY(cards.first()->chart().lines().value(0).times.size() > 50);
    for (auto *card : cards) {
        QVERIFY(card->figure() != QLatin1String("unknown"));
        for (const auto &line : card->chart().lines())
            QVERIFY(std::any_of(line.values.begin(), line.values.end(), [](double value) { return value > 0; }));
    }
}

void GuestPageTest::asksForAnotherTimeframe()
{
    show(104);
    QTRY_COMPARE(m_desk->cluster.simulator.count(QStringLiteral("GET"), QStringLiteral("/nodes/pve1/lxc/104/rrddata")),
                 1);
    button("timeframe")->menu()->actions().at(2)->trigger();
    const auto askedForAWeek = [this] {
        const auto &requests = m_desk->cluster.simulator.requests();
        return std::any_of(requests.begin(), requests.end(), [](const HeardRequest &request) {
            return request.path.endsWith(QLatin1String("rrddata")) &&
                   request.parameters[QLatin1String("timeframe")].toString() == QLatin1String("week");
        });
    };
    QTRY_VERIFY(askedForAWeek());
}

void GuestPageTest::startsAStoppedGuestAndOffersToUndoIt()
{
    show(107);
    QVERIFY(!button("button.guest.shutdown")->isVisible());
    QTest::mouseClick(button("button.guest.start"), Qt::LeftButton);
    QTRY_COMPARE(m_notices->size(), 1);
    QCOMPARE(onlyWrite().path, QStringLiteral("/nodes/pve1/lxc/107/status/start"));
    const auto notice = m_notices->first().first().value<Notice>();
    QVERIFY(!notice.undoes.isEmpty());
    QCOMPARE(notice.tone, Tone::Green);
    QTRY_VERIFY(button("button.guest.shutdown")->isVisible());
    QVERIFY(!button("button.guest.start")->isVisible());
}

void GuestPageTest::asksBackBeforeItShutsDown()
{
    show(104);
    QTest::mouseClick(button("button.guest.shutdown"), Qt::LeftButton);
    QTRY_VERIFY(m_desk->queue.dialog());
    QVERIFY(m_desk->cluster.simulator.writes().isEmpty());
    QVERIFY(m_desk->allowOpenDialog());
    QTRY_COMPARE(onlyWrite().path, QStringLiteral("/nodes/pve1/lxc/104/status/shutdown"));
}

void GuestPageTest::sendsNothingWhenThePersonThinksBetterOfIt()
{
    show(104);
    QTest::mouseClick(button("button.guest.stop"), Qt::LeftButton);
    QTRY_VERIFY(m_desk->queue.dialog());
    QTest::keyClick(m_desk->queue.dialog(), Qt::Key_Escape);
    QTRY_VERIFY(m_desk->executor->live().empty());
    QVERIFY(m_desk->cluster.simulator.writes().isEmpty());
    QVERIFY2(m_notices->isEmpty(), "nobody has to be told what they just said");
}

void GuestPageTest::changesOneValueAndNothingElse()
{
    show(104);
    QTRY_VERIFY(button("button.guest.config.set")->isEnabled());
    QTest::mouseClick(button("button.guest.config.set"), Qt::LeftButton);
    QCOMPARE(dialog()->findChild<QLineEdit *>(QStringLiteral("field.memory"))->text(), QStringLiteral("4096"));
    QVERIFY(!dialog()->findChild<QLineEdit *>(QStringLiteral("field.sockets")));
    fill("field.memory", QStringLiteral("6144"));
    go();
    QTRY_COMPARE(m_notices->size(), 1);
    const auto write = onlyWrite();
    QCOMPARE(write.method, QStringLiteral("PUT"));
    QCOMPARE(write.parameters.keys(), (QStringList{QStringLiteral("digest"), QStringLiteral("memory")}));
    QCOMPARE(write.parameters[QLatin1String("memory")].toString(), QStringLiteral("6144"));
    QVERIFY(m_notices->first().first().value<Notice>().text.contains(QStringLiteral("4096 → 6144 MiB")));
    QTRY_VERIFY(!dialog() || !dialog()->isVisible());
}

void GuestPageTest::takesAChangeBackFromTheNotice()
{
    changesOneValueAndNothingElse();
    m_desk->cluster.simulator.forgetRequests();
    m_calls->undo(m_notices->first().first().value<Notice>().undoes);
    QTRY_COMPARE(m_notices->size(), 2);
    QCOMPARE(onlyWrite().parameters[QLatin1String("memory")].toString(), QStringLiteral("4096"));
}

void GuestPageTest::removesAValueThatWasEmptied()
{
    show(104);
    QTRY_VERIFY(button("button.guest.config.set")->isEnabled());
    QTest::mouseClick(button("button.guest.config.set"), Qt::LeftButton);
    fill("field.startup", {});
    go();
    QTRY_COMPARE(m_notices->size(), 1);
    QCOMPARE(onlyWrite().parameters[QLatin1String("delete")].toString(), QStringLiteral("startup"));
}

void GuestPageTest::saysWhyAChangeIsRefusedAndKeepsTheForm()
{
    show(104);
    QTest::mouseClick(button("button.snapshot.create"), Qt::LeftButton);
    fill("field.name", QStringLiteral("weekly"));
    go();
    auto *problem = dialog()->findChild<QLabel *>(QStringLiteral("problem"));
    QTRY_VERIFY(problem->isVisible());
    QVERIFY2(problem->text().contains(QLatin1String("weekly")), qPrintable(problem->text()));
    QVERIFY(dialog()->isVisible());
    QVERIFY(m_desk->cluster.simulator.writes().isEmpty());
    QVERIFY(m_notices->isEmpty());
    fill("field.name", QStringLiteral("not a name"));
    go();
    QVERIFY(problem->text().contains(QLatin1String("name")));
    fill("field.name", QStringLiteral("before-upgrade"));
    QVERIFY(!problem->isVisible());
    go();
    QTRY_COMPARE(m_notices->size(), 1);
    QCOMPARE(onlyWrite().parameters[QLatin1String("snapname")].toString(), QStringLiteral("before-upgrade"));
}

/// The tree as lines, each behind its parent.
static QStringList linesOf(const QAbstractItemModel &model, const QModelIndex &parent = {}, const QString &path = {})
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const auto index = model.index(row, 0, parent);
        lines << path + index.data().toString();
        lines << linesOf(model, index, path + index.data().toString() + u'/');
    }
    return lines;
}

void GuestPageTest::showsSnapshotsAsATree()
{
    show(104);
    const QTreeView *tree = nullptr;
    for (const auto *view : m_page->findChildren<QTreeView *>())
        if (view->accessibleName() == QLatin1String("Snapshots"))
            tree = view;
    QVERIFY(tree);
    QTRY_COMPARE(linesOf(*tree->model()),
                 (QStringList{QStringLiteral("before-gpu"), QStringLiteral("before-gpu/weekly"),
                              QStringLiteral("before-gpu/weekly/You are here")}));
}

void GuestPageTest::deletesOnlyAfterTheIdWasTyped()
{
    show(107);
    QTest::mouseClick(button("button.guest.delete"), Qt::LeftButton);
    go();
    QTRY_VERIFY(m_desk->queue.dialog());
    QCOMPARE(m_desk->queue.dialog()->wantedId(), QStringLiteral("107"));
    QVERIFY(m_desk->cluster.simulator.writes().isEmpty());
    QVERIFY(m_desk->allowOpenDialog());
    QTRY_COMPARE(m_notices->size(), 1);
    QCOMPARE(onlyWrite().method, QStringLiteral("DELETE"));
    QCOMPARE(onlyWrite().parameters[QLatin1String("purge")].toString(), QStringLiteral("1"));
    QTRY_VERIFY(has(QStringLiteral("no longer there")));
}

void GuestPageTest::writesNotes()
{
    show(104);
    auto *edit = button("editNotes");
    QTRY_VERIFY(edit->isEnabled());
    QTest::mouseClick(edit, Qt::LeftButton);
    auto *field = dialog()->findChild<QPlainTextEdit *>(QStringLiteral("field.notes"));
    QVERIFY(field->toPlainText().startsWith(QLatin1String("GPU passthrough")));
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("All films = here; ask first"));
    go();
    QTRY_COMPARE(m_notices->size(), 1);
    QCOMPARE(onlyWrite().parameters[QLatin1String("description")].toString(),
             QStringLiteral("All films = here; ask first"));
    QTRY_COMPARE(m_page->findChild<MarkdownView *>()->toPlainText().trimmed(),
                 QStringLiteral("All films = here; ask first"));
}

void GuestPageTest::offersNothingForAGuestThatNobodyHearsOf()
{
    show(301);
    QVERIFY(has(QStringLiteral("nobody knows what this guest does now")));
    for (auto *each : m_page->findChildren<QPushButton *>())
        if (each->objectName().startsWith(QLatin1String("button.")) && each->isVisible())
            QVERIFY2(!each->isEnabled(), qPrintable(each->text()));
}

void GuestPageTest::offersNothingWhenTheClusterIsGone()
{
    show(104);
    QTRY_VERIFY(button("button.guest.config.set")->isEnabled());
    m_desk->cluster.simulator.close();
    QVERIFY(!m_desk->cluster.refresh());
    QVERIFY(has(QStringLiteral("As last seen")));
    QVERIFY(!button("button.guest.shutdown")->isEnabled());
    QVERIFY(!button("button.guest.config.set")->isEnabled());
}

void GuestPageTest::everyControlHasAnAccessibleName()
{
    show(104);
    for (const auto *each : m_page->findChildren<QWidget *>())
        if (each->focusPolicy() & Qt::TabFocus && each->isVisibleTo(m_page))
            QVERIFY2(!each->accessibleName().isEmpty() || qobject_cast<const QPushButton *>(each) ||
                         QLatin1String(each->metaObject()->className()) == QLatin1String("QTabBar"),
                     each->metaObject()->className());
}

LABHELM_TEST(GuestPageTest)
#include "GuestPageTest.moc"
