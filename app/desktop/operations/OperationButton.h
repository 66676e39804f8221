#pragma once
#include <QPushButton>

class OperationAction;

/// A push button for an OperationAction; further actions hang in its menu.
class OperationButton : public QPushButton
{
    Q_OBJECT
public:
    explicit OperationButton(OperationAction *action, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    void sync();
    OperationAction *m_action;
};
