#include "widgets/Toast.h"
#include "support/TestMain.h"
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

/// Messages in the corner of the window.
class ToastTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void offersUndoAndGoesAway();
    void offersReviewOfARequest();
    void showsTextFromOutsideLiterally();
    void keepsAtMostAFew();
    void staysInTheCornerWhenTheWindowGrows();
};

void ToastTest::offersUndoAndGoesAway()
{
    QWidget window;
    window.resize(800, 600);
    window.show();
    ToastCorner corner(&window);
    QSignalSpy undo(&corner, &ToastCorner::undoAsked);
    corner.show({.text = QStringLiteral("Changed memory"), .undoes = QStringLiteral("call-1")});
    auto *button = corner.toasts().first()->findChild<QPushButton *>(QStringLiteral("toast.undo"));
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(undo.size(), 1);
    QCOMPARE(undo.first().first().toString(), QStringLiteral("call-1"));
    QTRY_VERIFY(corner.toasts().isEmpty());
}

void ToastTest::offersReviewOfARequest()
{
    QWidget window;
    ToastCorner corner(&window);
    QSignalSpy review(&corner, &ToastCorner::reviewAsked);
    corner.show({.text = QStringLiteral("Claude Code asks"), .reviews = QStringLiteral("call-2")});
    QVERIFY(!corner.toasts().first()->findChild<QPushButton *>(QStringLiteral("toast.undo")));
    corner.toasts().first()->findChild<QPushButton *>(QStringLiteral("toast.review"))->click();
    QCOMPARE(review.first().first().toString(), QStringLiteral("call-2"));
}

void ToastTest::showsTextFromOutsideLiterally()
{
    QWidget window;
    ToastCorner corner(&window);
    corner.show({.text = QStringLiteral("<b>bold</b>"), .detail = QStringLiteral("<img src=x>")});
    for (const auto *label : corner.toasts().first()->findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
}

void ToastTest::keepsAtMostAFew()
{
    QWidget window;
    ToastCorner corner(&window);
    for (int at = 0; at < 20; ++at)
        corner.show({.text = QString::number(at), .staysOpen = true});
    QCOMPARE(corner.toasts().size(), 4);
    QCOMPARE(corner.toasts().last()->accessibleName().left(2), QStringLiteral("19"));
}

void ToastTest::staysInTheCornerWhenTheWindowGrows()
{
    QWidget window;
    window.resize(800, 600);
    window.show();
    ToastCorner corner(&window);
    corner.show({.text = QStringLiteral("Here")});
    window.resize(1200, 900);
    const auto *toast = corner.toasts().first();
    QTRY_COMPARE(toast->geometry().right(), 1200 - 16 - 1);
    QVERIFY(toast->geometry().bottom() < 900 && toast->geometry().bottom() > 820);
}

LABHELM_TEST(ToastTest)
#include "ToastTest.moc"
