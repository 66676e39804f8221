#pragma once
#include "pages/connect/ConnectAttempt.h"
#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class SecondFactorCard;
class TokenOffer;

/// Gives a connection another API token, or finishes a change of tokens that was cut short. A person signs in for it
/// once; the password is not kept.
class TokenDialog : public QDialog
{
    Q_OBJECT
public:
    enum class Task { Replace, Settle };
    /// All borrowed. To settle, `remote` is the one of RemoteList::unfinished().
    TokenDialog(RemoteList &remotes, SecretStore &secrets, AuditLog &log, Task task, const Remote &remote,
                QWidget *parent = nullptr);

public Q_SLOTS:
    void reject() override;

private:
    enum class Step { Typing, Checking, Offered, Working };
    QString explanation() const;
    void buildFields();
    void connectAttempt();
    void setStep(Step step);
    void say(const QString &problem);
    void go();
    void checked(const Result<ConnectFindings> &findings);
    void work();
    QString owner() const;

    ConnectAttempt m_attempt;
    const Task m_task;
    const Remote m_remote;
    Step m_step = Step::Typing;
    QLineEdit *m_user, *m_password;
    SecondFactorCard *m_code;
    TokenOffer *m_offer;
    QLabel *m_problem, *m_doing;
    QPushButton *m_go, *m_close;
};
