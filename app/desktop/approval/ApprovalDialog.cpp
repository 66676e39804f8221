#include "approval/ApprovalDialog.h"
#include "approval/AnswerButton.h"
#include "approval/ApprovalBody.h"
#include "base/DisplayText.h"
#include "widgets/Pill.h"
#include "widgets/StepList.h"
#include "widgets/Wording.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

static constexpr int dialogWidth = 640;

/// What a person types to show that they looked: the guest's id, or the target's own name.
static QString idOf(const ApprovalRequest &request)
{
    if (request.effect != Effect::Destroys)
        return {};
    if (request.target.guest)
        return request.target.guest->vmid.text();
    if (request.plan)
        for (const auto &step : request.plan->steps)
            if (step.effect == Effect::Destroys && !step.targetKey.isEmpty())
                return DisplayText::visible(step.targetKey.section(u':', -1));
    return request.target.label.isEmpty() ? request.operation->id : DisplayText::visible(request.target.label);
}

ApprovalDialog::ApprovalDialog(const ApprovalRequest &request, const Clock &clock, QWidget *parent)
    : QDialog(parent), m_clock(clock), m_callId(request.callId),
      m_planHash(request.plan ? request.plan->hash : QByteArray()), m_askedAtMs(request.askedAtMs),
      m_isOwn(!request.actor.isProgram()), m_wantedId(idOf(request))
{
    setObjectName(QStringLiteral("approval"));
    setWindowTitle(ApprovalBody::heading(request));
    setWindowModality(Qt::WindowModal);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(22, 20, 22, 20);
    column->setSpacing(12);
    addWho(request, column);
    addBody(request, column);
    addAnswers(request, column);

    m_guard.setSingleShot(true);
    connect(&m_guard, &QTimer::timeout, this, &ApprovalDialog::updateAllow);
    m_waitingTimer.setInterval(1000);
    connect(&m_waitingTimer, &QTimer::timeout, this, &ApprovalDialog::updateWaiting);
    m_waitingTimer.start();
    updateWaiting();
    guardAgain();
    if (m_isOwn && m_typedId)
        m_typedId->setFocus();
    else
        m_deny->setFocus();
}

void ApprovalDialog::addWho(const ApprovalRequest &request, QVBoxLayout *column)
{
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    auto *who = new Pill(Wording::actor(request.actor), Wording::tone(request.actor), this);
    who->setObjectName(QStringLiteral("who"));
    row->addWidget(who);
    const auto process = Wording::process(request.actor);
    auto *asks = Words::muted(m_isOwn             ? tr("are about to")
                              : process.isEmpty() ? tr("asks")
                                                  : tr("asks · %1").arg(process),
                              this);
    asks->setObjectName(QStringLiteral("process"));
    row->addWidget(asks, 1);
    m_waiting = new Pill({}, Tone::Amber, this);
    m_waiting->setVisible(!m_isOwn);
    row->addWidget(m_waiting);
    column->addLayout(row);
}

void ApprovalDialog::addBody(const ApprovalRequest &request, QVBoxLayout *column)
{
    m_scroll = new QScrollArea(this);
    auto *scroll = m_scroll;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *body = new ApprovalBody(request, scroll);
    scroll->setWidget(body);
    body->setAutoFillBackground(false);
    m_steps = body->steps();
    if (m_steps)
        connect(m_steps, &StepList::changed, this, &ApprovalDialog::updateAllow);
    scroll->viewport()->setAutoFillBackground(false);
    column->addWidget(scroll, 1);
    body->setMinimumHeight(1); // its height follows its width; the labels' own hints are of narrow ones
    setMinimumWidth(dialogWidth);
}

void ApprovalDialog::addTypedId(QVBoxLayout *column)
{
    m_typedId = new QLineEdit(this);
    m_typedId->setObjectName(QStringLiteral("typedId"));
    m_typedId->setPlaceholderText(m_isOwn ? tr("Type %1 to go on").arg(m_wantedId)
                                          : tr("Type %1 to allow").arg(m_wantedId));
    m_typedId->setAccessibleName(m_typedId->placeholderText());
    connect(m_typedId, &QLineEdit::textChanged, this, &ApprovalDialog::updateAllow);
    column->addWidget(m_typedId);
}

