#pragma once
#include "base/Clock.h"
#include "execution/Approver.h"
#include <QDialog>
#include <QTimer>
#include <chrono>

class AnswerButton;
class Pill;
class QLabel;
class QLineEdit;
class QScrollArea;
class QVBoxLayout;
class StepList;

/// Shows one request and takes one answer. Deny is the default; closing denies once. Allow works after half a second in
/// front of the person, by a fresh press only, and for what destroys only once the target's id is typed. The answer
/// carries the hash of the plan that was shown.
class ApprovalDialog : public QDialog
{
    Q_OBJECT
public:
    /// `clock` is borrowed and tells how long the request has waited.
    ApprovalDialog(const ApprovalRequest &request, const Clock &clock, QWidget *parent = nullptr);

    /// How long it must be in front before Allow works.
    static constexpr std::chrono::milliseconds guard{500};
    const QString &callId() const { return m_callId; }
    /// What must be typed before Allow; empty = nothing.
    const QString &wantedId() const { return m_wantedId; }
    /// The call ended otherwise: nothing can be answered any more, and the dialog says so instead of vanishing.
    void setMoot();

public Q_SLOTS:
    /// Escape, the close button and Deny.
    void reject() override;

Q_SIGNALS:
    /// Once at most.
    void answered(const Approval &approval);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void addWho(const ApprovalRequest &request, QVBoxLayout *column);
    void addBody(const ApprovalRequest &request, QVBoxLayout *column);
    void addAnswers(const ApprovalRequest &request, QVBoxLayout *column);
    void addTypedId(QVBoxLayout *column);
    void fit();
    void guardAgain();
    void updateAllow();
    void updateWaiting();
    void allow();

    const Clock &m_clock;
    QString m_callId;
    QByteArray m_planHash;
    qint64 m_askedAtMs;
    bool m_isOwn;
    bool m_isAnswered = false;
    bool m_isMoot = false;
    QString m_wantedId;
    QTimer m_guard;
    QTimer m_waitingTimer;
    QScrollArea *m_scroll = nullptr;
    StepList *m_steps = nullptr; ///< null where the plan is one change
    Pill *m_waiting = nullptr;
    QLineEdit *m_typedId = nullptr;
    QLineEdit *m_reason = nullptr;
    AnswerButton *m_deny = nullptr;
    AnswerButton *m_allow = nullptr;
    QLabel *m_moot = nullptr;
};
