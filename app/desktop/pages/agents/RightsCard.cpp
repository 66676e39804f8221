#include "pages/agents/RightsCard.h"
#include "base/DisplayText.h"
#include "mcp/PairedAgents.h"
#include "pages/agents/AgentRights.h"
#include "widgets/Line.h"
#include "widgets/Pill.h"
#include "widgets/SegmentedControl.h"
#include "widgets/Wording.h"
#include "widgets/Words.h"
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

RightsCard::RightsCard(AgentRights &rights, QWidget *parent)
    : Card({}, parent), m_rights(rights), m_presets(new SegmentedControl({AgentRights::presetText(Preset::Observe),
                                                                          AgentRights::presetText(Preset::AskForWrites),
                                                                          AgentRights::presetText(Preset::Operate)},
                                                                         this))
{
    m_presets->setAccessibleName(tr("What this program may do"));
    auto *choice = new QHBoxLayout;
    choice->addWidget(m_presets);
    choice->addStretch();
    body()->addLayout(choice);
    buildPause();
    buildHeld();
    connect(m_presets, &SegmentedControl::chosen, this, [this](int index) { choose(Preset(index)); });
    buildConfirmation();
    m_problem = Words::plain({}, this);
    m_problem->setProperty("role", "bad");
    m_problem->setWordWrap(true);
    m_problem->hide();
    body()->addWidget(m_problem);
    buildFoot();
}

void RightsCard::buildPause()
{
    m_pause = new QWidget(this);
    auto *row = new QHBoxLayout(m_pause);
    row->setContentsMargins(0, 0, 0, 0);
    m_paused = Words::plain({}, m_pause);
    m_paused->setObjectName(QStringLiteral("paused"));
    m_paused->setWordWrap(true);
    auto *resume = new QPushButton(tr("Let it go on"), m_pause);
    resume->setObjectName(QStringLiteral("resumeAgent"));
    connect(resume, &QPushButton::clicked, this, [this] { Q_EMIT resumeAsked(m_agent.id); });
    row->addWidget(m_paused, 1);
    row->addWidget(resume);
    m_pause->hide();
    body()->addWidget(m_pause);
}

void RightsCard::buildHeld()
{
    m_held = new QWidget(this);
    auto *row = new QHBoxLayout(m_held);
    row->setContentsMargins(0, 0, 0, 0);
    auto *why =
        Words::plain(tr("What programs may do, or what they used, was changed outside Labhelm. Until you choose "
                        "again it may only look."),
                     m_held);
    why->setProperty("role", "bad");
    why->setWordWrap(true);
    m_trust = new QPushButton(m_held);
    m_trust->setObjectName(QStringLiteral("trustAgain"));
    connect(m_trust, &QPushButton::clicked, this, [this] {
        if (m_agent.preset)
            choose(*m_agent.preset);
    });
    row->addWidget(why, 1);
    row->addWidget(m_trust);
    m_held->hide();
    body()->addWidget(m_held);
}

void RightsCard::buildConfirmation()
{
    m_confirm = new QWidget(this);
    auto *row = new QHBoxLayout(m_confirm);
    row->setContentsMargins(0, 0, 0, 0);
    m_question = Words::plain({}, m_confirm);
    m_question->setWordWrap(true);
    auto *yes = new QPushButton(tr("Let it operate"), m_confirm);
    yes->setObjectName(QStringLiteral("letOperate"));
    yes->setProperty("role", "danger");
    auto *no = new QPushButton(tr("Keep as it is"), m_confirm);
    no->setObjectName(QStringLiteral("keepPreset"));
    connect(yes, &QPushButton::clicked, this, [this] { change(Preset::Operate); });
    connect(no, &QPushButton::clicked, this, &RightsCard::showPreset);
    row->addWidget(m_question, 1);
    row->addWidget(no);
    row->addWidget(yes);
    m_confirm->hide();
    body()->addWidget(m_confirm);
}

void RightsCard::buildFoot()
{
    m_foot = new QWidget(this);
    auto *row = new QHBoxLayout(m_foot);
    row->setContentsMargins(0, 4, 0, 0);
    auto *setup = new QPushButton(tr("Show how it is set up…"), m_foot);
    setup->setObjectName(QStringLiteral("showSetup"));
    setup->setProperty("role", "link");
    connect(setup, &QPushButton::clicked, this, [this] { Q_EMIT setupAsked(m_agent.id); });
    m_revoke = new QPushButton(tr("Shut it out…"), m_foot);
    m_revoke->setObjectName(QStringLiteral("revoke"));
    m_revoke->setProperty("role", "stop");
    connect(m_revoke, &QPushButton::clicked, this, [this] { Q_EMIT revokeAsked(m_agent.id); });
    row->addWidget(setup);
    row->addStretch();
    row->addWidget(m_revoke);
    body()->addWidget(m_foot);
}

