#include "pages/connect/PermissionWords.h"
#include "model/PveValue.h"
#include <QCoreApplication>

static QString tr(const char *text)
{
    return QCoreApplication::translate("PermissionWords", text);
}

namespace
{
enum class Reach { None, Some, All };

/// One ability: where its privilege counts, and its words for everything, for a part, and for nothing of it.
struct Ability {
    QLatin1String root, privilege;
    const char *all, *some, *none;
};
} // namespace

static const Ability abilities[]{
    {QLatin1String("/vms"), QLatin1String("VM.Audit"), QT_TRANSLATE_NOOP("PermissionWords", "see all guests"),
     QT_TRANSLATE_NOOP("PermissionWords", "see some guests"), QT_TRANSLATE_NOOP("PermissionWords", "see guests")},
    {QLatin1String("/nodes"), QLatin1String("Sys.Audit"), QT_TRANSLATE_NOOP("PermissionWords", "see the nodes"),
     QT_TRANSLATE_NOOP("PermissionWords", "see some nodes"), QT_TRANSLATE_NOOP("PermissionWords", "see the nodes")},
    {QLatin1String("/storage"), QLatin1String("Datastore.Audit"),
     QT_TRANSLATE_NOOP("PermissionWords", "see the storages"),
     QT_TRANSLATE_NOOP("PermissionWords", "see some storages"),
     QT_TRANSLATE_NOOP("PermissionWords", "see the storages")},
    {QLatin1String("/vms"), QLatin1String("VM.PowerMgmt"),
     QT_TRANSLATE_NOOP("PermissionWords", "start and stop guests"),
     QT_TRANSLATE_NOOP("PermissionWords", "start and stop some guests"),
     QT_TRANSLATE_NOOP("PermissionWords", "start or stop guests")},
    {QLatin1String("/vms"), QLatin1String("VM.Config.Options"), QT_TRANSLATE_NOOP("PermissionWords", "change guests"),
     QT_TRANSLATE_NOOP("PermissionWords", "change some guests"), QT_TRANSLATE_NOOP("PermissionWords", "change guests")},
    {QLatin1String("/vms"), QLatin1String("VM.Snapshot"),
     QT_TRANSLATE_NOOP("PermissionWords", "take and roll back snapshots"),
     QT_TRANSLATE_NOOP("PermissionWords", "take and roll back some snapshots"),
     QT_TRANSLATE_NOOP("PermissionWords", "take snapshots")},
    {QLatin1String("/vms"), QLatin1String("VM.Allocate"), QT_TRANSLATE_NOOP("PermissionWords", "delete guests"),
     QT_TRANSLATE_NOOP("PermissionWords", "delete some guests"), QT_TRANSLATE_NOOP("PermissionWords", "delete guests")},
};

static Reach reach(const QJsonObject &permissions, const Ability &ability)
{
    auto best = Reach::None;
    for (auto entry = permissions.begin(); entry != permissions.end(); ++entry) {
        const auto goesDown = PveValue::boolean(entry.value().toObject().value(ability.privilege));
        if (!goesDown)
            continue;
        const auto path = entry.key();
        if (*goesDown && (path == QLatin1String("/") || path == ability.root))
            return Reach::All;
        // What a pool grants holds for its members.
        if (path.startsWith(ability.root + u'/') || path.startsWith(QLatin1String("/pool/")))
            best = Reach::Some;
    }
    return best;
}

PermissionWords PermissionWords::of(const QJsonObject &permissions)
{
    PermissionWords words;
    for (const auto &ability : abilities) {
        const auto how = reach(permissions, ability);
        words.isNothing = words.isNothing && how == Reach::None;
        if (how == Reach::None)
            words.mayNot << tr(ability.none);
        else
            words.may << tr(how == Reach::All ? ability.all : ability.some);
    }
    for (const auto &entry : permissions)
        words.mayGrant = words.mayGrant || entry.toObject().contains(QLatin1String("Permissions.Modify"));
    return words;
}

QString PermissionWords::commandThatGrants(const QString &user)
{
    const auto kind = user.contains(u'!') ? QStringLiteral("--tokens") : QStringLiteral("--users");
    return QStringLiteral("pveum acl modify / %1 '%2' --roles PVEAuditor").arg(kind, user);
}
