#include "pages/connect/ConnectionsDialog.h"
#include "base/DisplayText.h"
#include "inventory/Inventory.h"
#include "pages/connect/ConnectDialog.h"
#include "pages/connect/ConnectForm.h"
#include "pages/connect/ImportDialog.h"
#include "pages/connect/TokenDialog.h"
#include "pve/Connection.h"
#include "pve/Session.h"
#include "remotes/RemoteList.h"
#include "widgets/Words.h"
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QPushButton>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

ConnectionsDialog::ConnectionsDialog(const ConnectionsParts &parts, QWidget *parent)
    : QDialog(parent), m_parts(parts), m_attempt(parts.remotes, parts.secrets, parts.log),
      m_list(new QTreeWidget(this)), m_unfinished(new QVBoxLayout), m_said(Words::plain({}, this))
{
    setObjectName(QStringLiteral("connections"));
    setWindowTitle(tr("Connections"));
    setWindowModality(Qt::WindowModal);
    resize(820, 420);
    build();
    connect(&parts.remotes, &RemoteList::added, this, &ConnectionsDialog::fill);
    connect(&parts.remotes, &RemoteList::changed, this, &ConnectionsDialog::fill);
    connect(&parts.remotes, &RemoteList::removed, this, &ConnectionsDialog::fill);
    connect(&parts.remotes, &RemoteList::unfinishedChanged, this, &ConnectionsDialog::fillUnfinished);
    connect(&parts.inventory, &Inventory::changed, this, &ConnectionsDialog::fill);
    connect(&m_attempt, &ConnectAttempt::checked, this, &ConnectionsDialog::tested);
    connect(&m_attempt, &ConnectAttempt::codeAsked, this, [this] {
        say(tr("%1 answers and knows the password; it wants the code of a second factor to sign in.")
                .arg(m_tested ? m_tested->name : QString()));
    });
    connect(&m_attempt, &ConnectAttempt::removed, this, [this](const Result<> &result) {
        say(result ? tr("The connection was removed.") : result.error().message, !result);
    });
    fill();
    fillUnfinished();
}

void ConnectionsDialog::build()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 20);
    column->setSpacing(10);
    column->addLayout(m_unfinished);
    auto *middle = new QHBoxLayout;
    m_list->setObjectName(QStringLiteral("connectionList"));
    m_list->setAccessibleName(tr("Connections"));
    m_list->setHeaderLabels({tr("Name"), tr("Address"), tr("Signs in as"), tr("State")});
    m_list->setRootIsDecorated(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, &ConnectionsDialog::showButtons);
    connect(m_list, &QTreeWidget::itemDoubleClicked, this, &ConnectionsDialog::change);
    middle->addWidget(m_list, 1);
    auto *buttons = new QVBoxLayout;
    m_forOne = {addButton(buttons, "testConnection", tr("Test"), &ConnectionsDialog::test),
                addButton(buttons, "changeConnection", tr("Change…"), &ConnectionsDialog::change),
                addButton(buttons, "newToken", tr("New token…"), &ConnectionsDialog::newToken),
                addButton(buttons, "removeConnection", tr("Remove…"), &ConnectionsDialog::remove)};
    buttons->addSpacing(12);
    addButton(buttons, "addConnection", tr("Connect another…"), &ConnectionsDialog::connectAsked);
    addButton(buttons, "importConnections", tr("Take over…"), &ConnectionsDialog::import);
    buttons->addStretch();
    middle->addLayout(buttons);
    column->addLayout(middle, 1);
    m_said->setObjectName(QStringLiteral("connectionsSaid"));
    m_said->setWordWrap(true);
    column->addWidget(m_said);
    auto *close = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(close);
}

QPushButton *ConnectionsDialog::addButton(QVBoxLayout *column, const char *name, const QString &text,
                                          void (ConnectionsDialog::*does)())
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, does);
    column->addWidget(button);
    return button;
}

QString ConnectionsDialog::stateOf(const Remote &remote) const
{
    const auto *open = m_parts.connections.find(remote.id);
    if (open && const_cast<Connection *>(open)->session().state() == Session::State::NeedsSecondFactor)
        return tr("waits for a code");
    const auto state = m_parts.inventory.snapshot(remote.id);
    if (!state)
        return tr("not asked yet");
    if (state->reach == InventorySnapshot::Reach::Live)
        return tr("connected, Proxmox VE %1").arg(DisplayText::visible(state->version));
    return state->problem.isEmpty() ? tr("connecting…") : DisplayText::visible(state->problem.section(u'\n', 0, 0));
}

void ConnectionsDialog::fill()
{
    const auto before = chosen();
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const auto &remote : m_parts.remotes.all()) {
        auto *row =
            new QTreeWidgetItem(m_list, {DisplayText::visible(remote.name), remote.addresses.join(QStringLiteral(", ")),
                                         DisplayText::visible(remote.user), stateOf(remote)});
        row->setData(0, Qt::UserRole, remote.id);
        if (before ? before->id == remote.id : m_list->topLevelItemCount() == 1)
            m_list->setCurrentItem(row);
    }
    showButtons();
}

