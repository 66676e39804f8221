#include "pages/connect/ConnectPage.h"
#include "pages/connect/ConnectForm.h"
#include <QGridLayout>
#include <QScrollArea>

static constexpr int formWidth = 760;

ConnectPage::ConnectPage(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QWidget *parent)
    : QWidget(parent), m_form(new ConnectForm(remotes, secrets, log))
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    m_form->setFixedWidth(formWidth);
    m_form->setBackVisible(false);
    auto *scroll = new QScrollArea(this); // a small window must still reach the buttons
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    auto *middle = new QWidget;
    auto *grid = new QGridLayout(middle);
    grid->setContentsMargins(18, 18, 18, 18);
    grid->addWidget(m_form, 1, 1);
    grid->setRowStretch(0, 1);
    grid->setRowStretch(2, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(2, 1);
    scroll->setWidget(middle);
    middle->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    auto *all = new QGridLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
}
