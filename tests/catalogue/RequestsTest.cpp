#include "pve/Client.h"
#include "simulator/schema/ApiTable.h"
#include "support/ClusterStage.h"
#include "support/TestMain.h"
#include <QDirIterator>
#include <QFile>

/// Every operation is run once on the cluster; what it sends is held against the API of both versions.
class RequestsTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    /// The id of a task that goes on running.
    QString runningTask()
    {
        m_stage->cluster.world().taskPace = 1000;
        ApiRequest request{Method::Post, {"nodes", "pve1", "lxc", "107", "status", "start"}};
        const auto running = await(m_stage->cluster.client().send(std::move(request), {}))->data.toString();
        m_stage->cluster.world().taskPace = 0;
        return running;
    }

    using Calls = std::vector<std::pair<const char *, QJsonObject>>;

    static Calls reads()
    {
        return {{"inventory.overview", {}},
                {"node.list", {}},
                {"node.status", {{"node", "pve1"}}},
                {"guest.list", {}},
                {"guest.get", {{"guest", 101}}},
                {"guest.metrics", {{"guest", 104}, {"timeframe", "week"}, {"aggregate", "MAX"}}},
                {"guest.addresses", {{"guest", 101}}},
                {"guest.addresses", {{"guest", 104}}}};
    }
    /// One call of each other operation, in an order in which each can succeed.
    Calls calls()
    {
        const auto task = m_stage->run("guest.start", {{"guest", 212}}).outcome->upid;
        return {
            {"guest.start", {{"guest", 120}}},
            {"guest.shutdown", {{"guest", 120}, {"timeout", 60}, {"force_stop", true}}},
            {"guest.start", {{"guest", 207}}},
            {"guest.stop", {{"guest", 207}}},
            {"guest.config.set",
             {{"guest", 214},
              {"memory", 1024},
              {"balloon", 512},
              {"cpulimit", 1.5},
              {"onboot", true},
              {"startup", "order=4"},
              {"unset", QJsonArray{"sockets"}}}},
            {"guest.config.set", {{"guest", 207}, {"swap", 0}, {"name", "loki-2"}, {"cpuunits", 200}}},
            {"guest.notes.set", {{"guest", 101}, {"notes", "a=b;c"}}},
            {"snapshot.create", {{"guest", 101}, {"name", "one"}, {"description", "first"}, {"include_memory", true}}},
            {"snapshot.create", {{"guest", 104}, {"name", "one"}}},
            {"snapshot.list", {{"guest", 101}}},
            {"snapshot.rollback", {{"guest", 101}, {"name", "one"}}},
            {"snapshot.rollback", {{"guest", 104}, {"name", "one"}, {"start", true}}},
            {"snapshot.delete", {{"guest", 101}, {"name", "one"}}},
            {"guest.delete", {{"guest", 120}, {"destroy_unreferenced_disks", true}}},
            {"task.list", {{"guest", 101}, {"limit", 5}}},
            {"task.get", {{"task", task}}},
            {"task.log", {{"task", task}, {"start", 0}, {"limit", 10}}},
            {"task.wait", {{"task", task}, {"timeout", 5}}},
            {"task.stop", {{"task", runningTask()}}},
            {"plan.run",
             {{"steps", QJsonArray{QJsonObject{{"operation", "guest.notes.set"},
                                               {"arguments", QJsonObject{{"guest", 107}, {"notes", "y"}}}}}}}},
            {"undo.list", {}},
            {"undo.apply", {{"entry", m_stage->run("guest.notes.set", {{"guest", 106}, {"notes", "x"}}).callId}}},
            {"audit.search", {{"text", "notes"}}},
            {"audit.verify", {}}};
    }
    /// Of clusters, nodes, storages, pools, rights, firewalls and insights.
    static Calls clusterReads()
    {
        return {{"remote.list", {}},
                {"remote.test", {}},
                {"cluster.status", {}},
                {"cluster.next_id", {}},
                {"node.metrics", {{"node", "pve1"}, {"timeframe", "week"}, {"aggregate", "MAX"}}},
                {"network.list", {{"node", "pve1"}, {"type", "bridge"}}},
                {"ha.status", {}},
                {"ha.resources", {}},
                {"replication.list", {}},
                {"pool.list", {}},
                {"pool.get", {{"pool", "media"}}},
                {"access.users", {}},
                {"access.roles", {}},
                {"access.permissions", {{"user", "labhelm@pve!desktop"}, {"path", "/vms"}}},
                {"storage.list", {}},
                {"storage.content", {{"storage", "nas-images"}, {"content", "iso"}}},
                {"storage.metrics", {{"storage", "pve1/local"}, {"timeframe", "month"}}},
                {"backup.list", {{"guest", 101}}},
                {"backup.jobs", {}},
                {"firewall.rules", {}},
                {"firewall.rules", {{"place", 101}, {"log_lines", 20}}},
                {"firewall.rules", {{"place", "pve1"}}},
                {"insight.node_pressure", {}},
                {"insight.guest_health", {}},
                {"insight.storage_pressure", {}},
                {"insight.backup_coverage", {}}};
    }
    /// A backup of a guest that is not protected.
    QString backupOf(qint64 vmid)
    {
        for (const auto &volume : m_stage->cluster.world().volumes)
            if (volume.content == QLatin1String("backup") && volume.vmid == vmid && !volume.isProtected)
                return volume.id;
        return {};
    }
    Calls storageChanges()
    {
        const QString sum(64, u'a');
        return {
            {"backup.run", {{"guest", 104}, {"storage", "nas-backup"}, {"notes", "a=b\nc"}, {"protected", true}}},
            {"backup.protect", {{"backup", backupOf(105)}, {"protected", true}, {"notes", "kept; for good"}}},
            {"backup.delete", {{"backup", backupOf(202)}}},
            {"backup.restore", {{"backup", backupOf(101)}, {"vmid", 950}, {"storage", "local-zfs"}, {"start", true}}},
            {"backup.restore", {{"backup", backupOf(104)}}},
            {"backup.restore_over", {{"backup", backupOf(104)}, {"guest", 207}, {"backup_first", true}}},
            {"storage.download",
             {{"storage", "nas-images"},
              {"url", "https://example.org/a=b.iso"},
              {"content", "iso"},
              {"filename", "a=b.iso"},
              {"checksum", sum},
              {"checksum_algorithm", "sha256"}}},
            {"storage.volume.delete", {{"volume", "nas-images:iso/a_b.iso"}}}};
    }
    Calls clusterChanges()
    {
        m_stage->cluster.world().setConfig(108, QStringLiteral("lock"), QStringLiteral("backup"));
        const auto failed = m_stage->run("guest.shutdown", {{"guest", 108}}).callId;
        m_stage->cluster.world().setConfig(108, QStringLiteral("lock"), {});
        const QJsonObject grant{{"path", "/vms/101"}, {"role", "PVEVMUser"}, {"who", "media@pve"}};
        const QJsonObject rule{{"place", 101}, {"type", "in"}, {"action", "ACCEPT"}, {"proto", "tcp"}, {"dport", "22"}};
        auto second = rule;
        second.insert("position", 1);
        return {
            {"pool.create",
             {{"pool", "attic"}, {"comment", "a=b"}, {"guests", QJsonArray{"214"}}, {"storages", QJsonArray{"local"}}}},
            {"pool.members.set", {{"pool", "attic"}, {"add", QJsonArray{"213"}}, {"remove", QJsonArray{"214"}}}},
            {"pool.delete", {{"pool", "attic"}}},
            {"access.acl.grant", grant},
            {"access.acl.revoke", grant},
            {"firewall.rule.add", rule},
            {"firewall.rule.add", second},
            {"firewall.rule.set",
             {{"place", 101}, {"position", 1}, {"comment", "a;b"}, {"unset", QJsonArray{"dport"}}}},
            {"firewall.rule.move", {{"place", 101}, {"position", 0}, {"to", 1}}},
            {"firewall.rule.delete", {{"place", 101}, {"positions", QJsonArray{0, 1}}}},
            {"firewall.options.set", {{"place", 101}, {"enable", true}, {"policy_in", "DROP"}}},
            {"firewall.options.set", {{"place", "pve1"}, {"nosmurfs", true}}},
            {"operation.retry", {{"entry", failed}}}};
    }
    static Parameters given(const HeardRequest &heard) { return Parameters::fromJson(heard.parameters); }