/// A token that nobody knows of would be worse than a line that stays.
void ConnectionsDialog::fillUnfinished()
{
    while (auto *item = m_unfinished->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const auto &change : m_parts.remotes.unfinished()) {
        auto *line = new Card({}, this);
        line->setProperty("tone", QStringLiteral("amber"));
        const bool isMaking = change.step == TokenChange::Step::Making;
        const auto token = DisplayText::visible(isMaking ? change.next.user : change.oldUser);
        auto *text = Words::plain(
            token.isEmpty()
                ? tr("%1: the password that is no longer used is still in the keychain.").arg(change.next.name)
                : tr("%1: the token %2 is not in use, but may still be valid at the server.")
                      .arg(change.next.name, token),
            line);
        text->setWordWrap(true);
        auto *finish = new QPushButton(tr("Finish…"), line);
        finish->setObjectName(QStringLiteral("finishChange"));
        finish->setAutoDefault(false);
        connect(finish, &QPushButton::clicked, this, [this, remote = change.next] { this->finish(remote); });
        auto *row = new QHBoxLayout;
        row->addWidget(text, 1);
        row->addWidget(finish);
        line->body()->addLayout(row);
        m_unfinished->addWidget(line);
    }
}

void ConnectionsDialog::showButtons()
{
    const bool isOne = chosen().has_value();
    for (auto *button : m_forOne)
        button->setEnabled(isOne);
}

std::optional<Remote> ConnectionsDialog::chosen() const
{
    const auto *row = m_list->currentItem();
    return row ? m_parts.remotes.find(row->data(0, Qt::UserRole).toString()) : std::nullopt;
}

void ConnectionsDialog::say(const QString &text, bool isBad)
{
    m_said->setText(DisplayText::visible(text, true));
    m_said->setProperty("role", isBad ? QStringLiteral("bad") : QString());
    m_said->style()->unpolish(m_said);
    m_said->style()->polish(m_said);
}

void ConnectionsDialog::test()
{
    m_tested = chosen();
    if (!m_tested)
        return;
    say(tr("Testing %1…").arg(m_tested->name));
    m_attempt.check(*m_tested, std::nullopt);
}

void ConnectionsDialog::tested(const Result<ConnectFindings> &findings)
{
    const auto remote = *m_tested;
    m_attempt.recordTest(remote, findings);
    if (!findings) {
        auto text = findings.error().message;
        if (findings.error().kind == Error::Kind::Untrusted)
            text += u'\n' + tr("If the server was set up anew, look at its certificate under Change.");
        say(text, true);
        return;
    }
    auto *open = m_parts.connections.find(remote.id);
    if (open && open->session().state() == Session::State::Halted)
        open->session().retry();
    const auto &words = findings->permissions;
    say(words.isNothing ? tr("%1 works, but this sign-in has no rights.").arg(remote.name)
                        : tr("%1 works. It may %2.").arg(remote.name, words.may.join(QStringLiteral(", "))));
}

void ConnectionsDialog::change()
{
    const auto remote = chosen();
    if (!remote)
        return;
    auto *dialog = new ConnectDialog(m_parts.remotes, m_parts.secrets, m_parts.log, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->form().edit(*remote);
    dialog->open();
}

void ConnectionsDialog::newToken()
{
    const auto remote = chosen();
    if (!remote)
        return;
    auto *dialog =
        new TokenDialog(m_parts.remotes, m_parts.secrets, m_parts.log, TokenDialog::Task::Replace, *remote, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, name = remote->name] { say(tr("%1 uses its new token.").arg(name)); });
    dialog->open();
}

void ConnectionsDialog::finish(const Remote &remote)
{
    auto *dialog =
        new TokenDialog(m_parts.remotes, m_parts.secrets, m_parts.log, TokenDialog::Task::Settle, remote, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void ConnectionsDialog::remove()
{
    const auto remote = chosen();
    if (!remote)
        return;
    auto text = tr("Remove the connection %1? Nothing changes in the cluster; the secret is taken out of the keychain.")
                    .arg(remote->name);
    if (remote->signIn == Remote::SignIn::Token)
        text += u'\n' + tr("The token %1 stays valid at the server until it is revoked there.").arg(remote->user);
    auto *question = new QMessageBox(QMessageBox::Question, tr("Remove the connection"), {}, QMessageBox::Cancel, this);
    question->setTextFormat(Qt::PlainText);
    question->setText(DisplayText::visible(text, true));
    question->setObjectName(QStringLiteral("removeQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto *yes = question->addButton(tr("Remove"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("removeYes"));
    question->setDefaultButton(QMessageBox::Cancel);
    connect(yes, &QAbstractButton::clicked, this, [this, remote] { m_attempt.remove(*remote); });
    question->open();
}

void ConnectionsDialog::import()
{
    auto *dialog = new ImportDialog(m_parts.remotes, m_parts.secrets, m_parts.log, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}
