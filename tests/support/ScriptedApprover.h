#pragma once
#include "execution/Approver.h"
#include <vector>

/// A person in a test: keeps the questions until the test answers them.
class ScriptedApprover final : public Approver
{
public:
    void ask(ApprovalRequest request, Promise<Approval> answer) override
    {
        asked.push_back(request);
        m_open.emplace_back(std::move(request), std::move(answer));
    }
    void withdraw(const QString &callId) override
    {
        std::erase_if(m_open, [&](const auto &open) { return open.first.callId == callId; });
    }
    bool isAsking() const { return !m_open.empty(); }
    /// The oldest question.
    const ApprovalRequest &first() const { return m_open.front().first; }
    /// Allows the oldest question, bound to the plan that was shown.
    void allow() { answer({.allowed = true, .planHash = hash()}); }
    void deny(const QString &reason = {}) { answer({.planHash = hash(), .reason = reason}); }
    void answer(Approval approval)
    {
        auto open = std::move(m_open.front());
        m_open.erase(m_open.begin());
        open.second.finish(std::move(approval));
    }
    /// Lets go of the oldest question without an answer, as a window that closes.
    void drop()
    {
        const auto open = std::move(m_open.front()); // whose end resumes the call, which may ask or withdraw
        m_open.erase(m_open.begin());
    }

    std::vector<ApprovalRequest> asked;

private:
    QByteArray hash() const { return m_open.front().first.plan ? m_open.front().first.plan->hash : QByteArray(); }
    std::vector<std::pair<ApprovalRequest, Promise<Approval>>> m_open;
};
