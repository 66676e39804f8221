#include "simulator/api/ClusterFile.h"
#include "simulator/api/Routes.h"
#include "simulator/api/UserRows.h"
#include <QJsonArray>

namespace
{
/// The token of the path, or why there is none.
std::variant<AccessUser::Token *, ApiAnswer> tokenOf(const Call &call)
{
    auto *user = call.world.access.user(call.text("userid"));
    if (!user)
        return UserRows::noSuchUser(call.text("userid"));
    if (auto *token = user->token(call.text("tokenid")))
        return token;
    return ApiAnswer::failed(QStringLiteral("no such token '%1' for user '%2'").arg(call.text("tokenid"), user->id));
}

ApiAnswer list(Call &call)
{
    const auto *user = call.world.access.user(call.text("userid"));
    return user ? ApiAnswer::ok(UserRows::tokens(*user)) : UserRows::noSuchUser(call.text("userid"));
}

QJsonObject described(const AccessUser::Token &token)
{
    auto row = UserRows::token(token);
    row.remove("tokenid");
    return row;
}

ApiAnswer get(Call &call)
{
    const auto found = tokenOf(call);
    if (const auto *problem = std::get_if<ApiAnswer>(&found))
        return *problem;
    return ApiAnswer::ok(described(*std::get<AccessUser::Token *>(found)));
}

/// What was given comes back as the text it was.
void insertGiven(const Call &call, QJsonObject &info)
{
    for (const auto *key : {"privsep", "expire"})
        if (call.has(key))
            info.insert(key, call.text(key));
    if (!call.text("comment").isEmpty())
        info.insert("comment", call.text("comment"));
}

void takeOver(const Call &call, AccessUser::Token &token)
{
    token.privilegeSeparated = call.flag("privsep", token.privilegeSeparated);
    token.expire = call.given.integer("expire").value_or(token.expire);
    if (!call.text("comment").isEmpty())
        token.comment = call.text("comment");
}

ApiAnswer create(Call &call)
{
    auto *user = call.world.access.user(call.text("userid"));
    if (!user)
        return UserRows::noSuchUser(call.text("userid"));
    if (user->token(call.text("tokenid")))
        return ApiAnswer::invalid("tokenid", "Token already exists.");
    if (auto refusal = ClusterFile(call, "file-user_cfg", "generating token failed").refusal())
        return *refusal;
    AccessUser::Token token;
    token.name = call.text("tokenid");
    token.secret = call.world.access.newSecret();
    takeOver(call, token);
    user->tokens.push_back(token);
    QJsonObject info;
    insertGiven(call, info);
    if (!info.contains("privsep"))
        info.insert("privsep", 1);
    return ApiAnswer::ok(
        QJsonObject{{"full-tokenid", user->id + u'!' + token.name}, {"info", info}, {"value", token.secret}});
}

ApiAnswer update(Call &call)
{
    const auto found = tokenOf(call);
    if (const auto *problem = std::get_if<ApiAnswer>(&found))
        return *problem;
    if (auto refusal = ClusterFile(call, "file-user_cfg", "updating token info failed").refusal())
        return *refusal;
    auto &token = *std::get<AccessUser::Token *>(found);
    takeOver(call, token);
    for (const auto &key : call.given.list("delete")) {
        if (key == "comment")
            token.comment.clear();
        if (key == "expire")
            token.expire = 0;
    }
    auto info = described(token);
    insertGiven(call, info);
    return ApiAnswer::ok(info);
}

ApiAnswer remove(Call &call)
{
    const auto found = tokenOf(call);
    if (const auto *problem = std::get_if<ApiAnswer>(&found))
        return *problem;
    if (auto refusal = ClusterFile(call, "file-user_cfg", "deleting token failed").refusal())
        return *refusal;
    auto &access = call.world.access;
    auto &tokens = access.user(call.text("userid"))->tokens;
    const auto name = call.text("tokenid");
    tokens.erase(std::remove_if(tokens.begin(), tokens.end(), [&](const auto &token) { return token.name == name; }),
                 tokens.end());
    access.forgetGrants(call.text("userid") + u'!' + name);
    return ApiAnswer::ok();
}
} // namespace

void calls::addTokens(Routes &routes)
{
    routes.add("GET /access/users/{userid}/token", list);
    routes.add("GET /access/users/{userid}/token/{tokenid}", get);
    routes.add("POST /access/users/{userid}/token/{tokenid}", create);
    routes.add("PUT /access/users/{userid}/token/{tokenid}", update);
    routes.add("DELETE /access/users/{userid}/token/{tokenid}", remove);
}
