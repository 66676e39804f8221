#include "model/PveValue.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/Firewalls.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
/// Shows a firewall.
struct FirewallShow {
    PlaceRef place;
    qint64 logLines = 0;
};

/// Under which key of the answer stands what is asked of which path.
std::vector<std::pair<QString, QStringList>> parts(const PlaceRef &place)
{
    const auto part = [](const char *name) {
        return std::pair(QString::fromLatin1(name), QStringList{QString::fromLatin1(name)});
    };
    std::vector<std::pair<QString, QStringList>> all{part("rules"), part("options")};
    if (place.isGuest() || place.isDatacenter()) { // a node has none of its own
        all.push_back(part("aliases"));
        all.emplace_back(QStringLiteral("ipsets"), QStringList{QStringLiteral("ipset")});
    }
    if (place.isDatacenter())
        all.push_back(part("groups"));
    return all;
}

QCoro::Task<Result<QJsonValue>> showFirewall(FirewallShow args, OperationContext context)
{
    if (args.logLines > 0 && args.place.isDatacenter())
        co_return Error{
            Error::Kind::Invalid,
            words(QT_TRANSLATE_NOOP("operation", "The datacenter has no log of its own: ask a node or a guest."))};
    const auto asked = parts(args.place);
    std::vector<Question> questions;
    for (const auto &[key, path] : asked)
        questions.push_back({args.place.remote, firewallRequest(Method::Get, args.place, path)});
    if (args.logLines > 0) {
        questions.push_back({args.place.remote, firewallRequest(Method::Get, args.place, {QStringLiteral("log")})});
        questions.back().request.add("limit", QString::number(args.logLines));
    }
    const auto answers = co_await askAll(std::move(context), std::move(questions));
    QJsonObject all{{QStringLiteral("remote"), args.place.remote}, {QStringLiteral("place"), args.place.text()}};
    for (size_t at = 0; at < asked.size(); ++at) {
        if (!answers[at])
            co_return answers[at].error();
        all.insert(asked[at].first, *answers[at]);
    }
    if (args.logLines > 0 && answers.back())
        all.insert(QStringLiteral("log"), *answers.back());
    else if (args.logLines > 0)
        all.insert(QStringLiteral("log_problem"), answers.back().error().message);
    const auto enable = all[QStringLiteral("options")].toObject().value(QLatin1String("enable"));
    const bool isNode = !args.place.isGuest() && !args.place.isDatacenter();
    if (enable.isUndefined()) // off by default for the datacenter and for guests, on for nodes
        all.insert(QStringLiteral("enabled"), isNode);
    else if (const auto isOn = PveValue::boolean(enable))
        all.insert(QStringLiteral("enabled"), *isOn);
    co_return QJsonValue(all);
}
} // namespace

Operations firewallReads()
{
    return list(operation<FirewallShow>({
        .id = "firewall.rules",
        .title = {QT_TRANSLATE_NOOP("operation", "Show firewall")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Shows whether a firewall is on, its rules in order, options, aliases and "
                                      "sets; of the datacenter, a node or a guest.")},
        .effect = Effect::Reads,
        .target = &FirewallShow::place,
        .params = {optional(&FirewallShow::place, "place", placeHelp),
                   optional(&FirewallShow::logLines, "log_lines",
                            {QT_TRANSLATE_NOOP("operation", "Also this many lines of its log")}, {range(0, 500)})},
        .read = showFirewall,
    }));
}
