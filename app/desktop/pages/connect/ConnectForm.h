#pragma once
#include "pages/connect/ConnectAttempt.h"
#include "widgets/Card.h"

class CertificateCard;
class CodeBlock;
class FactTable;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class SecondFactorCard;
class SegmentedControl;
class TokenOffer;

/// Connects to a cluster: addresses → certificates, before anything is sent → realm → sign-in, perhaps with a code →
/// what it may do → kept, perhaps with a token in place of the password. What was typed stays through every failure.
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
    /// Changes a connection that is kept. Without a new secret the old one is used.
    void edit(const Remote &remote);

Q_SIGNALS:
    void connected(const Remote &remote);
    void demoAsked();
    void backAsked();
    /// A part came or went: whoever frames the form may fit it anew.
    void shapeChanged();

private:
    enum class Step { Typing, Looking, Asking, Listing, Choosing, Checking, Coding, Checked, Keeping };
    void buildFields();
    void addField(QGridLayout *grid, const QString &label, QWidget *field);
    QLineEdit *makeLine(const char *name, const QString &placeholder);
    void buildResult();
    void buildButtons();
    void connectAttempt();
    void connectCards();
    void go();
    void edited();
    void setStep(Step step);
    QString doing() const;
    void say(const QString &problem, const QString &command = {});
    void fail(const Error &error);
    bool readAddresses(QList<Address> *addresses);
    bool hasSignIn();
    void looked(const Result<std::vector<ShownChain>> &chains);
    void askNextCertificate();
    void trust();
    void askRealms();
    void chooseRealm(const Result<std::vector<Realm>> &realms);
    void check();
    void checked(const Result<ConnectFindings> &findings);
    void showFindings(const ConnectFindings &findings);
    void offer(const Result<TokenChoices> &choices);
    void ready();
    void keep();
    void kept(const Result<Remote> &remote);
    Remote typed() const;
    bool isToken() const;
    Secret typedSecret() const;
    std::optional<Secret> newSecret() const;
    void showSignIn();

    RemoteList &m_remotes;
    ConnectAttempt m_attempt;
    Step m_step = Step::Typing;
    bool m_isBusy = false;
    std::optional<Remote> m_edited;   ///< the connection that is changed
    std::vector<ShownChain> m_chains; ///< of the addresses that stand there now
    std::vector<bool> m_trusted;      ///< by this computer or by the person, for each of them
    QString m_doubted;                ///< the text whose doubt was told
    bool m_hasWayBack = true, m_hasNoRights = false;
    QLabel *m_title = nullptr, *m_userLabel = nullptr, *m_secretLabel = nullptr, *m_realmLabel = nullptr;
    QLabel *m_problem = nullptr, *m_doing = nullptr;
    QLineEdit *m_address = nullptr, *m_user = nullptr, *m_secret = nullptr, *m_name = nullptr;
    QComboBox *m_realm = nullptr;
    CodeBlock *m_command = nullptr;
    SegmentedControl *m_signIn = nullptr;
    CertificateCard *m_certificate = nullptr;
    SecondFactorCard *m_code = nullptr;
    TokenOffer *m_offer = nullptr;
    Card *m_result = nullptr;
    FactTable *m_facts = nullptr;
    QPushButton *m_go = nullptr, *m_back = nullptr, *m_demo = nullptr;
};
