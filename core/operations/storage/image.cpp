#include "base/DisplayText.h"
#include "model/PveValue.h"
#include "operations/Families.h"
#include "operations/Guests.h"
#include "operations/TypedOperation.h"
#include "operations/Volumes.h"
#include "operations/Words.h"
#include <QRegularExpression>
#include <QUrl>

namespace
{
/// Lets a node fetch an image or a template from the web.
struct Download {
    StorageRef storage;
    QString url, content;
    std::optional<QString> filename, checksum, algorithm;
    bool verifiesCertificates = true;
};

/// The last part of the address unless a name was given. PVE keeps files of these endings only, and writes "_" for what
/// is no letter, digit, dot or dash (schema of download-url: "will be normalized").
Result<QString> fileName(const Download &args)
{
    static const QHash<QString, QStringList> endings{
        {QStringLiteral("iso"), {QStringLiteral(".iso"), QStringLiteral(".img")}},
        {QStringLiteral("vztmpl"), {QStringLiteral(".tar.gz"), QStringLiteral(".tar.xz"), QStringLiteral(".tar.zst")}},
        {QStringLiteral("import"),
         {QStringLiteral(".ova"), QStringLiteral(".ovf"), QStringLiteral(".qcow2"), QStringLiteral(".raw"),
          QStringLiteral(".vmdk")}}};
    const auto name = args.filename.value_or(QUrl(args.url).fileName());
    const auto fitting = endings.value(args.content);
    const bool fits = std::any_of(fitting.begin(), fitting.end(),
                                  [&](const QString &ending) { return name.endsWith(ending, Qt::CaseInsensitive); });
    if (!fits || name.contains(u'/') || name.startsWith(u'.'))
        return Error{
            Error::Kind::Invalid,
            words(QT_TRANSLATE_NOOP("operation", "\"%1\" is no file name for this kind of content. It ends with "
                                                 "one of: %2. Give a filename if the address does not."))
                .arg(DisplayText::visible(name.left(120)), fitting.join(QStringLiteral(", ")))};
    static const QRegularExpression odd(QStringLiteral("[^-a-zA-Z0-9_.]"));
    return QString(name).replace(odd, QStringLiteral("_"));
}

Result<> mayFetch(const Download &args)
{
    const QUrl url(args.url, QUrl::StrictMode);
    const bool isWeb = url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http");
    if (!url.isValid() || !isWeb || url.host().isEmpty())
        return Error{Error::Kind::Invalid,
                     words(QT_TRANSLATE_NOOP("operation", "The address must start with https:// or http://."))};
    if (!url.userInfo().isEmpty())
        return Error{
            Error::Kind::Invalid,
            words(QT_TRANSLATE_NOOP("operation", "The address may hold no name and password: it is recorded."))};
    if (args.checksum.has_value() != args.algorithm.has_value())
        return Error{Error::Kind::Invalid,
                     words(QT_TRANSLATE_NOOP("operation", "Give a checksum and its algorithm, or neither."))};
    return {};
}

QString volumeOf(const Download &args, const QString &name)
{
    return args.storage.text() + u':' + args.content + u'/' + name;
}

/// How large the file is, as its server says through the node. For a program nobody asks before a person has allowed
/// it: the question alone reaches whatever the address names.
QCoro::Task<PlanFact> sizeFact(OperationContext context, Download args)
{
    const auto label = words(QT_TRANSLATE_NOOP("operation", "Size"));
    if (context.actor.isProgram())
        co_return PlanFact{label, words(QT_TRANSLATE_NOOP("operation", "not asked yet"))};
    auto request = nodeRequest(Method::Get, args.storage.node.text(), {QStringLiteral("query-url-metadata")},
                               {{QStringLiteral("url"), args.url}});
    if (!args.verifiesCertificates)
        request.add("verify-certificates", "0");
    auto told = co_await getObject(std::move(context), args.storage.remote, std::move(request));
    const auto size = told ? PveValue::integer(*told, "size") : std::nullopt;
    if (size)
        co_return PlanFact{label, sizeText(*size)};
    co_return PlanFact{label,
                       words(QT_TRANSLATE_NOOP("operation", "unknown: %1"))
                           .arg(told ? QString() : DisplayText::visible(told.error().message)),
                       true};
}

ApiRequest downloadRequest(const Download &args, const QString &name)
{
    auto request = storageRequest(Method::Post, args.storage, {QStringLiteral("download-url")});
    request.add("url", args.url);
    request.add("content", args.content);
    request.add("filename", name);
    if (args.checksum)
        request.add("checksum", *args.checksum);
    if (args.algorithm)
        request.add("checksum-algorithm", *args.algorithm);
    if (!args.verifiesCertificates)
        request.add("verify-certificates", "0");
    return request;
}

QCoro::Task<Result<Plan>> planDownload(Download args, OperationContext context)
{
    if (auto may = mayFetch(args); !may)
        co_return may.error();
    const auto name = fileName(args);
    if (!name)
        co_return name.error();
    if (auto takes = takesContent(context, args.storage, args.content); !takes)
        co_return takes.error();
    auto there = co_await readContent(context, args.storage, args.content);
    if (!there)
        co_return there.error();
    const auto id = args.storage.storage.text() + u':' + args.content + u'/' + *name;
    for (const auto &row : *there)
        if (row[QLatin1String("volid")].toString() == id)
            co_return Error{
                Error::Kind::Conflict,
                words(QT_TRANSLATE_NOOP("operation", "%1 is there already. Give another filename.")).arg(id)};
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Download %1 to %2")).arg(*name, args.storage.label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Downloaded %1")).arg(*name);
    plan.changes.push_back({QStringLiteral("volume ") + id, QJsonValue::Undefined, true});
    plan.before = {{QStringLiteral("exists"), false}};
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "From")), DisplayText::visible(args.url)});
    auto size = co_await sizeFact(context, args);
    plan.facts.push_back(std::move(size));
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Checked against")),
                          args.checksum ? *args.algorithm : words(QT_TRANSLATE_NOOP("operation", "no checksum")),
                          !args.checksum});
    plan.requests.push_back(downloadRequest(args, *name));
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Deletes the file again."));
    co_return plan;
}

