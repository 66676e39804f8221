#pragma once
#include "pve/SecondFactor.h"
#include "widgets/Card.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

/// Asks for the code of a second factor: which kind, if there are several, and the code.
class SecondFactorCard : public Card
{
    Q_OBJECT
public:
    explicit SecondFactorCard(QWidget *parent = nullptr);
    /// Asks, with an empty field.
    void ask(const QString &user, const SecondFactor &factor);
    /// The last one was not right; the field is empty again.
    void refuse(const QString &why);
    void setBusy(bool isBusy);

Q_SIGNALS:
    void answered(SecondFactor::Kind kind, const Secret &code);

private:
    void answer();

    QLabel *m_title, *m_problem;
    QComboBox *m_kind;
    QLineEdit *m_code;
    QPushButton *m_send;
};
