#include "approval/ApprovalQueue.h"
#include "approval/ApprovalDialog.h"
#include <algorithm>

ApprovalQueue::ApprovalQueue(QWidget *window, const Clock &clock) : m_window(window), m_clock(clock) {}

ApprovalQueue::~ApprovalQueue()
{
    delete m_dialog;
}

static int waitingOf(const Actor &actor, const std::vector<ApprovalRequest> &waiting)
{
    return int(std::count_if(waiting.begin(), waiting.end(), [&](const auto &other) { return other.actor == actor; }));
}

void ApprovalQueue::ask(ApprovalRequest request, Promise<Approval> answer)
{
    const bool byProgram = request.actor.isProgram();
    if (byProgram && waitingOf(request.actor, waiting()) >= mostOfOneProgram) {
        answer.finish(Approval{
            .allowed = false,
            .planHash = {},
            .reason = tr("%n request(s) of this program wait for an answer already.", nullptr, mostOfOneProgram)});
        return;
    }
    m_waiting.push_back({std::move(request), std::move(answer)});
    const auto shown = m_waiting.back().request;
    Q_EMIT countChanged(count());
    if (byProgram)
        Q_EMIT asked(shown);
    else
        openNextOfPerson();
}

void ApprovalQueue::withdraw(const QString &callId)
{
    const auto place = find(callId);
    if (place == m_waiting.end())
        return;
    const auto taken = std::move(*place);
    m_waiting.erase(place);
    if (m_dialog && m_dialog->callId() == callId)
        m_dialog->setMoot();
    Q_EMIT countChanged(count());
}

std::vector<ApprovalRequest> ApprovalQueue::waiting() const
{
    std::vector<ApprovalRequest> all;
    all.reserve(m_waiting.size());
    for (const auto &one : m_waiting)
        all.push_back(one.request);
    return all;
}

bool ApprovalQueue::review(const QString &callId)
{
    const auto place = find(callId);
    if (place == m_waiting.end())
        return false;
    if (!m_dialog)
        open(*place);
    m_dialog->raise();
    m_dialog->activateWindow();
    return m_dialog->callId() == callId;
}

ApprovalQueue::Place ApprovalQueue::find(const QString &callId)
{
    return std::find_if(m_waiting.begin(), m_waiting.end(),
                        [&](const Waiting &one) { return one.request.callId == callId; });
}

void ApprovalQueue::open(const Waiting &waiting)
{
    m_dialog = new ApprovalDialog(waiting.request, m_clock, m_window);
    const auto callId = waiting.request.callId;
    connect(m_dialog, &ApprovalDialog::answered, this,
            [this, callId](const Approval &approval) { settle(callId, approval); });
    connect(m_dialog, &QDialog::finished, this, [this, dialog = m_dialog.data()] {
        dialog->deleteLater();
        m_dialog = nullptr;
        openNextOfPerson();
    });
    m_dialog->open();
}

void ApprovalQueue::openNextOfPerson()
{
    if (m_dialog)
        return;
    const auto next = std::find_if(m_waiting.begin(), m_waiting.end(),
                                   [](const Waiting &one) { return !one.request.actor.isProgram(); });
    if (next != m_waiting.end())
        open(*next);
}

void ApprovalQueue::settle(const QString &callId, Approval approval)
{
    const auto place = find(callId);
    if (place == m_waiting.end())
        return;
    auto taken = std::move(*place);
    m_waiting.erase(place);
    Q_EMIT countChanged(count());
    taken.answer.finish(std::move(approval)); // last: resumes the call, which may ask again
}
