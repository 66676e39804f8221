#include "simulator/api/Gate.h"

QString Gate::cookie(const HttpRequest &request)
{
    const auto authorization = request.header("authorization");
    auto source = request.header("cookie");
    if (authorization.startsWith("PVEAuthCookie="))
        source = authorization;
    for (const auto &part : source.split(';')) {
        const auto pair = part.trimmed();
        if (pair.startsWith("PVEAuthCookie="))
            return QString::fromUtf8(QByteArray::fromPercentEncoding(pair.mid(14)));
    }
    return {};
}

Gate::SignIn Gate::byToken(const QString &credential) const
{
    const auto user = credential.section(u'!', 0, 0);
    const auto rest = credential.section(u'!', 1);
    auto who = m_world.access.identityOfToken(user, rest.section(u'=', 0, 0), rest.section(u'=', 1), m_world.now());
    return {std::move(who), "Authentication failed!"};
}

Gate::SignIn Gate::signIn(const HttpRequest &request) const
{
    const auto authorization = request.header("authorization");
    if (authorization.startsWith("PVEAPIToken") && authorization.size() > 12 &&
        (authorization[11] == '=' || authorization[11] == ' '))
        return byToken(QString::fromUtf8(authorization.mid(12)));
    const auto ticket = cookie(request);
    if (ticket.isEmpty())
        return {std::nullopt, "No ticket"};
    const auto user = m_world.access.userOfTicket(ticket, m_world.now());
    if (!user)
        return {std::nullopt, "Authentication failed!"};
    const auto csrf = QString::fromUtf8(request.header("csrfpreventiontoken"));
    if (request.method != "GET" && !isUpload(request) && !m_world.access.isCsrfToken(csrf, *user, m_world.now()))
        return {std::nullopt, "Permission denied - invalid csrf token"};
    return {Identity{*user, {}}, {}};
}
