#include "approval/ApprovalDialog.h"
#include "support/Approvals.h"
#include "support/Pictures.h"
#include "support/TestMain.h"
#include "widgets/Pill.h"
#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

class ApprovalDialogTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { m_answers.clear(); }
    void cleanup() { m_dialog.reset(); }

    void showsWhoAsksWhatAndExactlyWhatIsSent();
    void allowsTheShownPlanByAClick();
    void allowsNothingInTheFirstHalfSecond();
    void waitsAgainWhenItComesBackToTheFront();
    void deniesByDefault();
    void allowsNothingByAHeldKey_data();
    void allowsNothingByAHeldKey();
    void wantsTheIdTypedBeforeItDestroys();
    void enterInTheIdFieldOnlyMovesToAllow();
    void closingDeniesOnce();
    void tellsTheProgramWhy();
    void answersOnlyOnce();
    void answersNothingOnceTheCallHasEnded();
    void showsTextFromOutsideLiterally();
    void flagsANameOfSeveralAlphabets();
    void asksThePersonInTheirOwnWords();
    void saysWithoutAPlanThatItOnlyReads();
    void saysInWordsWhatUndoesIt_data();
    void saysInWordsWhatUndoesIt();
    void staysUsableWithALongStory();
    void leavesOutTheStepsThatAreNotTicked();
    void wantsTheIdOfWhatAPlanDestroys();

private:
    static ApprovalRequest planOfTwo();
    void open(const ApprovalRequest &request);
    void passGuard() { QTRY_VERIFY_WITH_TIMEOUT(allow()->isEnabled(), 5000); }
    QPushButton *allow() const { return m_dialog->findChild<QPushButton *>(QStringLiteral("allow")); }
    QPushButton *deny() const { return m_dialog->findChild<QPushButton *>(QStringLiteral("deny")); }
    QLineEdit *typedId() const { return m_dialog->findChild<QLineEdit *>(QStringLiteral("typedId")); }
    QString label(const char *name) const { return m_dialog->findChild<QLabel *>(QLatin1String(name))->text(); }
    bool says(const QString &words) const { return !allText().filter(words).isEmpty(); }
    QStringList allText() const;
    std::unique_ptr<ApprovalDialog> m_dialog;
    std::vector<Approval> m_answers;
};

void ApprovalDialogTest::open(const ApprovalRequest &request)
{
    m_dialog = std::make_unique<ApprovalDialog>(request, Clock::system());
    connect(m_dialog.get(), &ApprovalDialog::answered, this,
            [this](const Approval &approval) { m_answers.push_back(approval); });
    m_dialog->open();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
}

QStringList ApprovalDialogTest::allText() const
{
    QStringList all;
    for (const auto *one : m_dialog->findChildren<QLabel *>())
        all << one->text();
    for (const auto *one : m_dialog->findChildren<QPlainTextEdit *>())
        all << one->toPlainText();
    return all;
}

void ApprovalDialogTest::showsWhoAsksWhatAndExactlyWhatIsSent()
{
    open(Approvals::deletion());
    QCOMPARE(m_dialog->findChild<Pill *>(QStringLiteral("who"))->text(), QStringLiteral("Claude Code"));
    QCOMPARE(label("process"), QStringLiteral("asks · pid 48121 · session 7f3a"));
    QCOMPARE(label("intent"), QStringLiteral("Delete guest win11-test 120"));
    QCOMPARE(label("target"), QStringLiteral("win11-test (VM 120) on pve1"));
    QCOMPARE(label("undo"), QStringLiteral("This cannot be undone."));
    QCOMPARE(label("reason"), QStringLiteral("“VM unused for three weeks, freeing space on local-zfs”"));
    QVERIFY(says(QStringLiteral("It also destroys its 2 disks (96 GiB on local-zfs).")));
    QVERIFY(says(QStringLiteral("none found on any storage")));
    QVERIFY(allText().contains(Approvals::deletion().plan->requests.front().describe()));
    Pictures::take(*m_dialog, QStringLiteral("approval-delete"));
}

void ApprovalDialogTest::allowsTheShownPlanByAClick()
{
    open(Approvals::memory());
    passGuard();
    Pictures::take(*m_dialog, QStringLiteral("approval-memory"));
    QTest::mouseClick(allow(), Qt::LeftButton);
    QCOMPARE(m_answers.size(), 1u);
    QVERIFY(m_answers[0].allowed);
    QCOMPARE(m_answers[0].planHash, QByteArray("hash of the memory change"));
    QVERIFY(!m_dialog->isVisible());
}

