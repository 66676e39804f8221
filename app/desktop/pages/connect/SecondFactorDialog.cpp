#include "pages/connect/SecondFactorDialog.h"
#include "base/DisplayText.h"
#include "pages/connect/SecondFactorCard.h"
#include "pve/Connection.h"
#include "pve/Session.h"
#include <QDialogButtonBox>
#include <QVBoxLayout>

SecondFactorDialog::SecondFactorDialog(Connections &connections, const QString &remoteId, QWidget *parent)
    : QDialog(parent), m_connections(connections), m_remoteId(remoteId), m_card(new SecondFactorCard(this))
{
    setObjectName(QStringLiteral("secondFactor"));
    setMinimumWidth(460);
    auto *later = new QDialogButtonBox(this);
    later->addButton(tr("Not now"), QDialogButtonBox::RejectRole);
    connect(later, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_card);
    column->addWidget(later);
    connect(m_card, &SecondFactorCard::answered, this, &SecondFactorDialog::send);
    connect(&connections, &Connections::closing, this, [this](const QString &id) {
        if (id == m_remoteId)
            reject();
    });
    if (auto *open = connections.find(remoteId); open && open->session().secondFactor()) {
        setWindowTitle(tr("Sign in to %1").arg(DisplayText::visible(open->remote().name)));
        m_card->ask(open->remote().user, *open->session().secondFactor());
    }
}

void SecondFactorDialog::send(SecondFactor::Kind kind, const Secret &code)
{
    run(this, kind, code);
}

QCoro::Task<> SecondFactorDialog::run(QPointer<SecondFactorDialog> self, SecondFactor::Kind kind, Secret code)
{
    auto *open = m_connections.find(m_remoteId);
    if (!open)
        co_return;
    auto answered = co_await open->session().answer(kind, code);
    if (!self)
        co_return;
    if (answered) {
        Q_EMIT this->answered(m_remoteId);
        accept();
        co_return;
    }
    m_card->refuse(answered.error().message);
}
