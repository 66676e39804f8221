#include "simulator/api/Gate.h"
#include "simulator/api/PermissionCheck.h"
#include "simulator/api/Routes.h"
#include "simulator/schema/LaterFields.h"
#include "simulator/schema/ParameterCheck.h"
#include <QJsonArray>

using namespace std::chrono_literals;

Gate::Gate(World &world, Faults &faults, const Simulator::Options &options)
    : m_world(world), m_faults(faults), m_table(Release::of(options.version).table()), m_version(options.version),
      m_refusalDelay(options.refusalDelay.value_or(options.clock ? 0ms : 3000ms))
{
}

std::chrono::milliseconds Gate::patience() const
{
    return m_refusalDelay.count() == 0 ? 0ms : 5000ms;
}

std::optional<Gate::Target> Gate::target(const QByteArray &path)
{
    const auto parts = QString::fromUtf8(QByteArray::fromPercentEncoding(path)).split(u'/', Qt::SkipEmptyParts);
    if (parts.size() < 2 || parts[0] != QLatin1String("api2"))
        return std::nullopt;
    return Target{parts[1], u'/' + parts.mid(2).join(u'/')};
}

bool Gate::needsNoSignIn(const QString &method, const QString &path) const
{
    const auto match = m_table.find(method, path);
    return match && match->endpoint->permissions == QLatin1String("world");
}

HttpAnswer Gate::unauthorized(const QByteArray &reason) const
{
    auto answer = HttpAnswer::bare(401, reason);
    answer.delay = m_refusalDelay;
    return answer;
}

std::optional<HttpAnswer> Gate::refuse(const HttpRequest &head)
{
    auto refusal = refusalOf(head);
    if (refusal) {
        HeardRequest note;
        const auto asked = target(head.path);
        note.method = QString::fromLatin1(head.method);
        note.path = asked ? asked->path : QString::fromUtf8(head.path);
        note.status = refusal->status;
        remember(note);
    }
    return refusal;
}

