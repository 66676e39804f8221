#pragma once
#include "base/Clock.h"
#include "execution/Approver.h"
#include <QObject>
#include <QPointer>
#include <deque>

class ApprovalDialog;
class QWidget;

/// Requests that wait for a person. At most one dialog is open: a program's request waits until it is reviewed, what
/// the person began themself is asked at once. Owner's thread only; destroy it after the executor.
class ApprovalQueue final : public QObject, public Approver
{
    Q_OBJECT
public:
    /// `window` is the parent of the dialogs and is borrowed; `clock` tells how long a request has waited.
    explicit ApprovalQueue(QWidget *window, const Clock &clock = Clock::system());
    ~ApprovalQueue() override;

    /// Requests of one program that may wait; what comes above that is denied with the reason.
    static constexpr int mostOfOneProgram = 20;

    void ask(ApprovalRequest request, Promise<Approval> answer) override;
    void withdraw(const QString &callId) override;

    /// Oldest first.
    std::vector<ApprovalRequest> waiting() const;
    int count() const { return int(m_waiting.size()); }
    /// Opens the dialog of a request that waits, or brings the open one forward. False if it does not wait.
    bool review(const QString &callId);
    /// The dialog that is open; null if none.
    ApprovalDialog *dialog() const { return m_dialog; }

Q_SIGNALS:
    /// A program asks; nothing opens by itself.
    void asked(const ApprovalRequest &request);
    void countChanged(int count);

private:
    struct Waiting {
        ApprovalRequest request;
        Promise<Approval> answer;
    };
    using Place = std::deque<Waiting>::iterator;
    Place find(const QString &callId);
    void open(const Waiting &waiting);
    void openNextOfPerson();
    void settle(const QString &callId, Approval approval);

    QWidget *m_window;
    const Clock &m_clock;
    std::deque<Waiting> m_waiting;
    QPointer<ApprovalDialog> m_dialog;
};
