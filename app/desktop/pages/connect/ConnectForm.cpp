#include "pages/connect/ConnectForm.h"
#include "base/DisplayText.h"
#include "pages/connect/CertificateCard.h"
#include "pages/connect/SecondFactorCard.h"
#include "pages/connect/TokenOffer.h"
#include "widgets/CodeBlock.h"
#include "widgets/FactTable.h"
#include "widgets/SegmentedControl.h"
#include "widgets/Words.h"
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

ConnectForm::ConnectForm(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QWidget *parent)
    : Card({}, parent), m_remotes(remotes), m_attempt(remotes, secrets, log)
{
    layout()->setContentsMargins(30, 26, 30, 26);
    body()->setSpacing(10);
    m_title = Words::title(tr("Connect to your Proxmox VE"), this);
    body()->addWidget(m_title);
    body()->addWidget(Words::muted(tr("Nothing is sent until you have confirmed the server’s certificate."), this));
    body()->addSpacing(8);
    buildFields();
    m_certificate = new CertificateCard(this);
    m_certificate->hide();
    body()->addWidget(m_certificate);
    m_code = new SecondFactorCard(this);
    m_code->hide();
    body()->addWidget(m_code);
    buildResult();
    m_offer = new TokenOffer(this);
    m_offer->hide();
    body()->addWidget(m_offer);
    m_problem = Words::plain({}, this);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->setProperty("role", "bad");
    m_problem->setWordWrap(true);
    m_problem->hide();
    body()->addWidget(m_problem);
    m_command = new CodeBlock({}, this);
    m_command->setObjectName(QStringLiteral("command"));
    m_command->hide();
    body()->addWidget(m_command);
    body()->addStretch(1);
    buildButtons();
    connectAttempt();
    connectCards();
    showSignIn();
    setStep(Step::Typing);
}

QLineEdit *ConnectForm::makeLine(const char *name, const QString &placeholder)
{
    auto *line = new QLineEdit(this);
    line->setObjectName(QLatin1String(name));
    line->setPlaceholderText(placeholder);
    connect(line, &QLineEdit::textEdited, this, &ConnectForm::edited);
    connect(line, &QLineEdit::returnPressed, this, &ConnectForm::go);
    return line;
}

void ConnectForm::addField(QGridLayout *grid, const QString &label, QWidget *field)
{
    const auto row = grid->rowCount();
    grid->addWidget(Words::plain(label, this), row, 0);
    grid->addWidget(field, row, 1);
    field->setAccessibleName(label);
}

void ConnectForm::buildFields()
{
    auto *grid = new QGridLayout;
    grid->setColumnMinimumWidth(0, 150);
    grid->setColumnStretch(1, 1);
    grid->setVerticalSpacing(10);
    m_address = makeLine("address", tr("192.168.1.10:8006"));
    m_signIn = new SegmentedControl({tr("API token"), tr("User name and password")}, this);
    connect(m_signIn, &SegmentedControl::chosen, this, [this] {
        showSignIn();
        edited();
    });
    m_user = makeLine("user", {});
    m_secret = makeLine("secret", tr("kept in your system keychain"));
    m_secret->setEchoMode(QLineEdit::Password);
    m_address->setToolTip(tr("Several nodes of one cluster can stand here, with commas between them.\nIf one can’t be "
                             "reached, Labhelm reads from another."));
    addField(grid, tr("Address"), m_address);
    addField(grid, tr("Sign in with"), m_signIn);
    m_userLabel = Words::plain({}, this);
    m_secretLabel = Words::plain({}, this);
    grid->addWidget(m_userLabel, grid->rowCount(), 0);
    grid->addWidget(m_user, grid->rowCount() - 1, 1);
    m_realmLabel = Words::plain(tr("Realm"), this);
    m_realm = new QComboBox(this);
    m_realm->setObjectName(QStringLiteral("realm"));
    m_realm->setAccessibleName(tr("Realm"));
    grid->addWidget(m_realmLabel, grid->rowCount(), 0);
    grid->addWidget(m_realm, grid->rowCount() - 1, 1);
    m_realmLabel->hide();
    m_realm->hide();
    grid->addWidget(m_secretLabel, grid->rowCount(), 0);
    grid->addWidget(m_secret, grid->rowCount() - 1, 1);
    body()->addLayout(grid);
}

void ConnectForm::showSignIn()
{
    const bool isToken = m_signIn->current() == 0;
    m_userLabel->setText(isToken ? tr("Token ID") : tr("User name"));
    m_secretLabel->setText(isToken ? tr("Secret") : tr("Password"));
    m_user->setPlaceholderText(isToken ? tr("user@pve!name") : tr("root@pam"));
    m_user->setAccessibleName(m_userLabel->text());
    m_secret->setAccessibleName(m_secretLabel->text());
}

void ConnectForm::buildResult()
{
    m_result = new Card({}, this);
    m_facts = new FactTable(m_result);
    m_facts->setObjectName(QStringLiteral("findings"));
    m_result->body()->addWidget(m_facts);
    auto *row = new QHBoxLayout;
    auto *label = Words::muted(tr("Call it"), m_result);
    label->setMinimumWidth(110);
    m_name = new QLineEdit(m_result);
    m_name->setObjectName(QStringLiteral("name"));
    m_name->setAccessibleName(tr("Name of the connection"));
    connect(m_name, &QLineEdit::returnPressed, this, &ConnectForm::go);
    row->addWidget(label);
    row->addWidget(m_name, 1);
    m_result->body()->addLayout(row);
    m_result->hide();
    body()->addWidget(m_result);
}

