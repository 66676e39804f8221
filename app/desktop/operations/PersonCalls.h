#pragma once
#include "execution/Executor.h"
#include "operations/PlanDraft.h"
#include "widgets/Notice.h"
#include <QPointer>

/// The one door by which pages run operations: everything a person reads or changes goes through the executor, and how
/// a change ended is said in a notice that offers Undo.
class PersonCalls : public QObject
{
    Q_OBJECT
public:
    explicit PersonCalls(Executor &executor, QObject *parent = nullptr);
    const Catalogue &catalogue() const { return m_executor.catalogue(); }
    Executor &executor() { return m_executor; }
    /// What the person has put aside to run together.
    PlanDraft &draft() { return m_draft; }

    /// `then` hears the answer unless `context` is gone by then. Returns the call's id.
    QString read(const QString &operation, const QJsonObject &arguments, QObject *context,
                 std::function<void(const Result<QJsonValue> &)> then);
    /// `then`, if given, hears the end unless `context` is gone. `isQuiet`: the caller shows a refusal itself.
    QString change(const QString &operation, const QJsonObject &arguments, QObject *context = nullptr,
                   std::function<void(const CallResult &)> then = {}, bool isQuiet = false);
    /// Takes back one entry of the timeline.
    void undo(const QString &callId);

Q_SIGNALS:
    void noticed(const Notice &notice);

private:
    void tell(const CallResult &result, const QString &target, bool isQuiet);
    Executor &m_executor;
    PlanDraft m_draft;
    QHash<QString, QString> m_targets; ///< of calls under way: "jellyfin 104"
};
