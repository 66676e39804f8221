#include "simulator/world/HomelabParts.h"

namespace
{
using namespace std::chrono_literals;
constexpr qint64 day = 86400;

TaskPlan plan(const QString &node, const char *type, const QString &id, const char *user,
              std::chrono::milliseconds duration, const QStringList &lines = {})
{
    TaskPlan made;
    made.node = node;
    made.type = QLatin1String(type);
    made.id = id;
    made.user = QLatin1String(user);
    made.duration = duration;
    qint64 at = 0;
    for (const auto &line : lines)
        made.lines.append({std::chrono::milliseconds(duration.count() * at++ / (lines.size() + 1)), line});
    return made;
}

QStringList backupLog(const Guest &guest, bool failed)
{
    const auto id = QString::number(guest.vmid);
    QStringList log{
        QStringLiteral(
            "INFO: starting new backup job: vzdump %1 --storage nas-backup --mode snapshot --compress zstd --quiet 1")
            .arg(id),
        QStringLiteral("INFO: Starting Backup of VM %1 (%2)").arg(id, guestKindName(guest.kind)),
        QStringLiteral("INFO: status = running"),
        (guest.isQemu() ? QStringLiteral("INFO: VM Name: ") : QStringLiteral("INFO: CT Name: ")) + guest.name(),
        QStringLiteral("INFO: backup mode: snapshot"),
    };
    if (failed)
        return log << QStringLiteral("ERROR: Backup of VM %1 failed - unable to create temporary directory "
                                     "'/mnt/pve/nas-backup/dump/vzdump-qemu-%1.tmp' - No space left on device")
                          .arg(id)
                   << QStringLiteral("INFO: Backup job finished with errors");
    return log << QStringLiteral("INFO: archive file size: 6.21GB")
               << QStringLiteral("INFO: Finished Backup of VM %1 (00:04:12)").arg(id)
               << QStringLiteral("INFO: Backup job finished successfully");
}
} // namespace

void HomelabParts::addHistory(World &world)
{
    const auto now = world.now();
    const auto pve1 = QStringLiteral("pve1");
    const auto pve2 = QStringLiteral("pve2");
    const auto midnight = now / day * day;
    for (int age = 6; age >= 0; --age) {
        const auto night = midnight - age * day + 3 * 3600;
        if (night + 600 > now)
            continue;
        world.addFinished(plan(pve1, "vzdump", QString(), "root@pam", 252s, backupLog(*world.guest(101), false)), night,
                          QStringLiteral("OK"));
        const bool failed = age == 3;
        world.addFinished(
            plan(pve2, "vzdump", QString(), "root@pam", failed ? 2s : 204s, backupLog(*world.guest(201), failed)),
            night + 60, failed ? QStringLiteral("job errors") : QStringLiteral("OK"));
        world.addFinished(plan(pve1, "aptupdate", QString(), "root@pam", 8s), night + 3600, QStringLiteral("OK"));
    }
    world.addFinished(plan(pve1, "qmstart", QStringLiteral("120"), "root@pam", 3s,
                           {QStringLiteral("WARN: no efidisk configured! Using temporary efivars disk.")}),
                      now - 12 * day, QStringLiteral("WARNINGS: 1"));
    world.addFinished(plan(pve1, "qmshutdown", QStringLiteral("115"), "root@pam", 60s), now - 5 * day,
                      QStringLiteral("VM quit/powerdown failed - got timeout"));
    world.addFinished(plan(pve1, "vzsnapshot", QStringLiteral("104"), "root@pam", 2s), now - 6 * day,
                      QStringLiteral("OK"));
    world.addFinished(plan(pve2, "qmsnapshot", QStringLiteral("209"), "root@pam", 3s), now - day, QStringLiteral("OK"));
    world.addFinished(plan(pve2, "vzstart", QStringLiteral("207"), "operator@pve", 2s,
                           {QStringLiteral("run_buffer: 571 Script exited with status 255")}),
                      now - 20 * day, QStringLiteral("startup for container '207' failed"));
    world.addFinished(plan(pve2, "qmstart", QStringLiteral("210"), "labhelm@pve!desktop", 3s), now - 11 * day,
                      QStringLiteral("OK"));
    world.addFinished(plan(pve1, "qmpause", QStringLiteral("111"), "root@pam", 1s), now - 7000, QStringLiteral("OK"));
}
