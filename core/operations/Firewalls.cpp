#include "operations/Firewalls.h"
#include "base/DisplayText.h"
#include "model/PveValue.h"
#include "operations/Words.h"

ApiRequest firewallRequest(Method method, const PlaceRef &place, const QStringList &rest)
{
    const auto whole = QStringList{QStringLiteral("firewall")} + rest;
    if (place.guest)
        return guestRequest(method, *place.guest, whole);
    if (!place.isDatacenter())
        return nodeRequest(method, place.node.text(), whole);
    return {method, QStringList{QStringLiteral("cluster")} + whole};
}

QCoro::Task<Result<RulesNow>> readRules(OperationContext context, PlaceRef place)
{
    auto request = firewallRequest(Method::Get, place, {QStringLiteral("rules")});
    auto rows = co_await getArray(std::move(context), place.remote, std::move(request));
    if (!rows)
        co_return rows.error();
    RulesNow now;
    for (const auto &entry : *rows) {
        auto rule = entry.toObject();
        now.digest = rule.take(QStringLiteral("digest")).toString();
        rule.remove(QStringLiteral("pos"));
        rule.remove(QStringLiteral("ipversion"));
        now.rules.push_back(rule);
    }
    co_return now;
}

static QString textOf(const QJsonObject &rule, const char *key)
{
    return PveValue::text(rule, key).value_or(QString());
}

/// What is there but cannot be read counts as on.
static bool isEnabled(const QJsonObject &rule)
{
    const auto value = rule[QLatin1String("enable")];
    return !value.isUndefined() && !value.isNull() && PveValue::boolean(value).value_or(true);
}

QString ruleText(const QJsonObject &rule)
{
    QStringList parts{textOf(rule, "type"), textOf(rule, "action")};
    for (const auto *key : {"macro", "proto"})
        if (const auto text = textOf(rule, key); !text.isEmpty())
            parts << text;
    for (const auto &[key, word] : {std::pair("dport", QT_TRANSLATE_NOOP("operation", "port %1")),
                                    std::pair("sport", QT_TRANSLATE_NOOP("operation", "from port %1")),
                                    std::pair("icmp-type", QT_TRANSLATE_NOOP("operation", "type %1")),
                                    std::pair("source", QT_TRANSLATE_NOOP("operation", "from %1")),
                                    std::pair("dest", QT_TRANSLATE_NOOP("operation", "to %1")),
                                    std::pair("iface", QT_TRANSLATE_NOOP("operation", "on %1"))})
        if (const auto text = textOf(rule, key); !text.isEmpty())
            parts << words(word).arg(text);
    if (!isEnabled(rule))
        parts << words(QT_TRANSLATE_NOOP("operation", "(off)"));
    if (const auto comment = textOf(rule, "comment"); !comment.isEmpty())
        parts << QString(QLatin1String("# ") + comment);
    return DisplayText::visible(parts.join(u' '));
}

QJsonObject plainRule(const QJsonObject &rule)
{
    QJsonObject plain;
    for (const auto *key : {"type", "action", "macro", "proto", "source", "dest", "sport", "dport", "iface",
                            "icmp-type", "log", "comment"})
        if (const auto text = textOf(rule, key); !text.isEmpty())
            plain.insert(QString::fromLatin1(key).replace(u'-', u'_'), text);
    plain.insert(QStringLiteral("enable"), isEnabled(rule));
    return plain;
}

QString ruleKey(qint64 position)
{
    return QStringLiteral("rule %1").arg(position);
}

void noteRules(Plan &plan, const RulesNow &now, int more)
{
    QJsonArray rules;
    for (const auto &rule : now.rules)
        rules.append(rule);
    plan.before = {{QStringLiteral("rules"), rules}, {QStringLiteral("digest"), now.digest}};
    if (more != 0)
        plan.changes.push_back(
            {QStringLiteral("number of rules"), qint64(now.rules.size()), qint64(now.rules.size()) + more});
}

