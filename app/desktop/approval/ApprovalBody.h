#pragma once
#include "execution/Approver.h"
#include <QWidget>

class QVBoxLayout;
class StepList;

/// What a person must know before answering: intent, target, losses, facts, the diff over the live object, exactly what
/// will be sent, and what undoes it. Reads one request; holds no control that answers it, but boxes that
/// leave out steps of a plan.
class ApprovalBody : public QWidget
{
    Q_OBJECT
public:
    explicit ApprovalBody(const ApprovalRequest &request, QWidget *parent = nullptr);
    /// "Delete guest win11-test 120", also the dialog's title.
    static QString heading(const ApprovalRequest &request);
    /// The steps of a plan of several changes; null where it is one.
    StepList *steps() const { return m_steps; }

private:
    void addHeading(const ApprovalRequest &request);
    void addLosses(const ApprovalRequest &request);
    void addFacts(const ApprovalRequest &request);
    void addChanges(const ApprovalRequest &request);
    void addRequests(const ApprovalRequest &request);
    void addSteps(const ApprovalRequest &request);
    QVBoxLayout *m_column;
    StepList *m_steps = nullptr;
};
