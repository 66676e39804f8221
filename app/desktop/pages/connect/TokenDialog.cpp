#include "pages/connect/TokenDialog.h"
#include "base/DisplayText.h"
#include "pages/connect/SecondFactorCard.h"
#include "pages/connect/TokenOffer.h"
#include "widgets/Words.h"
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

TokenDialog::TokenDialog(RemoteList &remotes, SecretStore &secrets, AuditLog &log, Task task, const Remote &remote,
                         QWidget *parent)
    : QDialog(parent), m_attempt(remotes, secrets, log), m_task(task), m_remote(remote), m_user(new QLineEdit(this)),
      m_password(new QLineEdit(this)), m_code(new SecondFactorCard(this)), m_offer(new TokenOffer(this)),
      m_problem(Words::plain({}, this)), m_doing(Words::muted({}, this)), m_go(new QPushButton(this)),
      m_close(new QPushButton(tr("Close"), this))
{
    setObjectName(QStringLiteral("tokenDialog"));
    setWindowTitle(task == Task::Replace ? tr("New token for %1").arg(DisplayText::visible(remote.name))
                                         : tr("Finish the change of %1").arg(DisplayText::visible(remote.name)));
    setWindowModality(Qt::WindowModal);
    setMinimumWidth(560);
    buildFields();
    connectAttempt();
    setStep(Step::Typing);
}

QString TokenDialog::explanation() const
{
    if (m_task == Task::Settle)
        return tr(
            "A change of this connection’s token was cut short. Sign in, and Labhelm revokes at the server what is "
            "no longer used.");
    if (m_remote.signIn == Remote::SignIn::Password)
        return tr("Labhelm makes an API token with the role that you choose, tests it, and forgets the password.");
    return tr("Labhelm makes a new token with the same rights, tests it, changes over to it and revokes the old one. "
              "Without a password the old token is used for this, which few tokens may.");
}

void TokenDialog::buildFields()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 20);
    column->setSpacing(10);
    auto *about = Words::plain(explanation(), this);
    about->setWordWrap(true);
    column->addWidget(about);
    m_user->setObjectName(QStringLiteral("owner"));
    m_user->setText(m_remote.user.section(u'!', 0, 0));
    m_password->setObjectName(QStringLiteral("ownerPassword"));
    m_password->setEchoMode(QLineEdit::Password);
    m_password->setPlaceholderText(tr("used once, not kept"));
    auto *form = new QFormLayout;
    form->addRow(tr("User"), m_user);
    form->addRow(tr("Password"), m_password);
    column->addLayout(form);
    m_code->hide();
    m_offer->hide();
    column->addWidget(m_code);
    column->addWidget(m_offer);
    m_problem->setObjectName(QStringLiteral("tokenProblem"));
    m_problem->setProperty("role", "bad");
    m_problem->setWordWrap(true);
    m_problem->hide();
    column->addWidget(m_problem);
    column->addStretch(1);
    m_go->setObjectName(QStringLiteral("tokenGo"));
    m_go->setProperty("role", "primary");
    m_close->setAutoDefault(false);
    auto *row = new QHBoxLayout;
    row->addStretch();
    row->addWidget(m_doing);
    row->addWidget(m_close);
    row->addWidget(m_go);
    column->addLayout(row);
    connect(m_close, &QPushButton::clicked, this, &TokenDialog::reject);
    connect(m_go, &QPushButton::clicked, this, &TokenDialog::go);
}

void TokenDialog::connectAttempt()
{
    connect(&m_attempt, &ConnectAttempt::codeAsked, this, [this](const SecondFactor &factor) {
        m_code->ask(owner(), factor);
        m_doing->clear();
    });
    connect(&m_attempt, &ConnectAttempt::codeRefused, this,
            [this](const Error &error) { m_code->refuse(error.message); });
    connect(m_code, &SecondFactorCard::answered, this,
            [this](SecondFactor::Kind kind, const Secret &code) { m_attempt.answer(kind, code); });
    connect(&m_attempt, &ConnectAttempt::checked, this, &TokenDialog::checked);
    connect(&m_attempt, &ConnectAttempt::choicesKnown, this, [this](const Result<TokenChoices> &choices) {
        if (choices)
            m_offer->show(*choices);
        else
            say(choices.error().message);
        setStep(choices ? Step::Offered : Step::Typing);
    });
    const auto end = [this](const Error *error) {
        setStep(Step::Typing);
        if (error)
            say(error->message);
        else
            accept();
    };
    connect(&m_attempt, &ConnectAttempt::kept, this,
            [end](const Result<Remote> &remote) { end(remote ? nullptr : &remote.error()); });
    connect(&m_attempt, &ConnectAttempt::settled, this,
            [end](const Result<> &result) { end(result ? nullptr : &result.error()); });
}

QString TokenDialog::owner() const
{
    return m_user->text().trimmed();
}

void TokenDialog::setStep(Step step)
{
    m_step = step;
    const bool isBusy = step == Step::Checking || step == Step::Working;
    m_go->setEnabled(!isBusy);
    m_go->setText(m_task == Task::Settle  ? tr("Finish")
                  : step == Step::Offered ? tr("Make the token")
                                          : tr("Continue"));
    m_close->setEnabled(step != Step::Working);
    m_user->setEnabled(step == Step::Typing);
    m_password->setEnabled(step == Step::Typing);
    m_doing->setText(step == Step::Checking ? tr("Signing in…") : step == Step::Working ? tr("Working…") : QString());
}

void TokenDialog::say(const QString &problem)
{
    m_problem->setText(DisplayText::visible(problem, true));
    m_problem->setVisible(!problem.isEmpty());
}

void TokenDialog::go()
{
    say({});
    if (m_step == Step::Offered) {
        work();
        return;
    }
    auto person = m_remote;
    std::optional<Secret> secret;
    if (!m_password->text().isEmpty()) {
        person.signIn = Remote::SignIn::Password;
        person.user = owner();
        secret = Secret(m_password->text().toUtf8());
    }
    setStep(Step::Checking);
    m_attempt.check(person, secret);
}

void TokenDialog::checked(const Result<ConnectFindings> &findings)
{
    m_code->hide();
    if (!findings) {
        setStep(Step::Typing);
        say(findings.error().message);
    } else if (m_task == Task::Replace && m_remote.signIn == Remote::SignIn::Password) {
        m_attempt.askChoices();
    } else {
        work();
    }
}

void TokenDialog::work()
{
    const auto grant = m_offer->grant();
    if (m_step == Step::Offered && !grant) {
        reject(); // the password is to be kept
        return;
    }
    setStep(Step::Working);
    m_password->clear();
    if (m_task == Task::Settle)
        m_attempt.settle(m_remote.id);
    else
        m_attempt.replaceToken(m_remote, owner(), grant);
}

void TokenDialog::reject()
{
    if (m_step == Step::Working)
        return;
    m_attempt.abandon();
    QDialog::reject();
}