Error noRule(qint64 position, const RulesNow &now)
{
    return {Error::Kind::NotFound,
            now.rules.empty() ? words(QT_TRANSLATE_NOOP("operation", "There are no rules here."))
                              : words(QT_TRANSLATE_NOOP("operation", "There is no rule %1. They go from 0 to %2."))
                                    .arg(position)
                                    .arg(now.rules.size() - 1)};
}

bool isThere(qint64 position, const RulesNow &now)
{
    return position >= 0 && position < qint64(now.rules.size());
}

// PVE puts a rule before the one that has the position `moveto` now.
ApiRequest moveRequest(const PlaceRef &place, qint64 from, qint64 to)
{
    auto request = firewallRequest(Method::Put, place, {QStringLiteral("rules"), QString::number(from)});
    request.add("moveto", QString::number(to > from ? to + 1 : to));
    return request;
}

/// Lets somebody in: a rule that accepts, or a group of rules, which may.
static bool opens(const QJsonObject &rule)
{
    const auto type = textOf(rule, "type");
    return isEnabled(rule) && type != QLatin1String("out") &&
           (textOf(rule, "action") == QLatin1String("ACCEPT") || type == QLatin1String("group"));
}

/// Keeps somebody out, or may.
static bool blocks(const QJsonObject &rule)
{
    const auto type = textOf(rule, "type");
    return isEnabled(rule) && type != QLatin1String("out") &&
           (textOf(rule, "action") != QLatin1String("ACCEPT") || type == QLatin1String("group"));
}

void judgeRules(Plan &plan, const PlaceRef &place, const QJsonObject &before, const QJsonObject &after)
{
    if (opens(after) || blocks(before)) {
        plan.raised = Effect::Destroys;
        plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Careful")),
                              words(QT_TRANSLATE_NOOP("operation", "this can open access from outside")), true});
    }
    if (place.isGuest() || (!opens(before) && !blocks(after)))
        return;
    plan.isForPeople = true;
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Careful")),
                          words(QT_TRANSLATE_NOOP("operation", "this can shut out Labhelm and you")), true});
}

/// The rules as a request leaves them. A new one stands first, written as PVE likes; it is known by its place alone.
static std::vector<QJsonObject> left(std::vector<QJsonObject> rules, const ApiRequest &request)
{
    if (request.method == Method::Post)
        rules.insert(rules.begin(), QJsonObject());
    else if (const auto at = request.segments.last().toULong(); request.method == Method::Delete && at < rules.size())
        rules.erase(rules.begin() + qsizetype(at));
    return rules;
}

static bool areAsLeft(const std::vector<QJsonObject> &now, const std::vector<QJsonObject> &wanted)
{
    return now.size() == wanted.size() &&
           std::equal(now.begin(), now.end(), wanted.begin(), [](const QJsonObject &is, const QJsonObject &should) {
               return should.isEmpty() || is == should;
           });
}

static std::vector<QJsonObject> rulesIn(const QJsonObject &before)
{
    std::vector<QJsonObject> rules;
    for (const auto &rule : before[QLatin1String("rules")].toArray())
        rules.push_back(rule.toObject());
    return rules;
}

QCoro::Task<Result<Outcome>> sendRuleSteps(PlaceRef place, OperationContext context)
{
    const auto whole = context.plan;
    auto expected = rulesIn(whole->before);
    Outcome outcome;
    for (size_t step = 0; step < whole->requests.size(); ++step) {
        auto one = std::make_shared<Plan>(*whole);
        one->requests = {whole->requests[step]};
        if (step > 0) {
            auto now = co_await readRules(context, place);
            if (!now || !areAsLeft(now->rules, expected))
                co_return Error{
                    Error::Kind::Conflict,
                    words(QT_TRANSLATE_NOOP("operation", "Only %1 of %2 steps were done: then the rules were "
                                                         "no longer as they were left. Look at them."))
                        .arg(step)
                        .arg(whole->requests.size())};
            one->requests.front().add("digest", now->digest);
        }
        expected = left(std::move(expected), whole->requests[step]);
        context.plan = one;
        auto sent = co_await sendPlan(place.remote, context);
        if (!sent)
            co_return sent.error();
        outcome = *sent;
    }
    co_return outcome;
}
