#include "operations/PlanDialog.h"
#include "operations/OperationDialog.h"
#include "operations/OperationForm.h"
#include "operations/PersonCalls.h"
#include "support/Desk.h"
#include "support/Pictures.h"
#include "support/TestMain.h"
#include "widgets/StepList.h"
#include <QCheckBox>
#include <QLabel>

/// A person collects changes in forms, sees them together, leaves one out, and runs the rest.
class PlanDialogTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        TestClusterOptions options;
        options.taskPace = 0;
        m_desk = std::make_unique<Desk>(options);
        QVERIFY(m_desk->isReady());
        m_calls = std::make_unique<PersonCalls>(*m_desk->executor);
        m_dialog = std::make_unique<PlanDialog>(*m_calls, &m_desk->window);
    }
    void cleanup()
    {
        m_dialog.reset();
        m_calls.reset();
        m_desk.reset();
    }

    void collectsFromAForm()
    {
        auto *form = new OperationDialog(*m_desk->catalogue.find(QStringLiteral("guest.notes.set")),
                                         QStringLiteral("jellyfin 104"), {{QStringLiteral("guest"), 104}}, {}, *m_calls,
                                         &m_desk->window);
        form->show();
        QTest::keyClicks(form->form().field(QStringLiteral("notes")), QStringLiteral("from a plan"));
        QTest::mouseClick(form->findChild<QPushButton *>(QStringLiteral("addToPlan")), Qt::LeftButton);
        QCOMPARE(m_calls->draft().steps().size(), 1);
        QVERIFY(m_dialog->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(list(), 10'000);
        QCOMPARE(writes(), 0);
    }
    void runsWhatIsTicked()
    {
        addThree();
        QCOMPARE(list()->findChildren<QCheckBox *>().size(), 3);
        Pictures::take(*m_dialog, QStringLiteral("plan-of-a-person"));
        list()->findChild<QCheckBox *>(QStringLiteral("step2"))->click();
        QTest::mouseClick(button("run"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->isVisible(), 20'000);
        QCOMPARE(writes(), 2);
        QVERIFY(m_calls->draft().steps().isEmpty());
        QCOMPARE(m_desk->cluster.world().guest(104)->config[QStringLiteral("memory")], QStringLiteral("6144"));
    }
    void doesNotRunNothing()
    {
        addThree();
        for (auto *box : list()->findChildren<QCheckBox *>())
            box->click();
        QVERIFY(!button("run")->isEnabled());
    }
    void saysWhichStepIsRefused()
    {
        m_calls->draft().add(QStringLiteral("guest.start"), {{QStringLiteral("guest"), 999}});
        auto *problem = m_dialog->findChild<QLabel *>(QStringLiteral("problem"));
        QTRY_VERIFY_WITH_TIMEOUT(problem->isVisible(), 10'000);
        QVERIFY2(problem->text().contains(QLatin1String("Step 1")), qPrintable(problem->text()));
        QVERIFY(!button("run")->isEnabled());
        QTest::mouseClick(button("clear"), Qt::LeftButton);
        QVERIFY(m_calls->draft().steps().isEmpty());
    }

private:
    StepList *list() const { return m_dialog->findChild<StepList *>(); }
    QPushButton *button(const char *name) const { return m_dialog->findChild<QPushButton *>(QLatin1String(name)); }
    qsizetype writes() const { return m_desk->cluster.simulator.writes().size(); }
    void addThree()
    {
        m_calls->draft().add(QStringLiteral("guest.config.set"),
                             {{QStringLiteral("guest"), 104}, {QStringLiteral("memory"), 6144}});
        m_calls->draft().add(QStringLiteral("guest.notes.set"),
                             {{QStringLiteral("guest"), 104}, {QStringLiteral("notes"), QStringLiteral("More")}});
        m_calls->draft().add(QStringLiteral("snapshot.create"),
                             {{QStringLiteral("guest"), 107}, {QStringLiteral("name"), QStringLiteral("before")}});
        const auto isShown = [this] { return list() && list()->findChildren<QCheckBox *>().size() == 3; };
        QTRY_VERIFY_WITH_TIMEOUT(isShown(), 10'000);
    }

    std::unique_ptr<Desk> m_desk;
    std::unique_ptr<PersonCalls> m_calls;
    std::unique_ptr<PlanDialog> m_dialog;
};

LABHELM_TEST(PlanDialogTest)
#include "PlanDialogTest.moc"
