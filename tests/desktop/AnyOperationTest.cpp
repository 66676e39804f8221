#include "operations/AnswerTree.h"
#include "operations/OperationDialog.h"
#include "operations/OperationForm.h"
#include "operations/PersonCalls.h"
#include "support/Desk.h"
#include "support/Pictures.h"
#include "support/TestMain.h"
#include <QComboBox>
#include <QLabel>

/// Every operation can be asked for by its declaration alone: its form, and what a read answers.
class AnyOperationTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<Desk> m_desk;
    std::unique_ptr<PersonCalls> m_calls;
    QPointer<OperationDialog> m_dialog;

    void ask(const char *operation)
    {
        m_dialog = new OperationDialog(*m_desk->catalogue.find(QLatin1String(operation)), {}, {}, {}, *m_calls,
                                       &m_desk->window);
        m_dialog->open();
    }
    void fill(const char *field, const QString &text)
    {
        auto *widget = m_dialog->form().field(QLatin1String(field));
        QVERIFY2(widget, field);
        if (auto *choice = qobject_cast<QComboBox *>(widget))
            choice->setCurrentText(text);
        else
            QTest::keyClicks(widget, text);
    }
    void go() { QTest::mouseClick(m_dialog->findChild<QPushButton *>(QStringLiteral("go")), Qt::LeftButton); }

private Q_SLOTS:
    void init()
    {
        TestClusterOptions options;
        options.hasManualClock = false;
        options.taskPace = 0;
        m_desk = std::make_unique<Desk>(options);
        QVERIFY(m_desk->isReady());
        m_calls = std::make_unique<PersonCalls>(*m_desk->executor);
    }
    void cleanup()
    {
        delete m_dialog;
        m_calls.reset();
        m_desk.reset();
    }

    void asksForAFirewallRule()
    {
        ask("firewall.rule.add");
        fill("place", QStringLiteral("nextcloud"));
        fill("type", QStringLiteral("in"));
        fill("action", QStringLiteral("DROP"));
        fill("proto", QStringLiteral("tcp"));
        fill("dport", QStringLiteral("22"));
        Pictures::take(*m_dialog, QStringLiteral("firewall-rule-add"));
        go();
        QTRY_COMPARE(m_desk->cluster.world().firewalls["guest/101"].rules.size(), 1);
        QTRY_VERIFY(!m_dialog || !m_dialog->isVisible());
    }
    void asksForARestoreAndSaysWhatIsWrong()
    {
        ask("backup.restore");
        fill("backup", QStringLiteral("nas-backup:backup/nothing.vma.zst"));
        fill("vmid", QStringLiteral("950"));
        go();
        auto *problem = m_dialog->findChild<QLabel *>(QStringLiteral("problem"));
        QTRY_VERIFY(problem->isVisible());
        QVERIFY(problem->text().contains(QLatin1String("There is no volume")));
        Pictures::take(*m_dialog, QStringLiteral("backup-restore"));
    }
    void showsWhatAReadAnswers()
    {
        ask("storage.list");
        go();
        auto *answer = m_dialog->findChild<AnswerTree *>();
        QTRY_VERIFY(answer->isVisible());
        const auto named = answer->findItems(QStringLiteral("nas-backup"), Qt::MatchExactly | Qt::MatchRecursive);
        QVERIFY(!named.isEmpty());
        QVERIFY(!answer->findItems(QStringLiteral("missing"), Qt::MatchExactly).isEmpty());
        Pictures::take(*m_dialog, QStringLiteral("storage-list"));
    }
    void keepsAbsentNullAndZeroApart()
    {
        AnswerTree tree;
        tree.set(QJsonObject{{"zero", 0}, {"null", QJsonValue()}, {"none", QJsonArray()}, {"size", 1536}});
        const auto text = [&tree](const char *key) {
            return tree.findItems(QLatin1String(key), Qt::MatchExactly).value(0)->text(1);
        };
        QCOMPARE(text("zero"), QStringLiteral("0"));
        QCOMPARE(text("null"), QStringLiteral("not set"));
        QCOMPARE(text("none"), QStringLiteral("none"));
        QCOMPARE(text("size"), QStringLiteral("1.5 KiB"));
    }
};

LABHELM_TEST(AnyOperationTest)
#include "AnyOperationTest.moc"
