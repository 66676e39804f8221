#include "pages/guest/GuestHeader.h"
#include "base/DisplayText.h"
#include "widgets/GuestWords.h"
#include "widgets/Pill.h"
#include "widgets/Quantity.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QVBoxLayout>

GuestHeader::GuestHeader(QWidget *parent)
    : QWidget(parent), m_name(Words::title({}, this)), m_aside(Words::aside({}, this)), m_age(Words::muted({}, this)),
      m_state(new Pill({}, Tone::Neutral, this)), m_pills(new QHBoxLayout)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto *row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(m_name, 0, Qt::AlignBaseline);
    row->addWidget(m_aside, 0, Qt::AlignBaseline);
    row->addWidget(m_state, 0, Qt::AlignVCenter);
    m_pills->setSpacing(6);
    row->addLayout(m_pills);
    row->addStretch(1);
    column->addLayout(row);
    column->addWidget(m_age);
    m_age->setWordWrap(true);
}

void GuestHeader::show(const GuestView &view, qint64 nowMs)
{
    const auto &guest = view.guest;
    m_name->setText(GuestWords::name(guest));
    m_aside->setText(tr("%1 %2 · %3")
                         .arg(guest.kind == GuestKind::Qemu ? QStringLiteral("VM") : QStringLiteral("CT"),
                              guest.vmid.text(), guest.node.text()));
    m_state->set(GuestWords::state(guest), GuestWords::tone(guest));
    showPills(view);
    QString age;
    if (!view.isLive()) {
        age = tr("As last seen %1.").arg(Quantity::ago(view.cluster->takenAtMs, nowMs));
        if (!view.cluster->problem.isEmpty())
            age += u' ' + DisplayText::visible(view.cluster->problem);
    } else if (guest.power == GuestState::Power::Unknown) {
        age = tr("Its node does not answer, so nobody knows what this guest does now.");
    } else if (!view.problem.isEmpty()) {
        age = view.problem;
    }
    m_age->setText(age);
    m_age->setVisible(!age.isEmpty());
}

void GuestHeader::showPills(const GuestView &view)
{
    QStringList wanted;
    if (!view.guest.lock.isEmpty())
        wanted << tr("locked: %1").arg(DisplayText::visible(view.guest.lock));
    const auto locks = wanted.size();
    for (const auto &tag : view.guest.tags)
        wanted << DisplayText::visible(tag);
    if (wanted == m_shownPills)
        return;
    m_shownPills = wanted;
    while (auto *item = m_pills->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    constexpr qsizetype most = 8;
    for (qsizetype at = 0; at < std::min(wanted.size(), most); ++at)
        m_pills->addWidget(new Pill(wanted[at], at < locks ? Tone::Amber : Tone::Neutral, this));
    if (wanted.size() > most)
        m_pills->addWidget(new Pill(tr("and %1 more").arg(wanted.size() - most), Tone::Neutral, this));
}
