#pragma once
#include "base/StrictJson.h"
#include "pve/Client.h"
#include "pve/HttpTransport.h"
#include "pve/Session.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"

/// A server that sells tickets, and a client that has the password.
struct TicketServer {
    ScriptedServer server;
    MemoryStore secrets;
    ManualClock clock;
    Remote remote;
    HttpTransport transport;
    std::unique_ptr<Session> session;
    std::unique_ptr<Client> client;
    int sold = 0;
    QByteArray valid; ///< the ticket that is accepted now
    bool refuses = false;

    TicketServer() : remote(passwordRemote()), transport(remote)
    {
        keep(QByteArray("p&ss=w+rd ü"));
        session = std::make_unique<Session>(remote, transport, secrets, clock);
        client = std::make_unique<Client>(transport, *session);
        server.script = [this](const auto &request) { return answer(request); };
    }
    Remote passwordRemote()
    {
        auto made = server.remote();
        made.signIn = Remote::SignIn::Password;
        made.user = QStringLiteral("root@pam");
        return made;
    }
    void keep(const QByteArray &password)
    {
        const auto kept = await(secrets.write(remote.secretKey(), Secret(password)));
        Q_ASSERT(kept);
    }
    static QByteArray field(const ScriptedServer::Request &request, const char *name)
    {
        for (const auto &pair : request.body.split('&'))
            if (pair.startsWith(QByteArray(name) + '='))
                return QByteArray::fromPercentEncoding(pair.mid(pair.indexOf('=') + 1));
        return {};
    }
    ScriptedServer::Reply answer(const ScriptedServer::Request &request)
    {
        if (request.path.endsWith("/access/ticket")) {
            const auto password = field(request, "password");
            if (refuses || (password != "p&ss=w+rd ü" && password != valid))
                return no("authentication failure");
            valid = "PVE:root@pam:" + QByteArray::number(++sold) + "::a+b/c==";
            return ScriptedServer::ok(R"({"ticket":")" + valid + R"(","CSRFPreventionToken":"csrf)" +
                                      QByteArray::number(sold) + R"(","username":"root@pam"})");
        }
        if (request.header("cookie") != "PVEAuthCookie=" + valid.toPercentEncoding())
            return no("permission denied - invalid PVE ticket");
        if (request.method != "GET" && request.header("csrfpreventiontoken") != "csrf" + QByteArray::number(sold))
            return no("Permission denied - invalid csrf token");
        return ScriptedServer::ok();
    }
    static ScriptedServer::Reply no(const QByteArray &why)
    {
        return ScriptedServer::say(ScriptedServer::bytes("401 " + why, {}, {}), true);
    }
    Result<ApiAnswer> send(Method method = Method::Get)
    {
        return await(client->send({method, {QStringLiteral("version")}}, {}));
    }
    /// True if all were answered.
    bool readFiftyAtOnce()
    {
        std::vector<std::shared_ptr<std::optional<Result<ApiAnswer>>>> answers(50);
        for (auto &answer : answers) {
            answer = std::make_shared<std::optional<Result<ApiAnswer>>>();
            awaiting::keep(client->send({Method::Get, {QStringLiteral("version")}}, {}), answer);
        }
        const auto all = [&](auto isSo) { return std::all_of(answers.begin(), answers.end(), isSo); };
        return waitUntil([&] { return all([](const auto &answer) { return answer->has_value(); }); }) &&
               all([](const auto &answer) { return bool(**answer); });
    }
    /// From now on the password buys a challenge, and only what `sent` says buys a ticket with it. Returns the
    /// challenge.
    QByteArray askForACode(const QByteArray &ways, const QByteArray &sent)
    {
        const QByteArray challenge = "PVE:!tfa!" + ways + ":6B0D4906::QLG7/+";
        server.script = [this, challenge, sent](const auto &request) {
            if (!request.path.endsWith("/access/ticket"))
                return answer(request);
            if (field(request, "password") == "p&ss=w+rd ü")
                return ScriptedServer::ok(StrictJson::write(QJsonObject{
                    {QStringLiteral("NeedTFA"), 1}, {QStringLiteral("ticket"), QString::fromUtf8(challenge)}}));
            if (field(request, "password") != sent || field(request, "tfa-challenge") != challenge)
                return no("authentication failure");
            valid = "PVE:root@pam:" + QByteArray::number(++sold) + "::a+b/c==";
            return ScriptedServer::ok(R"({"ticket":")" + valid + R"(","CSRFPreventionToken":"csrf)" +
                                      QByteArray::number(sold) + R"("})");
        };
        return challenge;
    }
    int passwordsSent() const
    {
        return int(std::count_if(server.requests.begin(), server.requests.end(),
                                 [](const auto &request) { return field(request, "password") == "p&ss=w+rd ü"; }));
    }
    int signIns() const
    {
        return int(std::count_if(server.requests.begin(), server.requests.end(),
                                 [](const auto &request) { return request.path.endsWith("/access/ticket"); }));
    }
};
