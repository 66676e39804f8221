#include "simulator/api/BackupRun.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/Routes.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
std::optional<ApiAnswer> refusedStorage(const Call &call, const QString &name)
{
    const auto failed = [&name](const QString &why) {
        return ApiAnswer::failed(u"could not get storage information for '%1': %2"_s.arg(name, why));
    };
    const auto *storage = call.world.storage(name);
    if (!storage)
        return failed(u"storage '%1' does not exist"_s.arg(name));
    if (!storage->enabled)
        return failed(u"storage '%1' is disabled"_s.arg(name));
    if (!storage->content.contains(u"backup"_s))
        return failed(u"can't use storage '%1' for backups - wrong content type"_s.arg(name));
    const auto path = u"/storage/"_s + name;
    if (!call.may(path, "Datastore.AllocateSpace"))
        return ApiAnswer::refused(path + ", Datastore.AllocateSpace"_L1);
    return std::nullopt;
}

ApiAnswer vzdump(Call &call)
{
    const bool listed = call.has("vmid");
    if (!listed && !call.flag("all") && !call.has("pool"))
        return ApiAnswer::invalid(u"vmid"_s, u"property is missing"_s);
    for (const auto *key : {"tmpdir", "dumpdir", "script"})
        if (call.has(key) && !call.who.isRoot())
            return ApiAnswer::invalid(QLatin1String(key), u"Only root may set this option."_s);
    BackupRun::Wish wish;
    wish.storage = call.given.text(u"storage"_s, u"local"_s);
    wish.mode = call.given.text(u"mode"_s, wish.mode);
    wish.notes = call.text("notes-template");
    wish.prune = call.text("prune-backups");
    wish.isProtected = call.flag("protected");
    wish.removesOld = call.flag("remove", true);
    auto &world = call.world;
    BackupRun run(world, call.node(), wish);
    bool any = false;
    for (const auto vmid : BackupRun::selected(world, call.given)) {
        const auto path = u"/vms/%1"_s.arg(vmid);
        const auto *guest = world.guest(vmid);
        if (listed && !call.may(path, "VM.Backup"))
            return ApiAnswer::refused(path + ", VM.Backup"_L1);
        // Guests of other nodes are their nodes' affair.
        if ((guest && guest->node != call.node()) || !call.may(path, "VM.Backup"))
            continue;
        run.add(vmid);
        any = true;
    }
    if (auto refused = refusedStorage(call, wish.storage))
        return *refused;
    if (!any && listed)
        return ApiAnswer::ok(u"OK"_s);
    return GuestTasks::run(call, run.plan(call.user()));
}

/// What vzdump does on a node whose vzdump.conf is empty.
ApiAnswer defaults(Call &call)
{
    const auto *storage = call.world.storage(call.given.text(u"storage"_s, u"local"_s));
    if (!storage)
        return ApiAnswer::failed(u"storage '%1' does not exist"_s.arg(call.text("storage")));
    QJsonObject data{{"all"_L1, 0},
                     {"bwlimit"_L1, 0},
                     {"compress"_L1, u"0"_s},
                     {"dumpdir"_L1, storage->options.value(u"path"_s, "/mnt/pve/"_L1 + storage->name) + "/dump"_L1},
                     {"fleecing"_L1, QJsonObject{{"enabled"_L1, 0}}},
                     {"ionice"_L1, 7},
                     {"lockwait"_L1, 180},
                     {"mailnotification"_L1, u"always"_s},
                     {"mode"_L1, u"snapshot"_s},
                     {"notification-mode"_L1, u"auto"_s},
                     {"performance"_L1, QJsonObject{{"max-workers"_L1, 16}, {"pbs-entries-max"_L1, 1048576}}},
                     {"pigz"_L1, 0},
                     {"prune-backups"_L1, storage->options.value(u"prune-backups"_s, u"keep-all=1"_s)},
                     {"quiet"_L1, 0},
                     {"remove"_L1, 1},
                     {"stdexcludes"_L1, 1},
                     {"stop"_L1, 0},
                     {"stopwait"_L1, 10},
                     {"storage"_L1, storage->name},
                     {"zstd"_L1, 1}};
    return ApiAnswer::ok(data);
}

ApiAnswer extractConfig(Call &call)
{
    const auto id = call.text("volume");
    const auto *volume = call.world.volume(id, call.node());
    if (!volume)
        return ApiAnswer::failed(u"volume '%1' does not exist"_s.arg(id));
    const auto path = u"/vms/%1"_s.arg(volume->vmid);
    if (!call.may(u"/storage/"_s + volume->storage, "Datastore.Allocate") && !call.may(path, "VM.Backup"))
        return ApiAnswer::refused(path + ", VM.Backup"_L1);
    QString text;
    for (const auto &line : volume->saved.value(u"description"_s).split(u'\n', Qt::SkipEmptyParts))
        text += u'#' + line + u'\n';
    for (auto it = volume->saved.begin(); it != volume->saved.end(); ++it)
        if (it.key() != "description"_L1)
            text += it.key() + ": "_L1 + *it + u'\n';
    return ApiAnswer::ok(text);
}
} // namespace

void calls::addBackup(Routes &routes)
{
    routes.add("POST /nodes/{node}/vzdump", vzdump);
    routes.add("GET /nodes/{node}/vzdump/defaults", defaults);
    routes.add("GET /nodes/{node}/vzdump/extractconfig", extractConfig);
}
