#include "support/TestMain.h"
#include "support/TicketServer.h"

using Realm = TicketServer;

/// Signing in happens once, in time, and stops before it annoys anybody.
class SessionSignsIn : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void buysATicketAndSignsWithIt();
    void signsInOnceForFiftyAtOnce();
    void renewsTheTicketWithItselfBeforeItAges();
    void buysANewTicketAfterALongSleep();
    void believesTheWallClockWhenTheComputerSlept();
    void mendsA401OnAReadOnce();
    void mendsFiftyAtOnceWithOneSignIn();
    void neverRepeatsAWriteAfterA401();
    void stopsAfterThreeRefusedPasswords();
    void stopsWhenEveryTicketIsRefused();
    void triesAgainWhenTold();
    void renewsWhileOneLongCallRuns();
    void goesOnWithTheOldTicketWhenRenewalCannotBeReached();
    void tellsThatTheServerIsAwayAndNotThatTheOutcomeIsUnknown();
    void passesOnThatTheKeyringIsLocked();
    void stopsAfterThreeRefusedTokens();
    void readsTheTokenAgainAfterARefusal();
    void letsOneWhoStopsLeaveTheOthersAlone();
    void endsWhoWaitsWhenItGoes();
    void neverTellsASecret();
};

void SessionSignsIn::buysATicketAndSignsWithIt()
{
    Realm realm;
    QVERIFY(bool(realm.send()));
    QVERIFY(bool(realm.send(Method::Put)));
    QVERIFY(bool(realm.send(Method::Delete)));
    QCOMPARE(realm.signIns(), 1);
    QCOMPARE(Realm::field(realm.server.requests[0], "username"), QByteArray("root@pam"));
    QVERIFY(realm.server.requests[1].header("csrfpreventiontoken").isEmpty());
    QVERIFY(realm.server.requests[1].header("authorization").isEmpty());
}

void SessionSignsIn::signsInOnceForFiftyAtOnce()
{
    Realm realm;
    QVERIFY(realm.readFiftyAtOnce());
    QCOMPARE(realm.signIns(), 1);
    realm.clock.advance(std::chrono::minutes(101));
    QVERIFY(realm.readFiftyAtOnce());
    QCOMPARE(realm.signIns(), 2);
}

// R12
void SessionSignsIn::mendsFiftyAtOnceWithOneSignIn()
{
    Realm realm;
    QVERIFY(bool(realm.send()));
    realm.valid = "expired by the server";
    QVERIFY(realm.readFiftyAtOnce());
    QCOMPARE(realm.signIns(), 2);
}

// R12
void SessionSignsIn::renewsTheTicketWithItselfBeforeItAges()
{
    Realm realm;
    QVERIFY(bool(realm.send()));
    const auto first = realm.valid;
    realm.clock.advance(std::chrono::minutes(99));
    QVERIFY(bool(realm.send()));
    QCOMPARE(realm.signIns(), 1);
    realm.clock.advance(std::chrono::minutes(2));
    QVERIFY(bool(realm.send(Method::Post)));
    QCOMPARE(realm.signIns(), 2);
    QCOMPARE(Realm::field(realm.server.requests[3], "password"), first);
}

void SessionSignsIn::buysANewTicketAfterALongSleep()
{
    Realm realm;
    QVERIFY(bool(realm.send()));
    realm.clock.advance(std::chrono::hours(9));
    QVERIFY(bool(realm.send(Method::Put)));
    QCOMPARE(realm.signIns(), 2);
    QCOMPARE(Realm::field(realm.server.requests[2], "password"), QByteArray("p&ss=w+rd ü"));
}

// R12, T25
void SessionSignsIn::believesTheWallClockWhenTheComputerSlept()
{
    Realm realm;
    QVERIFY(bool(realm.send()));
    realm.clock.wall += 3 * 60 * 60 * 1000; // the monotonic clock stood still
    QVERIFY(bool(realm.send(Method::Put)));
    QCOMPARE(realm.signIns(), 2);
    realm.clock.wall -= 24 * 60 * 60 * 1000; // set back: the monotonic clock goes on
    realm.clock.monotonic += 101 * 60 * 1000;
    QVERIFY(bool(realm.send(Method::Put)));
    QCOMPARE(realm.signIns(), 3);
}

void SessionSignsIn::mendsA401OnAReadOnce()
{
    Realm realm;
    QVERIFY(bool(realm.send()));
    realm.valid = "expired by the server";
    QVERIFY(bool(realm.send()));
    QCOMPARE(realm.signIns(), 2);
    QVERIFY(!realm.session->halted());
}

