#include "pages/connect/ImportDialog.h"
#include "base/DisplayText.h"
#include "widgets/Words.h"
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

ImportDialog::ImportDialog(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QWidget *parent)
    : QDialog(parent), m_run(remotes, secrets, log), m_list(new QTreeWidget(this)), m_unlock(new QWidget(this)),
      m_password(new QLineEdit(m_unlock)), m_said(Words::plain({}, this)),
      m_take(new QPushButton(tr("Take over"), this)), m_choose(new QPushButton(tr("Choose a file…"), this))
{
    setObjectName(QStringLiteral("importDialog"));
    setWindowTitle(tr("Take over connections"));
    setWindowModality(Qt::WindowModal);
    resize(720, 460);
    build();
    connect(m_choose, &QPushButton::clicked, this, &ImportDialog::chooseFile);
    connect(m_take, &QPushButton::clicked, this, &ImportDialog::take);
    connect(m_password, &QLineEdit::returnPressed, this, &ImportDialog::read);
    connect(&m_run, &ImportRun::understood, this, &ImportDialog::understand);
    connect(&m_run, &ImportRun::taken, this, &ImportDialog::taken);
}

void ImportDialog::build()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 20);
    auto *about =
        Words::plain(tr("Choose the file of settings of ProxmoxMCP-Plus (config.json), Proxmox-AIops "
                        "(config.yaml) or mcp-proxmox (.env). The file is not changed; secrets go straight into "
                        "the keychain."),
                     this);
    about->setWordWrap(true);
    column->addWidget(about);
    auto *top = new QHBoxLayout;
    m_choose->setObjectName(QStringLiteral("chooseFile"));
    top->addWidget(m_choose);
    top->addStretch();
    column->addLayout(top);
    buildUnlock();
    column->addWidget(m_unlock);
    buildList();
    column->addWidget(m_list, 1);
    m_said->setObjectName(QStringLiteral("importSaid"));
    m_said->setWordWrap(true);
    column->addWidget(m_said);
    auto *foot = new QHBoxLayout;
    foot->addStretch();
    auto *close = new QPushButton(tr("Close"), this);
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    m_take->setObjectName(QStringLiteral("takeOver"));
    m_take->setProperty("role", "primary");
    m_take->setEnabled(false);
    foot->addWidget(close);
    foot->addWidget(m_take);
    column->addLayout(foot);
}

void ImportDialog::buildUnlock()
{
    auto *row = new QHBoxLayout(m_unlock);
    row->setContentsMargins(0, 0, 0, 0);
    m_password->setObjectName(QStringLiteral("masterPassword"));
    m_password->setEchoMode(QLineEdit::Password);
    m_password->setAccessibleName(tr("Master password"));
    row->addWidget(Words::plain(tr("Master password"), m_unlock));
    row->addWidget(m_password, 1);
    auto *unlock = new QPushButton(tr("Open"), m_unlock);
    unlock->setObjectName(QStringLiteral("unseal"));
    connect(unlock, &QPushButton::clicked, this, &ImportDialog::read);
    row->addWidget(unlock);
    m_unlock->hide();
}

void ImportDialog::buildList()
{
    m_list->setObjectName(QStringLiteral("importList"));
    m_list->setHeaderLabels({tr("Connection"), tr("Address"), tr("Signs in as"), tr("What to know")});
    m_list->setRootIsDecorated(false);
    m_list->setWordWrap(true);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

void ImportDialog::chooseFile()
{
    auto *chooser = new QFileDialog(this, tr("Choose a file of settings"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    chooser->setFilter(QDir::Files | QDir::AllDirs | QDir::Hidden); // ".env"
    connect(chooser, &QFileDialog::fileSelected, this, &ImportDialog::choose);
    chooser->open();
}

void ImportDialog::choose(const QString &path)
{
    m_path = path;
    m_password->clear();
    m_unlock->hide();
    read();
}

void ImportDialog::read()
{
    say(tr("Reading…"), false);
    m_run.read(m_path, Secret(m_password->text().toUtf8()));
}

void ImportDialog::say(const QString &text, bool isBad)
{
    m_said->setText(DisplayText::visible(text, true));
    m_said->setProperty("role", isBad ? QStringLiteral("bad") : QString());
    m_said->style()->unpolish(m_said);
    m_said->style()->polish(m_said);
}

void ImportDialog::understand(const Result<Import> &import)
{
    m_list->clear();
    m_take->setEnabled(false);
    if (import) {
        m_password->clear();
        m_unlock->hide();
        list(*import);
        return;
    }
    say(import.error().message, true);
    m_unlock->setVisible(import.error().kind == Error::Kind::Unauthorized);
    if (m_unlock->isVisible())
        m_password->setFocus();
}

void ImportDialog::list(const Import &import)
{
    m_import = import;
    for (const auto &found : import.found) {
        auto *row = new QTreeWidgetItem(m_list, {DisplayText::visible(found.remote.name),
                                                 found.remote.addresses.join(QStringLiteral(", ")),
                                                 DisplayText::visible(found.remote.user), found.notes.join(u'\n')});
        row->setCheckState(0, Qt::Checked);
    }
    for (const auto &refused : import.refused) {
        auto *row = new QTreeWidgetItem(
            m_list, {DisplayText::visible(refused.name), {}, {}, tr("Can’t be taken over: %1").arg(refused.why)});
        row->setFlags(Qt::NoItemFlags);
    }
    m_take->setEnabled(!import.found.empty());
    say(import.refused.empty()
            ? tr("%1: %n connection(s) found.", nullptr, static_cast<int>(import.found.size())).arg(import.program)
            : tr("%1: %2 connections found, %3 can’t be taken over.")
                  .arg(import.program)
                  .arg(import.found.size())
                  .arg(import.refused.size()),
        false);
}

void ImportDialog::take()
{
    std::vector<Import::Found> chosen;
    for (size_t i = 0; i < m_import.found.size(); ++i)
        if (m_list->topLevelItem(static_cast<int>(i))->checkState(0) == Qt::Checked)
            chosen.push_back(m_import.found[i]);
    if (chosen.empty())
        return;
    m_take->setEnabled(false);
    m_choose->setEnabled(false);
    m_run.take(m_import.program, chosen);
}

void ImportDialog::taken(const QStringList &added, const QStringList &problems)
{
    m_choose->setEnabled(true);
    m_list->clear();
    m_import = {};
    QStringList lines;
    if (!added.isEmpty())
        lines << tr("Added: %1. If a server’s certificate is not known to this computer, look at it under Change.")
                     .arg(added.join(QStringLiteral(", ")));
    say((lines + problems).join(u'\n'), !problems.isEmpty());
}
