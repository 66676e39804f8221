#pragma once
#include "base/Result.h"
#include <QDialog>
#include <QJsonObject>
#include <QJsonValue>
#include <functional>
#include <optional>

class AnswerTree;
class Operation;
class OperationForm;
class PersonCalls;
class QHBoxLayout;
class QLabel;
class QPushButton;
struct ExecutionInfo;

/// Asks for an operation's arguments and runs it. Stays open, with the reason, when it is refused; closes as soon as
/// the change is under way. What a read answers is shown below its arguments.
class OperationDialog : public QDialog
{
    Q_OBJECT
public:
    /// `target` is what it is about, safe to show; `fixed` and `hidden` as in OperationForm. `calls` is borrowed.
    OperationDialog(const Operation &operation, const QString &target, QJsonObject fixed, const QStringList &hidden,
                    PersonCalls &calls, QWidget *parent);
    OperationForm &form() { return *m_form; }
    /// Sends only what differs from what was shown at first.
    void setOnlyChanges(bool only) { m_onlyChanges = only; }
    /// The last word on the arguments before they are sent.
    void setFinish(std::function<QJsonObject(QJsonObject)> finish) { m_finish = std::move(finish); }

private:
    void build(const QString &target);
    QHBoxLayout *answers();
    /// The arguments as JSON, if they are right; otherwise says why not.
    std::optional<QJsonObject> checked();
    void run();
    void addToPlan();
    void showAnswer(const Result<QJsonValue> &answer);
    void follow(const ExecutionInfo &info);
    void say(const QString &problem);
    void setBusy(bool busy);

    const Operation &m_operation;
    PersonCalls &m_calls;
    OperationForm *m_form;
    QLabel *m_problem;
    QPushButton *m_go;
    AnswerTree *m_answer = nullptr; ///< of a read
    std::function<QJsonObject(QJsonObject)> m_finish;
    QString m_callId;
    bool m_onlyChanges = false;
};
