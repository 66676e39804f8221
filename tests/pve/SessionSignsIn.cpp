#include "base/StrictJson.h"
#include "pve/Client.h"
#include "pve/HttpTransport.h"
#include "pve/Session.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"
#include <QSignalSpy>
#include <QUrlQuery>

namespace
{
/// A server that sells tickets, and a client that has the password.
struct Realm {
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

    Realm() : remote(passwordRemote()), transport(remote)
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
}

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
    void asksForNoPasswordAgainWhenASecondFactorIsNeeded();
    void signsInWithTheCodeOfASecondFactor_data();
    void signsInWithTheCodeOfASecondFactor();
    void takesARightCodeAfterAWrongOne();
    void stopsAfterThreeWrongCodes();
    void saysThatASecurityKeyNeedsABrowser();
    void asksAgainWhenAPersonStartsAnew();
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

// A04
void SessionSignsIn::asksForNoPasswordAgainWhenASecondFactorIsNeeded()
{
    Realm realm;
    realm.server.script = [](const auto &) {
        return ScriptedServer::ok(
            R"({"NeedTFA":1,"ticket":"PVE:!tfa!{\"totp\"%3Atrue}:6B0D4906::QLG7","CSRFPreventionToken":"x","username":"tina@pve"})");
    };
    for (int i = 0; i < 3; ++i) {
        const auto answer = realm.send();
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Unauthorized);
        QVERIFY2(answer.error().message.contains(QLatin1String("second factor")), qPrintable(answer.error().message));
    }
    QCOMPARE(realm.server.requests.size(), size_t(1));
}

// A04
void SessionSignsIn::signsInWithTheCodeOfASecondFactor_data()
{
    QTest::addColumn<SecondFactor::Kind>("kind");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("sent");
    QTest::newRow("from an app") << SecondFactor::Kind::Totp << QByteArray(" 123 456 ") << QByteArray("totp:123456");
    QTest::newRow("a recovery key") << SecondFactor::Kind::Recovery << QByteArray("e7bc-4209")
                                    << QByteArray("recovery:e7bc-4209");
    QTest::newRow("from a YubiKey") << SecondFactor::Kind::Yubico << QByteArray("cccc") << QByteArray("yubico:cccc");
}

void SessionSignsIn::signsInWithTheCodeOfASecondFactor()
{
    QFETCH(SecondFactor::Kind, kind);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, sent);
    Realm realm;
    const auto challenge = realm.askForACode(R"({"totp"%3Atrue,"recovery"%3A[1,2],"yubico"%3Atrue})", sent);
    QSignalSpy changes(realm.session.get(), &Session::stateChanged);
    QVERIFY(!realm.send());
    QCOMPARE(realm.session->state(), Session::State::NeedsSecondFactor);
    QVERIFY(changes.count() >= 1);
    QVERIFY(realm.session->secondFactor()->kinds.contains(kind));
    const auto answered = await(realm.session->answer(kind, Secret(code)));
    QVERIFY2(bool(answered), answered ? "" : qPrintable(answered.error().message));
    QCOMPARE(realm.session->state(), Session::State::Trying);
    QVERIFY(bool(realm.send(Method::Put)));
    QCOMPARE(realm.signIns(), 2);
    const auto &second = realm.server.requests[1];
    QCOMPARE(Realm::field(second, "tfa-challenge"), challenge);
    QCOMPARE(Realm::field(second, "username"), QByteArray("root@pam"));
}

void SessionSignsIn::takesARightCodeAfterAWrongOne()
{
    Realm realm;
    realm.askForACode(R"({"totp"%3Atrue})", "totp:123456");
    QVERIFY(!realm.send());
    const auto wrong = await(realm.session->answer(SecondFactor::Kind::Totp, Secret("000000")));
    QVERIFY(!wrong);
    QCOMPARE(wrong.error().kind, Error::Kind::Unauthorized);
    QVERIFY2(!wrong.error().message.contains(QLatin1String("000000")), qPrintable(wrong.error().message));
    QCOMPARE(realm.session->state(), Session::State::NeedsSecondFactor);
    QVERIFY(bool(await(realm.session->answer(SecondFactor::Kind::Totp, Secret("123456")))));
    QVERIFY(bool(realm.send()));
    QCOMPARE(realm.passwordsSent(), 1);
}

void SessionSignsIn::stopsAfterThreeWrongCodes()
{
    Realm realm;
    realm.askForACode(R"({"totp"%3Atrue})", "totp:123456");
    QVERIFY(!realm.send());
    for (int i = 0; i < 5; ++i)
        QVERIFY(!await(realm.session->answer(SecondFactor::Kind::Totp, Secret("000000"))));
    QVERIFY(!realm.send());
    QCOMPARE(realm.session->state(), Session::State::Halted);
    QCOMPARE(realm.signIns(), 4);
    QCOMPARE(realm.passwordsSent(), 1);
}

void SessionSignsIn::saysThatASecurityKeyNeedsABrowser()
{
    Realm realm;
    realm.askForACode(R"({"webauthn"%3A{"x"%3A1},"totp"%3Afalse,"recovery"%3Anull})", "x");
    const auto answer = realm.send();
    QVERIFY(!answer);
    QVERIFY2(answer.error().message.contains(QLatin1String("security key")), qPrintable(answer.error().message));
    QVERIFY(realm.session->secondFactor()->kinds.isEmpty());
}

void SessionSignsIn::asksAgainWhenAPersonStartsAnew()
{
    Realm realm;
    realm.askForACode(R"({"totp"%3Atrue})", "totp:123456");
    QVERIFY(!realm.send());
    realm.session->retry();
    QCOMPARE(realm.session->state(), Session::State::Trying);
    QVERIFY(!realm.send());
    QCOMPARE(realm.session->state(), Session::State::NeedsSecondFactor);
    QCOMPARE(realm.passwordsSent(), 2);
    QVERIFY(!await(realm.session->answer(SecondFactor::Kind::Yubico, Secret("x"))));
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

Q_DECLARE_METATYPE(SecondFactor::Kind)
LABHELM_TEST(SessionSignsIn)
#include "SessionSignsIn.moc"
