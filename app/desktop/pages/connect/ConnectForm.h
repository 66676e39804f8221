#pragma once
#include "pages/connect/ConnectAttempt.h"
#include "widgets/Card.h"

class CertificateCard;
class CodeBlock;
class FactTable;
class QFormLayout;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class SegmentedControl;

/// Connects to a cluster: address → certificate, before anything is sent → sign-in → what it may do → kept. What was
/// typed stays through every failure.
class ConnectForm : public Card
{
    Q_OBJECT
public:
    /// All borrowed.
    ConnectForm(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QWidget *parent = nullptr);
    bool isBusy() const { return m_isBusy; }
    bool isStoring() const { return m_step == Step::Keeping; }
    /// Where there is no way back, "Back" shows only while something can be stopped or taken back.
    void setBackVisible(bool visible);
    /// Fills what is known already.
    void suggest(const QString &address, const QString &user, Remote::SignIn signIn);

Q_SIGNALS:
    void connected(const Remote &remote);
    void demoAsked();
    void backAsked();
    /// A part came or went: whoever frames the form may fit it anew.
    void shapeChanged();

private:
    enum class Step { Typing, Looking, Asking, Checking, Checked, Keeping };
    void buildFields();
    void addField(QGridLayout *grid, const QString &label, QWidget *field);
    QLineEdit *makeLine(const char *name, const QString &placeholder);
    void buildResult();
    void buildButtons();
    void connectAttempt();
    void go();
    void edited();
    void setStep(Step step);
    void say(const QString &problem, const QString &command = {});
    void fail(const Error &error);
    void looked(const Result<ShownChain> &chain);
    void check();
    void checked(const Result<ConnectFindings> &findings);
    void keep();
    Remote typed() const;
    Secret typedSecret() const;
    void showSignIn();

    RemoteList &m_remotes;
    ConnectAttempt m_attempt;
    Step m_step = Step::Typing;
    bool m_isBusy = false;
    std::optional<ShownChain> m_chain; ///< of the address that stands there now
    bool m_isTrusted = false;
    bool m_hasWayBack = true;
    QLineEdit *m_address = nullptr, *m_user = nullptr, *m_secret = nullptr, *m_name = nullptr;
    QLabel *m_userLabel = nullptr, *m_secretLabel = nullptr, *m_problem = nullptr, *m_doing = nullptr;
    CodeBlock *m_command = nullptr;
    SegmentedControl *m_signIn = nullptr;
    CertificateCard *m_certificate = nullptr;
    Card *m_result = nullptr;
    FactTable *m_facts = nullptr;
    QPushButton *m_go = nullptr, *m_back = nullptr, *m_demo = nullptr;
};
