#include "inventory/Inventory.h"
#include "support/InventoryMaking.h"
#include "support/TestMain.h"

using namespace InventoryMaking;

class ResolverTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_inventory = std::make_unique<Inventory>();
        auto homelab = remote("homelab",
                              {guest(101, "web", "pve1"), guest(102, "db", "pve2"), guest(103, "Media", "pve1"),
                               guest(104, "media", "pve2"), guest(205, "web", "pve2"), guest(300, "102", "pve1"),
                               guest(301, "4000", "pve1")},
                              {QStringLiteral("pve1"), QStringLiteral("pve2")});
        homelab.guests[1].kind = GuestKind::Lxc;
        homelab.guests[1].isTemplate = true;
        homelab.nodes[1].status = NodeState::Status::Offline;
        m_inventory->publish(homelab);
    }

    void findsAGuest_data()
    {
        QTest::addColumn<QString>("asked");
        QTest::addColumn<qint64>("id");
        QTest::newRow("by id") << "101" << qint64(101);
        QTest::newRow("by name") << "db" << qint64(102);
        QTest::newRow("by node and name") << "pve2/web" << qint64(205);
        QTest::newRow("by node and id") << "pve2/205" << qint64(205);
        QTest::newRow("by connection and id") << "homelab:205" << qint64(205);
        QTest::newRow("by connection, node and name") << "homelab:pve1/web" << qint64(101);
        QTest::newRow("by the connection's id") << "homelab-id:101" << qint64(101);
        QTest::newRow("by the connection's name in other case") << "HomeLab:101" << qint64(101);
        QTest::newRow("by exact name before another case") << "media" << qint64(104);
        QTest::newRow("by exact name before another case, the other way") << "Media" << qint64(103);
        QTest::newRow("by name in another case") << "DB" << qint64(102);
        QTest::newRow("a number is an id first") << "102" << qint64(102);
        QTest::newRow("a number is a name if there is no such id") << "4000" << qint64(301);
    }
    void findsAGuest()
    {
        QFETCH(QString, asked);
        QFETCH(qint64, id);
        const auto found = m_inventory->resolveGuest(asked);
        QVERIFY2(found, qPrintable(found ? QString() : found.error().message));
        QCOMPARE(found->vmid.number(), id);
        QCOMPARE(found->asked, asked);
        QCOMPARE(found->remote, QStringLiteral("homelab-id"));
        QVERIFY(found->isResolved());
    }
    void saysAllThatIsKnownOfTheGuest()
    {
        const auto found = m_inventory->resolveGuest(QStringLiteral("db"));
        QVERIFY(found);
        QCOMPARE(found->kind, GuestKind::Lxc);
        QCOMPARE(found->node.text(), QStringLiteral("pve2")); // which is offline
        QCOMPARE(found->name, QStringLiteral("db"));
        QVERIFY(found->isTemplate);
    }
    void namesTheCandidatesOfAnAmbiguousName()
    {
        const auto found = m_inventory->resolveGuest(QStringLiteral("web"));
        QVERIFY(!found);
        QCOMPARE(found.error().kind, Error::Kind::Ambiguous);
        QCOMPARE(found.error().message,
                 QStringLiteral("Two guests are called web: web 101 on pve1, web 205 on pve2. Use the id."));
        const auto folded = m_inventory->resolveGuest(QStringLiteral("MEDIA"));
        QVERIFY(!folded);
        QCOMPARE(folded.error().message,
                 QStringLiteral("Two guests are called MEDIA: Media 103 on pve1, media 104 on pve2. Use the id."));
    }
    void namesTheConnectionWhereIdsAreNotEnough()
    {
        m_inventory->publish(
            remote("office", {guest(101, "web", "n1"), guest(900, "web", "n1")}, {QStringLiteral("n1")}));
        const auto byId = m_inventory->resolveGuest(QStringLiteral("101"));
        QVERIFY(!byId);
        QCOMPARE(byId.error().kind, Error::Kind::Ambiguous);
        QCOMPARE(byId.error().message,
                 QStringLiteral("Two guests are called 101: web 101 on pve1 (homelab), web 101 on n1 (office). "
                                "Write which one: homelab:101, office:101."));
        const auto exact = m_inventory->resolveGuest(QStringLiteral("office:101"));
        QVERIFY(exact);
        QCOMPARE(exact->remote, QStringLiteral("office-id"));
        const auto byName = m_inventory->resolveGuest(QStringLiteral("web"));
        QVERIFY(!byName);
        QVERIFY(byName.error().message.startsWith(QStringLiteral("4 guests are called web: ")));
        QVERIFY(byName.error().message.endsWith(QStringLiteral("office:900.")));
    }
    void saysWhatThereIsInstead_data()
    {
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("words");
        QTest::newRow("no such name") << "nobody"
                                      << "No guest is called \"nobody\".";
        QTest::newRow("part of a name") << "medi"
                                        << "There is: Media 103, media 104.";
        QTest::newRow("no such id") << "9000"
                                    << "No guest has the id 9000.";
        QTest::newRow("start of an id") << "20"
                                        << "There is: web 205.";
        QTest::newRow("no such connection") << "homelub:101"
                                            << "No connection is called \"homelub\". There is: homelab.";
        QTest::newRow("no such node") << "pve9/web"
                                      << "No node is called \"pve9\". There is: pve1, pve2.";
        QTest::newRow("a node in another case") << "PVE1/web"
                                                << "No node is called \"PVE1\". Did you mean pve1?";
        QTest::newRow("a node with its domain, A08") << "pve2.example.com/web"
                                                     << "No node is called \"pve2.example.com\". Did you mean pve2?";
        QTest::newRow("not on that node") << "pve1/db"
                                          << "There is: db 102.";
        QTest::newRow("nothing") << ""
                                 << "No guest was named.";
        QTest::newRow("a connection only") << "homelab:"
                                           << "No guest was named.";
        QTest::newRow("an empty node") << "/web"
                                       << "No node is called \"\".";
        QTest::newRow("text that is not what it looks like") << QStringLiteral("we\u202Eb") << "we<U+202E>b";
    }
    void saysWhatThereIsInstead()
    {
        QFETCH(QString, asked);
        QFETCH(QString, words);
        const auto found = m_inventory->resolveGuest(asked);
        QVERIFY(!found);
        QCOMPARE(found.error().kind, Error::Kind::NotFound);
        QVERIFY2(found.error().message.contains(words), qPrintable(found.error().message));
    }
    void admitsThatNotEverythingIsKnown()
    {
        auto fresh = remote("fresh", {}, {});
        fresh.reach = InventorySnapshot::Reach::Never;
        m_inventory->publish(fresh);
        auto narrow = remote("narrow", {}, {});
        narrow.hidden = QStringLiteral("Not visible with this sign-in: all guests.");
        m_inventory->publish(narrow);
        const auto found = m_inventory->resolveGuest(QStringLiteral("nobody"));
        QVERIFY(!found);
        QVERIFY2(found.error().message.contains(QStringLiteral("Not read yet: fresh.")),
                 qPrintable(found.error().message));
        QVERIFY(found.error().message.contains(QStringLiteral("Not everything is visible on: narrow.")));
    }
    void saysThatNothingIsConnected()
    {
        const auto found = Inventory().resolveGuest(QStringLiteral("web"));
        QVERIFY(!found);
        QCOMPARE(found.error().kind, Error::Kind::NotFound);
        QVERIFY(found.error().message.contains(QStringLiteral("No cluster is connected")));
    }
    void refusesAGuestWhoseNodeNobodyNamed()
    {
        auto odd = remote("odd", {guest(700, "lost", "n1")}, {});
        odd.guests[0].node = NodeName();
        m_inventory->publish(odd);
        const auto found = m_inventory->resolveGuest(QStringLiteral("lost"));
        QVERIFY(!found);
        QCOMPARE(found.error().kind, Error::Kind::NotFound);
    }
    void listsOnlyAFewOfMany()
    {
        std::vector<GuestState> many;
        for (int i = 0; i < 40; ++i)
            many.push_back(guest(500 + i, "worker", "pve1"));
        m_inventory->publish(remote("homelab", many, {QStringLiteral("pve1")}));
        const auto found = m_inventory->resolveGuest(QStringLiteral("worker"));
        QVERIFY(!found);
        QVERIFY(found.error().message.startsWith(QStringLiteral("40 guests are called worker: worker 500 on pve1,")));
        QVERIFY(found.error().message.contains(QStringLiteral("and 35 more")));
    }

    void findsANode()
    {
        const auto found = m_inventory->resolveNode(QStringLiteral("pve2"));
        QVERIFY(found);
        QCOMPARE(found->remote, QStringLiteral("homelab-id"));
        QCOMPARE(found->node.text(), QStringLiteral("pve2"));
        QCOMPARE(found->asked, QStringLiteral("pve2"));
        QVERIFY(m_inventory->resolveNode(QStringLiteral("homelab:pve1")));
        const auto other = m_inventory->resolveNode(QStringLiteral("Pve1"));
        QVERIFY(!other);
        QCOMPARE(other.error().kind, Error::Kind::NotFound);
        QVERIFY(other.error().message.contains(QStringLiteral("Did you mean pve1?")));
    }
    void namesTheConnectionsOfAnAmbiguousNode()
    {
        m_inventory->publish(remote("office", {}, {QStringLiteral("pve1")}));
        const auto found = m_inventory->resolveNode(QStringLiteral("pve1"));
        QVERIFY(!found);
        QCOMPARE(found.error().kind, Error::Kind::Ambiguous);
        QVERIFY(found.error().message.contains(QStringLiteral("homelab:pve1, office:pve1")));
        QVERIFY(m_inventory->resolveNode(QStringLiteral("office:pve1")));
        QCOMPARE(m_inventory->remoteOfNode(QStringLiteral("pve1")).error().kind, Error::Kind::Ambiguous);
    }
    void findsTheRemoteOfANode()
    {
        const auto found = m_inventory->remoteOfNode(QStringLiteral("pve2"));
        QVERIFY(found);
        QCOMPARE(*found, QStringLiteral("homelab-id"));
        QVERIFY(!m_inventory->remoteOfNode(QStringLiteral("pve7")));
        QVERIFY(!m_inventory->remoteOfNode(QStringLiteral("homelab:pve2")));
    }

private:
    std::unique_ptr<Inventory> m_inventory;
};

LABHELM_TEST(ResolverTest)
#include "ResolverTest.moc"
