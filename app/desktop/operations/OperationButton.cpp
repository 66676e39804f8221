#include "operations/OperationButton.h"
#include "operations/Operation.h"
#include "operations/OperationAction.h"
#include "operations/UndoMark.h"
#include <QEvent>

OperationButton::OperationButton(OperationAction *action, QWidget *parent) : QPushButton(parent), m_action(action)
{
    setObjectName(QLatin1String("button.") + action->operation().id);
    setIconSize({14, 14});
    connect(action, &QAction::changed, this, &OperationButton::sync);
    connect(this, &QPushButton::clicked, action, [action] { action->trigger(); });
    sync();
}

void OperationButton::sync()
{
    setText(m_action->text());
    setIcon(m_action->icon());
    setToolTip(m_action->toolTip());
    setEnabled(m_action->isEnabled());
    setVisible(m_action->isVisible());
    setAccessibleName(m_action->text());
    setAccessibleDescription(m_action->statusTip() + u' ' + UndoMark::words(m_action->operation().undo));
}

void OperationButton::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        m_action->refreshMark(palette());
    QPushButton::changeEvent(event);
}
