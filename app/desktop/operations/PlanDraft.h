#pragma once
#include <QJsonArray>
#include <QObject>

/// Changes that a person has put aside to see and run together. Kept until they are run or thrown away; not across
/// starts.
class PlanDraft : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    /// As plan.run takes them.
    const QJsonArray &steps() const { return m_steps; }
    void add(const QString &operation, const QJsonObject &arguments);
    void clear();

Q_SIGNALS:
    void added();
    void changed();

private:
    QJsonArray m_steps;
};
