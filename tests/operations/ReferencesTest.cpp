#include "operations/References.h"
#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// What callers name is found as they mean it, or refused with what there is.
class ReferencesTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    const Inventory &inventory() const { return m_stage->cluster.inventory; }
    template <class Ref>
    Result<Ref> resolved(const QString &asked) const
    {
        Ref ref;
        ref.asked = asked;
        if (auto found = References::resolve(ref, inventory()); !found)
            return found.error();
        return ref;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanupTestCase() { m_stage.reset(); }

    void findsAStorageByEveryNameThatPeopleUse_data()
    {
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("text");
        QTest::newRow("shared") << "nas-backup"
                                << "homelab-1:nas-backup";
        QTest::newRow("shared, by a node") << "pve2/nas-backup"
                                           << "homelab-1:nas-backup";
        QTest::newRow("local") << "pve2/local"
                               << "homelab-1:pve2/local";
        QTest::newRow("with the connection") << "homelab:pve2/local"
                                             << "homelab-1:pve2/local";
        QTest::newRow("as it writes itself") << "homelab-1:pve2/local"
                                             << "homelab-1:pve2/local";
    }
    void findsAStorageByEveryNameThatPeopleUse()
    {
        QFETCH(QString, asked);
        QFETCH(QString, text);
        const auto storage = resolved<StorageRef>(asked);
        QVERIFY(storage);
        QCOMPARE(storage->text(), text);
        const auto volume = resolved<VolumeRef>(asked + QStringLiteral(":iso/a:b.iso"));
        QVERIFY(volume);
        QCOMPARE(volume->volume.text(), storage->storage.text() + QStringLiteral(":iso/a:b.iso"));
        QCOMPARE(resolved<VolumeRef>(volume->text())->volume, volume->volume);
    }
    // P-20: a shared storage is asked through a node that is on.
    void asksASharedStorageThroughANodeThatIsOn_P20()
    {
        const auto storage = resolved<StorageRef>(QStringLiteral("nas-images"));
        QVERIFY(storage && storage->isShared);
        QVERIFY(storage->node.text() != QLatin1String("pve3"));
    }
    // L-08: what leads elsewhere is no volume.
    void refusesPathsThatLeadElsewhere_L08_data()
    {
        QTest::addColumn<QString>("asked");
        for (const auto *asked : {"nas-images:../x", "nas-images:/etc/passwd", "nas-images:iso/../../x",
                                  "nas-images:", "nas-images:iso/a\nb"})
            QTest::newRow(asked) << QString::fromLatin1(asked);
    }
    void refusesPathsThatLeadElsewhere_L08()
    {
        QFETCH(QString, asked);
        QVERIFY(!resolved<VolumeRef>(asked));
    }
    void findsThePlaceOfAFirewall_data()
    {
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("text");
        QTest::newRow("datacenter") << "datacenter"
                                    << "homelab-1:datacenter";
        QTest::newRow("node") << "pve1"
                              << "homelab-1:node/pve1";
        QTest::newRow("node, said") << "node/pve1"
                                    << "homelab-1:node/pve1";
        QTest::newRow("as it writes itself") << "homelab-1:node/pve1"
                                             << "homelab-1:node/pve1";
        QTest::newRow("guest") << "jellyfin"
                               << "homelab-1:104";
        QTest::newRow("guest by number") << "homelab:104"
                                         << "homelab-1:104";
    }
    void findsThePlaceOfAFirewall()
    {
        QFETCH(QString, asked);
        QFETCH(QString, text);
        const auto place = resolved<PlaceRef>(asked);
        QVERIFY(place);
        QCOMPARE(place->text(), text);
    }
    void asksWhichOfTwoThingsIsMeant()
    {
        InventorySnapshot garage = *m_stage->cluster.state();
        garage.remoteId = garage.remoteName = QStringLiteral("garage");
        m_stage->cluster.inventory.publish(garage);
        for (const auto &error :
             {resolved<StorageRef>(QStringLiteral("nas-backup")).error(), resolved<RemoteRef>(QString()).error(),
              resolved<PoolRef>(QStringLiteral("media")).error(),
              resolved<PlaceRef>(QStringLiteral("datacenter")).error()}) {
            QCOMPARE(error.code(), Error::code(Error::Kind::Ambiguous));
            QVERIFY2(error.message.contains(QLatin1String("garage")), qPrintable(error.message));
        }
        QCOMPARE(resolved<PoolRef>(QStringLiteral("garage:media"))->remote, QStringLiteral("garage"));
        m_stage->cluster.inventory.forget(QStringLiteral("garage"));
    }
    void asksWhetherTheNodeOrTheGuestOfANameIsMeant()
    {
        auto state = *m_stage->cluster.state();
        for (auto &guest : state.guests)
            if (guest.vmid.number() == 104)
                guest.name = QStringLiteral("pve1");
        m_stage->cluster.inventory.publish(state);
        const auto both = resolved<PlaceRef>(QStringLiteral("pve1"));
        QVERIFY(!both && both.error().message.contains(QLatin1String("node/pve1")));
        QVERIFY(resolved<PlaceRef>(QStringLiteral("node/pve1")));
        QVERIFY(m_stage->cluster.refresh());
    }
};

LABHELM_TEST(ReferencesTest)
#include "ReferencesTest.moc"
