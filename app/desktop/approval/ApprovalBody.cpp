#include "approval/ApprovalBody.h"
#include "base/DisplayText.h"
#include "widgets/CodeBlock.h"
#include "widgets/DiffView.h"
#include "widgets/FactTable.h"
#include "widgets/Pill.h"
#include "widgets/StateDot.h"
#include "widgets/StepList.h"
#include "widgets/Wording.h"
#include "widgets/Words.h"
#include <QFrame>
#include <QHBoxLayout>
#include <QVBoxLayout>

ApprovalBody::ApprovalBody(const ApprovalRequest &request, QWidget *parent)
    : QWidget(parent), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(8);
    addHeading(request);
    addLosses(request);
    addFacts(request);
    addSteps(request);
    addChanges(request);
    addRequests(request);
    m_column->addStretch();
}

QString ApprovalBody::heading(const ApprovalRequest &request)
{
    auto intent = request.plan && !request.plan->intent.isEmpty() ? request.plan->intent
                  : request.operation                             ? request.operation->title.translated()
                                                                  : QString();
    if (!request.undoes.isEmpty())
        intent = tr("Undo: %1").arg(intent);
    return DisplayText::visible(intent);
}

static QString targetText(const Target &target)
{
    if (!target.guest)
        return DisplayText::visible(target.label);
    const auto &guest = *target.guest;
    const auto kind = guest.kind == GuestKind::Qemu ? QStringLiteral("VM") : QStringLiteral("LXC");
    return ApprovalBody::tr("%1 (%2 %3) on %4")
        .arg(DisplayText::visible(guest.name.isEmpty() ? ApprovalBody::tr("without a name") : guest.name), kind,
             guest.vmid.text(), guest.node.text());
}

void ApprovalBody::addHeading(const ApprovalRequest &request)
{
    auto *intent = Words::title(heading(request), this);
    intent->setObjectName(QStringLiteral("intent"));
    intent->setWordWrap(true);
    m_column->addWidget(intent);

    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    auto *target = Words::plain(targetText(request.target), this);
    target->setObjectName(QStringLiteral("target"));
    target->setWordWrap(true);
    line->addWidget(target, 1);
    line->addWidget(new Pill(Wording::effect(request.effect), Wording::tone(request.effect), this), 0, Qt::AlignTop);
    m_column->addLayout(line);

    if (request.target.guest && DisplayText::mixesScripts(request.target.guest->name)) {
        auto *warning = Words::plain(
            tr("This name mixes letters of several alphabets and may pose as another. Trust the id."), this);
        warning->setProperty("role", "bad");
        warning->setWordWrap(true);
        m_column->addWidget(warning);
    }
}

void ApprovalBody::addLosses(const ApprovalRequest &request)
{
    if (!request.plan) {
        auto *summary = Words::plain(tr("This only reads, but what it reads may be private: %1")
                                         .arg(request.operation ? request.operation->summary.translated() : QString()),
                                     this);
        summary->setWordWrap(true);
        m_column->addWidget(summary);
        return;
    }
    for (const auto &loss : request.plan->losses) {
        auto *line = Words::plain(tr("Lost: %1").arg(DisplayText::visible(loss)), this);
        line->setWordWrap(true);
        m_column->addWidget(line);
    }
    const auto undo = request.plan->undo;
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    auto *dot = new StateDot(this);
    dot->setTone(Wording::tone(undo));
    auto *words = Words::plain(Wording::undo(*request.plan), this);
    words->setObjectName(QStringLiteral("undo"));
    words->setWordWrap(true);
    if (undo != Undo::Partly)
        words->setProperty("role", undo == Undo::None ? "bad" : "good");
    if (undo == Undo::None)
        words->setFont(Words::scaled(words->font(), 1.0, QFont::DemiBold));
    line->addWidget(dot);
    line->addWidget(words, 1);
    m_column->addLayout(line);
}

void ApprovalBody::addFacts(const ApprovalRequest &request)
{
    auto *facts = new FactTable;
    if (request.plan)
        for (const auto &fact : request.plan->facts)
            facts->add(DisplayText::visible(fact.label), DisplayText::visible(fact.value, true),
                       fact.isWarning ? Tone::Red : Tone::Neutral);
    if (!request.actor.program.isEmpty())
        facts->add(tr("Program"), DisplayText::visible(request.actor.program));
    if (!request.reason.isEmpty())
        facts->add(tr("Agent’s reason"), tr("“%1”").arg(DisplayText::visible(request.reason, true)))
            ->setObjectName(QStringLiteral("reason"));
    if (!facts->count()) {
        delete facts;
        return;
    }
    auto *well = new QFrame(this);
    well->setObjectName(QStringLiteral("card"));
    auto *inside = new QVBoxLayout(well);
    inside->setContentsMargins(14, 10, 14, 10);
    inside->addWidget(facts);
    m_column->addSpacing(4);
    m_column->addWidget(well);
}

void ApprovalBody::addSteps(const ApprovalRequest &request)
{
    if (!request.plan || request.plan->steps.empty())
        return;
    m_column->addSpacing(4);
    m_column->addWidget(Words::heading(tr("Steps, in this order"), this));
    m_steps = new StepList(request.plan->steps, this);
    m_column->addWidget(m_steps);
}

void ApprovalBody::addChanges(const ApprovalRequest &request)
{
    if (!request.plan || request.plan->changes.empty())
        return;
    m_column->addSpacing(4);
    m_column->addWidget(Words::heading(tr("Before → after"), this));
    auto *diff = new DiffView(this);
    diff->set(request.plan->changes);
    m_column->addWidget(diff);
}

void ApprovalBody::addRequests(const ApprovalRequest &request)
{
    if (!request.plan || request.plan->requests.empty())
        return;
    QStringList lines;
    for (const auto &one : request.plan->requests)
        lines << DisplayText::visible(one.describe());
    m_column->addSpacing(4);
    m_column->addWidget(Words::heading(tr("Exactly what will be sent"), this));
    auto *code = new CodeBlock(lines.join(u'\n'), this);
    code->setObjectName(QStringLiteral("requests"));
    code->setAccessibleName(tr("Exactly what will be sent"));
    m_column->addWidget(code);
}
