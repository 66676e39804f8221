#include "shell/TopBar.h"
#include "shell/NavButton.h"
#include "widgets/Pill.h"
#include "widgets/Words.h"
#include <QHBoxLayout>

TopBar::TopBar(bool isDemo, QWidget *parent) : QWidget(parent), m_entries(new QHBoxLayout), m_controls(new QHBoxLayout)
{
    setObjectName(QStringLiteral("topBar"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 10, 6);
    row->setSpacing(12);
    auto *brand = Words::plain(QStringLiteral("Labhelm"), this);
    brand->setFont(Words::scaled(brand->font(), 1.0, QFont::Bold));
    row->addWidget(brand);
    if (isDemo)
        row->addWidget(new Pill(tr("demo"), Tone::Amber, this));
    m_entries->setSpacing(4);
    row->addLayout(m_entries);
    row->addStretch(1);
    m_controls->setSpacing(12);
    row->addLayout(m_controls);
}

void TopBar::addEntry(const QString &id, const QString &text)
{
    auto *button = new NavButton(text, this);
    button->setObjectName(QLatin1String("nav.") + id);
    m_entries->addWidget(button);
    m_buttons.insert(id, button);
    connect(button, &NavButton::clicked, this, [this, id] { Q_EMIT chosen(id); });
}

QString TopBar::text(const QString &id) const
{
    const auto *button = m_buttons.value(id);
    return button ? button->text() : QString();
}

void TopBar::setCurrent(const QString &id)
{
    if (auto *button = m_buttons.value(id))
        button->setChecked(true);
}

void TopBar::setBadge(const QString &id, int count, const QString &spoken)
{
    if (auto *button = m_buttons.value(id))
        button->setBadge(count, spoken);
}

void TopBar::addControl(QWidget *widget)
{
    m_controls->addWidget(widget);
}