void ApprovalDialogTest::allowsNothingInTheFirstHalfSecond()
{
    QElapsedTimer shown;
    shown.start();
    open(Approvals::memory());
    QVERIFY(!allow()->isEnabled());
    QTest::mouseClick(allow(), Qt::LeftButton);
    QTest::keyClick(allow(), Qt::Key_Space);
    QVERIFY(m_answers.empty());
    passGuard();
    QVERIFY(shown.elapsed() >= 500);
}

void ApprovalDialogTest::waitsAgainWhenItComesBackToTheFront()
{
    open(Approvals::memory());
    passGuard();
    QWidget other;
    other.show();
    other.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&other));
    m_dialog->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    QVERIFY(!allow()->isEnabled());
    passGuard();
}

void ApprovalDialogTest::deniesByDefault()
{
    open(Approvals::memory());
    passGuard();
    QVERIFY(deny()->isDefault());
    QVERIFY(!allow()->isDefault() && !allow()->autoDefault());
    QCOMPARE(m_dialog->focusWidget(), deny());
    QTest::keyClick(m_dialog.get(), Qt::Key_Return);
    QCOMPARE(m_answers.size(), 1u);
    QVERIFY(!m_answers[0].allowed);
}

void ApprovalDialogTest::allowsNothingByAHeldKey_data()
{
    QTest::addColumn<int>("key");
    QTest::newRow("Return") << int(Qt::Key_Return);
    QTest::newRow("Enter") << int(Qt::Key_Enter);
    QTest::newRow("Space") << int(Qt::Key_Space);
}

static void repeat(QWidget *receiver, int key)
{
    receiver->setFocus();
    for (int i = 0; i < 50; ++i)
        for (const auto type : {QEvent::KeyRelease, QEvent::KeyPress}) {
            QKeyEvent event(type, key, Qt::NoModifier, QString(), true);
            QApplication::sendEvent(receiver, &event);
        }
    QKeyEvent letGo(QEvent::KeyRelease, key, Qt::NoModifier);
    QApplication::sendEvent(receiver, &letGo);
}

void ApprovalDialogTest::allowsNothingByAHeldKey()
{
    QFETCH(int, key);
    open(Approvals::memory());
    passGuard();
    for (auto *receiver :
         {static_cast<QWidget *>(allow()), static_cast<QWidget *>(deny()), static_cast<QWidget *>(m_dialog.get())})
        repeat(receiver, key);
    QVERIFY(m_answers.empty()); // nor does it deny what the person has not read yet
    QVERIFY(m_dialog->isVisible());

    QTest::keyClick(allow(), Qt::Key(key)); // while a fresh press on Allow itself works
    QCOMPARE(m_answers.size(), 1u);
    QVERIFY(m_answers[0].allowed);
}

void ApprovalDialogTest::wantsTheIdTypedBeforeItDestroys()
{
    open(Approvals::deletion());
    QCOMPARE(typedId()->placeholderText(), QStringLiteral("Type 120 to allow"));
    QTest::keyClicks(typedId(), QStringLiteral("120"));
    passGuard(); // from here on what is missing is the id alone
    for (const auto *wrong : {"", "12", "121", "1200", "win11-test", "0120"}) {
        typedId()->clear();
        QTest::keyClicks(typedId(), QLatin1String(wrong));
        QVERIFY2(!allow()->isEnabled(), wrong);
        QTest::mouseClick(allow(), Qt::LeftButton);
    }
    QVERIFY(m_answers.empty());
    typedId()->clear();
    QTest::keyClicks(typedId(), QStringLiteral("120"));
    QVERIFY(allow()->isEnabled());
    QTest::mouseClick(allow(), Qt::LeftButton);
    QCOMPARE(m_answers.size(), 1u);
    QVERIFY(m_answers[0].allowed);
    QCOMPARE(m_answers[0].planHash, QByteArray("hash of the deletion"));
}

void ApprovalDialogTest::enterInTheIdFieldOnlyMovesToAllow()
{
    open(Approvals::deletion());
    typedId()->setFocus();
    QTest::keyClicks(typedId(), QStringLiteral("120"));
    passGuard();
    QTest::keyClick(typedId(), Qt::Key_Return);
    QVERIFY(m_answers.empty());
    QCOMPARE(m_dialog->focusWidget(), allow());
}

