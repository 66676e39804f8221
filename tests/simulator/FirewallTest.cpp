#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

/// Rules, options, aliases, IP sets and security groups: of the cluster, a node and a guest.
class FirewallTest : public QObject
{
    Q_OBJECT

    static constexpr const char *vm = "/nodes/pve1/qemu/101/firewall";
    static constexpr const char *rules = "/nodes/pve1/qemu/101/firewall/rules";

    QJsonArray list(const QByteArray &path) { return m_cluster->data("GET " + path).toArray(); }
    QStringList comments(const QByteArray &path = rules)
    {
        QStringList found;
        for (const auto &row : list(path))
            found.append(row[QLatin1String("comment")].toString());
        return found;
    }
    void add(const QByteArray &comment, const QByteArray &more = {}, const QByteArray &path = rules)
    {
        const auto answer = m_cluster->call("POST " + path, "type=in&action=ACCEPT&comment=" + comment + more);
        QVERIFY2(answer.status == 200, answer.body.constData());
    }
    QJsonObject errors(const QByteArray &form, const QByteArray &path = rules)
    {
        const auto answer = m_cluster->call("POST " + path, form);
        return answer.status == 400 ? answer.json()[QLatin1String("errors")].toObject()
                                    : QJsonObject{{"status", answer.status}};
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void aNewRuleStandsBeforeAllOthers();
    void aRuleMovesBeforeTheOneThatIsThere();
    void aStaleDigestIsRefused();
    void anEmptyValueRemovesWhatTheRuleSaid();
    void aRuleWithoutEnableIsOff();
    void aRuleKnowsItsIpVersion();
    void aRuleThatCannotBeIsRefusedWithItsReason();
    void aPositionThatIsNoneIsRefused();
    void optionsAreKeptWithTheirTypes();
    void aSetThatIsUsedIsNamedByRules();
    void aSetWithEntriesStaysUnlessForced();
    void anEntryIsAddressedWithItsSlash();
    void aNameOfAnAliasIgnoresCase();
    void aSecurityGroupHasRulesOfItsOwn();
    void eachPlaceHasItsOwnRules();
    void whatAGuestMayNameIsItsOwnAndTheClusters();
    void whoMayNotChangeTheNetworkChangesNoRule();
    void theRulesOfAGuestGoWithIt();
    void withoutQuorumNoRuleIsKept();
};

void FirewallTest::aNewRuleStandsBeforeAllOthers()
{
    add("one");
    add("two", "&pos=5");
    QCOMPARE(comments(), (QStringList{"two", "one"}));
    QCOMPARE(list(rules)[1][QLatin1String("pos")].toInt(), 1);
    QCOMPARE(m_cluster->data(QByteArray("GET ") + rules + "/1")[QLatin1String("pos")].toString(), QStringLiteral("1"));
}

void FirewallTest::aRuleMovesBeforeTheOneThatIsThere()
{
    for (const auto *name : {"d", "c", "b", "a"})
        add(name);
    const auto move = [this](const char *from, const char *to) {
        m_cluster->call(QByteArray("PUT ") + rules + '/' + from, QByteArray("moveto=") + to + "&comment=ignored");
    };
    move("0", "2");
    QCOMPARE(comments(), (QStringList{"b", "a", "c", "d"}));
    move("3", "0");
    QCOMPARE(comments(), (QStringList{"d", "b", "a", "c"}));
    move("0", "99");
    QCOMPARE(comments(), (QStringList{"b", "a", "c", "d"}));
}

void FirewallTest::aStaleDigestIsRefused()
{
    add("one");
    const auto digest = list(rules)[0][QLatin1String("digest")].toString().toUtf8();
    add("two");
    for (const QByteArray call : {"PUT ", "DELETE "}) {
        const auto query = call == "DELETE " ? "?digest=" + digest : QByteArray();
        const auto form = call == "PUT " ? "comment=x&digest=" + digest : QByteArray();
        const auto refused = m_cluster->call(call + rules + "/0" + query, form);
        QCOMPARE(refused.reason,
                 QByteArray("detected modified configuration - file changed by other user? Try again."));
    }
    QCOMPARE(comments(), (QStringList{"two", "one"}));
    const auto fresh = list(rules)[0][QLatin1String("digest")].toString().toUtf8();
    QCOMPARE(m_cluster->call(QByteArray("DELETE ") + rules + "/0?digest=" + fresh).status, 200);
    QCOMPARE(comments(), QStringList{"one"});
}

void FirewallTest::anEmptyValueRemovesWhatTheRuleSaid()
{
    add("one", "&proto=tcp&dport=22&source=10.0.0.1");
    m_cluster->call(QByteArray("PUT ") + rules + "/0", "source=&delete=comment");
    const auto rule = list(rules)[0].toObject();
    QVERIFY(!rule.contains("source") && !rule.contains("comment") && !rule.contains("ipversion"));
    QCOMPARE(rule[QLatin1String("dport")].toString(), QStringLiteral("22"));
    QCOMPARE(m_cluster->call(QByteArray("PUT ") + rules + "/0", "delete=action").status, 400);
}

void FirewallTest::aRuleWithoutEnableIsOff()
{
    add("off");
    add("on", "&enable=1");
    QCOMPARE(list(rules)[0][QLatin1String("enable")].toInt(-1), 1);
    QCOMPARE(list(rules)[1][QLatin1String("enable")].toInt(-1), 0);
}

void FirewallTest::aRuleKnowsItsIpVersion()
{
    add("six", "&source=fd00::1");
    add("four", "&source=10.0.0.0/8");
    add("any");
    QVERIFY(!list(rules)[0].toObject().contains("ipversion"));
    QCOMPARE(list(rules)[1][QLatin1String("ipversion")].toInt(), 4);
    QCOMPARE(list(rules)[2][QLatin1String("ipversion")].toInt(), 6);
}

void FirewallTest::aRuleThatCannotBeIsRefusedWithItsReason()
{
    const QByteArray in = "type=in&action=ACCEPT&";
    QCOMPARE(errors(in + "dport=22"), (QJsonObject{{"proto", "missing property - 'dport' requires this property"}}));
    QCOMPARE(errors(in + "dport=22&proto=icmp&icmp-type=echo-request").keys(), QStringList{"icmp-type"});
    QCOMPARE(errors(in + "dport=22&proto=gre"), (QJsonObject{{"dport", "protocol 'gre' does not support ports"}}));
    QCOMPARE(errors(in + "dport=70000&proto=tcp").keys(), QStringList{"dport"});
    QCOMPARE(errors(in + "source=%2Bnobody"), (QJsonObject{{"source", "no such ipset 'nobody'"}}));
    QCOMPARE(errors(in + "source=nobody"), (QJsonObject{{"source", "no such alias 'nobody'"}}));
    QCOMPARE(errors(in + "source=10.0.0.0/99").keys(), QStringList{"source"});
    QCOMPARE(errors(in + "source=10.0.0.1&dest=fd00::1").size(), 1);
    QCOMPARE(errors(in + "iface=eth0"), (QJsonObject{{"iface", "value does not match the regex pattern 'net\\d+'"}}));
    QCOMPARE(errors(in + "macro=Nonsense"), (QJsonObject{{"macro", "unknown macro 'Nonsense'"}}));
    QCOMPARE(errors("type=group&action=nobody").keys(), QStringList{"action"});
    QVERIFY(comments().isEmpty());
    QCOMPARE(errors(in + "macro=ssh"), (QJsonObject{{"status", 200}}));
    QCOMPARE(list(rules)[0][QLatin1String("macro")].toString(), QStringLiteral("SSH"));
}

void FirewallTest::aPositionThatIsNoneIsRefused()
{
    for (const QByteArray call : {"GET ", "PUT ", "DELETE "})
        QCOMPARE(m_cluster->call(call + rules + "/0", call == "PUT " ? "comment=x" : "").reason,
                 QByteArray("no rule at position 0"));
}

void FirewallTest::optionsAreKeptWithTheirTypes()
{
    const auto before = m_cluster->data(QByteArray("GET ") + vm + "/options").toObject();
    QCOMPARE(before.keys(), QStringList{"digest"});
    m_cluster->call(QByteArray("PUT ") + vm + "/options", "enable=1&policy_in=DROP&macfilter=0");
    auto after = m_cluster->data(QByteArray("GET ") + vm + "/options").toObject();
    const auto digest = after.take("digest").toString();
    QCOMPARE(after, (QJsonObject{{"enable", 1}, {"policy_in", "DROP"}, {"macfilter", 0}}));
    QVERIFY(digest != before[QLatin1String("digest")].toString());
    const auto stale = before[QLatin1String("digest")].toString().toUtf8();
    QCOMPARE(m_cluster->call(QByteArray("PUT ") + vm + "/options", "enable=0&digest=" + stale).status, 500);
    m_cluster->call(QByteArray("PUT ") + vm + "/options", "delete=policy_in,macfilter");
    QCOMPARE(m_cluster->data(QByteArray("GET ") + vm + "/options").toObject().keys(),
             (QStringList{"digest", "enable"}));
    QCOMPARE(m_cluster->call(QByteArray("PUT ") + vm + "/options", "delete=nonsense").status, 400);
}

void FirewallTest::aSetThatIsUsedIsNamedByRules()
{
    m_cluster->call("POST /cluster/firewall/ipset", "name=office&comment=desks");
    add("desks", "&source=%2Boffice");
    add("desks too", "&source=%2Bdc/office");
    QCOMPARE(comments().size(), 2);
    QCOMPARE(m_cluster->call("POST /cluster/firewall/ipset", "name=office").json()[QLatin1String("errors")].toObject(),
             (QJsonObject{{"name", "IPSet 'office' already exists"}}));
    QCOMPARE(m_cluster->call("POST /cluster/firewall/ipset", "name=desks&rename=office").status, 200);
    QCOMPARE(list("/cluster/firewall/ipset")[0][QLatin1String("comment")].toString(), QStringLiteral("desks"));
}

void FirewallTest::aSetWithEntriesStaysUnlessForced()
{
    m_cluster->call("POST /cluster/firewall/ipset", "name=office");
    m_cluster->call("POST /cluster/firewall/ipset/office", "cidr=10.1.0.0/16");
    QCOMPARE(m_cluster->call("DELETE /cluster/firewall/ipset/office").reason,
             QByteArray("IPSet 'office' is not empty"));
    QCOMPARE(m_cluster->call("DELETE /cluster/firewall/ipset/office?force=1").status, 200);
    QVERIFY(list("/cluster/firewall/ipset").isEmpty());
}

void FirewallTest::anEntryIsAddressedWithItsSlash()
{
    m_cluster->call("POST /cluster/firewall/ipset", "name=office");
    m_cluster->call("POST /cluster/firewall/ipset/office", "cidr=10.1.0.0/16&comment=c&nomatch=1");
    const QByteArray entry = "/cluster/firewall/ipset/office/10.1.0.0%2F16";
    QCOMPARE(m_cluster->data("GET " + entry).toObject(),
             (QJsonObject{{"cidr", "10.1.0.0/16"}, {"comment", "c"}, {"nomatch", 1}}));
    QCOMPARE(m_cluster->call("POST /cluster/firewall/ipset/office", "cidr=10.1.0.0/16").status, 400);
    QCOMPARE(m_cluster->call("PUT " + entry, "comment=d").status, 200);
    QCOMPARE(m_cluster->data("GET " + entry).toObject(), (QJsonObject{{"cidr", "10.1.0.0/16"}, {"comment", "d"}}));
    QCOMPARE(m_cluster->call("DELETE " + entry).status, 200);
    QVERIFY(list("/cluster/firewall/ipset/office").isEmpty());
}

void FirewallTest::aNameOfAnAliasIgnoresCase()
{
    m_cluster->call("POST /cluster/firewall/aliases", "name=Gateway&cidr=192.168.1.1");
    QCOMPARE(m_cluster->call("POST /cluster/firewall/aliases", "name=gateway&cidr=192.168.1.2").status, 400);
    add("from the gateway", "&source=gateway");
    QCOMPARE(list(rules)[0][QLatin1String("ipversion")].toInt(), 4);
    QCOMPARE(m_cluster->call("PUT /cluster/firewall/aliases/GATEWAY", "cidr=fd00::1&rename=gw6").status, 200);
    QCOMPARE(m_cluster->data("GET /cluster/firewall/aliases/gw6").toObject(),
             (QJsonObject{{"name", "gw6"}, {"cidr", "fd00::1"}, {"ipversion", 6}}));
    QCOMPARE(m_cluster->call("DELETE /cluster/firewall/aliases/gw6").status, 200);
    QVERIFY(list("/cluster/firewall/aliases").isEmpty());
}

void FirewallTest::aSecurityGroupHasRulesOfItsOwn()
{
    m_cluster->call("POST /cluster/firewall/groups", "group=web");
    add("http", {}, "/cluster/firewall/groups/web");
    QCOMPARE(comments("/cluster/firewall/groups/web"), QStringList{"http"});
    QVERIFY(list("/cluster/firewall/rules").isEmpty());
    QCOMPARE(errors("type=group&action=web", "/cluster/firewall/groups/web").keys(), QStringList{"type"});
    QCOMPARE(errors("type=group&action=web"), (QJsonObject{{"status", 200}}));
    QCOMPARE(m_cluster->call("DELETE /cluster/firewall/groups/web").reason,
             QByteArray("Security group 'web' is not empty"));
    m_cluster->call("DELETE /cluster/firewall/groups/web/0");
    QCOMPARE(m_cluster->call("DELETE /cluster/firewall/groups/web").status, 200);
    QCOMPARE(m_cluster->call("GET /cluster/firewall/groups/web").reason, QByteArray("no such security group 'web'"));
}

void FirewallTest::eachPlaceHasItsOwnRules()
{
    add("cluster", {}, "/cluster/firewall/rules");
    add("node", {}, "/nodes/pve1/firewall/rules");
    add("other node", {}, "/nodes/pve2/firewall/rules");
    add("vm");
    add("ct", {}, "/nodes/pve1/lxc/104/firewall/rules");
    QCOMPARE(comments("/cluster/firewall/rules"), QStringList{"cluster"});
    QCOMPARE(comments("/nodes/pve1/firewall/rules"), QStringList{"node"});
    QCOMPARE(comments("/nodes/pve2/firewall/rules"), QStringList{"other node"});
    QCOMPARE(comments(), QStringList{"vm"});
    QCOMPARE(comments("/nodes/pve1/lxc/104/firewall/rules"), QStringList{"ct"});
}

void FirewallTest::whatAGuestMayNameIsItsOwnAndTheClusters()
{
    m_cluster->call("POST /cluster/firewall/aliases", "name=gw&cidr=192.168.1.1");
    m_cluster->call("POST /cluster/firewall/ipset", "name=office");
    m_cluster->call(QByteArray("POST ") + vm + "/ipset", "name=peers");
    QCOMPARE(list("/cluster/firewall/refs").size(), 2);
    const auto found = list(QByteArray(vm) + "/refs");
    QCOMPARE(found.size(), 3);
    QCOMPARE(found[1].toObject(),
             (QJsonObject{{"type", "ipset"}, {"name", "peers"}, {"ref", "+peers"}, {"scope", "guest"}}));
    QCOMPARE(list(QByteArray(vm) + "/refs?type=alias").size(), 1);
}

void FirewallTest::whoMayNotChangeTheNetworkChangesNoRule()
{
    m_cluster->token = "auditor@pve!view";
    const auto refused = m_cluster->call(QByteArray("POST ") + rules, "type=in&action=ACCEPT");
    QCOMPARE(refused.reason, QByteArray("Permission check failed (/vms/101, VM.Config.Network)"));
    QCOMPARE(m_cluster->call(QByteArray("GET ") + rules).status, 200);
}

void FirewallTest::theRulesOfAGuestGoWithIt()
{
    add("one");
    m_cluster->world().remove(101);
    QVERIFY(comments().isEmpty());
}

void FirewallTest::withoutQuorumNoRuleIsKept()
{
    m_cluster->world().quorate = false;
    QCOMPARE(m_cluster->call("POST /cluster/firewall/rules", "type=in&action=ACCEPT").reason,
             QByteArray("cfs-lock 'firewall-cluster' error: no quorum!"));
    QVERIFY(list("/cluster/firewall/rules").isEmpty());
}

LABHELM_TEST(FirewallTest)
#include "FirewallTest.moc"
