#include "pages/connect/ConnectForm.h"
#include "base/DisplayText.h"
#include "pages/connect/CertificateCard.h"
#include "remotes/RemoteList.h"
#include "widgets/CodeBlock.h"
#include "widgets/FactTable.h"
#include "widgets/SegmentedControl.h"
#include "widgets/Words.h"
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
    body()->addWidget(Words::title(tr("Connect to your Proxmox VE"), this));
    body()->addWidget(Words::muted(tr("Nothing is sent until you have confirmed the server’s certificate."), this));
    body()->addSpacing(8);
    buildFields();
    m_certificate = new CertificateCard(this);
    m_certificate->hide();
    body()->addWidget(m_certificate);
    buildResult();
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
    addField(grid, tr("Address"), m_address);
    addField(grid, tr("Sign in with"), m_signIn);
    m_userLabel = Words::plain({}, this);
    m_secretLabel = Words::plain({}, this);
    grid->addWidget(m_userLabel, grid->rowCount(), 0);
    grid->addWidget(m_user, grid->rowCount() - 1, 1);
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
    m_back = new QPushButton(tr("Back"), this);
    m_back->setObjectName(QStringLiteral("back"));
    m_back->setAutoDefault(false);
    connect(m_back, &QPushButton::clicked, this, [this] {
        if (m_step == Step::Typing) {
            Q_EMIT backAsked();
            return;
        }
        m_attempt.abandon();
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
    connect(&m_attempt, &ConnectAttempt::checked, this, &ConnectForm::checked);
    connect(&m_attempt, &ConnectAttempt::kept, this, [this](const Result<Remote> &remote) {
        if (!remote) {
            setStep(Step::Checked);
            say(remote.error().message);
            return;
        }
        m_secret->clear();
        setStep(Step::Typing);
        Q_EMIT connected(*remote);
    });
    connect(m_certificate, &CertificateCard::trusted, this, [this] {
        m_isTrusted = true;
        m_certificate->setTrusted();
        check();
    });
    connect(m_certificate, &CertificateCard::refused, this, &ConnectForm::edited);
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

/// Whatever was found out belongs to what stood there before.
void ConnectForm::edited()
{
    if (m_step == Step::Keeping)
        return;
    m_attempt.abandon();
    m_chain.reset();
    m_isTrusted = false;
    m_certificate->hide();
    m_result->hide();
    say({});
    setStep(Step::Typing);
}

void ConnectForm::setStep(Step step)
{
    m_step = step;
    m_isBusy = step == Step::Looking || step == Step::Checking || step == Step::Keeping;
    m_go->setText(step == Step::Checked || step == Step::Keeping ? tr("Connect") : tr("Continue"));
    m_go->setEnabled(step == Step::Typing || step == Step::Checked);
    m_back->setEnabled(step != Step::Keeping);
    m_back->setVisible(m_hasWayBack || step != Step::Typing);
    m_back->setText(m_isBusy ? tr("Stop") : tr("Back"));
    m_doing->setText(step == Step::Looking    ? tr("Asking who answers there…")
                     : step == Step::Checking ? tr("Signing in…")
                     : step == Step::Keeping  ? tr("Storing…")
                                              : QString());
    Q_EMIT shapeChanged();
}

void ConnectForm::say(const QString &problem, const QString &command)
{
    m_problem->setText(DisplayText::visible(problem, true));
    m_problem->setVisible(!problem.isEmpty());
    m_command->setCode(DisplayText::visible(command));
    m_command->setVisible(!command.isEmpty());
    Q_EMIT shapeChanged();
}

Remote ConnectForm::typed() const
{
    Remote remote;
    remote.id = QStringLiteral("trial");
    remote.name = m_name->text().trimmed();
    remote.addresses = QStringList{m_address->text().trimmed()};
    remote.signIn = m_signIn->current() == 0 ? Remote::SignIn::Token : Remote::SignIn::Password;
    remote.user = m_user->text().trimmed();
    if (m_chain && !m_chain->isTrusted() && m_isTrusted)
        remote.pins.insert(m_chain->address.key(), m_chain->own().sha256);
    return remote;
}

Secret ConnectForm::typedSecret() const
{
    const auto text = m_secret->text();
    return Secret((m_signIn->current() == 0 ? text.trimmed() : text).toUtf8());
}

/// The one button: look, check or keep, whichever comes next.
void ConnectForm::go()
{
    if (m_step == Step::Checked) {
        keep();
        return;
    }
    if (m_step != Step::Typing)
        return;
    say({});
    const auto address = Address::from(m_address->text());
    if (!address) {
        say(address.error().message);
        m_address->setFocus();
        return;
    }
    if (m_user->text().trimmed().isEmpty() || m_secret->text().isEmpty()) {
        say(m_signIn->current() == 0 ? tr("Type the token’s id and its secret.")
                                     : tr("Type the user’s name and password."));
        (m_user->text().trimmed().isEmpty() ? m_user : m_secret)->setFocus();
        return;
    }
    setStep(Step::Looking);
    m_attempt.look(*address);
}

void ConnectForm::looked(const Result<ShownChain> &chain)
{
    if (!chain) {
        setStep(Step::Typing);
        say(chain.error().message);
        return;
    }
    m_chain = *chain;
    m_certificate->show(*chain);
    if (chain->isTrusted())
        check();
    else
        setStep(Step::Asking);
}

void ConnectForm::check()
{
    auto remote = typed();
    remote.name = QStringLiteral("trial");
    if (auto fine = m_remotes.prepare(remote); !fine && fine.error().kind == Error::Kind::Invalid) {
        setStep(Step::Typing);
        say(fine.error().message);
        return;
    }
    setStep(Step::Checking);
    m_attempt.check(remote, typedSecret());
}

void ConnectForm::fail(const Error &error)
{
    setStep(Step::Typing);
    if (error.kind == Error::Kind::Unauthorized)
        say(m_signIn->current() == 0
                ? tr("The server does not know this token, or the secret is not its own. %1").arg(error.message)
                : tr("The server does not accept this user and password. %1").arg(error.message));
    else
        say(error.message);
}

static QString serverText(const ConnectFindings &found)
{
    QStringList parts{ConnectForm::tr("Proxmox VE %1").arg(DisplayText::visible(found.version))};
    if (!found.nodes)
        parts << ConnectForm::tr("nodes not visible to this sign-in");
    else if (*found.nodes == *found.online)
        parts << ConnectForm::tr("%n node(s)", nullptr, *found.nodes);
    else
        parts << ConnectForm::tr("%1 of %2 nodes online").arg(*found.online).arg(*found.nodes);
    if (found.quorate)
        parts << (*found.quorate ? ConnectForm::tr("quorate") : ConnectForm::tr("without quorum"));
    return parts.join(QStringLiteral(", "));
}

void ConnectForm::checked(const Result<ConnectFindings> &findings)
{
    if (!findings) {
        fail(findings.error());
        return;
    }
    const bool isToken = m_signIn->current() == 0;
    m_facts->clear();
    m_facts->add(tr("Server"), serverText(*findings));
    const auto &words = findings->permissions;
    m_facts->add(isToken ? tr("This token may") : tr("This user may"),
                 words.isNothing ? tr("do nothing at all") : words.may.join(QStringLiteral(", ")),
                 words.isNothing ? Tone::Red : Tone::Neutral);
    if (!words.isNothing && !words.mayNot.isEmpty())
        m_facts->add(tr("It may not"), words.mayNot.join(QStringLiteral(", ")));
    if (m_name->text().isEmpty())
        m_name->setText(
            DisplayText::visible(findings->clusterName.isEmpty() ? m_chain->address.host : findings->clusterName));
    m_result->show();
    setStep(Step::Checked);
    if (words.isNothing)
        say(tr("It has no rights, so nothing would be seen. On a node, this lets it look at everything:"),
            PermissionWords::commandThatGrants(m_user->text().trimmed()));
    m_go->setFocus();
}

void ConnectForm::keep()
{
    say({});
    setStep(Step::Keeping);
    m_attempt.keep(typed(), typedSecret());
}