void ApprovalDialogTest::closingDeniesOnce()
{
    open(Approvals::memory());
    m_dialog->close();
    QCOMPARE(m_answers.size(), 1u);
    QVERIFY(!m_answers[0].allowed);

    m_answers.clear();
    open(Approvals::memory());
    QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
    QCOMPARE(m_answers.size(), 1u);
    QVERIFY(!m_answers[0].allowed);
}

void ApprovalDialogTest::tellsTheProgramWhy()
{
    open(Approvals::memory());
    auto *answer = m_dialog->findChild<QLineEdit *>(QStringLiteral("answer"));
    QTest::keyClicks(answer, QStringLiteral("not while people watch films"));
    QTest::mouseClick(deny(), Qt::LeftButton);
    QCOMPARE(m_answers.size(), 1u);
    QCOMPARE(m_answers[0].reason, QStringLiteral("not while people watch films"));
}

void ApprovalDialogTest::answersOnlyOnce()
{
    open(Approvals::memory());
    passGuard();
    QTest::mouseClick(allow(), Qt::LeftButton);
    QTest::mouseClick(allow(), Qt::LeftButton);
    m_dialog->reject();
    QCOMPARE(m_answers.size(), 1u);
}

void ApprovalDialogTest::answersNothingOnceTheCallHasEnded()
{
    open(Approvals::memory());
    passGuard();
    m_dialog->setMoot();
    QVERIFY(m_dialog->isVisible()); // what a person aims at does not vanish under the pointer
    QVERIFY(!allow()->isVisible() && !allow()->isEnabled());
    QCOMPARE(deny()->text(), QStringLiteral("Close"));
    QTest::mouseClick(deny(), Qt::LeftButton);
    QVERIFY(m_answers.empty());
    QVERIFY(!m_dialog->isVisible());
}

void ApprovalDialogTest::showsTextFromOutsideLiterally()
{
    auto request = Approvals::memory();
    request.actor.name = QStringLiteral("<b>Claude</b>");
    request.reason = QStringLiteral("<img src=file:///etc/passwd> pro\u202Edbt\x1b[2K");
    request.target = Approvals::guest(QStringLiteral("<h1>web</h1>\u200B"), 101);
    auto plan = std::make_shared<Plan>(*request.plan);
    plan->intent = QStringLiteral("Change memory of <i>web</i>\u2066");
    plan->facts.push_back({QStringLiteral("Notes"), QStringLiteral("<a href=x>click</a>")});
    plan->changes = {{QStringLiteral("description"), QStringLiteral("<b>a</b>"), QStringLiteral("b\u202E")}};
    request.plan = plan;
    open(request);
    for (const auto *one : m_dialog->findChildren<QLabel *>())
        QCOMPARE(one->textFormat(), Qt::PlainText);
    QCOMPARE(label("intent"), QStringLiteral("Change memory of <i>web</i><U+2066>"));
    QCOMPARE(label("target"), QStringLiteral("<h1>web</h1><U+200B> (VM 101) on pve1"));
    QCOMPARE(label("reason"), QStringLiteral("“<img src=file:///etc/passwd> pro<U+202E>dbt\\x1b[2K”"));
    for (const auto &text : allText())
        QVERIFY(!text.contains(QChar(0x202E)) && !text.contains(QChar(0x1b)) && !text.contains(QChar(0x2066)));
    Pictures::take(*m_dialog, QStringLiteral("approval-hostile"));
}

void ApprovalDialogTest::flagsANameOfSeveralAlphabets()
{
    auto request = Approvals::memory();
    request.target = Approvals::guest(QStringLiteral("\u0440rod"), 101);
    open(request);
    QVERIFY(says(QStringLiteral("several alphabets")));
}

void ApprovalDialogTest::asksThePersonInTheirOwnWords()
{
    open(Approvals::deletion(QStringLiteral("own"), Actor::person()));
    QCOMPARE(m_dialog->findChild<Pill *>(QStringLiteral("who"))->text(), QStringLiteral("You"));
    QCOMPARE(label("process"), QStringLiteral("are about to"));
    QCOMPARE(deny()->text(), QStringLiteral("Cancel"));
    QCOMPARE(allow()->text(), QStringLiteral("Delete guest"));
    QCOMPARE(m_dialog->focusWidget(), typedId());
    QVERIFY(!m_dialog->findChild<QLineEdit *>(QStringLiteral("answer")));
    Pictures::take(*m_dialog, QStringLiteral("approval-own"));
}

