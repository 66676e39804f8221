#include "operations/Backups.h"
#include "base/DisplayText.h"
#include "inventory/Inventory.h"
#include "model/PveValue.h"
#include "operations/Words.h"

namespace
{
/// The storages to ask: a shared one through one node that can be asked, a local one through its own.
std::vector<StorageRef> storagesToAsk(const InventorySnapshot &state, const QString &only)
{
    std::vector<StorageRef> chosen;
    const auto isTaken = [&chosen](const StorageState &storage) {
        return std::any_of(chosen.begin(), chosen.end(), [&](const StorageRef &each) {
            return each.storage == storage.name && (storage.isShared || each.node == storage.node);
        });
    };
    const auto canBeAsked = [&state](const StorageState &storage) {
        const auto *node = state.node(storage.node);
        return node && node->status == NodeState::Status::Online;
    };
    for (const bool reachable :
         {true, false}) // a shared storage is asked through a silent node only if there is no other
        for (const auto &storage : state.storages)
            if (storage.content.split(u',').contains(QLatin1String("backup")) &&
                (only.isEmpty() || storage.name.text() == only) && canBeAsked(storage) == reachable &&
                !isTaken(storage))
                chosen.push_back({storage.name.text(), state.remoteId, storage.node, storage.name, storage.isShared});
    return chosen;
}

QJsonObject backupJson(const QJsonObject &row, const StorageRef &storage, const QString &guest)
{
    QJsonObject backup{{QStringLiteral("remote"), storage.remote},
                       {QStringLiteral("backup"), row[QLatin1String("volid")]},
                       {QStringLiteral("storage"), storage.storage.text()}};
    if (!storage.isShared)
        backup.insert(QStringLiteral("node"), storage.node.text());
    for (const auto &[ours, theirs] :
         {std::pair("vmid", "vmid"), std::pair("size", "size"), std::pair("time", "ctime")})
        if (const auto number = PveValue::integer(row, theirs))
            backup.insert(QLatin1String(ours), *number);
    for (const auto *key : {"format", "notes", "verification", "encrypted"})
        if (const auto value = row[QLatin1String(key)]; !value.isUndefined() && !value.isNull())
            backup.insert(QLatin1String(key), value);
    if (const auto kind = backupKind(row); !kind.isEmpty())
        backup.insert(QStringLiteral("kind"), kind);
    if (!guest.isEmpty())
        backup.insert(QStringLiteral("guest"), guest);
    if (const auto isProtected = PveValue::boolean(row, "protected"))
        backup.insert(QStringLiteral("protected"), *isProtected);
    return backup;
}
}

QCoro::Task<std::vector<StorageRef>> gatherBackups(OperationContext context, QString remote, BackupWish wish,
                                                   Gathered *into)
{
    const auto state = context.services->inventory.snapshot(remote);
    const auto storages = state ? storagesToAsk(*state, wish.storage) : std::vector<StorageRef>();
    std::vector<Question> questions;
    for (const auto &storage : storages) {
        auto request = storageRequest(Method::Get, storage, {QStringLiteral("content")});
        request.add("content", "backup");
        if (!wish.vmid.isEmpty())
            request.add("vmid", wish.vmid);
        questions.push_back({remote, std::move(request)});
    }
    questions.push_back({remote, permissionsRequest()});
    const auto answers = co_await askAll(context, std::move(questions));
    std::vector<StorageRef> silent;
    for (size_t at = 0; at < storages.size(); ++at) {
        const auto &storage = storages[at];
        if (!answers[at])
            silent.push_back(storage);
        for (const auto &entry : into->list(remote, storage.label(), answers[at])) {
            const auto row = entry.toObject();
            into->add(backupJson(row, storage, guestOf(context, remote, row)));
        }
    }
    static const Sight sight{
        {QStringLiteral("VM.Backup")}, QStringLiteral("/vms"), {QT_TRANSLATE_NOOP("operation", "backups")}};
    into->hide(remote, answers.back(), sight);
    co_return silent;
}

