#include "simulator/api/Gate.h"
#include "simulator/api/Multipart.h"
#include "simulator/api/PermissionCheck.h"

bool Gate::isUpload(const HttpRequest &head)
{
    const auto asked = target(head.path);
    if (head.method != "POST" || !asked)
        return false;
    const auto parts = asked->path.split(u'/', Qt::SkipEmptyParts);
    return parts.size() == 5 && parts[0] == QLatin1String("nodes") && parts[2] == QLatin1String("storage") &&
           parts[4] == QLatin1String("upload");
}

/// Rights are looked at before the body, which may be large; what is no form gets no answer at all.
std::optional<HttpAnswer> Gate::refuseUpload(const HttpRequest &head, const Target &asked) const
{
    const auto match = m_table.find(QString::fromLatin1(head.method), asked.path);
    const auto who = signIn(head).who.value_or(Identity());
    Parameters given;
    for (auto it = match->path.begin(); it != match->path.end(); ++it)
        given.set(it.key(), it.value());
    if (const auto refusal = PermissionCheck(m_world.access, who, given).refusal(match->endpoint->permissions)) {
        const auto text = refusal->isEmpty() ? QString() : QStringLiteral(" (%1)").arg(*refusal);
        return HttpAnswer::bare(403, "Permission check failed" + text.toUtf8());
    }
    if (!Multipart::boundary(head.header("content-type")).isEmpty())
        return std::nullopt;
    auto silence = HttpAnswer::bare(500, {});
    silence.none = true;
    silence.delay = patience();
    return silence;
}

std::variant<Parameters, HttpAnswer> Gate::uploaded(const HttpRequest &request)
{
    auto parts = Multipart::parse(request.header("content-type"), request.body);
    m_upload = parts.file;
    if (!parts.problem.isEmpty()) {
        auto answer = HttpAnswer::plain(500, parts.problem);
        return answer;
    }
    auto all = parts.fields;
    all.merge(Parameters::fromForm(request.query));
    return all;
}
