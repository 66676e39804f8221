#include "Engine.h"
#include "async/Deliver.h"
#include "notes/AuditNote.h"

using namespace std::chrono_literals;

static constexpr QLatin1String usesKey{"uses"};

Engine::Engine(EngineParts parts)
    : folders(std::move(parts.folders)), isDemo(parts.isDemo), clock(Clock::system()),
      secrets(std::move(parts.secrets)), remotes(folders.config + QStringLiteral("/connections.json")),
      audit(std::make_unique<AuditLog>(folders.data + QStringLiteral("/audit"), *secrets)),
      query(std::make_unique<AuditQuery>(*audit)), undo(std::make_unique<UndoLog>(*query)),
      cache(std::make_unique<InventoryCache>(folders.data + QStringLiteral("/inventory"), inventory)),
      connections(std::make_unique<Connections>(*secrets)),
      links(std::make_unique<Links>(*connections, inventory, *cache, clock)),
      grants(folders.config + QStringLiteral("/grants.json")),
      limits(clock), services{*connections, inventory, *undo, *undo, clock},
      executor(std::make_unique<Executor>(
          ExecutorParts{catalogue, services, policy, limits, *audit, *parts.approver, clock, isDemo})),
      agents(std::make_unique<PairedAgents>(folders.agentList(), folders.agentKeys(), *secrets)),
      mcp(std::make_unique<McpServer>(McpServerParts{*executor, *agents, clock, isDemo}))
{
    recovery = std::make_unique<Recovery>(*audit, *query, *executor);
    m_countersTimer.setSingleShot(true);
    m_countersTimer.setInterval(1s);
    connect(&m_countersTimer, &QTimer::timeout, this, &Engine::keepCounters);
    connect(executor.get(), &Executor::changed, this, [this](const ExecutionInfo &info) {
        if (info.actor.isProgram() && !m_countersTimer.isActive())
            m_countersTimer.start();
    });
    connect(executor.get(), &Executor::clusterChanged, this, [this](const QString &remote) { links->refresh(remote); });
    const auto record = [this](const Actor &actor, const QString &text) {
        const auto recorded = audit->append(AuditNote::of(actor, text));
        Q_UNUSED(recorded) // nothing waits for the row
    };
    connect(mcp.get(), &McpServer::noted, this, [record](const QString &text) { record(Actor::labhelm(), text); });
    connect(executor.get(), &Executor::pausedChanged, this, [record](bool paused) {
        record(Actor::person(), paused ? tr("Paused all agents") : tr("Let all agents go on"));
    });
    connect(&remotes, &RemoteList::added, this, [this](const Remote &remote) { links->open(remote); });
    connect(&remotes, &RemoteList::changed, this, [this](const Remote &remote) { links->reopen(remote); });
    connect(&remotes, &RemoteList::removed, this, [this](const QString &id) { links->close(id); });
    connect(&inventory, &Inventory::changed, this, [this](const QString &remote, const InventoryDiff &diff) {
        const auto state = inventory.snapshot(remote);
        if (diff.reachChanged && state && state->reach == InventorySnapshot::Reach::Live)
            recover();
    });
}

Engine::~Engine()
{
    stop();
    m_background.waitForAll(); // the last counters
}

QStringList Engine::open()
{
    QStringList troubles;
    const auto note = [&troubles](const Result<> &result) {
        if (!result)
            troubles << result.error().message;
    };
    note(audit->open());
    note(remotes.load());
    note(agents->load());
    openDoor(this);
    for (const auto &remote : remotes.all())
        links->open(remote);
    return troubles;
}

/// The key that what agents may do is sealed with; made at the first start.
QCoro::Task<Result<Secret>> Engine::sealKey()
{
    const auto name = QStringLiteral("policy/seal");
    auto known = co_await secrets->read(name).within(5s).until(m_stop.get_token());
    if (known || known.error().kind != Error::Kind::NotFound)
        co_return known;
    auto made = Seal::newKey();
    auto kept = co_await secrets->write(name, made).within(5s).until(m_stop.get_token());
    if (!kept)
        co_return kept.error();
    co_return made;
}

