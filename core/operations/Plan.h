#pragma once
#include "base/Result.h"
#include "model/Actor.h"
#include "model/Effect.h"
#include "pve/ApiRequest.h"
#include <QJsonObject>
#include <QJsonValue>
#include <QStringList>
#include <optional>
#include <vector>

/// A call before it is parsed.
struct Call {
    QString operation;
    QByteArray arguments; ///< JSON text of one object, as it came
    Actor actor = {};
    QString reason = {};      ///< the caller's own words; text from outside
    QString undoes = {};      ///< call id of the row that this takes back; set by the executor only
    QString partOf = {};      ///< call id of the plan that this is a step of; set by the executor only
    QString retries = {};     ///< call id of the failed row that this runs again; set by the executor only
    bool previewOnly = false; ///< ends after the plan
};

/// What takes an operation back, told before the click.
enum class Undo {
    Exact,  ///< green: one call sets it back
    Partly, ///< amber: only with a snapshot or backup that exists
    None    ///< red
};

/// One line of the diff over the live object. An absent side means the key is not there.
struct PlanChange {
    QString key;
    QJsonValue before = QJsonValue::Undefined;
    QJsonValue after = QJsonValue::Undefined;
    bool operator==(const PlanChange &) const = default;
};

/// One line of what a person should know before deciding.
struct PlanFact {
    QString label;
    QString value;
    bool isWarning = false;
};

/// One call of a plan of several, as it stood when the plan was made.
struct PlanStep {
    Call call;
    QString headline;  ///< "Change memory 4096 → 6144 MiB"
    QString target;    ///< "jellyfin 104"; safe to show
    QString targetKey; ///< "homelab:104"
    Effect effect = Effect::Destroys;
    Undo undo = Undo::None;
    QString undoText;
    std::vector<PlanChange> changes;
    QStringList losses;
    std::vector<ApiRequest> requests;
    QJsonObject before;
    bool isForPeople = false;
    QByteArray shape;           ///< what a person allows; the step may run unasked only while it still looks like this
    std::optional<Error> later; ///< why it cannot be planned before the steps above it have run; none = it is planned
    bool isChosen = true;       ///< by the person who allowed the plan
};

/// What will happen, read from live state. Its hash binds an approval to it.
struct Plan {
    QString intent; ///< "Change memory 4096 → 6144 MiB"
    QString done;   ///< "Changed memory 4096 → 6144 MiB", for the timeline
    std::vector<PlanChange> changes;
    std::vector<PlanFact> facts; ///< for the eye; not part of the hash
    QStringList losses;          ///< what is lost for good; empty = nothing
    QJsonObject before;          ///< verified before-state: what undo and re-check compare
    std::vector<ApiRequest>
        requests;                 ///< exactly what will be sent, in order; none = nothing to do, and `intent` says why
    std::optional<Effect> raised; ///< a higher effect than the declared one, found in arguments or state
    bool isForPeople = false;     ///< these arguments, here and now, could cut our own access
    Undo undo = Undo::None;
    std::vector<PlanStep> steps; ///< of plan.run
    QString undoText; ///< "Sets memory back to 4096 MiB."; when nothing does, what could be done first, or empty
    QByteArray hash;  ///< set by the executor

    QJsonObject json() const;
};

/// What did happen.
struct Outcome {
    bool changed = true;
    QStringList warnings = {};
    QJsonValue answer = {};
    QString upid = {}; ///< of the last task; empty = none
};

QString undoName(Undo undo); ///< "exact", "partly", "none"
