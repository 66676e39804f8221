#pragma once
#include "audit/AuditEvent.h"
#include <QScrollArea>

class Executor;
class QLabel;
class QPushButton;
class QVBoxLayout;
struct CallResult;

/// Everything that is kept about one row: what, where, who, who allowed it, before → after, what undoes it and what
/// that would do now, the exact requests, and its place in the chain.
class TimelineDetail : public QScrollArea
{
    Q_OBJECT
public:
    /// `executor` is borrowed; it tells what an undo would do now and runs it.
    explicit TimelineDetail(Executor &executor, QWidget *parent = nullptr);
    ~TimelineDetail() override;

    void show(const CallDetail &detail);
    using QWidget::show;
    /// Says something instead of a row: nothing is chosen, or it cannot be read.
    void showNothing(const QString &words);
    const QString &callId() const { return m_callId; }
    /// Everything that is kept, as JSON text; holds no secret.
    static QString json(const CallDetail &detail);
    /// Takes a row back, as the person; how it ended is said here if the row is the one shown.
    void undo(const QString &callId);

Q_SIGNALS:
    void reviewAsked(const QString &callId);

private:
    void addTitle(const CallRow &row);
    void addFacts(const CallDetail &detail);
    void addChanges(const CallDetail &detail);
    void addUndo(const CallDetail &detail);
    void addRequests(const CallDetail &detail);
    void addChain(const CallDetail &detail);
    void addSection(const QString &heading);
    void addWords(const QString &words);
    void askWhatUndoDoes();
    void tellWhatUndoDoes(const CallResult &preview);
    void undone(const CallResult &result);
    void clear();

    Executor &m_executor;
    QWidget *m_inside;
    QVBoxLayout *m_column = nullptr;
    QString m_callId;
    QString m_preview; ///< id of the preview under way
    QLabel *m_undoWords = nullptr;
    QPushButton *m_undo = nullptr;
};
