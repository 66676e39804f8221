#include "pages/connect/ConnectDialog.h"
#include "pages/connect/ConnectForm.h"
#include "widgets/FitHeight.h"
#include <QTimer>
#include <QVBoxLayout>

static constexpr int dialogWidth = 760;

ConnectDialog::ConnectDialog(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QWidget *parent)
    : QDialog(parent), m_form(new ConnectForm(remotes, secrets, log, this))
{
    setObjectName(QStringLiteral("connect"));
    setWindowTitle(tr("Connect to your Proxmox VE"));
    setWindowModality(Qt::WindowModal);
    setMinimumWidth(dialogWidth);
    m_form->setObjectName(QStringLiteral("connectForm")); // the dialog is its frame
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_form);
    resize(dialogWidth, 10);
    connect(m_form, &ConnectForm::shapeChanged, this,
            [this] { QTimer::singleShot(0, this, [this] { fitHeight(*this); }); });
    connect(m_form, &ConnectForm::backAsked, this, &ConnectDialog::reject);
    connect(m_form, &ConnectForm::demoAsked, this, &ConnectDialog::demoAsked);
    connect(m_form, &ConnectForm::connected, this, [this](const Remote &remote) {
        Q_EMIT connected(remote);
        accept();
    });
}

void ConnectDialog::reject()
{
    if (!m_form->isStoring())
        QDialog::reject();
}
