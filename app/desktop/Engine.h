#pragma once
#include "Links.h"
#include "audit/AuditLog.h"
#include "audit/AuditQuery.h"
#include "base/Background.h"
#include "base/Folders.h"
#include "base/SealedFile.h"
#include "execution/Executor.h"
#include "execution/Recovery.h"
#include "execution/UndoLog.h"
#include "inventory/Inventory.h"
#include "inventory/InventoryCache.h"
#include "mcp/McpServer.h"
#include "mcp/PairedAgents.h"
#include "policy/Grants.h"
#include "pve/Connection.h"
#include "remotes/RemoteList.h"
#include "secrets/SecretStore.h"
#include <QTimer>

/// What the engine is built with.
struct EngineParts {
    Folders folders;
    bool isDemo = false;
    std::unique_ptr<SecretStore> secrets; ///< never null
    Approver *approver = nullptr;         ///< borrowed; outlives the engine's executor
};

/// Every service below the window, each built once, in the order of its members.
class Engine : public QObject
{
    Q_OBJECT
public:
    explicit Engine(EngineParts parts);
    ~Engine() override;
    /// Reads what is kept, and opens the door for agents as soon as the keyring has vouched for what they may do. What
    /// failed is told in sentences; the rest works without it.
    QStringList open();
    /// Ends agents, calls and connections, in this order; what is kept can still be read.
    void stop();
    /// stop(), then keeps the end of the audit chain; `done` is called once, at the latest after a few
    /// seconds. Nothing may be started afterwards.
    void end(std::function<void()> done);
    /// Settles what an earlier run left open, as soon as a cluster answers.
    void recover();

    const Folders folders;
    const bool isDemo;
    const Clock &clock;
    std::unique_ptr<Recovery> recovery; ///< outlives the log: a run of it ends with the log's last answer
    std::unique_ptr<SecretStore> secrets;
    RemoteList remotes;
    std::unique_ptr<AuditLog> audit;
    std::unique_ptr<AuditQuery> query;
    std::unique_ptr<UndoLog> undo;
    Inventory inventory;
    std::unique_ptr<InventoryCache> cache;
    std::unique_ptr<Connections> connections;
    std::unique_ptr<Links> links;
    Catalogue catalogue;
    Policy policy;
    Grants grants;
    Limits limits;
    Services services;
    std::unique_ptr<Executor> executor;
    std::unique_ptr<PairedAgents> agents;
    std::unique_ptr<McpServer> mcp;

Q_SIGNALS:
    /// How many calls an earlier run left open and this one settled; not emitted for none.
    void recovered(int calls);
    /// What failed after open() had returned, in a sentence.
    void troubled(const QString &what);

private:
    QCoro::Task<void> openDoor(QPointer<Engine> self);
    QCoro::Task<Result<Secret>> sealKey();
    void listen();
    void distrust(const QString &why);
    void takeCounters(const Seal &seal, bool isTrusted);
    void replaceCounters(const SealedFile &file);
    void keepCounters();
    QCoro::Task<void> recoverNow(QPointer<Engine> self);
    std::stop_source m_stop;
    std::optional<SealedFile> m_counters; ///< what the limits have counted
    QTimer m_countersTimer;
    Background m_background;
    bool m_isRecovering = false, m_isEnding = false;
};
