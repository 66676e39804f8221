#include "pages/connect/TokenOffer.h"
#include "base/DisplayText.h"
#include "widgets/Words.h"
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QVBoxLayout>

TokenOffer::TokenOffer(QWidget *parent)
    : Card({}, parent), m_wants(new QCheckBox(tr("Make an API token for Labhelm and forget the password"), this)),
      m_role(new QComboBox(this)), m_place(new QComboBox(this)), m_privileges(Words::muted({}, this)),
      m_choice(new QWidget(this))
{
    m_wants->setObjectName(QStringLiteral("wantsToken"));
    m_role->setObjectName(QStringLiteral("tokenRole"));
    m_role->setAccessibleName(tr("Role of the token"));
    m_place->setObjectName(QStringLiteral("tokenPlace"));
    m_place->setAccessibleName(tr("Where the token counts"));
    m_privileges->setObjectName(QStringLiteral("tokenPrivileges"));
    m_privileges->setWordWrap(true);
    auto *grid = new QGridLayout(m_choice);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnMinimumWidth(0, 110);
    grid->setColumnStretch(1, 1);
    grid->addWidget(Words::muted(tr("Role"), m_choice), 0, 0);
    grid->addWidget(m_role, 0, 1);
    grid->addWidget(Words::muted(tr("For"), m_choice), 1, 0);
    grid->addWidget(m_place, 1, 1);
    grid->addWidget(Words::muted(tr("It may then"), m_choice), 2, 0, Qt::AlignTop);
    grid->addWidget(m_privileges, 2, 1);
    body()->addWidget(m_wants);
    body()->addWidget(m_choice);
    connect(m_wants, &QCheckBox::toggled, m_choice, &QWidget::setVisible);
    connect(m_role, &QComboBox::currentIndexChanged, this, &TokenOffer::tell);
}

void TokenOffer::show(const TokenChoices &choices)
{
    const QSignalBlocker quiet(m_role);
    m_role->clear();
    m_place->clear();
    for (const auto &role : choices.roles)
        m_role->addItem(DisplayText::visible(role.id), QStringList(QStringList{role.id} + role.privileges));
    m_role->setCurrentIndex(qMax(0, m_role->findText(QStringLiteral("PVEAdmin"))));
    m_place->addItem(tr("everything in the cluster"), QStringLiteral("/"));
    for (const auto &pool : choices.pools)
        m_place->addItem(tr("the pool %1").arg(DisplayText::visible(pool)), QStringLiteral("/pool/") + pool);
    m_wants->setChecked(m_role->count() > 0);
    m_wants->setEnabled(m_role->count() > 0);
    m_choice->setVisible(m_wants->isChecked());
    tell();
    QWidget::show();
}

std::optional<TokenGrant> TokenOffer::grant() const
{
    if (!isVisibleTo(parentWidget()) || !m_wants->isChecked() || m_role->count() == 0)
        return std::nullopt;
    return TokenGrant{m_role->currentData().toStringList().value(0), m_place->currentData().toString()};
}

void TokenOffer::tell()
{
    m_privileges->setText(DisplayText::visible(m_role->currentData().toStringList().mid(1).join(QStringLiteral(", "))));
}
