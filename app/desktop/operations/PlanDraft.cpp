#include "operations/PlanDraft.h"
#include <QJsonObject>

void PlanDraft::add(const QString &operation, const QJsonObject &arguments)
{
    m_steps.append(QJsonObject{{QStringLiteral("operation"), operation}, {QStringLiteral("arguments"), arguments}});
    Q_EMIT changed();
    Q_EMIT added();
}

void PlanDraft::clear()
{
    if (m_steps.isEmpty())
        return;
    m_steps = {};
    Q_EMIT changed();
}