void SessionSignsIn::neverRepeatsAWriteAfterA401()
{
    Realm realm;
    QVERIFY(bool(realm.send()));
    realm.valid = "expired by the server";
    const auto refused = realm.send(Method::Put);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Error::Kind::Unauthorized);
    QCOMPARE(realm.server.arrived("PUT"), 1);
    QVERIFY(bool(realm.send(Method::Put)));
    QCOMPARE(realm.signIns(), 2);
}

// R13
void SessionSignsIn::stopsAfterThreeRefusedPasswords()
{
    Realm realm;
    realm.keep("wrong");
    for (int i = 0; i < 20; ++i) {
        const auto answer = realm.send(i % 2 ? Method::Get : Method::Post);
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Unauthorized);
        QVERIFY2(answer.error().message.contains(QLatin1String("authentication failure")),
                 qPrintable(answer.error().message));
    }
    QCOMPARE(realm.signIns(), 3);
    QCOMPARE(realm.server.requests.size(), size_t(3));
}

// R13
void SessionSignsIn::stopsWhenEveryTicketIsRefused()
{
    Realm realm;
    realm.server.script = [&](const auto &request) {
        auto reply = realm.answer(request);
        realm.valid = "none is";
        return reply;
    };
    for (int i = 0; i < 20; ++i)
        QCOMPARE(realm.send().error().kind, Error::Kind::Unauthorized);
    QCOMPARE(realm.signIns(), 3);
    QVERIFY(realm.session->halted().has_value());
}

void SessionSignsIn::triesAgainWhenTold()
{
    Realm realm;
    realm.keep("wrong");
    for (int i = 0; i < 5; ++i)
        QVERIFY(!realm.send());
    realm.keep("p&ss=w+rd ü");
    QVERIFY(!realm.send());
    realm.session->retry();
    QVERIFY(bool(realm.send()));
    QCOMPARE(realm.signIns(), 4);
}

// A06: the ticket lives 400 ms here; the job takes two and a half lives and nothing else is asked meanwhile
void SessionSignsIn::renewsWhileOneLongCallRuns()
{
    Realm realm;
    realm.client.reset();
    realm.session = std::make_unique<Session>(realm.remote, realm.transport, realm.secrets, Clock::system(),
                                              Session::Lives{200, 400});
    realm.client = std::make_unique<Client>(realm.transport, *realm.session);
    qint64 soldMs = 0;
    realm.server.script = [&](const auto &request) {
        const auto now = Clock::system().monotonicMs();
        if (!request.path.endsWith("/access/ticket") && now - soldMs > 400)
            return Realm::no("permission denied - invalid PVE ticket");
        const bool isOld = now - soldMs > 400 && Realm::field(request, "password") == realm.valid;
        auto reply = isOld ? Realm::no("authentication failure") : realm.answer(request);
        if (request.path.endsWith("/access/ticket"))
            soldMs = now;
        else if (request.method == "POST")
            reply.pieces[0].first = 1000;
        return reply;
    };
    QVERIFY(bool(realm.send(Method::Post)));
    const auto during = realm.signIns();
    QVERIFY2(during >= 3, qPrintable(QString::number(during)));
    QVERIFY(bool(realm.send(Method::Delete)));
    QCOMPARE(realm.server.arrived("DELETE"), 1);
    QCOMPARE(realm.passwordsSent(), 1);
}

void SessionSignsIn::goesOnWithTheOldTicketWhenRenewalCannotBeReached()
{
    Realm realm;
    QVERIFY(bool(realm.send()));
    realm.clock.advance(std::chrono::minutes(101));
    realm.server.script = [&](const auto &request) {
        return request.path.endsWith("/access/ticket") ? ScriptedServer::hangUp() : realm.answer(request);
    };
    QVERIFY(bool(realm.send(Method::Put)));
}

void SessionSignsIn::tellsThatTheServerIsAwayAndNotThatTheOutcomeIsUnknown()
{
    Realm realm;
    realm.server.script = [](const auto &) { return ScriptedServer::hangUp(); };
    const auto answer = realm.send(Method::Put);
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Unreachable);
    QCOMPARE(realm.server.requests.size(), size_t(1));
}

