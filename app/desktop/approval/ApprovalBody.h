#pragma once
#include "execution/Approver.h"
#include <QWidget>

class QVBoxLayout;

/// What a person must know before answering: intent, target, losses, facts, the diff over the live object, exactly what
/// will be sent, and what undoes it. Reads one request; holds no control that answers it.
class ApprovalBody : public QWidget
{
    Q_OBJECT
public:
    explicit ApprovalBody(const ApprovalRequest &request, QWidget *parent = nullptr);
    /// "Delete guest win11-test 120", also the dialog's title.
    static QString heading(const ApprovalRequest &request);

private:
    void addHeading(const ApprovalRequest &request);
    void addLosses(const ApprovalRequest &request);
    void addFacts(const ApprovalRequest &request);
    void addChanges(const ApprovalRequest &request);
    void addRequests(const ApprovalRequest &request);
    QVBoxLayout *m_column;
};
