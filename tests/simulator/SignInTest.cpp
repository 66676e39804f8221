#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QElapsedTimer>
#include <QJsonArray>

using namespace std::chrono_literals;

/// Tickets, tokens, and what each may see.
class SignInTest : public QObject
{
    Q_OBJECT

    struct Ticket {
        QByteArray cookie;
        QByteArray csrf;
    };
    Ticket signIn(const QByteArray &user, const QByteArray &password)
    {
        const QJsonValue data =
            m_cluster
                ->send("POST /access/ticket",
                       "username=" + user.toPercentEncoding() + "&password=" + password.toPercentEncoding(), {})
                .json()[QLatin1String("data")];
        return {data[QLatin1String("ticket")].toString().toUtf8(),
                data[QLatin1String("CSRFPreventionToken")].toString().toUtf8()};
    }
    static QByteArray headers(const Ticket &ticket)
    {
        return "Cookie: PVEAuthCookie=" + ticket.cookie.toPercentEncoding() +
               "\r\nCSRFPreventionToken: " + ticket.csrf + "\r\n";
    }
    QStringList visibleGuests()
    {
        QStringList found;
        for (const auto &row : m_cluster->data("GET /cluster/resources?type=vm").toArray())
            found.append(row[QLatin1String("id")].toString());
        return found;
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void aTicketLivesTwoHours();
    void aTicketIsThePasswordForItsRenewal();
    void aChangeNeedsTheTokenThatCameWithTheTicket();
    void expiringTicketsEndsThemAll();
    void aWrongPasswordIsAnsweredLate();
    void aDisabledUserIsRefused();
    void aSeparatedTokenWithoutGrantsMayNothing();
    void anAuditorLooksAndChangesNothing();
    void aPoolsTokenSeesItsPoolAlone();
    void anOperatorStartsButDoesNotConfigure();
};

void SignInTest::aTicketLivesTwoHours()
{
    const auto ticket = signIn("root@pam", Homelab::rootPassword.toUtf8());
    m_cluster->advance(110min);
    QCOMPARE(m_cluster->send("GET /version", {}, headers(ticket)).status, 200);
    m_cluster->advance(20min);
    const auto late = m_cluster->send("GET /version", {}, headers(ticket));
    QCOMPARE(late.status, 401);
    QCOMPARE(late.reason, QByteArray("Authentication failed!"));
    QVERIFY(late.body.isEmpty() && late.header("Content-Length").isEmpty());
}

void SignInTest::aTicketIsThePasswordForItsRenewal()
{
    const auto first = signIn("root@pam", Homelab::rootPassword.toUtf8());
    m_cluster->advance(110min);
    const auto second = signIn("root@pam", first.cookie);
    QVERIFY(!second.cookie.isEmpty() && second.cookie != first.cookie);
    m_cluster->advance(100min);
    QCOMPARE(m_cluster->send("GET /version", {}, headers(second)).status, 200);
    QVERIFY(signIn("root@pam", first.cookie).cookie.isEmpty());
    QVERIFY(signIn("operator@pve", second.cookie).cookie.isEmpty());
}

void SignInTest::aChangeNeedsTheTokenThatCameWithTheTicket()
{
    auto ticket = signIn("root@pam", Homelab::rootPassword.toUtf8());
    QCOMPARE(m_cluster->send("PUT /nodes/pve1/qemu/101/config", "onboot=1", headers(ticket)).status, 200);
    ticket.csrf = "6B0D3F4C:AAAA";
    const auto refused = m_cluster->send("PUT /nodes/pve1/qemu/101/config", "onboot=1", headers(ticket));
    QCOMPARE(refused.status, 401);
    QCOMPARE(refused.reason, QByteArray("Permission denied - invalid csrf token"));
}

void SignInTest::expiringTicketsEndsThemAll()
{
    const auto ticket = signIn("root@pam", Homelab::rootPassword.toUtf8());
    m_cluster->world().access.expireTickets();
    QCOMPARE(m_cluster->send("GET /version", {}, headers(ticket)).status, 401);
    QCOMPARE(m_cluster->call("GET /version").status, 200);
}

void SignInTest::aWrongPasswordIsAnsweredLate()
{
    Simulator::Options options;
    options.refusalDelay = 80ms;
    SimulatedCluster slow(options);
    QElapsedTimer watch;
    watch.start();
    const auto answer = slow.send("POST /access/ticket", "username=root%40pam&password=wrong", {});
    QCOMPARE(answer.reason, QByteArray("authentication failure"));
    QVERIFY(watch.elapsed() >= 80);
}

void SignInTest::aDisabledUserIsRefused()
{
    const auto answer = m_cluster->send("POST /access/ticket", "username=former%40pve&password=former-password", {});
    QCOMPARE(answer.status, 401);
}

void SignInTest::aSeparatedTokenWithoutGrantsMayNothing()
{
    m_cluster->token = QStringLiteral("labhelm@pve!bare");
    QCOMPARE(m_cluster->call("GET /version").status, 200);
    QVERIFY(visibleGuests().isEmpty());
    const auto refused = m_cluster->call("GET /nodes/pve1/qemu/101/config");
    QCOMPARE(refused.status, 403);
    QCOMPARE(refused.reason, QByteArray("Permission check failed (/vms/101, VM.Audit)"));
    QCOMPARE(m_cluster->data("GET /access/permissions").toObject(), QJsonObject());
}

void SignInTest::anAuditorLooksAndChangesNothing()
{
    m_cluster->token = QStringLiteral("auditor@pve!view");
    QCOMPARE(visibleGuests().size(), 41);
    QCOMPARE(m_cluster->call("GET /nodes/pve1/status").status, 200);
    const auto refused = m_cluster->call("POST /nodes/pve1/qemu/120/status/start");
    QCOMPARE(refused.status, 403);
    QCOMPARE(refused.reason, QByteArray("Permission check failed (/vms/120, VM.PowerMgmt)"));
    QCOMPARE(m_cluster->world().guest(120)->run, Guest::Run::Stopped);
}

void SignInTest::aPoolsTokenSeesItsPoolAlone()
{
    m_cluster->token = QStringLiteral("media@pve!pool");
    QCOMPARE(visibleGuests(), (QStringList{"lxc/104", "lxc/106", "lxc/107", "lxc/205"}));
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/101/status/current").status, 403);
    const auto nodes = m_cluster->data("GET /nodes").toArray();
    QCOMPARE(nodes.size(), 3);
    QVERIFY(!nodes[0].toObject().contains(QLatin1String("cpu")));
    QVERIFY(m_cluster->data("GET /cluster/tasks").toArray().isEmpty());
}

void SignInTest::anOperatorStartsButDoesNotConfigure()
{
    const auto ticket = headers(signIn("operator@pve", Homelab::operatorPassword.toUtf8()));
    QCOMPARE(m_cluster->send("POST /nodes/pve1/qemu/120/status/start", {}, ticket).status, 200);
    const auto refused = m_cluster->send("PUT /nodes/pve1/qemu/101/config", "cores=2", ticket);
    QCOMPARE(refused.status, 403);
    const auto tasks =
        m_cluster->send("GET /nodes/pve1/tasks?source=all", {}, ticket).json()[QLatin1String("data")].toArray();
    QCOMPARE(tasks.size(), 1);
}

LABHELM_TEST(SignInTest)
#include "SignInTest.moc"
