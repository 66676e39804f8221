#pragma once
#include "operations/Parameter.h"
#include "operations/Plan.h"
#include "operations/Ports.h"
#include <memory>
#include <stop_token>

/// How far a running call is. fraction is -1 when unknown.
struct Progress {
    double fraction = -1;
    QString text = {}; ///< text from outside
};

/// How a step of a plan ended.
struct StepDone {
    QString entry; ///< its call id
    bool canUndo = false;
    QStringList warnings = {};
};

/// What an operation may use while it runs; cheap to copy into a coroutine frame.
struct OperationContext {
    const Services *services = nullptr;
    Actor actor = {};
    std::shared_ptr<const Plan> plan = {}; ///< set when performing
    std::stop_token stop = {};
    std::function<void(const Progress &)> report = {};
    std::function<void(const Upid &)> onTask = {}; ///< PVE accepted a change and named its task
    /// Another call as it would run now, judged as if this call's actor made it. Nothing is recorded or sent.
    std::function<QCoro::Task<Result<PlanStep>>(Call)> previewStep = {};
    /// Runs one step of this call's plan through the whole pipeline, with a row of its own; its call id, or why it
    /// failed.
    std::function<QCoro::Task<Result<StepDone>>(PlanStep)> runStep = {};
    /// What takes back what was done so far, when only performing can tell; kept also if the call fails later.
    std::function<void(const Call &inverse, const QString &text)> onInverse = {};
};

/// Parsed arguments: one immutable object that is judged, shown, recorded and executed.
using Arguments = std::shared_ptr<const void>;

/// What a call aims at, resolved.
struct Target {
    QString remote; ///< empty = all remotes
    QString key;    ///< "homelab:101", "homelab:node/pve1"; empty = none
    QString label;  ///< "jellyfin 104"; safe to show
    std::optional<GuestRef> guest = {};
    NodeName node = {}; ///< of an operation on a node
};

/// One verb that a person can understand and approve. Immutable after construction; all projections read it.
class Operation
{
public:
    virtual ~Operation() = default;
    QString id; ///< "snapshot.create"
    Text title, summary;
    Effect effect = Effect::Destroys;
    Undo undo = Undo::None;     ///< the best case, for colours before a plan exists
    bool isSensitive = false;   ///< a read that policy can tell apart
    bool isForPeople = false;   ///< may cut our own access, so no rule gives it to a program
    bool waitsOnly = false;     ///< spends its time waiting (task.wait); exempt from repetition limits
    QStringList taskTypes = {}; ///< of the tasks that PVE starts for it: "qmsnapshot", "vzsnapshot"
    std::vector<Parameter> parameters;

    /// "snapshot_create"
    QString mcpName() const;
    /// JSON Schema of the arguments: a flat object.
    QJsonObject schema() const;
    /// Refuses unknown, duplicate, missing, mistyped and out-of-limit arguments, each named.
    Result<Arguments> parse(const QByteArray &json) const;
    /// Fills references from the inventory, without a request.
    virtual Result<Arguments> resolve(const Arguments &args, const Inventory &inventory) const = 0;
    virtual QJsonObject json(const Arguments &args) const = 0;
    virtual Target target(const Arguments &args) const = 0;
    bool isRead() const { return effect == Effect::Reads; }

    /// Reads only.
    virtual QCoro::Task<Result<QJsonValue>> read(Arguments args, OperationContext context) const = 0;
    /// Changes only: live state, preconditions, the diff, the exact requests.
    virtual QCoro::Task<Result<Plan>> plan(Arguments args, OperationContext context) const = 0;
    /// Changes only: sends what the plan holds and watches it to its end.
    virtual QCoro::Task<Result<Outcome>> perform(Arguments args, OperationContext context) const = 0;
    virtual std::optional<Call> inverse(const Arguments &args, const Plan &plan) const = 0;
    /// The row that this call takes back; empty for all but undo.apply.
    virtual QString undoneEntry(const Arguments &args) const = 0;
    /// The failed row that this call runs again; empty for all but operation.retry.
    virtual QString retriedEntry(const Arguments &args) const = 0;

protected:
    virtual std::shared_ptr<void> blank() const = 0;
    virtual Result<> readField(size_t index, const QJsonValue &json, void *args) const = 0;
};
using OperationPtr = std::unique_ptr<const Operation>;
