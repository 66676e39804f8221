#pragma once
#include <QHash>
#include <QJsonObject>
#include <QWidget>

class Operation;
class QVBoxLayout;
struct Parameter;

/// The fields of an operation's parameters, made from its declaration. What is left empty is not given: absent differs
/// from 0 and from "".
class OperationForm : public QWidget
{
    Q_OBJECT
public:
    /// Parameters named in `fixed` are given already, those in `hidden` are not offered; neither gets a field.
    OperationForm(const Operation &operation, QJsonObject fixed, const QStringList &hidden = {},
                  QWidget *parent = nullptr);
    /// Fills a field; what still equals this value counts as unchanged.
    void setPresent(const QString &parameter, const QJsonValue &value);
    /// Everything that is given, in the form that Operation::parse takes; `onlyChanges` leaves out unchanged fields.
    QJsonObject arguments(bool onlyChanges = false) const;
    /// Fields that had a value and were emptied.
    QStringList emptied() const;
    bool isEmpty() const { return m_fields.isEmpty(); }
    QWidget *field(const QString &parameter) const { return m_fields.value(parameter); }

Q_SIGNALS:
    void edited();

private:
    QWidget *makeField(const Parameter &parameter);
    void addRow(QVBoxLayout *column, const Parameter &parameter);
    QJsonValue value(const QString &parameter) const;

    const Operation &m_operation;
    QJsonObject m_fixed, m_present;
    QHash<QString, QWidget *> m_fields;
    bool m_saysOptional = true;
};
