#pragma once
#include "audit/AuditLog.h"
#include "audit/AuditQuery.h"
#include "execution/Executor.h"
#include "execution/Recovery.h"
#include "execution/UndoLog.h"
#include "inventory/Inventory.h"
#include "operations/Catalogue.h"
#include "pve/Connection.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include "support/ScriptedApprover.h"
#include <QTemporaryDir>

/// An executor with a real audit log, a scripted person and a catalogue of the test's choice.
struct ExecutionStage {
    explicit ExecutionStage(Catalogue shown) : catalogue(std::move(shown))
    {
        if (!log.open())
            qFatal("the audit log does not open");
        QObject::connect(&log, &AuditLog::committed, &log, [this] { m_written = true; });
        policy.grant(QStringLiteral("reader"), Preset::Observe);
        policy.grant(QStringLiteral("asker"), Preset::AskForWrites);
        policy.grant(QStringLiteral("operator"), Preset::Operate);
    }

    /// Publishes one cluster "homelab" with a guest, so that names resolve.
    void publish(qint64 vmid, const QString &name)
    {
        InventorySnapshot snapshot;
        snapshot.remoteId = snapshot.remoteName = QStringLiteral("homelab");
        snapshot.reach = InventorySnapshot::Reach::Live;
        GuestState guest;
        guest.vmid = *Vmid::from(vmid);
        guest.node = *NodeName::from(QStringLiteral("pve1"));
        guest.name = name;
        guest.power = GuestState::Power::Running;
        snapshot.guests.push_back(guest);
        inventory.publish(std::move(snapshot));
    }
    static Actor agent(const QString &id) { return {.kind = Actor::Kind::Agent, .id = id, .name = id}; }
    Call call(const char *operation, const QByteArray &arguments, Actor actor = Actor::person())
    {
        Call made;
        made.operation = QLatin1String(operation);
        made.arguments = arguments;
        made.actor = std::move(actor);
        return made;
    }
    /// Starts a call; its result is put into `ended` when it is there.
    QString start(Call made, std::optional<CallResult> &ended)
    {
        return executor->start(std::move(made), [&ended](const CallResult &result) { ended = result; });
    }
    /// Runs a call that nobody has to answer.
    CallResult run(Call made)
    {
        std::optional<CallResult> ended;
        start(std::move(made), ended);
        if (!QTest::qWaitFor([&] { return ended.has_value(); }, 20000))
            qFatal("the call did not end");
        return *ended;
    }
    /// The row of a call that has ended, once it is written; rows of refusals are not waited for by the executor.
    CallDetail detail(const QString &callId)
    {
        for (;;) {
            auto found = await(query.detail(callId));
            if (found && found->row.state != CallState::Waiting && found->row.state != CallState::Running)
                return *found;
            if (!QTest::qWaitFor([this] { return std::exchange(m_written, false); }, 20000))
                qFatal("no row for %s", qPrintable(callId));
        }
    }
    QList<CallRow> rows()
    {
        const auto page = await(query.page({}, 0, 1000));
        return page ? *page : QList<CallRow>();
    }

    QTemporaryDir folder;
    ManualClock clock;
    MemoryStore secrets;
    AuditLog log{folder.filePath(QStringLiteral("audit")), secrets};
    AuditQuery query{log};
    UndoLog undo{query};
    Connections connections{secrets};
    Inventory inventory;
    Services services{connections, inventory, undo, undo, clock};
    Catalogue catalogue;
    Policy policy;
    Limits limits{clock};
    ScriptedApprover approver;
    std::unique_ptr<Executor> executor =
        std::make_unique<Executor>(ExecutorParts{catalogue, services, policy, limits, log, approver, clock});

private:
    bool m_written = false;
};