std::optional<Call> deleteIt(const Download &args, const Plan &)
{
    const auto name = fileName(args);
    if (!name)
        return std::nullopt;
    return Call{QStringLiteral("storage.volume.delete"),
                arguments({{QStringLiteral("volume"), volumeOf(args, *name)}})};
}

/// Deletes one image, template or leftover disk.
struct VolumeDelete {
    VolumeRef volume;
};

/// The key of a guest's configuration that names a volume; empty = none does.
QString usedAs(const QJsonObject &config, const QString &volume)
{
    for (auto each = config.begin(); each != config.end(); ++each)
        if (each->toString().section(u',', 0, 0) == volume)
            return each.key();
    return {};
}

/// A disk that a guest's configuration names is that guest's affair.
QCoro::Task<Result<>> isUnused(OperationContext context, VolumeRef volume, QJsonObject row)
{
    const auto number = PveValue::integer(row, "vmid").value_or(0);
    const auto vmid = Vmid::from(number);
    const auto state = context.services->inventory.snapshot(volume.on.remote);
    const auto *guest = vmid && state ? state->guest(*vmid) : nullptr;
    if (!guest)
        co_return Result<>();
    const auto ref = state->ref(*guest);
    auto request = guestRequest(Method::Get, ref, {QStringLiteral("config")});
    auto config = co_await getObject(context, ref.remote, std::move(request));
    if (!config)
        co_return config.error();
    auto snapshots = co_await readSnapshots(context, ref);
    if (!snapshots)
        co_return snapshots.error();
    for (const auto &name : snapshots->names())
        if (volume.volume.text().endsWith(QLatin1String("-state-") + name))
            co_return Error{Error::Kind::Conflict,
                            words(QT_TRANSLATE_NOOP("operation", "This is the memory in snapshot %1 of %2. Delete the "
                                                                 "snapshot instead."))
                                .arg(name, ref.label())};
    if (const auto key = usedAs(*config, volume.volume.text()); !key.isEmpty())
        co_return Error{Error::Kind::Conflict,
                        words(QT_TRANSLATE_NOOP("operation", "This is %1 of %2. Detach and delete it there."))
                            .arg(key, ref.label())};
    co_return Result<>();
}