void ConnectForm::buildButtons()
{
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    m_demo = new QPushButton(tr("Try the demo cluster"), this);
    m_demo->setObjectName(QStringLiteral("demo"));
    m_demo->setAutoDefault(false);
    connect(m_demo, &QPushButton::clicked, this, &ConnectForm::demoAsked);
    m_doing = Words::muted({}, this);
    m_doing->setObjectName(QStringLiteral("doing"));
    m_back = new QPushButton(tr("Back"), this);
    m_back->setObjectName(QStringLiteral("back"));
    m_back->setAutoDefault(false);
    connect(m_back, &QPushButton::clicked, this, [this] {
        if (m_step == Step::Typing) {
            Q_EMIT backAsked();
            return;
        }
        edited();
    });
    m_go = new QPushButton(this);
    m_go->setObjectName(QStringLiteral("go"));
    m_go->setProperty("role", "primary");
    m_go->setAutoDefault(false);
    connect(m_go, &QPushButton::clicked, this, &ConnectForm::go);
    row->addWidget(m_demo);
    row->addStretch();
    row->addWidget(m_doing);
    row->addWidget(m_back);
    row->addWidget(m_go);
    body()->addSpacing(6);
    body()->addLayout(row);
}

void ConnectForm::connectAttempt()
{
    connect(&m_attempt, &ConnectAttempt::looked, this, &ConnectForm::looked);
    connect(&m_attempt, &ConnectAttempt::realmsKnown, this, &ConnectForm::chooseRealm);
    connect(&m_attempt, &ConnectAttempt::checked, this, &ConnectForm::checked);
    connect(&m_attempt, &ConnectAttempt::choicesKnown, this, &ConnectForm::offer);
    connect(&m_attempt, &ConnectAttempt::kept, this, &ConnectForm::kept);
    connect(&m_attempt, &ConnectAttempt::codeAsked, this, [this](const SecondFactor &factor) {
        m_code->ask(typed().user, factor);
        setStep(Step::Coding);
    });
    connect(&m_attempt, &ConnectAttempt::codeRefused, this, [this](const Error &error) {
        m_code->refuse(error.message);
        setStep(Step::Coding);
    });
}

void ConnectForm::connectCards()
{
    connect(m_certificate, &CertificateCard::trusted, this, &ConnectForm::trust);
    connect(m_certificate, &CertificateCard::refused, this, &ConnectForm::edited);
    connect(m_code, &SecondFactorCard::answered, this, [this](SecondFactor::Kind kind, const Secret &code) {
        setStep(Step::Checking);
        m_attempt.answer(kind, code);
    });
}

void ConnectForm::setBackVisible(bool visible)
{
    m_hasWayBack = visible;
    setStep(m_step);
}

void ConnectForm::suggest(const QString &address, const QString &user, Remote::SignIn signIn)
{
    m_signIn->setCurrent(signIn == Remote::SignIn::Token ? 0 : 1);
    showSignIn();
    m_address->setText(address);
    m_user->setText(user);
    edited();
}

void ConnectForm::edit(const Remote &remote)
{
    m_edited = remote;
    m_title->setText(tr("Change the connection %1").arg(remote.name));
    m_demo->hide();
    m_secret->setPlaceholderText(tr("unchanged"));
    m_name->setText(remote.name);
    suggest(remote.addresses.join(QStringLiteral(", ")), remote.user, remote.signIn);
}

void ConnectForm::say(const QString &problem, const QString &command)
{
    m_problem->setText(DisplayText::visible(problem, true));
    m_problem->setVisible(!problem.isEmpty());
    m_command->setCode(DisplayText::visible(command));
    m_command->setVisible(!command.isEmpty());
    Q_EMIT shapeChanged();
}

QString ConnectForm::doing() const
{
    switch (m_step) {
    case Step::Looking: return tr("Asking who answers there…");
    case Step::Listing: return tr("Asking for realms…");
    case Step::Checking: return tr("Signing in…");
    case Step::Keeping: return m_offer->grant() ? tr("Making the token…") : tr("Storing…");
    default: return {};
    }
}

void ConnectForm::setStep(Step step)
{
    m_step = step;
    m_isBusy = step == Step::Looking || step == Step::Listing || step == Step::Checking || step == Step::Keeping;
    const bool isLast = step == Step::Checked || step == Step::Keeping;
    m_go->setText(!isLast ? tr("Continue") : m_edited ? tr("Save") : tr("Connect"));
    m_go->setEnabled(step == Step::Typing || step == Step::Choosing || step == Step::Checked);
    m_back->setEnabled(step != Step::Keeping);
    m_back->setVisible(m_hasWayBack || step != Step::Typing);
    m_back->setText(m_isBusy ? tr("Stop") : tr("Back"));
    m_doing->setText(doing());
    Q_EMIT shapeChanged();
}
