#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Lists of a whole cluster: what is shared stands once, who is missing is named, and what cannot be seen, is disabled
/// or unknown is not taken for nothing.
class ListsTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    QJsonArray rows(const char *operation, const char *key, const QJsonObject &arguments = {})
    {
        return m_stage->answer(operation, arguments)[QLatin1String(key)].toArray();
    }
    static QList<QJsonObject> with(const QJsonArray &rows, const char *key, const QJsonValue &value)
    {
        QList<QJsonObject> found;
        for (const auto &row : rows)
            if (row[QLatin1String(key)] == value)
                found << row.toObject();
        return found;
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    // L-15: the row of the cluster is looked for, wherever it stands.
    void tellsAClusterFromANodeThatStandsAlone_L15()
    {
        const auto cluster = rows("cluster.status", "clusters").first();
        QVERIFY(cluster[QLatin1String("clustered")].toBool() && cluster[QLatin1String("quorate")].toBool());
        QCOMPARE(cluster[QLatin1String("name")].toString(), QStringLiteral("homelab"));
        QCOMPARE(cluster[QLatin1String("nodes")].toArray().size(), 3);
        m_stage->cluster.world().clusterName.clear();
        const auto alone = rows("cluster.status", "clusters").first();
        QVERIFY(!alone[QLatin1String("clustered")].toBool());
        QVERIFY(alone[QLatin1String("quorate")].isUndefined());
    }
    void namesAFreeIdAsANumber()
    {
        const auto id = m_stage->answer("cluster.next_id", {})[QStringLiteral("vmid")];
        QVERIFY(id.isDouble());
        QVERIFY(!m_stage->cluster.world().guest(id.toInteger()));
    }
    // L-16, L-17, P-20: disabled is not available, a node that is off knows nothing, and a shared storage is one.
    void tellsDisabledUnknownAndSharedStoragesApart_L16()
    {
        const auto answer = m_stage->answer("storage.list", {});
        const auto storages = answer[QStringLiteral("storages")].toArray();
        const auto old = with(storages, "storage", "usb-old");
        QCOMPARE(old.size(), 1);
        QCOMPARE(old.first()[QStringLiteral("state")].toString(), QStringLiteral("disabled"));
        QVERIFY(!old.first().contains(QStringLiteral("used")));
        const auto shared = with(storages, "storage", "nas-backup");
        QCOMPARE(shared.size(), 1);
        QVERIFY(shared.first()[QStringLiteral("used")].toInteger() > 0);
        int unknown = 0;
        for (const auto &local : with(storages, "storage", "local"))
            if (local[QStringLiteral("node")] == QLatin1String("pve3")) {
                ++unknown;
                QCOMPARE(local[QStringLiteral("state")].toString(), QStringLiteral("unknown"));
                QVERIFY(!local.contains(QStringLiteral("size")));
            }
        QCOMPARE(unknown, 1);
        QCOMPARE(answer[QStringLiteral("missing")].toArray().first()[QLatin1String("part")].toString(),
                 QStringLiteral("pve3"));
    }
    // L-24: what three nodes see of one storage is listed once.
    void listsASharedBackupOnce_L24()
    {
        const auto backups = rows("backup.list", "backups", {{"guest", 101}});
        QVERIFY(backups.size() > 3);
        QSet<QString> ids;
        for (const auto &backup : backups)
            ids << backup[QLatin1String("backup")].toString();
        QCOMPARE(ids.size(), backups.size());
        QVERIFY(backups[0][QLatin1String("time")].toInteger() > backups[1][QLatin1String("time")].toInteger());
    }
    // L-37: what could not be asked is said, so that nobody takes it for "no backups".
    void saysWhichStorageCouldNotBeAsked_L37()
    {
        Fault gone;
        gone.kind = Fault::Kind::Answer;
        gone.path = QStringLiteral("/nodes/pve1/storage/nas-backup/content");
        gone.status = 500;
        gone.reason = "storage 'nas-backup' is not online";
        gone.always = true;
        m_stage->cluster.simulator.faults().add(gone);
        const auto answer = m_stage->answer("backup.list", {});
        QVERIFY(answer[QStringLiteral("backups")].toArray().isEmpty());
        QStringList parts;
        for (const auto &missing : answer[QStringLiteral("missing")].toArray())
            parts << missing[QLatin1String("part")].toString();
        QVERIFY2(parts.contains(QStringLiteral("nas-backup")), qPrintable(parts.join(u' ')));
    }
    void listsJobsAndWhatNoneOfThemCovers()
    {
        const auto answer = m_stage->answer("backup.jobs", {});
        QCOMPARE(answer[QStringLiteral("jobs")].toArray().first()[QLatin1String("id")].toString(),
                 QStringLiteral("nightly"));
        const auto bare = answer[QStringLiteral("not_covered")].toArray();
        QVERIFY(with(bare, "vmid", 102).size() == 1 && with(bare, "vmid", 101).isEmpty());
    }
    void showsAPoolWithItsMembers()
    {
        QCOMPARE(rows("pool.list", "pools").size(), 3);
        const auto pool = m_stage->answer("pool.get", {{"pool", "homelab:media"}});
        QCOMPARE(pool[QStringLiteral("members")].toArray().size(), 4);
        REFUSED_WITH(m_stage->run("pool.get", {{"pool", "attic"}}), Error::Kind::NotFound, "no pool called attic");
    }
    // A05: a list that PVE has filtered says so.
    void saysThatAListMayBeFiltered_A05()
    {
        TestClusterOptions options = ClusterStage::atOnce();
        options.token = QStringLiteral("media@pve!pool");
        ClusterStage media(options);
        QVERIFY(media.cluster.isFilled());
        for (const auto &[operation, words] :
             {std::pair("pool.list", "Pool.Audit on /pool"), std::pair("access.users", "on /access"),
              std::pair("backup.list", "VM.Backup on /vms")}) {
            const auto hidden = media.answer(operation, {})[QStringLiteral("not_visible")].toArray();
            QVERIFY2(!hidden.isEmpty() &&
                         hidden.first()[QLatin1String("what")].toString().contains(QLatin1String(words)),
                     operation);
        }
        QVERIFY(!m_stage->answer("pool.list", {}).contains(QStringLiteral("not_visible")));
    }
    void listsUsersWithTokensAndNoSecret()
    {
        const auto answer = m_stage->answer("access.users", {});
        const auto user = with(answer[QStringLiteral("users")].toArray(), "userid", "labhelm@pve");
        QCOMPARE(user.size(), 1);
        QCOMPARE(user.first()[QStringLiteral("tokens")].toArray().size(), 2);
        QVERIFY(!QJsonDocument(answer).toJson().contains(Homelab::tokenSecret(m_stage->cluster.remote.user).toUtf8()));
        QVERIFY(!with(rows("access.roles", "roles"), "role", "PVEAuditor").isEmpty());
    }
    void saysInWordsWhoMayWhat()
    {
        const auto answer = m_stage->answer("access.permissions", {{"path", "/pool/media"}, {"user", "media@pve"}});
        const auto grants = answer[QStringLiteral("grants")].toArray();
        QCOMPARE(grants.size(), 2); // the user's and the token's
        QCOMPARE(grants.first()[QLatin1String("says")].toString(),
                 QStringLiteral("media@pve has PVEVMUser on /pool/media and everything below"));
    }
    // V7, V8, A-19: every cluster has a row "quorum"; only a service makes HA configured, and its states are kept.
    void tellsConfiguredHaFromNone_V7()
    {
        const auto ha = rows("ha.status", "clusters").first();
        QVERIFY(ha[QLatin1String("configured")].toBool());
        const auto service = with(ha[QLatin1String("services")].toArray(), "sid", "vm:201");
        QCOMPARE(service.first()[QStringLiteral("state")].toString(), QStringLiteral("started"));
        QCOMPARE(service.first()[QStringLiteral("request_state")].toString(), QStringLiteral("started"));
        m_stage->cluster.world().ha.clear();
        const auto none = rows("ha.status", "clusters").first();
        QVERIFY(!none[QLatin1String("configured")].toBool() && none[QLatin1String("quorate")].toBool());
    }
    void showsReplicationWithItsLastRun()
    {
        auto &world = m_stage->cluster.world();
        world.replicationJobs.append({{"id", "104-0"},
                                      {"type", "local"},
                                      {"guest", 104},
                                      {"jobnum", 0},
                                      {"source", "pve1"},
                                      {"target", "pve2"},
                                      {"schedule", "*/15"}});
        world.replicationJobs.append({{"id", "301-0"},
                                      {"type", "local"},
                                      {"guest", 301},
                                      {"jobnum", 0},
                                      {"source", "pve3"},
                                      {"target", "pve2"},
                                      {"schedule", "*/15"}});
        const auto jobs = rows("replication.list", "jobs");
        QCOMPARE(with(jobs, "id", "104-0").first()[QStringLiteral("state")].toString(), QStringLiteral("ok"));
        QCOMPARE(with(jobs, "id", "301-0").first()[QStringLiteral("state")].toString(), QStringLiteral("unknown"));
    }
    void listsBridgesOfANode()
    {
        const auto bridges = rows("network.list", "interfaces", {{"node", "pve1"}, {"type", "bridge"}});
        QVERIFY(!bridges.isEmpty());
        QCOMPARE(with(bridges, "type", "bridge").size(), bridges.size());
    }
    void showsEveryConnectionAndWhatItsSignInMayDo()
    {
        const auto remote = rows("remote.list", "remotes").first();
        QCOMPARE(remote[QLatin1String("state")].toString(), QStringLiteral("live"));
        QCOMPARE(m_stage->answer("remote.test", {})[QStringLiteral("may")].toObject()[QStringLiteral("create_guests")],
                 QJsonValue(true));
        TestClusterOptions options = ClusterStage::atOnce();
        options.token = QStringLiteral("auditor@pve!view");
        ClusterStage auditor(options);
        const auto may = auditor.answer("remote.test", {})[QStringLiteral("may")].toObject();
        QCOMPARE(may[QStringLiteral("see_guests")], QJsonValue(true));
        QCOMPARE(may[QStringLiteral("create_guests")], QJsonValue(false));
    }
};

LABHELM_TEST(ListsTest)
#include "ListsTest.moc"
