#pragma once
#include "audit/AuditLog.h"
#include "audit/AuditQuery.h"
#include "execution/Executor.h"
#include "execution/Recovery.h"
#include "execution/UndoLog.h"
#include "operations/Catalogue.h"
#include "support/ScriptedApprover.h"
#include "support/TestCluster.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

/// The whole catalogue on the simulated cluster, with a real audit log and a person who says yes at once unless told to
/// wait.
struct ClusterStage {
    explicit ClusterStage(TestClusterOptions options = atOnce()) : cluster(options)
    {
        if (!log.open())
            qFatal("the audit log does not open");
        limits.allowance = {.callsPerMinute = 100000, .identicalCalls = 100000, .changesPerHour = 100000};
        policy.grant(QStringLiteral("reader"), Preset::Observe);
        policy.grant(QStringLiteral("asker"), Preset::AskForWrites);
        policy.grant(QStringLiteral("operator"), Preset::Operate);
    }
    static TestClusterOptions atOnce()
    {
        TestClusterOptions options;
        options.taskPace = 0;
        return options;
    }
    static Actor agent(const QString &id) { return {.kind = Actor::Kind::Agent, .id = id, .name = id}; }

    /// Runs a call to its end; what is asked is allowed while `saysYes`.
    CallResult run(const char *operation, const QJsonObject &arguments, const Actor &actor = Actor::person(),
                   bool previewOnly = false)
    {
        Call call;
        call.operation = QLatin1String(operation);
        call.arguments = QJsonDocument(arguments).toJson(QJsonDocument::Compact);
        call.actor = actor;
        call.previewOnly = previewOnly;
        std::optional<CallResult> judged;
        executor.start(std::move(call), [&judged](const CallResult &result) { judged = result; });
        const bool inTime = QTest::qWaitFor(
            [&] {
                if (saysYes && approver.isAsking())
                    approver.allow();
                return judged.has_value();
            },
            30000);
        if (!inTime)
            qFatal("%s did not end", operation);
        return *judged;
    }
    /// The answer of a call that must succeed.
    QJsonObject answer(const char *operation, const QJsonObject &arguments, const Actor &actor = Actor::person())
    {
        const auto result = run(operation, arguments, actor);
        if (!result.outcome)
            qFatal("%s: %s", operation, qPrintable(result.outcome.error().message));
        return result.outcome->answer.toObject();
    }
    CallResult undo(const CallResult &done) { return run("undo.apply", {{QStringLiteral("entry"), done.callId}}); }
    Guest &guest(qint64 vmid) { return *cluster.world().guest(vmid); }

    bool saysYes = true;
    TestCluster cluster;
    QTemporaryDir folder;
    AuditLog log{folder.filePath(QStringLiteral("audit")), cluster.secrets, cluster.clock};
    AuditQuery query{log};
    UndoLog undoLog{query};
    Services services{cluster.connections, cluster.inventory, undoLog, undoLog, cluster.clock};
    Catalogue catalogue;
    Policy policy;
    Limits limits{cluster.clock};
    ScriptedApprover approver;
    Executor executor{{catalogue, services, policy, limits, log, approver, cluster.clock}};
};

// Each runs what it is given once.
#define OUTCOME_IS_GOOD(result)                                                                                        \
    do {                                                                                                               \
        const CallResult judged = (result);                                                                            \
        QVERIFY2(judged.outcome, judged.outcome ? "" : qPrintable(judged.outcome.error().message));                    \
    } while (false)
#define REFUSED_WITH(result, wantedKind, words)                                                                        \
    do {                                                                                                               \
        const CallResult judged = (result);                                                                            \
        QVERIFY(!judged.outcome);                                                                                      \
        QVERIFY2(judged.outcome.error().message.contains(QLatin1String(words)),                                        \
                 qPrintable(judged.outcome.error().message));                                                          \
        QCOMPARE(judged.outcome.error().code(), Error::code(wantedKind));                                              \
    } while (false)
