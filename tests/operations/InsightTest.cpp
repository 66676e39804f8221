#include "operations/Findings.h"
#include "support/ClusterStage.h"
#include "support/TestMain.h"
#include <QFile>

/// Findings cite the number that tripped them and name what mends them; what is not known is not found fault with.
class InsightTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    World &world() { return m_stage->cluster.world(); }
    static QList<QJsonObject> about(const QJsonObject &answer, const QString &target)
    {
        QList<QJsonObject> found;
        for (const auto &finding : answer[QStringLiteral("findings")].toArray())
            if (finding[QLatin1String("target")].toString().startsWith(target))
                found << finding.toObject();
        return found;
    }
    static QSet<QString> wanted()
    {
        QSet<QString> ids;
        QFile file(QStringLiteral(LABHELM_TEST_DATA "/operations.tsv"));
        if (file.open(QIODevice::ReadOnly))
            for (const auto &line : file.readAll().split('\n'))
                ids << QString::fromUtf8(line).section(u'\t', 0, 0);
        return ids;
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    void tripsExactlyAtTheMark_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("severity");
        QTest::newRow("below") << 89.9 << "";
        QTest::newRow("at the mark") << 90.0 << "warning";
        QTest::newRow("below the grave one") << 96.9 << "warning";
        QTest::newRow("at the grave one") << 97.0 << "critical";
    }
    void tripsExactlyAtTheMark()
    {
        QFETCH(double, value);
        QFETCH(QString, severity);
        Findings findings;
        findings.measure("homelab", "pve1", {QStringLiteral("memory"), value, 90, 97},
                         {QStringLiteral("guest.migrate")});
        const auto ranked = findings.ranked();
        QCOMPARE(ranked.size(), severity.isEmpty() ? 0 : 1);
        if (severity.isEmpty())
            return;
        QCOMPARE(ranked[0][QLatin1String("severity")].toString(), severity);
        QCOMPARE(ranked[0][QLatin1String("measured")].toDouble(), value);
        QCOMPARE(ranked[0][QLatin1String("threshold")].toDouble(), severity == QLatin1String("critical") ? 97.0 : 90.0);
    }
    void ranksGraveOnesFirst()
    {
        Findings findings;
        findings.add("homelab", "one", false, "a", "a", {});
        findings.add("homelab", "two", true, "b", "b", {});
        const auto ranked = findings.ranked();
        QCOMPARE(ranked[0][QLatin1String("target")].toString(), QStringLiteral("two"));
        QCOMPARE(ranked[1][QLatin1String("rank")].toInt(), 2);
    }
    void knowsNoShareOfAnUnknownWhole()
    {
        QVERIFY(!percent(std::nullopt, 5) && !percent(5, std::nullopt) && !percent(5, 0));
        QCOMPARE(percent(1, 3), std::optional(33.3));
    }
    void findsANodeThatIsOffAndOneThatIsFull()
    {
        world().node(QStringLiteral("pve2"))->diskUsed = world().node(QStringLiteral("pve2"))->disk * 96 / 100;
        const auto answer = m_stage->answer("insight.node_pressure", {});
        const auto off = about(answer, QStringLiteral("pve3"));
        QCOMPARE(off.size(), 1);
        QCOMPARE(off.first()[QStringLiteral("severity")].toString(), QStringLiteral("critical"));
        const auto full = about(answer, QStringLiteral("pve2"));
        QCOMPARE(full.first()[QStringLiteral("signal")].toString(), QStringLiteral("root_disk"));
        QCOMPARE(full.first()[QStringLiteral("measured")].toDouble(), 96.0);
        QCOMPARE(answer[QStringLiteral("nodes")].toArray().size(), 3);
        for (const auto &node : answer[QStringLiteral("nodes")].toArray())
            QCOMPARE(node[QLatin1String("memory")].isUndefined(),
                     node[QLatin1String("node")].toString() == QLatin1String("pve3"));
    }
    // B-15, B-16: templates are left out, guests of a silent node are unknown and not stopped, and a machine's disk
    // use, which PVE reports as 0, is not measured.
    void leavesOutTemplatesAndTellsUnknownFromStopped_B15()
    {
        const auto answer = m_stage->answer("insight.guest_health", {{"memory", 1}});
        QStringList stopped, unknown;
        for (const auto &guest : answer[QStringLiteral("stopped")].toArray())
            stopped << guest[QLatin1String("guest")].toString().section(u':', 1);
        for (const auto &guest : answer[QStringLiteral("unknown")].toArray())
            unknown << guest[QLatin1String("guest")].toString().section(u':', 1);
        QVERIFY(stopped.contains(QStringLiteral("107")) && !stopped.contains(QStringLiteral("9000")));
        QVERIFY(unknown.contains(QStringLiteral("301")) && !stopped.contains(QStringLiteral("301")));
        QVERIFY(!about(answer, QStringLiteral("jellyfin")).isEmpty());
        QVERIFY(about(answer, QStringLiteral("radarr")).isEmpty());
        const auto unmeasured = answer[QStringLiteral("disk_use_not_reported")].toArray();
        QVERIFY(unmeasured.contains(QJsonValue(m_stage->cluster.remote.id + QStringLiteral(":101"))));
        for (const auto &finding : about(answer, QStringLiteral("nextcloud")))
            QVERIFY(finding[QStringLiteral("signal")].toString() != QLatin1String("disk"));
    }
    // B-17: a storage that is nearly full is found.
    void findsAStorageThatIsNearlyFull_B17()
    {
        QVERIFY(about(m_stage->answer("insight.storage_pressure", {}), QStringLiteral("nas-images")).isEmpty());
        auto *storage = world().storage(QStringLiteral("nas-images"));
        storage->used = storage->total;
        const auto found = about(m_stage->answer("insight.storage_pressure", {}), QStringLiteral("nas-images"));
        QVERIFY(!found.isEmpty());
        QCOMPARE(found.first()[QStringLiteral("severity")].toString(), QStringLiteral("critical"));
        QVERIFY(found.first()[QStringLiteral("measured")].toDouble() >= 95);
    }
    void findsGuestsWithoutABackup()
    {
        const auto answer = m_stage->answer("insight.backup_coverage", {});
        QVERIFY(about(answer, QStringLiteral("jellyfin")).isEmpty());
        const auto bare = about(answer, QStringLiteral("homeassistant"));
        QCOMPARE(bare.size(), 1);
        QCOMPARE(bare.first()[QStringLiteral("mend")].toObject()[QStringLiteral("operation")].toString(),
                 QStringLiteral("backup.run"));
        for (auto &volume : world().volumes)
            if (volume.content == QLatin1String("backup") && volume.vmid == 104)
                volume.created -= 30 * 86400;
        const auto old = about(m_stage->answer("insight.backup_coverage", {}), QStringLiteral("jellyfin"));
        QCOMPARE(old.first()[QStringLiteral("signal")].toString(), QStringLiteral("backup_age"));
        QVERIFY(old.first()[QStringLiteral("measured")].toDouble() > 29);
    }
    // L-37: where a storage could not be asked nobody is accused of having no backup.
    void saysUnknownWhereAStorageIsSilent_L37()
    {
        Fault gone;
        gone.kind = Fault::Kind::Answer;
        gone.path = QStringLiteral("/nodes/pve1/storage/nas-backup/content");
        gone.status = 500;
        gone.reason = "storage 'nas-backup' is not online";
        gone.always = true;
        m_stage->cluster.simulator.faults().add(gone);
        const auto answer = m_stage->answer("insight.backup_coverage", {});
        QVERIFY(answer[QStringLiteral("findings")].toArray().isEmpty());
        QCOMPARE(answer[QStringLiteral("unknown")].toArray().size(), answer[QStringLiteral("analysed")].toInt());
    }
    void namesOnlyOperationsThatThereAre()
    {
        const auto ids = wanted();
        for (const auto *insight :
             {"insight.node_pressure", "insight.guest_health", "insight.storage_pressure", "insight.backup_coverage"})
            for (const auto &finding : m_stage->answer(insight, {})[QStringLiteral("findings")].toArray()) {
                const auto mend = finding[QLatin1String("mend")][QLatin1String("operation")].toString();
                QVERIFY2(mend.isEmpty() || ids.contains(mend), qPrintable(mend));
                QVERIFY(!finding[QLatin1String("mend")][QLatin1String("why")].toString().isEmpty());
            }
    }
};

LABHELM_TEST(InsightTest)
#include "InsightTest.moc"
