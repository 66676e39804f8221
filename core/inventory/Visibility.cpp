#include "inventory/Visibility.h"
#include "model/PveValue.h"
#include <QCoreApplication>
#include <QJsonObject>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(Visibility)
};

enum class Sight { All, Some, None };

/// {path: {privilege: does it hold for what lies below}}. A privilege on "/" or on `root` that goes down shows
/// everything.
Sight sight(const QJsonObject &permissions, const QString &root, const QStringList &privileges)
{
    auto best = Sight::None;
    for (auto entry = permissions.begin(); entry != permissions.end(); ++entry) {
        const auto path = entry.key();
        const bool covers = path == QLatin1String("/") || path == root;
        // What a pool grants holds for its members.
        const bool isPart = path.startsWith(root + u'/') || path.startsWith(QLatin1String("/pool/"));
        for (const auto &privilege : privileges) {
            const auto goesDown = PveValue::boolean(entry.value().toObject().value(privilege));
            if (!goesDown)
                continue;
            if (covers && *goesDown)
                return Sight::All;
            if (isPart)
                best = Sight::Some;
        }
    }
    return best;
}
}

std::optional<QString> Visibility::hidden(const QJsonValue &permissions)
{
    if (!permissions.isObject())
        return std::nullopt;
    const auto granted = permissions.toObject();
    const auto guests = sight(granted, QStringLiteral("/vms"), {QStringLiteral("VM.Audit")});
    const auto storages = sight(granted, QStringLiteral("/storage"),
                                {QStringLiteral("Datastore.Audit"), QStringLiteral("Datastore.AllocateSpace")});
    const auto nodes = sight(granted, QStringLiteral("/nodes"), {QStringLiteral("Sys.Audit")});
    const bool seesCluster = granted.value(QLatin1String("/")).toObject().contains(QLatin1String("Sys.Audit"));
    QStringList parts;
    if (guests != Sight::All)
        parts << (guests == Sight::None ? Text::tr("all guests (VM.Audit on /vms)")
                                        : Text::tr("some guests (VM.Audit on /vms)"));
    if (storages != Sight::All)
        parts << (storages == Sight::None ? Text::tr("all storages (Datastore.Audit on /storage)")
                                          : Text::tr("some storages (Datastore.Audit on /storage)"));
    if (nodes != Sight::All)
        parts << (nodes == Sight::None ? Text::tr("the load of nodes (Sys.Audit on /nodes)")
                                       : Text::tr("the load of some nodes (Sys.Audit on /nodes)"));
    if (!seesCluster)
        parts << Text::tr("the state of the cluster (Sys.Audit on /)");
    if (parts.isEmpty())
        return QString();
    return Text::tr("Not visible with this sign-in: %1.").arg(parts.join(QStringLiteral(", ")));
}

bool Visibility::seesAll(const QJsonValue &permissions, const QString &root, const QStringList &privileges)
{
    return permissions.isObject() && sight(permissions.toObject(), root, privileges) == Sight::All;
}
