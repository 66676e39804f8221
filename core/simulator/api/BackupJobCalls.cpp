#include "simulator/api/BackupRun.h"
#include "simulator/api/Routes.h"
#include "simulator/schema/PropertyString.h"
#include "simulator/world/Calendar.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace
{
Parameters asParameters(const QJsonObject &job)
{
    return Parameters::fromJson(job);
}

QJsonObject *find(World &world, const QString &id)
{
    for (auto &job : world.backupJobs)
        if (job.value("id"_L1).toString() == id)
            return &job;
    return nullptr;
}

ApiAnswer noSuchJob(const Call &call)
{
    return ApiAnswer::invalid(u"id"_s, u"No such job '%1'"_s.arg(call.text("id")));
}

std::optional<ApiAnswer> noQuorum(const Call &call, const QString &what)
{
    if (call.world.quorate)
        return std::nullopt;
    return ApiAnswer::failed(what + u"cfs-lock 'file-jobs_cfg' error: no quorum!"_s);
}

ApiAnswer list(Call &call)
{
    const auto now = call.world.now();
    QJsonArray data;
    for (auto job : call.world.backupJobs) {
        const auto next = Calendar::next(job.value("schedule"_L1).toString(), now);
        if (next && job.value("enabled"_L1).toInt(1) == 1)
            job.insert("next-run"_L1, *next);
        data.append(job);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer one(Call &call)
{
    const auto *job = find(call.world, call.text("id"));
    return job ? ApiAnswer::ok(*job) : noSuchJob(call);
}

/// The values of a call with the types that the schema gives them.
QJsonObject values(const Call &call)
{
    using Type = ParameterShape::Type;
    QJsonObject job;
    for (const auto &name : call.given.names()) {
        if (name == "delete"_L1)
            continue;
        const auto *shape = call.table.shape(call.endpoint, name);
        const auto type = shape ? shape->type : Type::String;
        if (type == Type::Array)
            job.insert(name, QJsonArray::fromStringList(call.given.values(name)));
        else if (type == Type::Boolean || type == Type::Integer)
            job.insert(name, call.given.text(name).toLongLong());
        else
            job.insert(name, call.given.text(name));
    }
    return job;
}

std::optional<ApiAnswer> refused(const Call &call, const QJsonObject &job)
{
    if (!job.contains("vmid"_L1) && !job.contains("pool"_L1) && job.value("all"_L1).toInt() == 0)
        return ApiAnswer::invalid(u"vmid"_s, u"property is missing"_s);
    if (!job.contains("schedule"_L1) && !job.contains("starttime"_L1))
        return ApiAnswer::invalid(u"schedule"_s, u"neither 'starttime' nor 'schedule' were set"_s);
    const auto storage = job.value("storage"_L1).toString();
    if (!storage.isEmpty() && !call.world.storage(storage))
        return ApiAnswer::failed(u"storage '%1' does not exist"_s.arg(storage));
    return std::nullopt;
}

ApiAnswer create(Call &call)
{
    auto job = values(call);
    if (auto refusal = refused(call, job))
        return *refusal;
    if (auto refusal = noQuorum(call, {}))
        return *refusal;
    if (!job.contains("id"_L1))
        job.insert("id"_L1, u"backup-%1"_s.arg(call.world.nextPid(), 8, 16, QChar(u'0')));
    const auto id = job.value("id"_L1).toString();
    if (find(call.world, id))
        return ApiAnswer::failed(u"Job '%1' already exists"_s.arg(id));
    job.insert("type"_L1, u"vzdump"_s);
    call.world.backupJobs.append(job);
    return ApiAnswer::ok();
}

ApiAnswer change(Call &call)
{
    auto *job = find(call.world, call.text("id"));
    if (!job)
        return noSuchJob(call);
    auto next = *job;
    for (const auto &key : call.given.list(u"delete"_s))
        next.remove(key);
    const auto given = values(call);
    // vmid, all and pool exclude each other.
    const auto choices = {"vmid"_L1, "all"_L1, "pool"_L1};
    if (std::any_of(choices.begin(), choices.end(), [&](auto key) { return given.contains(key); }))
        for (const auto key : choices)
            next.remove(key);
    for (auto it = given.begin(); it != given.end(); ++it)
        next.insert(it.key(), *it);
    if (auto refusal = refused(call, next))
        return *refusal;
    if (auto refusal = noQuorum(call, {}))
        return *refusal;
    *job = next;
    return ApiAnswer::ok();
}

ApiAnswer remove(Call &call)
{
    if (!find(call.world, call.text("id")))
        return noSuchJob(call);
    if (auto refusal = noQuorum(call, {}))
        return *refusal;
    call.world.backupJobs.removeIf([&](const auto &job) { return job.value("id"_L1).toString() == call.text("id"); });
    return ApiAnswer::ok();
}

/// A disk is left out by backup=0; a mount point is taken only with backup=1.
QJsonArray volumesOf(const Guest &guest)
{
    QJsonArray rows;
    for (const auto &key : guest.diskKeys()) {
        const auto line = guest.config.value(key);
        const auto said = PropertyString::value(line, u"backup"_s);
        const bool mount = key.startsWith("mp"_L1);
        if (key.startsWith("unused"_L1))
            continue;
        const bool included = mount ? said == u'1' : said != u'0';
        const auto reason = mount             ? (included ? u"enabled"_s : u"disabled"_s)
                            : !guest.isQemu() ? u"rootfs"_s
                            : said.isEmpty()  ? u"enabled"_s
                            : included        ? u"enabled"_s
                                              : u"disabled"_s;
        rows.append(QJsonObject{{"id"_L1, key},
                                {"name"_L1, PropertyString::first(line)},
                                {"included"_L1, included ? 1 : 0},
                                {"reason"_L1, reason}});
    }
    return rows;
}

ApiAnswer includedVolumes(Call &call)
{
    const auto *job = find(call.world, call.text("id"));
    if (!job)
        return noSuchJob(call);
    QJsonArray children;
    for (const auto vmid : BackupRun::selected(call.world, asParameters(*job))) {
        const auto *guest = call.world.guest(vmid);
        if (!guest) {
            children.append(QJsonObject{{"id"_L1, vmid}, {"type"_L1, u"unknown"_s}});
            continue;
        }
        children.append(QJsonObject{{"id"_L1, vmid},
                                    {"type"_L1, guestKindName(guest->kind)},
                                    {"name"_L1, guest->name()},
                                    {"children"_L1, volumesOf(*guest)}});
    }
    return ApiAnswer::ok(QJsonObject{{"children"_L1, children}});
}

ApiAnswer infoIndex(Call &)
{
    return ApiAnswer::ok(QJsonArray{QJsonObject{{"subdir"_L1, u"not-backed-up"_s}}});
}

ApiAnswer notBackedUp(Call &call)
{
    QList<qint64> covered;
    for (const auto &job : call.world.backupJobs)
        covered += BackupRun::selected(call.world, asParameters(job));
    QJsonArray rows;
    for (const auto *guest : std::as_const(call.world).guests()) {
        if (covered.contains(guest->vmid) || !call.may(u"/vms/%1"_s.arg(guest->vmid), "VM.Audit"))
            continue;
        QJsonObject row{{"vmid"_L1, guest->vmid}, {"type"_L1, guestKindName(guest->kind)}};
        if (const auto name = guest->config.value(guest->isQemu() ? u"name"_s : u"hostname"_s); !name.isEmpty())
            row.insert("name"_L1, name);
        rows.append(row);
    }
    return ApiAnswer::ok(rows);
}
} // namespace

void calls::addBackupJobs(Routes &routes)
{
    routes.add("GET /cluster/backup", list);
    routes.add("POST /cluster/backup", create);
    routes.add("GET /cluster/backup/{id}", one);
    routes.add("PUT /cluster/backup/{id}", change);
    routes.add("DELETE /cluster/backup/{id}", remove);
    routes.add("GET /cluster/backup/{id}/included_volumes", includedVolumes);
    routes.add("GET /cluster/backup-info", infoIndex);
    routes.add("GET /cluster/backup-info/not-backed-up", notBackedUp);
}
