#include "operations/Volumes.h"
#include "base/DisplayText.h"
#include "inventory/Inventory.h"
#include "model/PveValue.h"
#include "operations/Words.h"

ApiRequest storageRequest(Method method, const StorageRef &storage, const QStringList &rest)
{
    return nodeRequest(method, storage.node.text(),
                       QStringList{QStringLiteral("storage"), storage.storage.text()} + rest);
}

ApiRequest volumeRequest(Method method, const VolumeRef &volume)
{
    return storageRequest(method, volume.on, {QStringLiteral("content"), volume.volume.text()});
}

QCoro::Task<Result<QJsonArray>> readContent(OperationContext context, StorageRef storage, QString kind, QString vmid)
{
    auto request = storageRequest(Method::Get, storage, {QStringLiteral("content")});
    if (!kind.isEmpty())
        request.add("content", kind);
    if (!vmid.isEmpty())
        request.add("vmid", vmid);
    auto rows = co_await getArray(std::move(context), storage.remote, std::move(request));
    co_return rows;
}

/// What was perhaps meant: the same kind of content.
static QStringList near(const QJsonArray &rows, const QString &volume)
{
    QStringList names;
    const auto folder = volume.section(u'/', 0, 0) + u'/';
    for (const auto &row : rows)
        if (const auto name = row[QLatin1String("volid")].toString(); name.startsWith(folder))
            names << name;
    return names;
}

QCoro::Task<Result<QJsonObject>> readVolume(OperationContext context, VolumeRef volume)
{
    auto rows = co_await readContent(std::move(context), volume.on);
    if (!rows)
        co_return rows.error();
    const auto id = volume.volume.text();
    for (const auto &row : *rows)
        if (row[QLatin1String("volid")].toString() == id)
            co_return row.toObject();
    const auto others = near(*rows, id);
    auto text = words(QT_TRANSLATE_NOOP("operation", "There is no volume %1 on %2."))
                    .arg(DisplayText::visible(id), volume.on.label());
    if (!others.isEmpty())
        text += u' ' + words(QT_TRANSLATE_NOOP("operation", "There is: %1.")).arg(listText(others, 8));
    co_return Error{Error::Kind::NotFound, text};
}

QCoro::Task<Result<QJsonObject>> readBackup(OperationContext context, VolumeRef volume)
{
    auto row = co_await readVolume(std::move(context), volume);
    if (row && row->value(QLatin1String("content")).toString() != QLatin1String("backup"))
        co_return Error{Error::Kind::Invalid, words(QT_TRANSLATE_NOOP("operation", "%1 is not a backup but %2."))
                                                  .arg(DisplayText::visible(volume.volume.text()),
                                                       valueText(row->value(QLatin1String("content"))))};
    co_return row;
}

void sayVolume(Plan &plan, const QJsonObject &row)
{
    if (const auto size = PveValue::integer(row, "size"))
        plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Size")), sizeText(*size)});
    if (const auto time = PveValue::integer(row, "ctime"))
        plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Made")), timeText(*time)});
    if (const auto notes = PveValue::text(row, "notes"); notes && !notes->isEmpty())
        plan.facts.push_back(
            {words(QT_TRANSLATE_NOOP("operation", "Its note")), DisplayText::visible(notes->left(200))});
}

Result<> takesContent(const OperationContext &context, const StorageRef &storage, const QString &kind)
{
    const auto state = context.services->inventory.snapshot(storage.remote);
    QStringList others;
    for (const auto &each : state ? state->storages : std::vector<StorageState>()) {
        const bool takes = each.content.split(u',').contains(kind);
        if (takes && !others.contains(each.name.text()))
            others << each.name.text();
        if (takes && each.name == storage.storage && each.node == storage.node)
            return {};
    }
    auto text = words(QT_TRANSLATE_NOOP("operation", "%1 is not set up for content of the kind %2."))
                    .arg(storage.label(), kind);
    if (!others.isEmpty())
        text += u' ' + words(QT_TRANSLATE_NOOP("operation", "These are: %1.")).arg(listText(others, 8));
    return Error{Error::Kind::Conflict, text};
}

QString guestOf(const OperationContext &context, const QString &remote, const QJsonObject &row)
{
    const auto number = PveValue::integer(row, "vmid");
    const auto vmid = number ? Vmid::from(*number) : Result<Vmid>(Error{Error::Kind::Invalid, {}});
    if (!vmid)
        return {};
    const auto state = context.services->inventory.snapshot(remote);
    const auto *guest = state ? state->guest(*vmid) : nullptr;
    return guest ? state->ref(*guest).label() : vmid->text();
}

QString backupKind(const QJsonObject &row)
{
    if (const auto told = PveValue::text(row, "subtype"); told == QLatin1String("qemu") || told == QLatin1String("lxc"))
        return *told;
    const auto id = row[QLatin1String("volid")].toString();
    if (id.contains(QLatin1String("vzdump-qemu-")) || id.contains(QLatin1String("backup/vm/")))
        return QStringLiteral("qemu");
    if (id.contains(QLatin1String("vzdump-lxc-")) || id.contains(QLatin1String("backup/ct/")))
        return QStringLiteral("lxc");
    return {};
}
