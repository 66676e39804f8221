#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

using namespace std::chrono_literals;

/// One-time passwords and recovery codes: setting them up and signing in with them.
class SecondFactorTest : public QObject
{
    Q_OBJECT

    static constexpr const char *uri = "otpauth%3A%2F%2Ftotp%2Foperator%3Fsecret%3DGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    RawAnswer signIn(const QByteArray &password, const QByteArray &challenge = {})
    {
        auto form = "username=operator%40pve&password=" + password.toPercentEncoding();
        if (!challenge.isEmpty())
            form += "&tfa-challenge=" + challenge.toPercentEncoding();
        return m_cluster->send("POST /access/ticket", form, {});
    }
    static QByteArray session(const RawAnswer &answer)
    {
        const QJsonValue data = answer.json()[QLatin1String("data")];
        return "Cookie: PVEAuthCookie=" + data[QLatin1String("ticket")].toString().toUtf8().toPercentEncoding() +
               "\r\nCSRFPreventionToken: " + data[QLatin1String("CSRFPreventionToken")].toString().toUtf8() + "\r\n";
    }
    QByteArray code(std::chrono::seconds later = 0s)
    {
        const auto totp = Totp::fromUri(QUrl::fromPercentEncoding(uri));
        return totp->code(m_cluster->world().now() + later.count()).toUtf8();
    }
    RawAnswer setUp(const QByteArray &headers, const QByteArray &value)
    {
        return m_cluster->send(
            "POST /access/tfa/operator%40pve",
            QByteArray("type=totp&description=phone&password=operator&totp=") + uri + "&value=" + value, headers);
    }
    /// Sets one-time passwords up and returns a challenge.
    QByteArray challenged()
    {
        setUp(session(signIn("operator")), code());
        m_cluster->advance(1min);
        return signIn("operator").json()[QLatin1String("data")][QLatin1String("ticket")].toString().toUtf8();
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void knowsTheCodesOfTheStandard();
    void aUserWithOneTimePasswordsMustAnswerTheChallenge();
    void aChallengeIsNoTicket();
    void aWrongCodeIsRefusedWithoutSayingWhy();
    void aCodeWithoutItsPrefixIsRefused();
    void aCodeIsGoodOnce();
    void aChallengeIsForItsUserAlone();
    void aRenewalAsksForNoSecondFactor();
    void setUpNeedsARightCodeAndThePassword();
    void aRecoveryCodeIsGoodOnce();
    void tooManyWrongCodesLockTheUser();
    void removingTheLastFactorEndsTheChallenge();
    void aFactorOfOthersIsSeenByWhoManagesUsers();
};

void SecondFactorTest::knowsTheCodesOfTheStandard()
{
    // RFC 6238, appendix B.
    const auto of = [](const char *secret, const char *algorithm, qint64 time) {
        const auto totp = Totp::fromUri(QStringLiteral("otpauth://totp/x?digits=8&secret=%1&algorithm=%2")
                                            .arg(QLatin1String(secret), QLatin1String(algorithm)));
        return totp->code(time);
    };
    const auto *key20 = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    const auto *key32 = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA";
    QCOMPARE(of(key20, "SHA1", 59), QStringLiteral("94287082"));
    QCOMPARE(of(key20, "SHA1", 20000000000), QStringLiteral("65353130"));
    QCOMPARE(of(key32, "SHA256", 1111111109), QStringLiteral("68084774"));
}

void SecondFactorTest::aUserWithOneTimePasswordsMustAnswerTheChallenge()
{
    const auto challenge = challenged();
    QVERIFY(challenge.startsWith("PVE:!tfa!{\"totp\"%3Atrue}:"));
    const auto first = signIn("operator").json()[QLatin1String("data")].toObject();
    QCOMPARE(first[QLatin1String("NeedTFA")].toInt(), 1);
    QVERIFY(!first.contains("cap"));
    const auto second = signIn("totp:" + code(), challenge);
    QCOMPARE(second.status, 200);
    QVERIFY(second.json()[QLatin1String("data")].toObject().contains("cap"));
    QCOMPARE(m_cluster->send("GET /version", {}, session(second)).status, 200);
}

void SecondFactorTest::aChallengeIsNoTicket()
{
    const auto challenge = challenged();
    QCOMPARE(
        m_cluster->send("GET /version", {}, "Cookie: PVEAuthCookie=" + challenge.toPercentEncoding() + "\r\n").status,
        401);
    QCOMPARE(signIn(challenge).status, 401);
}

void SecondFactorTest::aWrongCodeIsRefusedWithoutSayingWhy()
{
    const auto refused = signIn("totp:000000", challenged());
    QCOMPARE(refused.status, 401);
    QCOMPARE(refused.json()[QLatin1String("message")].toString(), QStringLiteral("authentication failure\n"));
}

void SecondFactorTest::aCodeWithoutItsPrefixIsRefused()
{
    const auto challenge = challenged();
    QCOMPARE(signIn(code(), challenge).status, 401);
    QCOMPARE(signIn("totp:" + code(), challenge).status, 200);
}

void SecondFactorTest::aCodeIsGoodOnce()
{
    const auto challenge = challenged();
    const auto used = code();
    QCOMPARE(signIn("totp:" + used, challenge).status, 200);
    QCOMPARE(signIn("totp:" + used, challenge).status, 401);
    // A clock that is half a minute ahead is let pass.
    QCOMPARE(signIn("totp:" + code(30s), challenge).status, 200);
}

void SecondFactorTest::aChallengeIsForItsUserAlone()
{
    const auto challenge = challenged();
    const auto answer = m_cluster->send(
        "POST /access/ticket",
        "username=root%40pam&password=totp%3A" + code() + "&tfa-challenge=" + challenge.toPercentEncoding(), {});
    QCOMPARE(answer.status, 401);
}

void SecondFactorTest::aRenewalAsksForNoSecondFactor()
{
    const auto ticket = signIn("totp:" + code(), challenged())
                            .json()[QLatin1String("data")][QLatin1String("ticket")]
                            .toString()
                            .toUtf8();
    m_cluster->advance(100min);
    QCOMPARE(signIn(ticket).json()[QLatin1String("data")].toObject().contains("NeedTFA"), false);
}

void SecondFactorTest::setUpNeedsARightCodeAndThePassword()
{
    const auto headers = session(signIn("operator"));
    QCOMPARE(setUp(headers, "000000").reason, QByteArray("failed to verify TOTP challenge"));
    const auto without = m_cluster->send("POST /access/tfa/operator%40pve",
                                         QByteArray("type=totp&totp=") + uri + "&value=" + code(), headers);
    QCOMPARE(without.json()[QLatin1String("errors")].toObject().keys(), QStringList{"password"});
    QCOMPARE(m_cluster->data("GET /access/tfa").toArray().size(), 0);
    QCOMPARE(setUp(headers, code()).status, 200);
    QCOMPARE(m_cluster->data("GET /access/tfa").toArray().size(), 1);
}

void SecondFactorTest::aRecoveryCodeIsGoodOnce()
{
    const auto challenge = challenged();
    const auto headers = session(signIn("totp:" + code(), challenge));
    const auto codes = m_cluster->send("POST /access/tfa/operator%40pve", "type=recovery&password=operator", headers)
                           .json()[QLatin1String("data")][QLatin1String("recovery")]
                           .toArray();
    QCOMPARE(codes.size(), 10);
    const auto next = signIn("operator").json()[QLatin1String("data")][QLatin1String("ticket")].toString().toUtf8();
    QVERIFY(next.contains("\"recovery\"%3A[0,1,2,3,4,5,6,7,8,9]"));
    QCOMPARE(signIn("recovery:" + codes[3].toString().toUtf8(), next).status, 200);
    QCOMPARE(signIn("recovery:" + codes[3].toString().toUtf8(), next).status, 401);
    QVERIFY(signIn("operator")
                .json()[QLatin1String("data")][QLatin1String("ticket")]
                .toString()
                .contains("[0,1,2,4,5,6,7,8,9]"));
}

void SecondFactorTest::tooManyWrongCodesLockTheUser()
{
    const auto challenge = challenged();
    for (int i = 0; i < SecondFactors::patience; ++i)
        QCOMPARE(signIn("totp:000000", challenge).status, 401);
    QCOMPARE(signIn("totp:" + code(), challenge).status, 401);
    QCOMPARE(signIn("operator").status, 401);
    QVERIFY(m_cluster->data("GET /access/tfa").toArray()[0].toObject()[QLatin1String("totp-locked")].toBool());
    QCOMPARE(m_cluster->data("PUT /access/users/operator%40pve/unlock-tfa").toInt(), 1);
    QCOMPARE(signIn("totp:" + code(),
                    signIn("operator").json()[QLatin1String("data")][QLatin1String("ticket")].toString().toUtf8())
                 .status,
             200);
}

void SecondFactorTest::removingTheLastFactorEndsTheChallenge()
{
    const auto headers = session(signIn("totp:" + code(), challenged()));
    const auto id =
        m_cluster->data("GET /access/tfa/operator%40pve").toArray()[0][QLatin1String("id")].toString().toUtf8();
    QCOMPARE(m_cluster->send("DELETE /access/tfa/operator%40pve/" + id + "?password=operator", {}, headers).status,
             200);
    QVERIFY(signIn("operator").json()[QLatin1String("data")].toObject().contains("cap"));
    QCOMPARE(m_cluster->call("GET /access/tfa/operator%40pve/" + id).status, 404);
}

void SecondFactorTest::aFactorOfOthersIsSeenByWhoManagesUsers()
{
    const auto headers = session(signIn("totp:" + code(), challenged()));
    QCOMPARE(m_cluster->send("GET /access/tfa", {}, headers).json()[QLatin1String("data")].toArray().size(), 1);
    m_cluster->token = "media@pve!pool";
    QCOMPARE(m_cluster->data("GET /access/tfa").toArray().size(), 0);
    QCOMPARE(m_cluster->call("GET /access/tfa/operator%40pve").status, 403);
}

LABHELM_TEST(SecondFactorTest)
#include "SecondFactorTest.moc"
