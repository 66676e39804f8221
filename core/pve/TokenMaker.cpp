#include "pve/TokenMaker.h"
#include "model/PveValue.h"
#include "pve/Client.h"
#include "pve/Connection.h"
#include <QCoreApplication>
#include <QJsonArray>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(TokenMaker)
};

ApiRequest request(Method method, const QStringList &segments)
{
    ApiRequest made;
    made.method = method;
    made.segments = segments;
    return made;
}

QStringList placeOf(const QString &token)
{
    return {QStringLiteral("access"), QStringLiteral("users"), token.section(u'!', 0, 0), QStringLiteral("token"),
            token.section(u'!', 1)};
}

std::vector<TokenChoices::Role> rolesFrom(const QJsonArray &list)
{
    std::vector<TokenChoices::Role> roles;
    for (const auto &entry : list) {
        const auto object = entry.toObject();
        TokenChoices::Role role;
        role.id = object[QLatin1String("roleid")].toString();
        role.privileges = object[QLatin1String("privs")].toString().split(u',', Qt::SkipEmptyParts);
        role.isBuiltIn = PveValue::boolean(object, "special").value_or(false);
        if (!role.id.isEmpty() && !role.privileges.isEmpty())
            roles.push_back(std::move(role));
    }
    std::stable_sort(roles.begin(), roles.end(), [](const auto &one, const auto &other) {
        return one.privileges.size() < other.privileges.size();
    });
    return roles;
}
}

QCoro::Task<Result<ApiAnswer>> TokenMaker::send(ApiRequest request, std::stop_token stop)
{
    return m_authority.client().send(std::move(request), std::move(stop));
}

QCoro::Task<Result<TokenChoices>> TokenMaker::choices(std::stop_token stop)
{
    const auto askRoles = request(Method::Get, {QStringLiteral("access"), QStringLiteral("roles")});
    auto roles = co_await send(askRoles, stop);
    if (!roles)
        co_return roles.error();
    TokenChoices choices;
    choices.roles = rolesFrom(roles->data.toArray());
    const auto askPools = request(Method::Get, {QStringLiteral("pools")});
    auto pools = co_await send(askPools, stop);
    if (!pools && pools.error().kind != Error::Kind::Forbidden)
        co_return pools.error();
    if (pools)
        for (const auto &entry : pools->data.toArray())
            choices.pools << entry.toObject()[QLatin1String("poolid")].toString();
    choices.pools.removeAll(QString());
    choices.pools.sort();
    co_return choices;
}

QCoro::Task<Result<Secret>> TokenMaker::make(QString token, QString comment, std::stop_token stop)
{
    auto making = request(Method::Post, placeOf(token));
    making.add("privsep", QStringLiteral("1"));
    making.add("comment", comment);
    auto made = co_await send(making, stop);
    if (!made)
        co_return made.error();
    const Secret secret(made->data[QLatin1String("value")].toString().toUtf8());
    if (secret.isEmpty() || made->data[QLatin1String("full-tokenid")].toString() != token)
        co_return Error{Error::Kind::Unknown, Text::tr("The server made a token, but did not tell its secret."),
                        making.describe()};
    co_return secret;
}

QCoro::Task<Result<void>> TokenMaker::grant(QString token, TokenGrant grant, std::stop_token stop)
{
    auto granting = request(Method::Put, {QStringLiteral("access"), QStringLiteral("acl")});
    granting.add("path", grant.path);
    granting.add("tokens", token);
    granting.add("roles", grant.role);
    granting.add("propagate", grant.goesDown ? QStringLiteral("1") : QStringLiteral("0"));
    auto granted = co_await send(granting, stop);
    if (!granted)
        co_return granted.error();
    co_return Result<void>();
}

QCoro::Task<Result<std::vector<TokenGrant>>> TokenMaker::grantsOf(QString token, std::stop_token stop)
{
    const auto ask = request(Method::Get, {QStringLiteral("access"), QStringLiteral("acl")});
    auto list = co_await send(ask, stop);
    if (!list)
        co_return list.error();
    std::vector<TokenGrant> grants;
    for (const auto &entry : list->data.toArray()) {
        const auto object = entry.toObject();
        if (object[QLatin1String("type")].toString() != QLatin1String("token") ||
            object[QLatin1String("ugid")].toString() != token)
            continue;
        grants.push_back({object[QLatin1String("roleid")].toString(), object[QLatin1String("path")].toString(),
                          PveValue::boolean(object, "propagate").value_or(true)});
    }
    co_return grants;
}

QCoro::Task<Result<bool>> TokenMaker::exists(QString token, std::stop_token stop)
{
    auto place = placeOf(token);
    const auto name = place.takeLast();
    const auto ask = request(Method::Get, place);
    auto list = co_await send(ask, stop);
    if (!list)
        co_return list.error();
    if (!list->data.isArray())
        co_return Error{Error::Kind::Malformed, Text::tr("The server's list of tokens can't be read.")};
    const auto tokens = list->data.toArray();
    co_return std::any_of(tokens.begin(), tokens.end(), [&](const QJsonValue &one) {
        return one.toObject()[QLatin1String("tokenid")].toString() == name;
    });
}

QCoro::Task<Result<void>> TokenMaker::revoke(QString token, std::stop_token stop)
{
    auto there = co_await exists(token, stop);
    if (!there)
        co_return there.error();
    if (!*there)
        co_return Result<void>();
    const auto revoking = request(Method::Delete, placeOf(token));
    auto revoked = co_await send(revoking, stop);
    if (revoked)
        co_return Result<void>();
    auto still = co_await exists(token, stop); // it may be gone although the answer was lost
    if (still && !*still)
        co_return Result<void>();
    co_return revoked.error();
}

QCoro::Task<Result<void>> TokenMaker::test(std::stop_token stop)
{
    const auto ask = request(Method::Get, {QStringLiteral("access"), QStringLiteral("permissions")});
    auto rights = co_await send(ask, stop);
    if (!rights)
        co_return rights.error();
    const auto paths = rights->data.toObject();
    for (const auto &path : paths)
        if (!path.toObject().isEmpty())
            co_return Result<void>();
    co_return Error{Error::Kind::Forbidden, Text::tr("The new token works, but it has no rights at all.")};
}