QCoro::Task<Result<Plan>> planDelete(VolumeDelete args, OperationContext context)
{
    auto row = co_await readVolume(context, args.volume);
    if (!row)
        co_return row.error();
    const auto kind = row->value(QLatin1String("content")).toString();
    const auto id = args.volume.volume.text();
    if (kind == QLatin1String("backup"))
        co_return Error{Error::Kind::Invalid,
                        words(QT_TRANSLATE_NOOP("operation", "This is a backup. Use backup.delete for it."))};
    auto unused = co_await isUnused(context, args.volume, *row);
    if (!unused)
        co_return unused.error();
    Plan plan;
    plan.intent =
        words(QT_TRANSLATE_NOOP("operation", "Delete %1 on %2")).arg(DisplayText::visible(id), args.volume.on.label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Deleted %1")).arg(DisplayText::visible(id));
    plan.changes.push_back({QStringLiteral("volume ") + id, true});
    plan.before = {{QStringLiteral("volume"), *row}};
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Kind")), valueText(kind)});
    sayVolume(plan, *row);
    plan.losses << words(QT_TRANSLATE_NOOP("operation", "the file or disk %1")).arg(DisplayText::visible(id));
    plan.requests.push_back(volumeRequest(Method::Delete, args.volume));
    co_return plan;
}

OperationPtr declareDownload()
{
    return operation<Download>({
        .id = "storage.download",
        .title = {QT_TRANSLATE_NOOP("operation", "Download to storage")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Lets a node fetch an image or a container template from the web onto "
                                      "a storage, and check it.")},
        .effect = Effect::Changes,
        .taskTypes = {"download"},
        .undo = Undo::Exact,
        .target = &Download::storage,
        .params =
            {required(&Download::storage, "storage", storageHelp),
             required(&Download::url, "url", {QT_TRANSLATE_NOOP("operation", "Address: https://…")}, {longest(1000)}),
             required(&Download::content, "content",
                      {QT_TRANSLATE_NOOP("operation", "iso (image), vztmpl (container template) or import (disk)")},
                      {oneOf({"iso", "vztmpl", "import"})}),
             optional(&Download::filename, "filename",
                      {QT_TRANSLATE_NOOP("operation", "Name on the storage; else that of the address")},
                      {longest(255)}),
             optional(&Download::checksum, "checksum", {QT_TRANSLATE_NOOP("operation", "What the file must give")},
                      {matching("[0-9a-fA-F]{32,128}")}),
             optional(&Download::algorithm, "checksum_algorithm",
                      {QT_TRANSLATE_NOOP("operation", "How the checksum is made")},
                      {oneOf({"sha256", "sha512", "sha384", "sha224", "sha1", "md5"})}),
             optional(&Download::verifiesCertificates, "verify_certificates",
                      {QT_TRANSLATE_NOOP("operation", "Check the certificate of the server")})},
        .plan = planDownload,
        .inverse = deleteIt,
    });
}

OperationPtr declareVolumeDelete()
{
    return operation<VolumeDelete>({
        .id = "storage.volume.delete",
        .title = {QT_TRANSLATE_NOOP("operation", "Delete volume")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Deletes one image, template or leftover disk for good. Disks in use "
                                      "and backups are refused.")},
        .effect = Effect::Destroys,
        .taskTypes = {"imgdel"},
        .target = &VolumeDelete::volume,
        .params = {required(
            &VolumeDelete::volume, "volume",
            {QT_TRANSLATE_NOOP("operation", "Whole id: nas-images:iso/debian.iso, pve1/local:iso/debian.iso")})},
        .plan = planDelete,
    });
}
} // namespace

Operations storageImages()
{
    return list(declareDownload(), declareVolumeDelete());
}