ApiRequest backupRequest(const GuestRef &guest, const StorageRef &storage, const BackupForm &form)
{
    auto request = nodeRequest(Method::Post, guest.node.text(), {QStringLiteral("vzdump")});
    request.add("vmid", guest.vmid.text());
    request.add("storage", storage.storage.text());
    request.add("mode", form.mode);
    request.add("compress", form.compress);
    request.add("remove", "0");
    if (!form.notes.isEmpty()) // a template: what looks like a variable is none
        request.add("notes-template",
                    QString(form.notes).replace(u'\\', QLatin1String("\\\\")).replace(u'\n', QLatin1String("\\n")));
    if (form.isProtected)
        request.add("protected", "1");
    return request;
}

Result<StorageRef> chooseBackupStorage(const OperationContext &context, const GuestRef &guest,
                                       const std::optional<StorageRef> &asked)
{
    if (asked) {
        auto storage = *asked;
        if (!storage.asked.contains(u'/') && !storage.asked.contains(u':')) // as the guest's node has it
            storage.asked = guest.remote + u':' + guest.node.text() + u'/' + storage.asked;
        if (auto found = References::resolve(storage, context.services->inventory); !found)
            return found.error();
        if (storage.remote != guest.remote || (!storage.isShared && storage.node != guest.node))
            return Error{Error::Kind::Invalid,
                         words(QT_TRANSLATE_NOOP("operation", "%1 cannot write to %2: it is on another node."))
                             .arg(guest.label(), storage.label())};
        storage.node = guest.node;
        if (auto takes = takesContent(context, storage, QStringLiteral("backup")); !takes)
            return takes.error();
        return storage;
    }
    const auto state = context.services->inventory.snapshot(guest.remote);
    std::vector<StorageRef> fitting;
    QStringList names;
    for (const auto &each : state ? state->storages : std::vector<StorageState>())
        if (each.node == guest.node && each.isAvailable && each.content.split(u',').contains(QLatin1String("backup"))) {
            fitting.push_back({each.name.text(), guest.remote, each.node, each.name, each.isShared});
            names << each.name.text();
        }
    if (fitting.size() == 1)
        return fitting.front();
    if (fitting.empty())
        return Error{
            Error::Kind::NotFound,
            words(QT_TRANSLATE_NOOP("operation", "No storage of %1 takes backups now.")).arg(guest.node.text())};
    return Error{Error::Kind::Ambiguous,
                 words(QT_TRANSLATE_NOOP("operation", "Say which storage to back up to: %1.")).arg(listText(names, 8))};
}

QCoro::Task<Result<QStringList>> backupsOf(OperationContext context, GuestRef guest, StorageRef storage)
{
    auto rows = co_await readContent(std::move(context), storage, QStringLiteral("backup"), guest.vmid.text());
    if (!rows)
        co_return rows.error();
    QStringList ids;
    for (const auto &row : *rows)
        ids << row[QLatin1String("volid")].toString();
    ids.sort();
    co_return ids;
}

QCoro::Task<Result<QString>> newBackup(OperationContext context, GuestRef guest)
{
    const auto before = context.plan->before;
    StorageRef storage{before[QLatin1String("storage")].toString()};
    const auto unknown =
        words(QT_TRANSLATE_NOOP("operation", "The new backup could not be found in the list, so it cannot "
                                             "be taken back by Undo."));
    if (!References::resolve(storage, context.services->inventory))
        co_return Error{Error::Kind::Unknown, unknown};
    auto now = co_await backupsOf(std::move(context), guest, storage);
    if (!now)
        co_return Error{Error::Kind::Unknown, unknown, now.error().message};
    QStringList fresh;
    for (const auto &id : *now)
        if (!before[QLatin1String("backups")].toArray().contains(id))
            fresh << id;
    if (fresh.size() != 1)
        co_return Error{Error::Kind::Unknown, unknown};
    co_return storage.text() + fresh.first().mid(storage.storage.text().size());
}
