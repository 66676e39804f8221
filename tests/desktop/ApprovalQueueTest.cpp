#include "approval/ApprovalQueue.h"
#include "approval/ApprovalDialog.h"
#include "support/Approvals.h"
#include "support/TestMain.h"
#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

class ApprovalQueueTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void keepsAProgramsRequestUntilItIsReviewed();
    void stealsNoFocusFromThePersonWhoTypes();
    void asksThePersonAtOnce();
    void asksThePersonsOwnNextAfterTheOpenOne();
    void handsTheAnswerToTheCall();
    void opensOneDialogForAThousandRequests();
    void letsOneProgramNotCrowdOutAnother();
    void forgetsWhatIsWithdrawn();
    void keepsTheOpenDialogOfAWithdrawnRequest();
    void droppingTheQueueIsANo();
    void askingAgainFromTheAnswerIsSafe();

private:
    Future<Approval> ask(const ApprovalRequest &request);
    std::unique_ptr<QWidget> m_window;
    QLineEdit *m_field = nullptr;
    std::unique_ptr<ApprovalQueue> m_queue;
};

void ApprovalQueueTest::init()
{
    m_window = std::make_unique<QWidget>();
    m_field = new QLineEdit(m_window.get());
    m_window->show();
    m_window->activateWindow();
    m_field->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_queue = std::make_unique<ApprovalQueue>(m_window.get());
}

void ApprovalQueueTest::cleanup()
{
    m_queue.reset();
    m_window.reset();
}

Future<Approval> ApprovalQueueTest::ask(const ApprovalRequest &request)
{
    Promise<Approval> promise;
    auto future = promise.future();
    m_queue->ask(request, std::move(promise));
    return future;
}

static int openDialogs()
{
    int open = 0;
    for (const auto *widget : QApplication::topLevelWidgets())
        open += qobject_cast<const ApprovalDialog *>(widget) && widget->isVisible();
    return open;
}

void ApprovalQueueTest::keepsAProgramsRequestUntilItIsReviewed()
{
    QSignalSpy asked(m_queue.get(), &ApprovalQueue::asked);
    QSignalSpy counted(m_queue.get(), &ApprovalQueue::countChanged);
    const auto answer = ask(Approvals::memory());
    QCOMPARE(asked.size(), 1);
    QCOMPARE(counted.takeLast().first().toInt(), 1);
    QVERIFY(!m_queue->dialog());
    QVERIFY(!answer.isReady());
    QCOMPARE(m_queue->waiting().front().callId, QStringLiteral("call-2"));

    QVERIFY(!m_queue->review(QStringLiteral("another")));
    QVERIFY(m_queue->review(QStringLiteral("call-2")));
    QCOMPARE(openDialogs(), 1);
    QVERIFY(m_queue->review(QStringLiteral("call-2"))); // again: the same dialog
    QCOMPARE(openDialogs(), 1);
}

