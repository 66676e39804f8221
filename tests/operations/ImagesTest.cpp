#include "support/ClusterStage.h"
#include "support/TestMain.h"
#include <QCryptographicHash>

/// Images and other volumes: fetched, checked, deleted; and what must stay.
class ImagesTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;
    const QString m_url = QStringLiteral("https://images.example.org/debian-13.iso");

    World &world() { return m_stage->cluster.world(); }
    QJsonObject download(const QJsonObject &more = {})
    {
        QJsonObject all{{"storage", "nas-images"}, {"url", m_url}, {"content", "iso"}};
        for (auto each = more.begin(); each != more.end(); ++each)
            all.insert(each.key(), *each);
        return all;
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
        world().webFiles.insert(m_url, "an image");
    }
    void cleanup() { m_stage.reset(); }

    void downloadsChecksAndTakesItBack()
    {
        const auto sum = QString::fromLatin1(QCryptographicHash::hash("an image", QCryptographicHash::Sha256).toHex());
        const auto done =
            m_stage->run("storage.download", download({{"checksum", sum}, {"checksum_algorithm", "sha256"}}));
        OUTCOME_IS_GOOD(done);
        QVERIFY(world().volume(QStringLiteral("nas-images:iso/debian-13.iso"), QStringLiteral("pve1")));
        REFUSED_WITH(m_stage->run("storage.download", download()), Error::Kind::Conflict, "there already");
        OUTCOME_IS_GOOD(m_stage->undo(done));
        QVERIFY(!world().volume(QStringLiteral("nas-images:iso/debian-13.iso"), QStringLiteral("pve1")));
    }
    void failsOverAWrongChecksum()
    {
        const auto failed = m_stage->run("storage.download",
                                         download({{"checksum", QString(64, u'0')}, {"checksum_algorithm", "sha256"}}));
        REFUSED_WITH(failed, Error::Kind::TaskFailed, "checksum mismatch");
        QVERIFY(!world().volume(QStringLiteral("nas-images:iso/debian-13.iso"), QStringLiteral("pve1")));
    }
    void refusesWhatCannotGoWell()
    {
        m_stage->cluster.simulator.forgetRequests();
        REFUSED_WITH(m_stage->run("storage.download", download({{"url", "file:///etc/passwd.iso"}})),
                     Error::Kind::Invalid, "https://");
        REFUSED_WITH(m_stage->run("storage.download", download({{"url", "https://u:p@h.example/x.iso"}})),
                     Error::Kind::Invalid, "recorded");
        REFUSED_WITH(m_stage->run("storage.download", download({{"url", "https://h.example/x.exe"}})),
                     Error::Kind::Invalid, ".iso");
        REFUSED_WITH(m_stage->run("storage.download", download({{"filename", "../x.iso"}})), Error::Kind::Invalid,
                     "no file name");
        REFUSED_WITH(m_stage->run("storage.download", download({{"checksum", QString(64, u'0')}})),
                     Error::Kind::Invalid, "algorithm");
        REFUSED_WITH(m_stage->run("storage.download", download({{"storage", "nas-backup"}})), Error::Kind::Conflict,
                     "nas-images");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    // 28 of the third: a node is not sent to any address before a person has allowed it.
    void asksNoAddressForAProgramBeforeAPersonHasAllowedIt()
    {
        m_stage->cluster.simulator.forgetRequests();
        OUTCOME_IS_GOOD(
            m_stage->run("storage.download", download(), ClusterStage::agent(QStringLiteral("asker")), true));
        QCOMPARE(m_stage->cluster.simulator.count("GET", "/nodes/*/query-url-metadata"), 0);
        OUTCOME_IS_GOOD(m_stage->run("storage.download", download(), Actor::person(), true));
        QCOMPARE(m_stage->cluster.simulator.count("GET", "/nodes/*/query-url-metadata"), 1);
    }
    // L-06: exactly the volume that was named, and no disk of a guest.
    void deletesExactlyWhatIsNamed_L06()
    {
        m_stage->cluster.simulator.forgetRequests();
        REFUSED_WITH(m_stage->run("storage.volume.delete", {{"volume", "nas-images:iso/virtio"}}),
                     Error::Kind::NotFound, "virtio-win-0.1.262.iso");
        REFUSED_WITH(m_stage->run("storage.volume.delete", {{"volume", "local:iso/debian-12.7.0-amd64-netinst.iso"}}),
                     Error::Kind::Ambiguous, "pve1/local");
        REFUSED_WITH(m_stage->run("storage.volume.delete", {{"volume", "nas-images:101/vm-101-disk-0.qcow2"}}),
                     Error::Kind::Conflict, "scsi0 of nextcloud 101");
        REFUSED_WITH(m_stage->run("storage.volume.delete", {{"volume", "nas-images:../../etc/x"}}),
                     Error::Kind::Invalid, "not a volume");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
        OUTCOME_IS_GOOD(
            m_stage->run("storage.volume.delete", {{"volume", "pve1/local:iso/debian-12.7.0-amd64-netinst.iso"}}));
        QVERIFY(!world().volume(QStringLiteral("local:iso/debian-12.7.0-amd64-netinst.iso"), QStringLiteral("pve1")));
        QVERIFY(world().volume(QStringLiteral("local:iso/debian-12.7.0-amd64-netinst.iso"), QStringLiteral("pve2")));
    }
    void namesTheStorageThatIsMeant()
    {
        const auto content =
            m_stage->answer("storage.content", {{"storage", "homelab:pve2/local"}, {"content", "vztmpl"}});
        QCOMPARE(content[QStringLiteral("node")].toString(), QStringLiteral("pve2"));
        QCOMPARE(content[QStringLiteral("volumes")].toArray().size(), 1);
        REFUSED_WITH(m_stage->run("storage.content", {{"storage", "local"}}), Error::Kind::Ambiguous,
                     "pve1/local, pve2/local");
        REFUSED_WITH(m_stage->run("storage.content", {{"storage", "loca"}}), Error::Kind::NotFound, "nas-backup");
    }
};

LABHELM_TEST(ImagesTest)
#include "ImagesTest.moc"