void ApprovalDialogTest::saysWithoutAPlanThatItOnlyReads()
{
    static const NamedOperation read("guest.get", "Read guest with notes", Effect::Reads);
    auto request = Approvals::memory();
    request.operation = &read;
    request.effect = Effect::Reads;
    request.plan = nullptr;
    open(request);
    QCOMPARE(label("intent"), QStringLiteral("Read guest with notes"));
    QVERIFY(says(QStringLiteral("only reads")));
    passGuard();
    QTest::mouseClick(allow(), Qt::LeftButton);
    QVERIFY(m_answers.size() == 1 && m_answers[0].allowed && m_answers[0].planHash.isEmpty());
}

void ApprovalDialogTest::saysInWordsWhatUndoesIt_data()
{
    QTest::addColumn<int>("undo");
    QTest::addColumn<QString>("words");
    QTest::newRow("exact") << int(Undo::Exact) << QStringLiteral("This can be undone. Sets memory back to 4096 MiB.");
    QTest::newRow("partly") << int(Undo::Partly)
                            << QStringLiteral("This can be undone only in part. Sets memory back to 4096 MiB.");
    QTest::newRow("none") << int(Undo::None) << QStringLiteral("This cannot be undone. Sets memory back to 4096 MiB.");
}

void ApprovalDialogTest::saysInWordsWhatUndoesIt()
{
    QFETCH(int, undo);
    QFETCH(QString, words);
    auto request = Approvals::memory();
    auto plan = std::make_shared<Plan>(*request.plan);
    plan->undo = Undo(undo);
    request.plan = plan;
    open(request);
    QCOMPARE(label("undo"), words);
}

void ApprovalDialogTest::staysUsableWithALongStory()
{
    auto request = Approvals::memory();
    request.reason = QStringLiteral("because ").repeated(2000);
    auto plan = std::make_shared<Plan>(*request.plan);
    for (int i = 0; i < 200; ++i)
        plan->changes.push_back({QStringLiteral("key%1").arg(i), i, i + 1});
    request.plan = plan;
    open(request);
    QVERIFY(m_dialog->height() <= m_dialog->screen()->availableGeometry().height());
    QVERIFY(m_dialog->rect().contains(QRect(allow()->mapTo(m_dialog.get(), QPoint()), allow()->size())));
    Pictures::take(*m_dialog, QStringLiteral("approval-long"));
}

/// A change, then a deletion.
ApprovalRequest ApprovalDialogTest::planOfTwo()
{
    auto request = Approvals::memory();
    PlanStep change;
    change.headline = request.plan->intent;
    change.target = QStringLiteral("jellyfin 104");
    change.targetKey = QStringLiteral("homelab:104");
    change.effect = Effect::Changes;
    change.undo = Undo::Exact;
    change.undoText = request.plan->undoText;
    change.changes = request.plan->changes;
    PlanStep deletion;
    deletion.headline = QStringLiteral("Delete guest win11-test 120");
    deletion.target = QStringLiteral("win11-test 120");
    deletion.targetKey = QStringLiteral("homelab:120");
    deletion.losses = {QStringLiteral("2 disks")};
    auto plan = *request.plan;
    plan.intent = QStringLiteral("Run a plan: Change memory; Delete guest win11-test 120");
    plan.changes.clear();
    plan.undo = Undo::None;
    plan.steps = {change, deletion};
    request.plan = std::make_shared<const Plan>(plan);
    request.target = {};
    request.target.label = QStringLiteral("jellyfin 104, win11-test 120");
    request.effect = Effect::Destroys;
    return request;
}

void ApprovalDialogTest::leavesOutTheStepsThatAreNotTicked()
{
    open(planOfTwo());
    Pictures::take(*m_dialog, QStringLiteral("approval-plan"));
    QTest::keyClicks(typedId(), QStringLiteral("120"));
    passGuard();
    auto *first = m_dialog->findChild<QCheckBox *>(QStringLiteral("step1"));
    auto *second = m_dialog->findChild<QCheckBox *>(QStringLiteral("step2"));
    first->click();
    second->click();
    QVERIFY(!allow()->isEnabled());
    second->click();
    QTest::mouseClick(allow(), Qt::LeftButton);
    QCOMPARE(m_answers.size(), size_t(1));
    QVERIFY(m_answers.front().allowed);
    QCOMPARE(m_answers.front().leftOut, QSet<int>{0});
}

void ApprovalDialogTest::wantsTheIdOfWhatAPlanDestroys()
{
    open(planOfTwo());
    QCOMPARE(m_dialog->wantedId(), QStringLiteral("120"));
}

LABHELM_TEST(ApprovalDialogTest)
#include "ApprovalDialogTest.moc"
