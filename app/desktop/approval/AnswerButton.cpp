#include "approval/AnswerButton.h"
#include <QKeyEvent>

AnswerButton::AnswerButton(const QString &text, QWidget *parent) : QPushButton(text, parent)
{
    setAutoDefault(false);
    setDefault(false);
    setAutoRepeat(false);
}

void AnswerButton::keyPressEvent(QKeyEvent *event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!event->isAutoRepeat() && isEnter) {
        click();
        event->accept(); // otherwise the dialog's default button would hear it too
        return;
    }
    if (event->isAutoRepeat() || isEnter) {
        event->accept();
        return;
    }
    QPushButton::keyPressEvent(event);
}

void AnswerButton::keyReleaseEvent(QKeyEvent *event)
{
    if (event->isAutoRepeat()) {
        event->accept();
        return;
    }
    QPushButton::keyReleaseEvent(event);
}
