#include "pages/agents/AgentCard.h"
#include "pages/agents/AgentRights.h"
#include "widgets/Pill.h"
#include "widgets/Quantity.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QProgressBar>
#include <QStyle>
#include <QVBoxLayout>

AgentCard::AgentCard(QWidget *parent) : Card({}, parent)
{
    setFocusPolicy(Qt::StrongFocus);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    m_name = Words::plain({}, this);
    m_name->setFont(Words::scaled(font(), 1.0, QFont::Bold));
    m_state = new Pill({}, Tone::Neutral, this);
    m_preset = new Pill({}, Tone::Neutral, this);
    row->addWidget(m_name);
    row->addWidget(m_state);
    row->addStretch();
    row->addWidget(m_preset);
    body()->addLayout(row);
    m_process = Words::muted({}, this);
    m_process->setWordWrap(true);
    body()->addWidget(m_process);
    m_calls = Words::plain({}, this);
    m_calls->setFont(Words::scaled(font(), 0.95));
    m_bar = new QProgressBar(this);
    m_bar->setTextVisible(false);
    body()->addSpacing(2);
    body()->addWidget(m_calls);
    body()->addWidget(m_bar);
}

static Tone toneOf(Preset preset)
{
    return preset == Preset::Observe ? Tone::Neutral : preset == Preset::AskForWrites ? Tone::Blue : Tone::Amber;
}

void AgentCard::set(const AgentView &agent, qint64 nowMs)
{
    m_name->setText(agent.name);
    const auto seen =
        agent.lastSeenMs ? tr("last seen %1").arg(Quantity::ago(agent.lastSeenMs, nowMs)) : tr("never seen");
    m_state->set(agent.sessions ? tr("connected") : seen, agent.sessions ? Tone::Green : Tone::Neutral);
    if (!agent.paused.isEmpty())
        m_state->set(tr("paused"), Tone::Amber);
    if (agent.isHeld)
        m_state->set(tr("held"), Tone::Red);
    m_preset->set(agent.preset ? AgentRights::presetText(*agent.preset) : tr("nothing"),
                  agent.preset ? toneOf(*agent.preset) : Tone::Neutral);
    QStringList process;
    if (!agent.program.isEmpty())
        process << agent.program;
    if (agent.sessions && agent.pid)
        process << tr("pid %1").arg(agent.pid);
    if (agent.sessions > 1)
        process << tr("%n session(s)", nullptr, agent.sessions);
    m_process->setText(process.join(QStringLiteral(" · ")));
    m_process->setVisible(!process.isEmpty());
    m_calls->setText(tr("Calls this minute %1 of %2").arg(agent.callsThisMinute).arg(agent.callsPerMinute));
    m_bar->setRange(0, std::max(1, agent.callsPerMinute));
    m_bar->setValue(std::min(agent.callsThisMinute, agent.callsPerMinute));
    m_bar->setAccessibleName(m_calls->text());
    m_calls->setVisible(agent.sessions > 0);
    m_bar->setVisible(agent.sessions > 0);
    setAccessibleName(QStringLiteral("%1, %2, %3").arg(agent.name, m_state->text(), m_preset->text()));
}

void AgentCard::setChosen(bool isChosen)
{
    if (property("selected").toBool() == isChosen)
        return;
    setProperty("selected", isChosen);
    style()->unpolish(this);
    style()->polish(this);
}

void AgentCard::mousePressEvent(QMouseEvent *)
{
    Q_EMIT chosen();
}

void AgentCard::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        Q_EMIT chosen();
    else
        Card::keyPressEvent(event);
}

void AgentCard::paintEvent(QPaintEvent *event)
{
    Card::paintEvent(event);
    if (!hasFocus() || property("selected").toBool())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Tones::of(palette()).accent);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}
