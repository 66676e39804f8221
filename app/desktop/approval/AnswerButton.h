#pragma once
#include <QPushButton>

/// A button that only a fresh press works: an Enter or Space that is held down never does.
class AnswerButton : public QPushButton
{
    Q_OBJECT
public:
    explicit AnswerButton(const QString &text, QWidget *parent = nullptr);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
};
