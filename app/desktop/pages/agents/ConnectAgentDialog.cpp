#include "pages/agents/ConnectAgentDialog.h"
#include "base/DisplayText.h"
#include "pages/agents/AgentRights.h"
#include "pages/agents/AgentSetup.h"
#include "widgets/CodeBlock.h"
#include "widgets/FitHeight.h"
#include "widgets/Words.h"
#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

static constexpr int dialogWidth = 600;

ConnectAgentDialog::ConnectAgentDialog(AgentRights &rights, CommandOf command, const QString &suggestedName,
                                       QWidget *parent)
    : QDialog(parent), m_rights(rights), m_command(std::move(command))
{
    setWindowTitle(tr("Connect an agent"));
    setWindowModality(Qt::WindowModal);
    setMinimumWidth(dialogWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(22, 20, 22, 20);
    m_choice = buildChoice(suggestedName);
    m_setup = buildSetup();
    m_setup->hide();
    column->addWidget(m_choice);
    column->addWidget(m_setup);
    m_name->setFocus();
}

static QLabel *wrapped(QLabel *label)
{
    label->setWordWrap(true);
    return label;
}

void ConnectAgentDialog::addPreset(QVBoxLayout *column, Preset preset, const QString &about)
{
    auto *choice = new QRadioButton(AgentRights::presetText(preset), this);
    choice->setObjectName(presetName(preset));
    choice->setAccessibleDescription(about);
    choice->setChecked(preset == Preset::Observe);
    m_presets->addButton(choice, int(preset));
    column->addWidget(choice);
    auto *words = wrapped(Words::muted(about, this));
    words->setIndent(26);
    column->addWidget(words);
}

QWidget *ConnectAgentDialog::buildChoice(const QString &suggestedName)
{
    auto *step = new QWidget(this);
    auto *column = new QVBoxLayout(step);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(Words::title(tr("Connect an agent"), step));
    column->addWidget(wrapped(Words::muted(
        tr("An agent gets a key of its own. Everything it asks for is recorded, and you can shut it out at any time."),
        step)));
    column->addSpacing(6);
    column->addWidget(Words::plain(tr("Name"), step));
    m_name = new QLineEdit(DisplayText::visible(suggestedName).left(60), step);
    m_name->setObjectName(QStringLiteral("agentName"));
    m_name->setAccessibleName(tr("Name of the agent"));
    m_name->setPlaceholderText(tr("Claude Code"));
    m_name->setMaxLength(60);
    column->addWidget(m_name);
    column->addSpacing(6);
    column->addWidget(Words::plain(tr("It may"), step));
    m_presets = new QButtonGroup(this);
    addPreset(column, Preset::Observe, tr("Look at everything, change nothing. Private text asks first."));
    addPreset(column, Preset::AskForWrites,
              tr("Ask for every change. You see each one with its undo and answer it here."));
    addPreset(column, Preset::Operate,
              tr("Change things without asking; everything is recorded. What destroys still asks."));
    m_problem = wrapped(Words::plain({}, step));
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->setProperty("role", "bad");
    m_problem->hide();
    column->addWidget(m_problem);
    column->addStretch();
    column->addLayout(buildChoiceButtons());
    return step;
}

QLayout *ConnectAgentDialog::buildChoiceButtons()
{
    auto *row = new QHBoxLayout;
    auto *cancel = new QPushButton(tr("Cancel"), this);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_pair = new QPushButton(tr("Make its key"), this);
    m_pair->setObjectName(QStringLiteral("makeKey"));
    m_pair->setProperty("role", "primary");
    m_pair->setDefault(true);
    connect(m_pair, &QPushButton::clicked, this, &ConnectAgentDialog::pair);
    const auto update = [this] { m_pair->setEnabled(!m_name->text().trimmed().isEmpty()); };
    connect(m_name, &QLineEdit::textChanged, this, update);
    update();
    row->addStretch();
    row->addWidget(cancel);
    row->addWidget(m_pair);
    return row;
}

QLayout *ConnectAgentDialog::buildClients()
{
    auto *choice = new QHBoxLayout;
    choice->addWidget(Words::plain(tr("Its program is"), this));
    m_client = new QComboBox(this);
    m_client->setObjectName(QStringLiteral("client"));
    m_client->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_client->setAccessibleName(tr("Program of the agent"));
    connect(m_client, &QComboBox::currentIndexChanged, this, &ConnectAgentDialog::showClient);
    choice->addWidget(m_client);
    choice->addStretch();
    return choice;
}

QWidget *ConnectAgentDialog::buildSetup()
{
    auto *step = new QWidget(this);
    auto *column = new QVBoxLayout(step);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_done = wrapped(Words::title({}, step));
    column->addWidget(m_done);
    column->addLayout(buildClients());
    m_where = wrapped(Words::plain({}, step));
    column->addWidget(m_where);
    m_text = new CodeBlock({}, step);
    m_text->setObjectName(QStringLiteral("setup"));
    m_text->setAccessibleName(tr("Text that sets it up"));
    column->addWidget(m_text);
    auto *copy = new QPushButton(tr("Copy"), step);
    copy->setObjectName(QStringLiteral("copySetup"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_text->toPlainText()); });
    auto *copyRow = new QHBoxLayout;
    copyRow->addWidget(copy);
    copyRow->addStretch();
    column->addLayout(copyRow);
    m_key = wrapped(Words::muted({}, step));
    column->addWidget(m_key);
    column->addStretch();
    auto *row = new QHBoxLayout;
    auto *close = new QPushButton(tr("Done"), step);
    close->setObjectName(QStringLiteral("done"));
    close->setProperty("role", "primary");
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    row->addStretch();
    row->addWidget(close);
    column->addLayout(row);
    return step;
}

void ConnectAgentDialog::say(const QString &problem)
{
    m_problem->setText(DisplayText::visible(problem));
    m_problem->setVisible(!problem.isEmpty());
}

void ConnectAgentDialog::pair()
{
    say({});
    m_pair->setEnabled(false);
    m_rights.pair(m_name->text().trimmed(), Preset(m_presets->checkedId()),
                  [self = QPointer(this)](Result<Pairing> paired) {
                      if (!self)
                          return;
                      self->m_pair->setEnabled(true);
                      if (paired)
                          self->showSetup(paired->agent.id, paired->agent.name, paired->keyFile);
                      else
                          self->say(paired.error().message);
                  });
}

void ConnectAgentDialog::showSetup(const QString &agentId, const QString &name, const QString &keyFile)
{
    m_agentId = agentId;
    m_done->setText(tr("%1 has its key. Set it up:").arg(DisplayText::visible(name)));
    m_key->setText(tr("The key is in %1, readable by you alone. The text above holds no secret.").arg(keyFile));
    const QSignalBlocker quiet(m_client);
    m_client->clear();
    for (const auto &client : AgentSetup::all(m_command(agentId)))
        m_client->addItem(client.client);
    showClient(0);
    m_choice->hide();
    m_setup->show();
    fitHeight(*this);
}

void ConnectAgentDialog::showClient(int index)
{
    const auto clients = AgentSetup::all(m_command(m_agentId));
    if (index < 0 || size_t(index) >= clients.size())
        return;
    m_where->setText(clients[size_t(index)].where);
    m_text->setCode(clients[size_t(index)].text);
    fitHeight(*this);
}
