#include "operations/OperationAction.h"
#include "operations/Operation.h"
#include "operations/UndoMark.h"
#include <QApplication>

OperationAction::OperationAction(const Operation &operation, bool asksFirst, QObject *parent)
    : QAction(parent), m_operation(operation)
{
    const auto title = operation.title.translated();
    setObjectName(operation.id);
    setText(asksFirst ? title + u'…' : title);
    setStatusTip(operation.summary.translated());
    const auto summary = operation.summary.translated().toHtmlEscaped();
    const auto undo = UndoMark::words(operation.undo).toHtmlEscaped();
    const auto both = QStringLiteral("<qt>%1<br><b>%2</b></qt>").arg(summary, undo);
    setToolTip(both);
    refreshMark(QApplication::palette());
}

void OperationAction::refreshMark(const QPalette &palette)
{
    setIcon(UndoMark::icon(m_operation.undo, palette));
}