void SessionSignsIn::passesOnThatTheKeyringIsLocked()
{
    class Locked final : public SecretStore
    {
    public:
        Future<Secret> read(const QString &) override
        {
            return ready<Secret>(Error{Error::Kind::Unavailable, QStringLiteral("The keyring is locked.")});
        }
        Future<void> write(const QString &, const Secret &) override { return ready<void>({}); }
        Future<void> remove(const QString &) override { return ready<void>({}); }
    };
    Locked locked;
    for (const auto kind : {Remote::SignIn::Token, Remote::SignIn::Password}) {
        ScriptedServer server;
        auto remote = server.remote();
        remote.signIn = kind;
        HttpTransport transport(remote);
        Session session(remote, transport, locked);
        Client client(transport, session);
        const auto answer = await(client.send({Method::Get, {QStringLiteral("version")}}, {}));
        QCOMPARE(answer.error().kind, Error::Kind::Unavailable);
        QCOMPARE(server.connections, 0);
    }
}

// R13
void SessionSignsIn::stopsAfterThreeRefusedTokens()
{
    ScriptedServer server;
    MemoryStore secrets;
    const auto remote = server.remote();
    QVERIFY(bool(await(secrets.write(remote.secretKey(), Secret("revoked")))));
    HttpTransport transport(remote);
    Session session(remote, transport, secrets);
    Client client(transport, session);
    server.script = [](const auto &) { return Realm::no("Authentication failed!"); };
    for (int i = 0; i < 10; ++i)
        QCOMPARE(await(client.send({Method::Get, {QStringLiteral("version")}}, {})).error().kind,
                 Error::Kind::Unauthorized);
    QCOMPARE(server.requests.size(), size_t(3));
}

void SessionSignsIn::readsTheTokenAgainAfterARefusal()
{
    ScriptedServer server;
    MemoryStore secrets;
    const auto remote = server.remote();
    QVERIFY(bool(await(secrets.write(remote.secretKey(), Secret("old")))));
    HttpTransport transport(remote);
    Session session(remote, transport, secrets);
    Client client(transport, session);
    server.script = [](const auto &request) {
        return request.header("authorization").endsWith("=new") ? ScriptedServer::ok()
                                                                : Realm::no("Authentication failed!");
    };
    QVERIFY(!await(client.send({Method::Get, {QStringLiteral("version")}}, {})));
    QVERIFY(bool(await(secrets.write(remote.secretKey(), Secret("new")))));
    QVERIFY(bool(await(client.send({Method::Get, {QStringLiteral("version")}}, {}))));
}

void SessionSignsIn::letsOneWhoStopsLeaveTheOthersAlone()
{
    Realm realm;
    std::stop_source stop;
    auto first = std::make_shared<std::optional<Result<ApiAnswer>>>();
    auto second = std::make_shared<std::optional<Result<ApiAnswer>>>();
    awaiting::keep(realm.client->send({Method::Put, {QStringLiteral("version")}}, stop.get_token()), first);
    awaiting::keep(realm.client->send({Method::Get, {QStringLiteral("version")}}, {}), second);
    stop.request_stop();
    QVERIFY(first->has_value());
    QCOMPARE((**first).error().kind, Error::Kind::Cancelled);
    QVERIFY(waitUntil([&] { return second->has_value(); }));
    QVERIFY(bool(**second));
    QCOMPARE(realm.server.arrived("PUT"), 0);
}

void SessionSignsIn::endsWhoWaitsWhenItGoes()
{
    Realm realm;
    realm.server.script = [](const auto &) { return ScriptedServer::silence(); };
    auto place = std::make_shared<std::optional<Result<Session::Signature>>>();
    awaiting::keep(realm.session->sign(Method::Get, {}), place);
    QVERIFY(waitUntil([&] { return realm.signIns() == 1; }));
    realm.client.reset();
    realm.session.reset();
    QVERIFY(place->has_value());
    QCOMPARE((**place).error().kind, Error::Kind::Cancelled);
}

void SessionSignsIn::neverTellsASecret()
{
    Realm realm;
    realm.keep("CANARY-PASSWORD");
    const auto refused = realm.send();
    QVERIFY(!refused);
    QVERIFY(!(refused.error().message + refused.error().detail).contains(QLatin1String("CANARY")));
    realm.server.script = [](const auto &) { return ScriptedServer::ok(R"({"ticket":"CANARY-TICKET"})"); };
    const auto odd = realm.send();
    QVERIFY(!odd);
    QCOMPARE(odd.error().kind, Error::Kind::Malformed);
    QVERIFY(!(odd.error().message + odd.error().detail).contains(QLatin1String("CANARY")));
}

LABHELM_TEST(SessionSignsIn)
#include "SessionSignsIn.moc"
