#include "simulator/api/GuestTasks.h"
#include "simulator/api/GuestVolumes.h"
#include "simulator/api/Routes.h"
#include "simulator/api/StorageFiles.h"
#include <QUrl>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
ApiAnswer wrongEnding()
{
    return ApiAnswer::invalid(u"filename"_s, u"wrong file extension"_s);
}

std::optional<ApiAnswer> refusedStorage(const Call &call, const QString &wrongContent)
{
    const auto *storage = call.world.storage(call.text("storage"));
    if (!storage)
        return ApiAnswer::failed(u"storage '%1' does not exist"_s.arg(call.text("storage")));
    if (!storage->content.contains(call.text("content")))
        return ApiAnswer::failed(wrongContent.arg(storage->name, call.text("content")));
    return std::nullopt;
}

QString mismatch(const QString &got, const QString &expected)
{
    return u"checksum mismatch: got '%1' != expect '%2'"_s.arg(got, expected);
}

/// The task runs on the node that was asked and copies to the other over ssh; the file is there when it is over.
ApiAnswer upload(Call &call)
{
    if (auto refused = refusedStorage(call, u"storage '%1' does not support '%2' content"_s))
        return *refused;
    const auto name = StorageFiles::safeName(call.text("filename"));
    if (!StorageFiles::fits(call.text("content"), name))
        return wrongEnding();
    auto &world = call.world;
    const auto storage = call.text("storage");
    const auto content = call.text("content");
    const auto node = call.node();
    const auto size = call.upload ? call.upload->size() : 0;
    TaskPlan plan;
    plan.node = world.localNode;
    plan.type = u"imgcopy"_s;
    plan.user = call.user();
    plan.duration = 700ms;
    plan.lines = {{0ms, "starting file import from: "_L1 + call.text("tmpfilename")},
                  {0ms, "target node: "_L1 + node},
                  {0ms, "target file: "_L1 + GuestVolumes::path(world, u"%1:%2/%3"_s.arg(storage, content, name))},
                  {0ms, u"file size is: %1"_s.arg(size)},
                  {600ms, u"finished file import successfully"_s}};
    const auto algorithm = call.text("checksum-algorithm");
    const auto got = call.upload ? StorageFiles::digest(*call.upload, algorithm) : QString();
    const auto expected = call.text("checksum").toLower();
    plan.begin = [=] { return !expected.isEmpty() && got != expected ? mismatch(got, expected) : QString(); };
    plan.finish = [&world, storage, node, content, name, size] {
        StorageFiles::put(world, storage, node, content, name, size);
        return QString();
    };
    return GuestTasks::run(call, plan);
}

/// Why a file cannot be fetched; nothing is known of the world outside but that this machine serves none.
QString unreachable(const QUrl &url)
{
    const auto host = url.host();
    const auto port = url.port(url.scheme() == "https"_L1 ? 443 : 80);
    if (host == "localhost"_L1 || host.startsWith("127."_L1) || host == "::1"_L1)
        return u"Connecting to %1:%2... failed: Connection refused."_s.arg(host).arg(port);
    if (host.endsWith(".invalid"_L1))
        return u"Resolving %1 (%1)... failed: Name or service not known."_s.arg(host);
    return {};
}

/// Some hundred MiB, the same for the same address.
qint64 sizeOf(const World &world, const QString &url)
{
    const auto known = world.webFiles.find(url);
    return known != world.webFiles.end() ? known->size() : 200'000'000 + qint64(qHash(url, 7) % 600'000'000);
}

ApiAnswer download(Call &call)
{
    const auto url = call.text("url");
    if (auto refused = refusedStorage(call, u"storage '%1' is not configured for content-type '%2'"_s))
        return *refused;
    const auto name = StorageFiles::safeName(call.text("filename"));
    if (!StorageFiles::fits(call.text("content"), name))
        return wrongEnding();
    auto &world = call.world;
    TaskPlan plan;
    plan.node = call.node();
    plan.type = u"download"_s;
    plan.id = name;
    plan.user = call.user();
    const auto size = sizeOf(world, url);
    plan.duration = 2s + (size >> 27) * 1s;
    plan.lines = {{0ms, u"downloading %1 to %2"_s.arg(
                            url, GuestVolumes::path(
                                     world, u"%1:%2/%3"_s.arg(call.text("storage"), call.text("content"), name)))}};
    for (int part = 1; part <= 10; ++part)
        plan.lines.append(
            {plan.duration * part / 11, u"%1K ........ ........ %2%"_s.arg(size / 10240 * part).arg(part * 10)});
    const auto why = unreachable(QUrl(url));
    const auto algorithm = call.text("checksum-algorithm");
    const auto expected = call.text("checksum").toLower();
    plan.begin = [why] { return why.isEmpty() ? QString() : "download failed: "_L1 + why; };
    plan.finish = [&world, url, name, size, algorithm, expected, storage = call.text("storage"), node = call.node(),
                   content = call.text("content")] {
        const auto got = StorageFiles::digest(world.webFiles.value(url), algorithm);
        if (world.webFiles.contains(url) && !expected.isEmpty() && got != expected)
            return mismatch(got, expected);
        StorageFiles::put(world, storage, node, content, name, size);
        return QString();
    };
    return GuestTasks::run(call, plan);
}

ApiAnswer metadata(Call &call)
{
    const QUrl url(call.text("url"));
    if (const auto why = unreachable(url); !why.isEmpty()) {
        const auto reason = why.contains("refused"_L1) ? u"Connection refused"_s : u"Name or service not known"_s;
        return ApiAnswer::failed(u"invalid server response: '500 Can't connect to %1:%2 (%3)'"_s.arg(url.host())
                                     .arg(url.port(url.scheme() == "https"_L1 ? 443 : 80))
                                     .arg(reason));
    }
    return ApiAnswer::ok(QJsonObject{{"filename"_L1, StorageFiles::safeName(url.fileName())},
                                     {"size"_L1, sizeOf(call.world, call.text("url"))},
                                     {"mimetype"_L1, u"application/octet-stream"_s}});
}
} // namespace

void calls::addUploads(Routes &routes)
{
    routes.add("POST /nodes/{node}/storage/{storage}/upload", upload);
    routes.add("POST /nodes/{node}/storage/{storage}/download-url", download);
    routes.add("GET /nodes/{node}/query-url-metadata", metadata);
}