void RightsCard::set(const AgentView &agent)
{
    const bool isSame = agent.id == m_agent.id && agent.name == m_agent.name && agent.preset == m_agent.preset &&
                        agent.isHeld == m_agent.isHeld;
    if (agent.id != m_agent.id)
        say({});
    m_agent = agent;
    m_paused->setText(tr("It is paused: %1").arg(agent.paused));
    m_pause->setVisible(!agent.paused.isEmpty());
    m_held->setVisible(agent.isHeld);
    if (agent.preset)
        m_trust->setText(tr("Let “%1” hold again").arg(AgentRights::presetText(*agent.preset)));
    if (isSame)
        return;
    setHeading(tr("What %1 may do").arg(agent.name));
    m_foot->setVisible(!agent.isTerminal);
    fillTable();
    showPreset();
}

/// The control shows what holds, whatever was tried.
void RightsCard::showPreset()
{
    m_confirm->hide();
    if (m_agent.preset)
        m_presets->setCurrent(int(*m_agent.preset));
}

void RightsCard::say(const QString &problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void RightsCard::choose(Preset preset)
{
    if (preset == m_agent.preset && !m_agent.isHeld) {
        m_confirm->hide();
        return;
    }
    if (preset != Preset::Operate) {
        change(preset);
        return;
    }
    m_question->setText(tr("Let %1 change things without asking? Everything is recorded, and what destroys still asks.")
                            .arg(m_agent.name));
    m_confirm->show();
}

void RightsCard::change(Preset preset)
{
    m_confirm->hide();
    m_rights.setPreset(m_agent.id, preset, [self = QPointer(this)](const Result<> &changed) {
        if (!self)
            return;
        self->say(changed ? QString() : DisplayText::visible(changed.error().message));
        if (!changed)
            self->showPreset();
    });
}

/// The kinds of operation in rising order of harm, and what is said of each.
static QList<std::tuple<Effect, bool, QString, QString>> kinds()
{
    return {{Effect::Reads, false, RightsCard::tr("Reads"), RightsCard::tr("states, figures, lists")},
            {Effect::Reads, true, RightsCard::tr("Private reads"), RightsCard::tr("notes, other programs’ entries")},
            {Effect::Changes, false, RightsCard::tr("Changes"), RightsCard::tr("has an undo")},
            {Effect::Disrupts, false, RightsCard::tr("Disrupts"), RightsCard::tr("stops or is hard to undo")},
            {Effect::Executes, false, RightsCard::tr("Executes"), RightsCard::tr("runs a command")},
            {Effect::Destroys, false, RightsCard::tr("Destroys"), RightsCard::tr("loses data, widens access")}};
}

static std::pair<QString, Tone> verdictPill(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Allow: return {RightsCard::tr("Allow"), Tone::Green};
    case Verdict::Ask: return {RightsCard::tr("Ask"), Tone::Amber};
    case Verdict::Deny: return {RightsCard::tr("Deny"), Tone::Red};
    }
    Q_UNREACHABLE();
}

void RightsCard::fillTable()
{
    delete m_table;
    m_table = new QWidget(this);
    auto *grid = new QGridLayout(m_table);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(7);
    grid->setColumnStretch(2, 1);
    const QStringList captions{tr("Kind of operation"), tr("Decision"), tr("Why")};
    for (int column = 0; column < captions.size(); ++column)
        grid->addWidget(Words::heading(captions[column], m_table), 0, column);
    int row = 1;
    for (const auto &[effect, isSensitive, name, about] : kinds()) {
        Actor actor;
        actor.kind = m_agent.isTerminal ? Actor::Kind::Terminal : Actor::Kind::Agent;
        actor.id = m_agent.id;
        const auto decision = m_rights.policy().decide({.actor = actor, .effect = effect, .isSensitive = isSensitive});
        const auto [verdict, tone] = verdictPill(decision.verdict);
        auto *kind = new QHBoxLayout;
        kind->setSpacing(6);
        kind->addWidget(Words::plain(name, m_table));
        kind->addWidget(Words::muted(about, m_table));
        kind->addStretch();
        grid->addWidget(new Line(Qt::Horizontal, m_table), row++, 0, 1, 3);
        grid->addLayout(kind, row, 0);
        grid->addWidget(new Pill(verdict, tone, m_table), row, 1);
        const bool wantsId = effect == Effect::Destroys && decision.verdict == Verdict::Ask;
        auto *why = Words::muted(wantsId ? decision.why + u' ' + tr("The id must be typed.") : decision.why, m_table);
        why->setWordWrap(true);
        grid->addWidget(why, row++, 2);
    }
    body()->insertWidget(4, m_table);
}
