#include "simulator/api/Routes.h"
#include "simulator/world/Calendar.h"
#include <QCryptographicHash>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace
{
QJsonObject *find(World &world, const QString &id)
{
    for (auto &job : world.replicationJobs)
        if (job.value("id"_L1).toString() == id)
            return &job;
    return nullptr;
}

ApiAnswer noSuchJob(const QString &id)
{
    return ApiAnswer::failed(u"no such replication job '%1'"_s.arg(id));
}

bool isVisible(const Call &call, const QJsonObject &job)
{
    return call.may(u"/vms/%1"_s.arg(job.value("guest"_L1).toInteger()), "VM.Audit");
}

/// Without what only the node knows.
QJsonObject shown(QJsonObject job)
{
    job.remove("created"_L1);
    return job;
}

std::optional<ApiAnswer> noQuorum(const Call &call)
{
    if (call.world.quorate)
        return std::nullopt;
    return ApiAnswer::failed(u"cfs-lock 'file-replication_cfg' error: no quorum!"_s);
}

ApiAnswer list(Call &call)
{
    QJsonArray rows;
    for (const auto &job : call.world.replicationJobs)
        if (isVisible(call, job))
            rows.append(shown(job));
    return ApiAnswer::ok(rows);
}

ApiAnswer one(Call &call)
{
    const auto *job = find(call.world, call.text("id"));
    if (!job)
        return noSuchJob(call.text("id"));
    if (!isVisible(call, *job))
        return ApiAnswer::refused({});
    auto data = shown(*job);
    const auto text = QJsonDocument(data).toJson(QJsonDocument::Compact);
    data.insert("digest"_L1, QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex()));
    return ApiAnswer::ok(data);
}

void take(const Call &call, QJsonObject &job)
{
    for (const auto &key : call.given.list(u"delete"_s))
        job.remove(key);
    for (const auto &key : {u"schedule"_s, u"comment"_s, u"source"_s, u"remove_job"_s})
        if (call.given.has(key))
            job.insert(key, call.given.text(key));
    if (call.has("disable"))
        job.insert("disable"_L1, call.flag("disable") ? 1 : 0);
    if (call.has("rate"))
        job.insert("rate"_L1, call.text("rate").toDouble());
}

ApiAnswer create(Call &call)
{
    const auto id = call.text("id");
    const auto vmid = id.section(u'-', 0, 0).toLongLong();
    const auto *guest = call.world.guest(vmid);
    const auto target = call.text("target");
    if (auto refused = noQuorum(call))
        return *refused;
    if (!guest)
        return ApiAnswer::failed(u"guest '%1' does not exist"_s.arg(vmid));
    if (!call.world.node(target))
        return ApiAnswer::failed(u"no such cluster node '%1'"_s.arg(target));
    if (find(call.world, id))
        return ApiAnswer::failed(u"replication job '%1' already exists"_s.arg(id));
    QJsonObject job{{"id"_L1, id},
                    {"type"_L1, u"local"_s},
                    {"guest"_L1, vmid},
                    {"jobnum"_L1, id.section(u'-', 1).toInt()},
                    {"source"_L1, guest->node},
                    {"target"_L1, target},
                    {"created"_L1, call.world.now()}};
    take(call, job);
    call.world.replicationJobs.append(job);
    return ApiAnswer::ok();
}

ApiAnswer change(Call &call)
{
    auto *job = find(call.world, call.text("id"));
    if (!job)
        return noSuchJob(call.text("id"));
    if (auto refused = noQuorum(call))
        return *refused;
    take(call, *job);
    return ApiAnswer::ok();
}

ApiAnswer remove(Call &call)
{
    const auto id = call.text("id");
    if (!find(call.world, id))
        return noSuchJob(id);
    if (auto refused = noQuorum(call))
        return *refused;
    call.world.replicationJobs.removeIf([&](const auto &job) { return job.value("id"_L1).toString() == id; });
    return ApiAnswer::ok();
}

/// A job with when it ran and will run; the simulated ones never fail.
QJsonObject withState(const Call &call, const QJsonObject &job)
{
    const auto event = job.value("schedule"_L1).toString(u"*/15"_s);
    const auto now = call.world.now();
    const auto last = Calendar::previous(event, now).value_or(0);
    const bool ran = last >= job.value("created"_L1).toInteger();
    auto row = shown(job);
    row.insert("vmtype"_L1, guestKindName(call.world.guest(job.value("guest"_L1).toInteger())->kind));
    row.insert("last_sync"_L1, ran ? last : 0);
    row.insert("last_try"_L1, ran ? last : 0);
    row.insert("fail_count"_L1, 0);
    if (ran)
        row.insert("duration"_L1, 2.5);
    if (job.value("disable"_L1).toInt() == 0)
        row.insert("next_sync"_L1, Calendar::next(event, now).value_or(0));
    return row;
}

bool isHere(const Call &call, const QJsonObject &job)
{
    const auto *guest = call.world.guest(job.value("guest"_L1).toInteger());
    return guest && guest->node == call.node();
}

ApiAnswer onNode(Call &call)
{
    QJsonArray rows;
    for (const auto &job : call.world.replicationJobs)
        if (isHere(call, job) && isVisible(call, job) &&
            (!call.has("guest") || call.text("guest").toLongLong() == job.value("guest"_L1).toInteger()))
            rows.append(withState(call, job));
    return ApiAnswer::ok(rows);
}

ApiAnswer status(Call &call)
{
    const auto *job = find(call.world, call.text("id"));
    if (!job || !isHere(call, *job))
        return noSuchJob(call.text("id"));
    return ApiAnswer::ok(withState(call, *job));
}
} // namespace

void calls::addReplication(Routes &routes)
{
    routes.add("GET /cluster/replication", list);
    routes.add("POST /cluster/replication", create);
    routes.add("GET /cluster/replication/{id}", one);
    routes.add("PUT /cluster/replication/{id}", change);
    routes.add("DELETE /cluster/replication/{id}", remove);
    routes.add("GET /nodes/{node}/replication", onNode);
    routes.add("GET /nodes/{node}/replication/{id}/status", status);
}