void ApprovalDialog::addAnswers(const ApprovalRequest &request, QVBoxLayout *column)
{
    m_moot = Words::plain(tr("This is no longer waiting for an answer: the program gave up or the call ended."), this);
    m_moot->setWordWrap(true);
    m_moot->hide();
    column->addWidget(m_moot);
    if (!m_isOwn) {
        m_reason = new QLineEdit(this);
        m_reason->setObjectName(QStringLiteral("answer"));
        m_reason->setPlaceholderText(tr("Tell the agent why (optional)"));
        m_reason->setAccessibleName(m_reason->placeholderText());
        m_reason->setMaxLength(500);
        column->addWidget(m_reason);
    }
    if (!m_wantedId.isEmpty())
        addTypedId(column);
    m_deny = new AnswerButton(m_isOwn ? tr("Cancel") : tr("Deny"), this);
    m_deny->setObjectName(QStringLiteral("deny"));
    m_deny->setProperty("role", "primary");
    m_deny->setDefault(true);
    connect(m_deny, &QPushButton::clicked, this, &ApprovalDialog::reject);
    m_allow =
        new AnswerButton(m_isOwn && request.operation ? request.operation->title.translated() : tr("Allow"), this);
    m_allow->setObjectName(QStringLiteral("allow"));
    if (request.effect > Effect::Changes)
        m_allow->setProperty("role", "danger");
    connect(m_allow, &QPushButton::clicked, this, &ApprovalDialog::allow);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addStretch();
    row->addWidget(m_deny);
    row->addWidget(m_allow);
    column->addLayout(row);
}

void ApprovalDialog::guardAgain()
{
    m_guard.start(guard);
    updateAllow();
}

void ApprovalDialog::updateAllow()
{
    const bool isTyped = m_wantedId.isEmpty() || m_typedId->text().trimmed() == m_wantedId;
    const bool isSomeLeft = !m_steps || !m_steps->isNothingLeft();
    m_allow->setEnabled(isSomeLeft && !m_isMoot && !m_isAnswered && !m_guard.isActive() && isTyped);
}

void ApprovalDialog::updateWaiting()
{
    m_waiting->set(tr("waiting %1 · no answer means no").arg(Wording::duration(m_clock.wallMs() - m_askedAtMs)),
                   Tone::Amber);
}

void ApprovalDialog::allow()
{
    if (!m_allow->isEnabled() || std::exchange(m_isAnswered, true))
        return;
    Q_EMIT answered(Approval{
        .allowed = true, .planHash = m_planHash, .reason = {}, .leftOut = m_steps ? m_steps->leftOut() : QSet<int>()});
    accept();
}

void ApprovalDialog::reject()
{
    if (!m_isMoot && !std::exchange(m_isAnswered, true))
        Q_EMIT answered(Approval{
            .allowed = false, .planHash = m_planHash, .reason = m_reason ? m_reason->text().trimmed() : QString()});
    QDialog::reject();
}

void ApprovalDialog::setMoot()
{
    if (m_isAnswered || std::exchange(m_isMoot, true))
        return;
    m_waitingTimer.stop();
    m_waiting->hide();
    m_moot->show();
    if (m_reason)
        m_reason->hide();
    if (m_typedId)
        m_typedId->hide();
    m_allow->hide();
    m_deny->setText(tr("Close"));
    updateAllow();
}

void ApprovalDialog::keyPressEvent(QKeyEvent *event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && (event->isAutoRepeat() || (m_typedId && m_typedId->hasFocus()))) {
        // Somebody who has typed the id wants to go on: one more press, on Allow itself, does it.
        if (!event->isAutoRepeat() && m_allow->isEnabled())
            m_allow->setFocus();
        event->accept();
        return;
    }
    QDialog::keyPressEvent(event);
}

void ApprovalDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && m_allow)
        guardAgain();
    QDialog::changeEvent(event);
}

/// As high as what it shows, while that leaves room for the answers.
void ApprovalDialog::fit()
{
    const auto inner = dialogWidth - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    const auto wanted = m_scroll->widget()->layout()->totalHeightForWidth(inner);
    const auto most = screen()->availableGeometry().height() * 6 / 10;
    m_scroll->setMinimumHeight(std::min(wanted + 2, most));
    m_scroll->setVerticalScrollBarPolicy(wanted + 2 > most ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    adjustSize();
}

void ApprovalDialog::showEvent(QShowEvent *event)
{
    fit();
    guardAgain();
    QDialog::showEvent(event);
}
