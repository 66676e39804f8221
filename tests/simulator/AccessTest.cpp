#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

using namespace std::chrono_literals;

/// Users, groups, roles, grants, tokens and realms: what a change of one of them does to what others may.
class AccessTest : public QObject
{
    Q_OBJECT

    QByteArray bearer(const QString &token, const QString &secret)
    {
        return "Authorization: PVEAPIToken=" + token.toUtf8() + '=' + secret.toUtf8() + "\r\n";
    }
    /// Makes a token and returns the header that signs in with it.
    QByteArray made(const QByteArray &user, const QByteArray &name, const QByteArray &form)
    {
        const auto data = m_cluster->data("POST /access/users/" + user.toPercentEncoding() + "/token/" + name, form);
        return bearer(data[QLatin1String("full-tokenid")].toString(), data[QLatin1String("value")].toString());
    }
    int status(const QByteArray &call, const QByteArray &headers, const QByteArray &form = {})
    {
        return m_cluster->send(call, form, headers).status;
    }
    QByteArray ticket(const QByteArray &user, const QByteArray &password)
    {
        const QJsonValue data =
            m_cluster->send("POST /access/ticket", "username=" + user.toPercentEncoding() + "&password=" + password, {})
                .json()[QLatin1String("data")];
        return "Cookie: PVEAuthCookie=" + data[QLatin1String("ticket")].toString().toUtf8().toPercentEncoding() +
               "\r\nCSRFPreventionToken: " + data[QLatin1String("CSRFPreventionToken")].toString().toUtf8() + "\r\n";
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init()
    {
        m_cluster = std::make_unique<SimulatedCluster>();
        m_cluster->token = "root@pam!ci";
    }

    void aTokensSecretIsShownOnceAndOpensTheDoor();
    void aSeparatedTokenMayOnlyWhatItAndItsUserMay();
    void anUnseparatedTokenMayWhatItsUserMay();
    void takingTheSeparationAwayGivesTheUsersRights();
    void aTokenThatExpiredIsRefused();
    void aDeletedTokenIsRefusedAndItsGrantsAreGone();
    void aTokenIsNotTheUserItBelongsTo();
    void aTokenCannotMakeItselfATicketOrChangeAPassword();
    void aGroupGivesItsRightsToItsMembers();
    void whatIsGrantedToTheUserReplacesWhatTheGroupHas();
    void aRoleThatGoesTakesItsRightsAway();
    void aBuiltInRoleStaysAsItIs();
    void aGrantOnNothingIsRefused();
    void whoMayAllocateAPoolMayGrantOnIt();
    void aUserOfAGroupIsManagedByWhoeverManagesTheGroup();
    void aUserThatExpiredIsRefused();
    void aDeletedUserLeavesNothingBehind();
    void changingOnesPasswordAsksForTheOldOne();
    void aRealmIsListedBeforeSigningIn();
    void aRealmsPasswordIsNeverShown();
    void aStaleDigestOfTheRealmsIsRefused();
    void permissionsOfOthersNeedAnAuditor();
    void withoutQuorumNobodyIsAdded();
    void release8KnowsItsOwnPrivileges();
};

void AccessTest::aTokensSecretIsShownOnceAndOpensTheDoor()
{
    const auto header = made("operator@pve", "one", "privsep=0");
    QCOMPARE(status("GET /version", header), 200);
    const auto shown = m_cluster->call("GET /access/users/operator%40pve/token/one");
    QCOMPARE(shown.json()[QLatin1String("data")].toObject().keys(), (QStringList{"expire", "privsep"}));
    QVERIFY(made("operator@pve", "two", {}) != header);
}

void AccessTest::aSeparatedTokenMayOnlyWhatItAndItsUserMay()
{
    const auto header = made("operator@pve", "part", "privsep=1");
    QCOMPARE(status("GET /nodes/pve1/qemu/101/config", header), 403);
    // What the user has not the token cannot have, whatever is granted to it.
    QCOMPARE(
        m_cluster->call("PUT /access/acl", "path=/vms/101&roles=Administrator&tokens=operator%40pve%21part").status,
        200);
    QCOMPARE(status("GET /nodes/pve1/qemu/101/config", header), 200);
    QCOMPARE(status("PUT /nodes/pve1/qemu/101/config", header, "onboot=0"), 403);
    QCOMPARE(status("GET /nodes/pve1/qemu/120/config", header), 403);
}

void AccessTest::anUnseparatedTokenMayWhatItsUserMay()
{
    const auto header = made("operator@pve", "all", "privsep=0");
    QCOMPARE(status("GET /nodes/pve1/qemu/120/config", header), 200);
    QCOMPARE(status("PUT /nodes/pve1/qemu/120/config", header, "onboot=0"), 403);
}

void AccessTest::takingTheSeparationAwayGivesTheUsersRights()
{
    const auto header = made("operator@pve", "part", "comment=c");
    QCOMPARE(status("GET /nodes/pve1/qemu/120/config", header), 403);
    const auto changed = m_cluster->data("PUT /access/users/operator%40pve/token/part", "privsep=0").toObject();
    QCOMPARE(changed, (QJsonObject{{"privsep", "0"}, {"expire", 0}, {"comment", "c"}}));
    QCOMPARE(status("GET /nodes/pve1/qemu/120/config", header), 200);
}

void AccessTest::aTokenThatExpiredIsRefused()
{
    const auto until = QByteArray::number(m_cluster->world().now() + 60);
    const auto header = made("operator@pve", "brief", "privsep=0&expire=" + until);
    QCOMPARE(status("GET /version", header), 200);
    m_cluster->advance(2min);
    QCOMPARE(status("GET /version", header), 401);
    m_cluster->call("PUT /access/users/operator%40pve/token/brief", "delete=expire");
    QCOMPARE(status("GET /version", header), 200);
}

void AccessTest::aDeletedTokenIsRefusedAndItsGrantsAreGone()
{
    const auto header = made("operator@pve", "gone", {});
    m_cluster->call("PUT /access/acl", "path=/vms&roles=PVEVMUser&tokens=operator%40pve%21gone");
    QCOMPARE(m_cluster->call("DELETE /access/users/operator%40pve/token/gone").status, 200);
    QCOMPARE(status("GET /version", header), 401);
    for (const auto &grant : m_cluster->data("GET /access/acl").toArray())
        QVERIFY(grant[QLatin1String("ugid")].toString() != "operator@pve!gone");
    QCOMPARE(m_cluster->call("DELETE /access/users/operator%40pve/token/gone").reason,
             QByteArray("no such token 'gone' for user 'operator@pve'"));
}

void AccessTest::aTokenIsNotTheUserItBelongsTo()
{
    const auto header = made("operator@pve", "own", "privsep=0");
    QCOMPARE(status("GET /access/users/operator%40pve/token", header), 403);
    QCOMPARE(status("GET /access/users/operator%40pve/token", ticket("operator@pve", "operator")), 200);
}

void AccessTest::aTokenCannotMakeItselfATicketOrChangeAPassword()
{
    for (const auto *call : {"PUT /access/password", "POST /access/ticket", "POST /access/tfa/root%40pam"}) {
        const auto refused = m_cluster->call(call, "userid=root%40pam&username=root%40pam&password=homelab1&type=totp");
        QCOMPARE(refused.status, 403);
        QVERIFY(refused.reason.contains("not available with API token, need proper ticket."));
    }
}

void AccessTest::aGroupGivesItsRightsToItsMembers()
{
    QCOMPARE(m_cluster->call("POST /access/groups", "groupid=night&comment=Night+shift").status, 200);
    QCOMPARE(m_cluster->call("POST /access/users", "userid=nina%40pve&password=nina-nina&groups=night").status, 200);
    m_cluster->call("PUT /access/acl", "path=/vms/101&roles=PVEVMUser&groups=night");
    const auto nina = ticket("nina@pve", "nina-nina");
    QCOMPARE(status("GET /nodes/pve1/qemu/101/config", nina), 200);
    QCOMPARE(status("GET /nodes/pve1/qemu/120/config", nina), 403);
    QCOMPARE(m_cluster->data("GET /access/groups/night")[QLatin1String("members")].toArray(), QJsonArray{"nina@pve"});
    m_cluster->call("PUT /access/users/nina%40pve", "groups=");
    QCOMPARE(status("GET /nodes/pve1/qemu/101/config", nina), 403);
    m_cluster->call("PUT /access/users/nina%40pve", "groups=night&append=1");
    m_cluster->call("DELETE /access/groups/night");
    QCOMPARE(status("GET /nodes/pve1/qemu/101/config", nina), 403);
}

void AccessTest::whatIsGrantedToTheUserReplacesWhatTheGroupHas()
{
    m_cluster->call("POST /access/groups", "groupid=night");
    m_cluster->call("POST /access/users", "userid=nina%40pve&password=nina-nina&groups=night");
    m_cluster->call("PUT /access/acl", "path=/vms/101&roles=PVEVMAdmin&groups=night");
    m_cluster->call("PUT /access/acl", "path=/vms/101&roles=PowerOp&users=nina%40pve");
    const auto nina = ticket("nina@pve", "nina-nina");
    QCOMPARE(status("GET /nodes/pve1/qemu/101/config", nina), 200);
    QCOMPARE(status("PUT /nodes/pve1/qemu/101/config", nina, "onboot=0"), 403);
}

void AccessTest::aRoleThatGoesTakesItsRightsAway()
{
    QCOMPARE(m_cluster->call("POST /access/roles", "roleid=Looker&privs=VM.Audit").status, 200);
    m_cluster->call("POST /access/users", "userid=nina%40pve&password=nina-nina");
    m_cluster->call("PUT /access/acl", "path=/&roles=Looker&users=nina%40pve");
    const auto nina = ticket("nina@pve", "nina-nina");
    QCOMPARE(status("GET /nodes/pve1/qemu/101/config", nina), 200);
    QCOMPARE(m_cluster->call("PUT /access/roles/Looker", "privs=Sys.Audit&append=1").status, 200);
    QCOMPARE(m_cluster->data("GET /access/roles/Looker").toObject(), (QJsonObject{{"VM.Audit", 1}, {"Sys.Audit", 1}}));
    QCOMPARE(m_cluster->call("DELETE /access/roles/Looker").status, 200);
    QCOMPARE(status("GET /nodes/pve1/qemu/101/config", nina), 403);
}

void AccessTest::aBuiltInRoleStaysAsItIs()
{
    QCOMPARE(m_cluster->call("DELETE /access/roles/PVEVMUser").reason,
             QByteArray("auto-generated role 'PVEVMUser' cannot be deleted"));
    QCOMPARE(m_cluster->call("POST /access/roles", "roleid=pveMine&privs=VM.Audit").status, 400);
    QCOMPARE(m_cluster->call("POST /access/roles", "roleid=Mine&privs=VM.Everything").reason,
             QByteArray("create role failed: invalid privilege 'VM.Everything'"));
}

void AccessTest::aGrantOnNothingIsRefused()
{
    const auto refused = m_cluster->call("PUT /access/acl", "path=/nonsense&roles=PVEVMUser&users=operator%40pve");
    QCOMPARE(refused.status, 400);
    QCOMPARE(refused.json()[QLatin1String("errors")][QLatin1String("path")].toString(),
             QStringLiteral("invalid ACL path '/nonsense'"));
    QCOMPARE(
        m_cluster->call("PUT /access/acl", "path=/&roles=PVEVMUser").json()[QLatin1String("errors")].toObject().size(),
        3);
}

void AccessTest::whoMayAllocateAPoolMayGrantOnIt()
{
    m_cluster->call("PUT /access/acl", "path=/pool/media&roles=PVEPoolAdmin&users=operator%40pve");
    const auto header = ticket("operator@pve", "operator");
    QCOMPARE(status("PUT /access/acl", header, "path=/pool/media&roles=PVEVMUser&users=media%40pve"), 200);
    QCOMPARE(status("PUT /access/acl", header, "path=/pool/prod&roles=PVEVMUser&users=media%40pve"), 403);
}

void AccessTest::aUserOfAGroupIsManagedByWhoeverManagesTheGroup()
{
    m_cluster->call("POST /access/groups", "groupid=night");
    m_cluster->call("POST /access/users", "userid=nina%40pve&password=nina-nina&groups=night");
    m_cluster->call("PUT /access/acl", "path=/access/groups/night&roles=PVEUserAdmin&users=operator%40pve");
    const auto header = ticket("operator@pve", "operator");
    QCOMPARE(status("PUT /access/users/nina%40pve", header, "comment=x"), 200);
    QCOMPARE(status("PUT /access/users/media%40pve", header, "comment=x"), 403);
    QCOMPARE(m_cluster->send("GET /access/users", {}, header).json()[QLatin1String("data")].toArray().size(), 2);
}

void AccessTest::aUserThatExpiredIsRefused()
{
    const auto header = ticket("operator@pve", "operator");
    m_cluster->call("PUT /access/users/operator%40pve", "expire=" + QByteArray::number(m_cluster->world().now() + 60));
    QCOMPARE(status("GET /version", header), 200);
    m_cluster->advance(2min);
    QCOMPARE(status("GET /version", header), 401);
}

void AccessTest::aDeletedUserLeavesNothingBehind()
{
    m_cluster->call("POST /access/groups", "groupid=night");
    m_cluster->call("PUT /access/users/operator%40pve", "groups=night");
    QCOMPARE(m_cluster->call("DELETE /access/users/operator%40pve").status, 200);
    QCOMPARE(m_cluster->call("GET /access/users/operator%40pve").reason, QByteArray("no such user ('operator@pve')"));
    QVERIFY(m_cluster->data("GET /access/groups/night")[QLatin1String("members")].toArray().isEmpty());
    m_cluster->call("POST /access/users", "userid=operator%40pve&password=operator2");
    QCOMPARE(status("GET /nodes/pve1/qemu/101/config", ticket("operator@pve", "operator2")), 403);
}

void AccessTest::changingOnesPasswordAsksForTheOldOne()
{
    const auto header = ticket("operator@pve", "operator");
    const auto without = m_cluster->send("PUT /access/password", "userid=operator%40pve&password=new-password", header);
    QCOMPARE(without.status, 400);
    QVERIFY(without.json()[QLatin1String("errors")].toObject().contains("confirmation-password"));
    QCOMPARE(status("PUT /access/password", header,
                    "userid=operator%40pve&password=new-password&confirmation-password=guessed"),
             500);
    QCOMPARE(status("PUT /access/password", header,
                    "userid=operator%40pve&password=new-password&confirmation-password=operator"),
             200);
    QCOMPARE(status("GET /version", ticket("operator@pve", "new-password")), 200);
    QCOMPARE(status("GET /version", ticket("operator@pve", "operator")), 401);
}

void AccessTest::aRealmIsListedBeforeSigningIn()
{
    QCOMPARE(m_cluster->call("POST /access/domains", "realm=office&type=ldap&server1=10.0.0.9").reason,
             QByteArray("add auth server failed: missing value for required option 'base_dn'"));
    QCOMPARE(m_cluster
                 ->call("POST /access/domains",
                        "realm=office&type=ldap&server1=10.0.0.9&base_dn=dc%3Doffice&user_attr=uid&comment=Office&"
                        "default=1")
                 .status,
             200);
    const auto list = m_cluster->send("GET /access/domains", {}, {}).json()[QLatin1String("data")].toArray();
    QCOMPARE(list.size(), 3);
    QCOMPARE(list.last().toObject(),
             (QJsonObject{{"realm", "office"}, {"type", "ldap"}, {"comment", "Office"}, {"default", 1}}));
    QCOMPARE(m_cluster->call("DELETE /access/domains/office").status, 200);
    QCOMPARE(m_cluster->call("GET /access/domains/office").reason, QByteArray("domain 'office' does not exist"));
}

void AccessTest::aRealmsPasswordIsNeverShown()
{
    m_cluster->call("POST /access/domains", "realm=office&type=ldap&server1=10.0.0.9&base_dn=dc%3Doffice&user_attr=uid&"
                                            "bind_dn=cn%3Dreader&password=secret-word");
    const auto shown = m_cluster->call("GET /access/domains/office");
    QCOMPARE(shown.json()[QLatin1String("data")][QLatin1String("bind_dn")].toString(), QStringLiteral("cn=reader"));
    QVERIFY(!shown.body.contains("secret-word"));
}

void AccessTest::aStaleDigestOfTheRealmsIsRefused()
{
    m_cluster->call("POST /access/domains", "realm=office&type=openid&issuer-url=https://id.test&client-id=pve");
    const auto digest = m_cluster->data("GET /access/domains/office")[QLatin1String("digest")].toString().toUtf8();
    QCOMPARE(m_cluster->call("PUT /access/domains/office", "comment=a&digest=" + digest).status, 200);
    QCOMPARE(m_cluster->call("PUT /access/domains/office", "comment=b&digest=" + digest).status, 500);
    QCOMPARE(m_cluster->data("GET /access/domains/office")[QLatin1String("comment")].toString(), QStringLiteral("a"));
}

void AccessTest::permissionsOfOthersNeedAnAuditor()
{
    const auto header = ticket("operator@pve", "operator");
    QCOMPARE(status("GET /access/permissions?userid=media%40pve", header), 403);
    QCOMPARE(status("GET /access/permissions?userid=operator%40pve", header), 200);
    QCOMPARE(m_cluster->data("GET /access/permissions?userid=operator%40pve&path=/vms/101")[QLatin1String("/vms/101")]
                 .toObject(),
             (QJsonObject{{"VM.Audit", 1}, {"VM.PowerMgmt", 1}}));
}

void AccessTest::withoutQuorumNobodyIsAdded()
{
    m_cluster->world().quorate = false;
    QCOMPARE(m_cluster->call("POST /access/users", "userid=nina%40pve&password=nina-nina").reason,
             QByteArray("create user failed: cfs-lock 'file-user_cfg' error: no quorum!"));
    QVERIFY(!m_cluster->world().access.user("nina@pve"));
}

void AccessTest::release8KnowsItsOwnPrivileges()
{
    QVERIFY(m_cluster->data("GET /access/roles/Administrator").toObject().contains("VM.GuestAgent.Audit"));
    Simulator::Options options;
    options.version = 8;
    SimulatedCluster old(options);
    const auto held = old.data("GET /access/roles/Administrator").toObject();
    QVERIFY(held.contains("VM.Monitor") && !held.contains("VM.GuestAgent.Audit") && !held.contains("VM.Replicate"));
    QCOMPARE(old.call("POST /access/roles", "roleid=Mine&privs=VM.Replicate").status, 500);
    QCOMPARE(old.call("PUT /access/users/labhelm%40pve/token/desktop", "delete=comment").status, 400);
}

LABHELM_TEST(AccessTest)
#include "AccessTest.moc"
