#include "simulator/api/BackupPrune.h"
#include "simulator/schema/PropertyString.h"
#include <QDateTime>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

/// One period's turn: the newest backup of each of the first `count` periods that are not covered yet is kept, the
/// others of those periods go.
static void markPeriods(QList<BackupPrune::Mark *> &group, int count, const QString &format)
{
    const auto period = [&](const BackupPrune::Mark &mark) {
        const auto time = QDateTime::fromSecsSinceEpoch(mark.volume.created, Qt::UTC);
        if (format == "week"_L1)
            return u"%1-%2"_s.arg(time.date().addDays(4 - time.date().dayOfWeek()).year())
                .arg(time.date().weekNumber());
        return format.isEmpty() ? mark.volume.id : time.toString(format);
    };
    QSet<QString> covered;
    for (const auto *mark : group)
        if (mark->mark == "keep"_L1)
            covered.insert(period(*mark));
    QSet<QString> taken;
    for (auto *mark : group) {
        const auto id = period(*mark);
        if (!mark->mark.isEmpty() || covered.contains(id))
            continue;
        if (taken.contains(id)) {
            mark->mark = u"remove"_s;
            continue;
        }
        if (taken.size() >= count)
            break;
        taken.insert(id);
        mark->mark = u"keep"_s;
    }
}

void BackupPrune::markGroup(QList<Mark *> &group, const QString &keep)
{
    static const std::pair<QString, QString> periods[]{
        {u"keep-last"_s, {}},          {u"keep-hourly"_s, u"yyyy-MM-dd HH"_s}, {u"keep-daily"_s, u"yyyy-MM-dd"_s},
        {u"keep-weekly"_s, u"week"_s}, {u"keep-monthly"_s, u"yyyy-MM"_s},      {u"keep-yearly"_s, u"yyyy"_s}};
    std::sort(group.begin(), group.end(),
              [](const auto *one, const auto *other) { return one->volume.created > other->volume.created; });
    bool any = false;
    for (const auto &[key, format] : periods) {
        const auto count = PropertyString::value(keep, key).toInt();
        any = any || count > 0;
        if (count > 0)
            markPeriods(group, count, format);
    }
    for (auto *mark : group)
        if (mark->mark.isEmpty())
            mark->mark = any ? u"remove"_s : u"keep"_s;
}

QList<BackupPrune::Mark> BackupPrune::marks(const QString &given, std::optional<GuestKind> kind, qint64 vmid) const
{
    const auto keep = given.isEmpty() ? m_storage.options.value(u"prune-backups"_s) : given;
    QList<Mark> all;
    for (const auto &volume : m_world.volumes) {
        const bool qemu = volume.format.startsWith("vma"_L1);
        if (volume.content != "backup"_L1 || volume.storage != m_storage.name ||
            !(volume.node.isEmpty() || volume.node == m_node) || (vmid && volume.vmid != vmid) ||
            (kind && (*kind == GuestKind::Qemu) != qemu))
            continue;
        all.append({volume, volume.isProtected ? u"protected"_s : QString()});
    }
    QMap<QString, QList<Mark *>> groups;
    for (auto &mark : all)
        if (mark.mark.isEmpty())
            groups[mark.volume.format.left(3) + QString::number(mark.volume.vmid)].append(&mark);
    for (auto &group : groups)
        markGroup(group, keep);
    return all;
}

void BackupPrune::removeBeyond(const QString &keep, std::optional<GuestKind> kind, qint64 vmid)
{
    for (const auto &mark : marks(keep, kind, vmid))
        if (mark.mark == "remove"_L1)
            m_world.removeVolume(mark.volume.id, m_node);
}
