#include "operations/Families.h"
#include "operations/TypedOperation.h"

namespace
{
/// Lists what can be taken back now.
struct UndoList {
    qint64 limit = 50;
};

QCoro::Task<Result<QJsonValue>> listUndoable(UndoList args, OperationContext context)
{
    auto list = co_await context.services->undo.list(args.limit, context.actor, context.stop);
    if (!list)
        co_return list.error();
    co_return QJsonValue(*list);
}

/// Takes back one entry of the timeline. The executor puts the entry's inverse in its place, with its own effect.
struct UndoApply {
    QString entry;
};

OperationPtr declareUndoList()
{
    return operation<UndoList>({
        .id = "undo.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List what can be undone")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Lists changes that can be taken back, newest first. A program sees its own only.")},
        .effect = Effect::Reads,
        .params = {optional(&UndoList::limit, "limit", {QT_TRANSLATE_NOOP("operation", "At most this many")},
                            {range(1, 200)})},
        .read = listUndoable,
    });
}

OperationPtr declareUndoApply()
{
    return operation<UndoApply>({
        .id = "undo.apply",
        .title = {QT_TRANSLATE_NOOP("operation", "Undo")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Takes back one entry of the timeline, if nothing has changed "
                                                   "since. It is judged as the change that it makes.")},
        .effect = Effect::Changes,
        .params = {required(&UndoApply::entry, "entry",
                            {QT_TRANSLATE_NOOP("operation", "The entry, as undo.list or audit.search name it")},
                            {longest(64)})},
        .undoneEntry = &UndoApply::entry,
    });
}
} // namespace

Operations undos()
{
    return list(declareUndoList(), declareUndoApply());
}
