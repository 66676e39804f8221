#include "widgets/Facts.h"
#include "widgets/Words.h"
#include <QGridLayout>
#include <QProgressBar>
#include <QStyle>

Facts::Facts(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(14);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(1, 1);
}

Facts::Line &Facts::line(const QString &name)
{
    for (auto &line : m_lines)
        if (line.name == name)
            return line;
    Line made{.name = name,
              .caption = Words::muted(name, this),
              .value = Words::plain({}, this),
              .bar = new QProgressBar(this)};
    made.value->setWordWrap(true);
    made.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    made.value->setAccessibleName(name);
    made.bar->setTextVisible(false);
    made.bar->setRange(0, 1000);
    made.bar->setAccessibleName(name);
    made.bar->hide();
    const auto row = static_cast<int>(m_lines.size()) * 2;
    m_grid->addWidget(made.caption, row, 0, Qt::AlignTop);
    m_grid->addWidget(made.value, row, 1);
    m_grid->addWidget(made.bar, row + 1, 1);
    m_lines.push_back(made);
    return m_lines.back();
}

void Facts::set(const QString &name, const QString &value)
{
    auto &shown = line(name);
    shown.value->setText(value);
    shown.value->setVisible(!value.isEmpty());
    shown.caption->setVisible(!value.isEmpty());
}

void Facts::setBar(const QString &name, double part)
{
    auto &shown = line(name);
    shown.bar->setVisible(part >= 0);
    if (part < 0)
        return;
    shown.bar->setValue(qRound(std::min(part, 1.0) * 1000));
    shown.bar->setProperty("tone", part > 0.95   ? QStringLiteral("red")
                                   : part > 0.85 ? QStringLiteral("amber")
                                                 : QString());
    shown.bar->style()->unpolish(shown.bar);
    shown.bar->style()->polish(shown.bar);
}