private Q_SLOTS:
    void everyOperationRunsAndEveryRequestFitsTheApi()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
        QSet<QString> seen;
        int requests = 0;
        auto all = reads();
        for (const auto &more : {calls(), clusterReads(), storageChanges(), clusterChanges()})
            all.insert(all.end(), more.begin(), more.end());
        for (const auto &[operation, arguments] : all) {
            m_stage->cluster.simulator.forgetRequests();
            const auto result = m_stage->run(operation, arguments);
            QVERIFY2(result.outcome, qPrintable(QString::fromLatin1(operation) + QLatin1String(": ") +
                                                (result.outcome ? QString() : result.outcome.error().message)));
            seen.insert(QLatin1String(operation));
            const bool isRead = m_stage->catalogue.find(QLatin1String(operation))->isRead();
            for (const auto &heard : m_stage->cluster.simulator.requests()) {
                ++requests;
                QVERIFY2(!isRead || !heard.isWrite(),
                         qPrintable(QString::fromLatin1(operation) + QLatin1String(" sends ") + heard.method));
                const bool isNew = heard.path == QLatin1String("/cluster/ha/rules"); // groups in release 8
                for (const auto *table :
                     {&ApiTable::ofVersion9(), isNew ? &ApiTable::ofVersion9() : &ApiTable::ofVersion8()})
                    for (const auto &violation : table->check(heard.method, heard.path, given(heard)))
                        QFAIL(qPrintable(QString::fromLatin1(operation) + u' ' + heard.method + u' ' + heard.path +
                                         QLatin1String(": ") + violation.parameter + u' ' + violation.text));
            }
        }
        qInfo("%lld operations, %d requests", static_cast<long long>(seen.size()), requests);
        QCOMPARE(seen.size(), qsizetype(m_stage->catalogue.all().size()));
    }
    void noSecretIsInAnyRowAnswerOrFile()
    {
        const auto canary = Homelab::tokenSecret(m_stage->cluster.remote.user).toUtf8();
        QVERIFY(canary.size() > 20);
        const auto rows = await(m_stage->query.page({}, 0, 1000));
        QVERIFY(rows && !rows->isEmpty());
        for (const auto &row : *rows) {
            const auto detail = await(m_stage->query.detail(row.callId));
            QVERIFY(!QJsonDocument(detail->merged).toJson().contains(canary));
        }
        int files = 0;
        QDirIterator walk(m_stage->folder.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            QFile file(walk.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!file.readAll().contains(canary), qPrintable(file.fileName()));
            ++files;
        }
        QVERIFY(files > 0);
        m_stage.reset();
    }
};

LABHELM_TEST(RequestsTest)
#include "RequestsTest.moc"
