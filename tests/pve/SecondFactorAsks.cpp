#include "support/TestMain.h"
#include "support/TicketServer.h"
#include <QSignalSpy>

/// A04: an account with a second factor is asked for its code, once, and the password is not tried again by itself.
class SecondFactorAsks : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void asksForNoPasswordAgainWhenASecondFactorIsNeeded();
    void signsInWithTheCodeOfASecondFactor_data();
    void signsInWithTheCodeOfASecondFactor();
    void takesARightCodeAfterAWrongOne();
    void stopsAfterThreeWrongCodes();
    void saysThatASecurityKeyNeedsABrowser();
    void asksAgainWhenAPersonStartsAnew();
};

// A04
void SecondFactorAsks::asksForNoPasswordAgainWhenASecondFactorIsNeeded()
{
    TicketServer realm;
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
void SecondFactorAsks::signsInWithTheCodeOfASecondFactor_data()
{
    QTest::addColumn<SecondFactor::Kind>("kind");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("sent");
    QTest::newRow("from an app") << SecondFactor::Kind::Totp << QByteArray(" 123 456 ") << QByteArray("totp:123456");
    QTest::newRow("a recovery key") << SecondFactor::Kind::Recovery << QByteArray("e7bc-4209")
                                    << QByteArray("recovery:e7bc-4209");
    QTest::newRow("from a YubiKey") << SecondFactor::Kind::Yubico << QByteArray("cccc") << QByteArray("yubico:cccc");
}

void SecondFactorAsks::signsInWithTheCodeOfASecondFactor()
{
    QFETCH(SecondFactor::Kind, kind);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, sent);
    TicketServer realm;
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
    QCOMPARE(TicketServer::field(second, "tfa-challenge"), challenge);
    QCOMPARE(TicketServer::field(second, "username"), QByteArray("root@pam"));
}

void SecondFactorAsks::takesARightCodeAfterAWrongOne()
{
    TicketServer realm;
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

void SecondFactorAsks::stopsAfterThreeWrongCodes()
{
    TicketServer realm;
    realm.askForACode(R"({"totp"%3Atrue})", "totp:123456");
    QVERIFY(!realm.send());
    for (int i = 0; i < 5; ++i)
        QVERIFY(!await(realm.session->answer(SecondFactor::Kind::Totp, Secret("000000"))));
    QVERIFY(!realm.send());
    QCOMPARE(realm.session->state(), Session::State::Halted);
    QCOMPARE(realm.signIns(), 4);
    QCOMPARE(realm.passwordsSent(), 1);
}

void SecondFactorAsks::saysThatASecurityKeyNeedsABrowser()
{
    TicketServer realm;
    realm.askForACode(R"({"webauthn"%3A{"x"%3A1},"totp"%3Afalse,"recovery"%3Anull})", "x");
    const auto answer = realm.send();
    QVERIFY(!answer);
    QVERIFY2(answer.error().message.contains(QLatin1String("security key")), qPrintable(answer.error().message));
    QVERIFY(realm.session->secondFactor()->kinds.isEmpty());
}

void SecondFactorAsks::asksAgainWhenAPersonStartsAnew()
{
    TicketServer realm;
    realm.askForACode(R"({"totp"%3Atrue})", "totp:123456");
    QVERIFY(!realm.send());
    realm.session->retry();
    QCOMPARE(realm.session->state(), Session::State::Trying);
    QVERIFY(!realm.send());
    QCOMPARE(realm.session->state(), Session::State::NeedsSecondFactor);
    QCOMPARE(realm.passwordsSent(), 2);
    QVERIFY(!await(realm.session->answer(SecondFactor::Kind::Yubico, Secret("x"))));
}

Q_DECLARE_METATYPE(SecondFactor::Kind)
LABHELM_TEST(SecondFactorAsks)
#include "SecondFactorAsks.moc"
