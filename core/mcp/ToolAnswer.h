#pragma once
#include "execution/Execution.h"
#include <QJsonObject>

/// What a tool call answers: structured content, and the same as text. Text from guests and logs is in it as data only.
class ToolAnswer
{
public:
    /// Answers of the demo say so.
    explicit ToolAnswer(bool isDemo) : m_isDemo(isDemo) {}
    /// A call that ended. A failure says what was wrong, whether anything changed, and what to try. `upid` is that of
    /// the last task heard of; empty = none.
    QJsonObject ended(const Operation &operation, const Call &call, const CallResult &result,
                      const QString &upid) const;
    /// Refused before there was a call, or given up.
    QJsonObject refused(const Error &error) const;
    /// A change that takes longer than a client waits: where it stands, and where its end will be found.
    QJsonObject unfinished(const ExecutionInfo &info) const;

private:
    QJsonObject wrap(QJsonObject structured, bool isError) const;
    bool m_isDemo;
};