void ApprovalQueueTest::stealsNoFocusFromThePersonWhoTypes()
{
    QTest::keyClicks(m_field, QStringLiteral("half a "));
    const auto answer = ask(Approvals::deletion());
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("word"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(QApplication::focusWidget(), m_field);
    QCOMPARE(QApplication::activeWindow(), m_window.get());
    QCOMPARE(m_field->text(), QStringLiteral("half a word"));
    QVERIFY(!answer.isReady());
}

void ApprovalQueueTest::asksThePersonAtOnce()
{
    QSignalSpy asked(m_queue.get(), &ApprovalQueue::asked);
    const auto answer = ask(Approvals::deletion(QStringLiteral("own"), Actor::person()));
    QVERIFY(m_queue->dialog());
    QCOMPARE(m_queue->dialog()->callId(), QStringLiteral("own"));
    QVERIFY(asked.isEmpty());
    QVERIFY(!answer.isReady());
}

void ApprovalQueueTest::asksThePersonsOwnNextAfterTheOpenOne()
{
    const auto first = ask(Approvals::memory(QStringLiteral("of the agent")));
    QVERIFY(m_queue->review(QStringLiteral("of the agent")));
    const auto second = ask(Approvals::deletion(QStringLiteral("own"), Actor::person()));
    QCOMPARE(openDialogs(), 1);
    m_queue->dialog()->reject();
    QVERIFY(m_queue->dialog());
    QCOMPARE(m_queue->dialog()->callId(), QStringLiteral("own"));
    m_queue->dialog()->reject();
    QVERIFY(!m_queue->dialog());
    QVERIFY(first.isReady() && second.isReady());
}

void ApprovalQueueTest::handsTheAnswerToTheCall()
{
    auto answer = ask(Approvals::memory());
    QVERIFY(m_queue->review(QStringLiteral("call-2")));
    auto *allow = m_queue->dialog()->findChild<QPushButton *>(QStringLiteral("allow"));
    QTRY_VERIFY(allow->isEnabled());
    QTest::mouseClick(allow, Qt::LeftButton);
    QVERIFY(answer.isReady());
    const auto approval = answer.await_resume();
    QVERIFY(approval && approval->allowed);
    QCOMPARE(approval->planHash, QByteArray("hash of the memory change"));
    QCOMPARE(m_queue->count(), 0);
    QVERIFY(!m_queue->review(QStringLiteral("call-2")));
}

void ApprovalQueueTest::opensOneDialogForAThousandRequests()
{
    std::vector<Future<Approval>> answers;
    for (int i = 0; i < 1000; ++i)
        answers.push_back(ask(Approvals::memory(QStringLiteral("call %1").arg(i))));
    QCOMPARE(openDialogs(), 0);
    QCOMPARE(m_queue->count(), ApprovalQueue::mostOfOneProgram);
    for (const auto &request : m_queue->waiting())
        m_queue->review(request.callId);
    QCOMPARE(openDialogs(), 1);
    int denied = 0;
    for (auto &answer : answers)
        if (answer.isReady()) {
            const auto approval = answer.await_resume();
            QVERIFY(approval && !approval->allowed && !approval->reason.isEmpty());
            ++denied;
        }
    QCOMPARE(denied, 1000 - ApprovalQueue::mostOfOneProgram);
}

void ApprovalQueueTest::letsOneProgramNotCrowdOutAnother()
{
    std::vector<Future<Approval>> answers;
    for (int i = 0; i < 100; ++i)
        answers.push_back(ask(Approvals::memory(QStringLiteral("call %1").arg(i))));
    const auto other = ask(Approvals::memory(QStringLiteral("other"), Approvals::agent(QStringLiteral("goose"))));
    QVERIFY(!other.isReady());
    QVERIFY(m_queue->review(QStringLiteral("other")));
}

void ApprovalQueueTest::forgetsWhatIsWithdrawn()
{
    const auto answer = ask(Approvals::memory());
    m_queue->withdraw(QStringLiteral("call-2"));
    m_queue->withdraw(QStringLiteral("call-2"));
    QCOMPARE(m_queue->count(), 0);
    QVERIFY(!m_queue->review(QStringLiteral("call-2")));
    QVERIFY(answer.isReady());
}

void ApprovalQueueTest::keepsTheOpenDialogOfAWithdrawnRequest()
{
    auto answer = ask(Approvals::memory());
    QVERIFY(m_queue->review(QStringLiteral("call-2")));
    m_queue->withdraw(QStringLiteral("call-2"));
    QVERIFY(m_queue->dialog() && m_queue->dialog()->isVisible());
    QVERIFY(!answer.await_resume());
    m_queue->dialog()->reject();
    QVERIFY(!m_queue->dialog());
}

void ApprovalQueueTest::droppingTheQueueIsANo()
{
    auto answer = ask(Approvals::memory());
    QVERIFY(m_queue->review(QStringLiteral("call-2")));
    m_queue.reset();
    QVERIFY(answer.isReady());
    QVERIFY(!answer.await_resume());
    QCOMPARE(openDialogs(), 0);
}

static QCoro::Task<> askAgain(ApprovalQueue *queue, Future<Approval> first)
{
    auto answer = co_await std::move(first);
    if (answer)
        queue->ask(Approvals::memory(QStringLiteral("again"), Actor::person()), Promise<Approval>());
}

void ApprovalQueueTest::askingAgainFromTheAnswerIsSafe()
{
    auto task = askAgain(m_queue.get(), ask(Approvals::memory()));
    QVERIFY(m_queue->review(QStringLiteral("call-2")));
    m_queue->dialog()->reject();
    QVERIFY(m_queue->dialog());
    QCOMPARE(m_queue->dialog()->callId(), QStringLiteral("again"));
}

LABHELM_TEST(ApprovalQueueTest)
#include "ApprovalQueueTest.moc"
