#pragma once
#include <QAction>

class Operation;

/// A menu entry made from an operation's declaration: its title, its summary, and what takes it back.
class OperationAction : public QAction
{
    Q_OBJECT
public:
    /// `operation` lives as long as the catalogue. `asksFirst`: a form opens before anything runs.
    OperationAction(const Operation &operation, bool asksFirst, QObject *parent);
    const Operation &operation() const { return m_operation; }
    /// Paints the mark anew, in the colours of this palette.
    void refreshMark(const QPalette &palette);

private:
    const Operation &m_operation;
};