QCoro::Task<void> Engine::openDoor(QPointer<Engine> self)
{
    auto key = co_await sealKey();
    if (!self || m_isEnding)
        co_return;
    if (key)
        grants.setSeal(Seal(*key));
    const auto loaded = grants.load(policy);
    if (!loaded)
        distrust(loaded.error().message);
    if (key)
        takeCounters(Seal(*std::move(key)), static_cast<bool>(loaded));
    listen();
}

/// From here on programs may only look, until a person chooses again.
void Engine::distrust(const QString &why)
{
    QStringList ids{PairedAgents::terminalId};
    for (const auto &agent : agents->all())
        ids << agent.id;
    for (const auto &id : ids) {
        if (!policy.granted(id))
            policy.grant(id, Preset::Observe);
        policy.hold(id);
    }
    Q_EMIT troubled(why);
}

/// `isTrusted`: what agents may do could be read, so it also tells whether there must be counters.
void Engine::takeCounters(const Seal &seal, bool isTrusted)
{
    const SealedFile file(folders.data + QStringLiteral("/counters.json"), seal);
    const auto kept = file.read();
    const auto uses = kept && *kept ? (**kept)[usesKey] : QJsonValue();
    const bool isMissing = kept && !*kept;
    if (uses.isObject())
        limits.restore(uses.toObject());
    else if (kept ? !isMissing || grants.hasCounters() : kept.error().kind != Error::Kind::Unavailable)
        return replaceCounters(file);
    else if (!kept)
        return distrust(kept.error().message);
    m_counters = file;
    if (!isTrusted || grants.hasCounters() || !file.write({{usesKey, limits.json()}}))
        return;
    grants.setHasCounters();
    const auto saved = grants.save(policy);
    Q_UNUSED(saved) // it is tried again at the next start
}

/// What was counted is lost, so what programs may do is kept narrowed before counting begins anew.
void Engine::replaceCounters(const SealedFile &file)
{
    distrust(tr("The record of what agents have used was changed or removed outside Labhelm, so they may only look. "
                "Choose again on the Agents page."));
    grants.setHasCounters();
    const auto saved = grants.save(policy);
    if (!saved) {
        Q_EMIT troubled(saved.error().message);
        return; // the file stays as it is, so that the next start finds out too
    }
    m_counters = file;
    keepCounters();
}

void Engine::keepCounters()
{
    if (!m_counters)
        return;
    const auto written = m_background.run<void>([file = *m_counters, uses = limits.json()] {
        return file.write({{usesKey, uses}});
    });
    Q_UNUSED(written) // the next one brings it all
}

void Engine::listen()
{
    if (const auto listening = mcp->listen(folders.socket); !listening) {
        Q_EMIT troubled(listening.error().message);
        return;
    }
    // not before: the terminal's key may be that of the instance that listens
    if (const auto terminal = agents->openTerminal(); !terminal)
        Q_EMIT troubled(terminal.error().message);
}

void Engine::recover()
{
    if (!m_isRecovering && !m_isEnding)
        recoverNow(this);
}

QCoro::Task<void> Engine::recoverNow(QPointer<Engine> self)
{
    m_isRecovering = true;
    auto settled = co_await recovery->run();
    if (!self || m_isEnding)
        co_return;
    m_isRecovering = false;
    if (settled && *settled > 0)
        Q_EMIT recovered(*settled);
}

void Engine::stop()
{
    if (!std::exchange(m_isEnding, true))
        keepCounters();
    m_stop.request_stop();
    // whoever listens must not be told of services that are half gone
    if (mcp)
        mcp->blockSignals(true);
    mcp.reset();
    if (executor)
        executor->blockSignals(true);
    executor.reset();
    links.reset();
    connections.reset();
}

void Engine::end(std::function<void()> done)
{
    stop();
    deliver<void>(audit->close().within(3s), this, [done = std::move(done)](const Result<void> &) { done(); });
}