void Gate::remember(const HeardRequest &request)
{
    // A demo runs for days.
    if (heard.size() >= 100'000)
        heard.remove(0, 50'000);
    heard.append(request);
    if (onHeard)
        onHeard(request);
}

std::optional<HttpAnswer> Gate::refusalOf(const HttpRequest &head) const
{
    if (head.method != "GET" && head.method != "POST" && head.method != "PUT" && head.method != "DELETE")
        return HttpAnswer::bare(501, "method '" + head.method + "' not available");
    if (head.header("transfer-encoding").toLower().contains("chunked"))
        return HttpAnswer::plain(501, "chunked transfer encoding not supported");
    const auto asked = target(head.path);
    if (!asked) {
        if (head.path.startsWith("/api2"))
            return HttpAnswer::plain(501, "no such uri");
        const auto file = QByteArray::fromPercentEncoding(head.path);
        return HttpAnswer::plain(500, "no such file '" + file + "'\n");
    }
    if (!needsNoSignIn(QString::fromLatin1(head.method), asked->path)) {
        const auto signedIn = signIn(head);
        if (!signedIn.who)
            return unauthorized(signedIn.refusal);
    }
    if (asked->format != QLatin1String("json") && asked->format != QLatin1String("extjs") &&
        asked->format != QLatin1String("html"))
        return HttpAnswer::plain(501, "no formatter for uri " + asked->path.toUtf8() + ", " + asked->format.toUtf8());
    return isUpload(head) ? refuseUpload(head, *asked) : refuseBody(head);
}

std::optional<HttpAnswer> Gate::refuseBody(const HttpRequest &head) const
{
    const auto length = head.contentLength();
    if (length <= 0)
        return std::nullopt;
    if (head.method == "GET" || head.method == "DELETE")
        return HttpAnswer::plain(501, "Unexpected content for method '" + head.method + "'");
    if (length > 512 * 1024)
        return HttpAnswer::plain(501, "for data too large");
    const auto type = head.header("content-type");
    const auto essence = type.left(type.indexOf(';') < 0 ? type.size() : type.indexOf(';')).trimmed().toLower();
    if (!essence.isEmpty() && essence != "application/x-www-form-urlencoded" && essence != "application/json")
        return HttpAnswer::plain(506, "upload 'Content-Type '" + type + "' not implemented");
    return std::nullopt;
}

HttpHandler::Outcome Gate::handle(const HttpRequest &request)
{
    m_world.settle();
    const auto asked = target(request.path);
    HeardRequest note;
    note.method = QString::fromLatin1(request.method);
    note.path = asked ? asked->path : QString::fromUtf8(request.path);
    if (const auto fault = m_faults.next(note.method, note.path)) {
        const auto outcome = afflicted(*fault, request, asked, note);
        remember(note);
        return outcome;
    }
    Outcome outcome{answer(request, *asked, note)};
    upgrade(request, note, outcome);
    outcome.answer.delay += m_faults.latency;
    remember(note);
    return outcome;
}

HttpHandler::Outcome Gate::afflicted(const Fault &fault, const HttpRequest &request, const std::optional<Target> &asked,
                                     HeardRequest &note)
{
    using Kind = Fault::Kind;
    Outcome outcome;
    static const QList<Kind> notDone{Kind::DropUnheard, Kind::Answer, Kind::Garbage, Kind::Huge, Kind::ProxyPage};
    const bool carriedOut = !notDone.contains(fault.kind);
    if (carriedOut)
        outcome.answer = answer(request, *asked, note);
    else if (const auto given = parameters(request); std::holds_alternative<Parameters>(given))
        note.parameters = std::get<Parameters>(given).toLog();
    if (fault.kind == Kind::Answer || fault.kind == Kind::Huge || fault.kind == Kind::ProxyPage) {
        outcome.answer = insteadOf(fault);
        note.status = outcome.answer.status;
    } else if (fault.kind == Kind::Slow) {
        outcome.answer.pace = std::max(fault.delay, std::chrono::milliseconds(1));
        outcome.answer.step = std::max<qint64>(1, fault.bytes.value_or(1));
    } else if (fault.kind == Kind::Garbage) {
        outcome.answer.none = true;
        outcome.answer.body = fault.body;
    } else if (fault.kind == Kind::CutDuring) {
        outcome.cut = 2;
        outcome.bytes = fault.bytes.value_or(-1);
    } else if (fault.kind == Kind::CutAfter) {
        outcome.cut = 3;
    } else if (fault.kind == Kind::Hang) {
        outcome.cut = 4;
    } else if (fault.kind == Kind::DropUnheard || fault.kind == Kind::CutBefore) {
        outcome.cut = 1;
    }
    outcome.answer.delay = fault.kind == Kind::Delay ? fault.delay : 0ms;
    return outcome;
}

static QJsonArray rootIndex()
{
    QJsonArray rows;
    for (const auto *name : {"version", "cluster", "nodes", "storage", "access", "pools"})
        rows.append(QJsonObject{{QLatin1String("subdir"), QLatin1String(name)}});
    return rows;
}

HttpAnswer Gate::answer(const HttpRequest &request, const Target &asked, HeardRequest &note)
{
    const auto read = isUpload(request) ? uploaded(request) : parameters(request);
    if (std::holds_alternative<HttpAnswer>(read)) {
        note.status = std::get<HttpAnswer>(read).status;
        return std::get<HttpAnswer>(read);
    }
    auto given = std::get<Parameters>(read);
    given.remove(QStringLiteral("_dc"));
    note.parameters = given.toLog();
    const auto signedIn = signIn(request);
    const auto who = signedIn.who.value_or(Identity());
    note.who = who.user.isEmpty() ? QString() : who.full();
    const auto match = m_table.find(note.method, asked.path);
    if (!match) {
        if (note.method == QLatin1String("GET") && asked.path == u'/')
            return formatted(ApiAnswer::ok(rootIndex()), asked, request);
        ApiAnswer missing;
        missing.status = note.status = 501;
        missing.message = QStringLiteral("Method '%1 %2' not implemented").arg(note.method, asked.path);
        return formatted(missing, asked, request);
    }
    bool reached = false;
    const auto result = through(who, *match, given, asked.path, reached);
    const auto *lost = std::get_if<HttpAnswer>(&result);
    auto answer = lost ? *lost : formatted(std::get<ApiAnswer>(result), asked, request);
    if (isUpload(request)) {
        answer.close = true;
    } else if (reached && answer.status < 400) {
        auto all = given;
        all.set(match->endpoint->proxyTo, match->path.value(match->endpoint->proxyTo));
        answer.upstreamConnection = upstream(*match->endpoint, all);
    }
    if (answer.status == 401)
        answer.delay = m_refusalDelay;
    note.status = answer.status;
    return answer;
}

std::variant<ApiAnswer, HttpAnswer> Gate::through(const Identity &who, const ApiTable::Match &match,
                                                  const Parameters &given, const QString &path, bool &reached)
{
    auto all = given;
    for (auto it = match.path.begin(); it != match.path.end(); ++it)
        if (!given.has(it.key()))
            all.set(it.key(), it.value());
    if (who.isToken() && !match.endpoint->allowsToken)
        return ApiAnswer::refused(
            QStringLiteral("URI '%1' not available with API token, need proper ticket.\n").arg(path));
    if (const auto refusal = PermissionCheck(m_world.access, who, all).refusal(match.endpoint->permissions))
        return ApiAnswer::refused(*refusal);
    if (const auto lost = lostOnTheWay(*match.endpoint, all))
        return *lost;
    reached = true;
    return call(who, match, given);
}

ApiAnswer Gate::call(const Identity &who, const ApiTable::Match &match, const Parameters &given)
{
    auto all = given;
    for (auto it = match.path.begin(); it != match.path.end(); ++it) {
        if (given.has(it.key()) && given.text(it.key()) != it.value())
            return ApiAnswer::invalid(it.key(), ParameterCheck::conflictText());
        all.set(it.key(), it.value());
    }
    QJsonObject errors;
    for (const auto &violation : ParameterCheck(m_table).check(*match.endpoint, all))
        errors.insert(violation.parameter, violation.text);
    if (!errors.isEmpty())
        return ApiAnswer::invalid(errors);
    Call made{m_world, m_table, m_version, who, *match.endpoint, all, &m_upload};
    const auto handler = Routes::all().find(*match.endpoint);
    if (!handler)
        return made.notAnswered();
    auto answer = handler(made);
    answer.data = LaterFields::without(made.release(), *match.endpoint, answer.data);
    return answer;
}
