#include "pages/agents/WaitingCard.h"
#include "approval/ApprovalBody.h"
#include "approval/ApprovalDialog.h"
#include "approval/ApprovalQueue.h"
#include "base/DisplayText.h"
#include "widgets/Line.h"
#include "widgets/Pill.h"
#include "widgets/Wording.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

WaitingCard::WaitingCard(ApprovalQueue &queue, const Clock &clock, QWidget *parent)
    : Card(tr("Waiting for you"), parent), m_queue(queue), m_clock(clock), m_count(new Pill({}, Tone::Red, this))
{
    addToHeading(m_count);
    connect(&queue, &ApprovalQueue::countChanged, this, &WaitingCard::fill);
    fill();
}

void WaitingCard::fill()
{
    m_ages.clear();
    delete m_rows;
    m_rows = new QWidget(this);
    auto *column = new QVBoxLayout(m_rows);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    const auto waiting = m_queue.waiting();
    m_count->set(QString::number(waiting.size()), Tone::Red);
    m_count->setVisible(!waiting.empty());
    if (waiting.empty())
        column->addWidget(Words::muted(tr("Nothing. What agents ask for appears here."), m_rows));
    for (const auto &request : waiting) {
        column->addWidget(makeRow(request));
        column->addWidget(new Line(Qt::Horizontal, m_rows));
    }
    body()->addWidget(m_rows);
    refreshAges();
}

QWidget *WaitingCard::makeRow(const ApprovalRequest &request)
{
    auto *row = new QWidget(m_rows);
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(10);
    auto *who = new Pill(Wording::actor(request.actor), Wording::tone(request.actor), row);
    auto *what = Words::plain(ApprovalBody::heading(request), row);
    what->setFont(Words::scaled(what->font(), 1.0, QFont::DemiBold));
    what->setWordWrap(true);
    auto *target = Words::plain(DisplayText::visible(request.target.label), row);
    auto *effect = new Pill(Wording::effect(request.effect), Wording::tone(request.effect), row);
    auto *age = Words::muted({}, row);
    m_ages.insert(age, request.askedAtMs);
    auto *review = new QPushButton(tr("Review"), row);
    review->setObjectName(QStringLiteral("review"));
    review->setAccessibleName(tr("Review: %1, %2").arg(what->text(), target->text()));
    connect(review, &QPushButton::clicked, this, [this, id = request.callId] { m_queue.review(id); });
    line->addWidget(who);
    line->addWidget(what, 2);
    line->addWidget(target, 1);
    line->addWidget(effect);
    line->addWidget(age);
    line->addWidget(review);
    return row;
}

void WaitingCard::refreshAges()
{
    for (auto age = m_ages.begin(); age != m_ages.end(); ++age)
        age.key()->setText(tr("waiting %1").arg(Wording::duration(m_clock.wallMs() - age.value())));
}
