#include "base/StrictJson.h"
#include "pve/AnswerReader.h"
#include "pve/Client.h"
#include "support/ClusterStage.h"
#include "support/MadeUp.h"
#include "support/Mutations.h"
#include "support/PollSample.h"
#include "support/TestMain.h"

/// Whatever is done to an answer on its way, nothing becomes 0, "stopped" or success by it, and nothing crashes. R17.
class MutatedAnswersTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    static bool isLong() { return qEnvironmentVariableIsSet("LABHELM_LONG"); }
    static HttpAnswer http(const QByteArray &body, int status = 200, const QString &reason = QStringLiteral("OK"))
    {
        HttpAnswer answer;
        answer.status = status;
        answer.reason = reason;
        answer.body = body;
        answer.contentType = "application/json;charset=UTF-8";
        answer.origin = QStringLiteral("test:8006");
        return answer;
    }
    /// The answer of the simulated cluster, which has the keys and types of the recorded ones.
    ApiAnswer answerOf(const QString &path)
    {
        ApiRequest request{Method::Get, path.split(u'/', Qt::SkipEmptyParts)};
        auto answer = await(m_stage->cluster.client().send(std::move(request), {}));
        return answer ? *answer : ApiAnswer{};
    }
    /// A value of each recorded shape.
    static QJsonValue valueOf(const QJsonValue &shape)
    {
        if (shape.isObject()) {
            QJsonObject made;
            const auto object = shape.toObject();
            for (auto field = object.begin(); field != object.end(); ++field)
                made[field.key()] = valueOf(field.value());
            return made;
        }
        if (shape.isArray()) {
            QJsonArray made;
            for (const auto &each : shape.toArray())
                made.append(valueOf(each));
            return made;
        }
        const auto kind = shape.toString();
        return kind == QLatin1String("number") ? QJsonValue(7)
               : kind == QLatin1String("bool") ? QJsonValue(true)
               : kind == QLatin1String("null") ? QJsonValue(QJsonValue::Null)
                                               : QJsonValue(QStringLiteral("text"));
    }

    /// What a list's elements are known by.
    static QJsonValue identity(const QJsonValue &element)
    {
        for (const auto *key :
             {"vmid", "upid", "sid", "node", "key", "name", "backup", "volid", "sid", "ugid", "remote"})
            if (const auto value = element[QLatin1String(key)]; !value.isUndefined())
                return value;
        return {};
    }
    static bool isTelling(const QJsonValue &leaf)
    {
        static const QStringList words{QStringLiteral("stopped"), QStringLiteral("ok"), QStringLiteral("OK"),
                                       QString()};
        return (leaf.isDouble() && leaf.toDouble() == 0) || (leaf.isString() && words.contains(leaf.toString())) ||
               (leaf.isBool() && !leaf.toBool());
    }
    /// Where `now` tells 0, false, "stopped", "ok" or nothing though `was`, the truth, does not; empty: nowhere.
    static QString claim(const QJsonValue &was, const QJsonValue &now, const QString &path = {})
    {
        if (now.isObject()) {
            const auto object = now.toObject();
            if (object.keys() == QStringList{QStringLiteral("x")} && was[QLatin1String("x")].isUndefined())
                return claim(was, object[QLatin1String("x")], path); // passed on as it was sent, nested
            for (auto field = object.begin(); field != object.end(); ++field)
                if (const auto found = claim(was[field.key()], field.value(), path + u'/' + field.key());
                    !found.isEmpty())
                    return found;
            return {};
        }
        if (now.isArray()) {
            const auto before = was.toArray();
            const auto after = now.toArray();
            for (const auto &element : after) {
                const auto same = std::find_if(before.begin(), before.end(), [&](const QJsonValue &each) {
                    return identity(each) == identity(element);
                });
                if (same == before.end())
                    continue;
                if (const auto found = claim(*same, element, path + QStringLiteral("/#")); !found.isEmpty())
                    return found;
            }
            return {};
        }
        return isTelling(now) && now != was ? path : QString();
    }

    /// Serves each mutation of one answer to an operation and judges what it makes of it.
    void judgeOperation(const char *operation, const QJsonObject &arguments, const QString &path, int stride = 1)
    {
        auto &faults = m_stage->cluster.simulator.faults();
        const auto truth = m_stage->answer(operation, arguments);
        const auto whole = answerOf(path);
        const auto all = Mutations::of(whole.data, whole.beside);
        QVERIFY2(!all.empty(), qPrintable(path));
        int answered = 0, refused = 0;
        for (size_t at = 0; at < all.size(); at += size_t(isLong() ? 1 : 3 * stride)) {
            Fault fault;
            fault.kind = Fault::Kind::Answer;
            fault.method = QStringLiteral("GET");
            fault.path = path;
            fault.always = true;
            fault.status = 200;
            fault.reason = "OK";
            fault.contentType = "application/json;charset=UTF-8";
            fault.body = all[at].body;
            faults.add(fault);
            const auto result = m_stage->run(operation, arguments);
            faults.clear();
            ++(result.outcome ? answered : refused);
            if (!result.outcome)
                continue;
            const auto found = claim(truth, result.outcome->answer);
            const bool isTold = found == QLatin1String("/notes") && !all[at].body.contains("\"description\":");
            QVERIFY2(found.isEmpty() || isTold, // a configuration without notes says that there are none
                     qPrintable(QStringLiteral("%1, %2: %3").arg(QLatin1String(operation), all[at].what, found)));
        }
        m_cases += answered + refused;
        qInfo("%-18s %4d read as far as possible, %4d refused", operation, answered, refused);
    }
    int m_cases = 0;

private Q_SLOTS:
    void initTestCase()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanupTestCase() { m_stage.reset(); }

    /// Each recorded exchange, with a value of each recorded type: an error stays one, and what is cut is none.
    void neverReadsARecordedErrorOrACutAnswerAsSuccess()
    {
        QFile file(QStringLiteral(LABHELM_TEST_DATA "/recordings.jsonl"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        int recordings = 0, mutated = 0, cut = 0;
        while (!file.atEnd()) {
            const auto one = QJsonDocument::fromJson(file.readLine()).object();
            const auto shape = one[QLatin1String("shape")];
            const int status = one[QLatin1String("status")].toInt();
            if (shape.isUndefined() || status == 0)
                continue;
            ++recordings;
            const bool isRead = one[QLatin1String("method")].toString() == QLatin1String("GET");
            const ApiRequest request{isRead ? Method::Get : Method::Post, {QStringLiteral("any")}};
            const auto reason = one[QLatin1String("reason")].toString();
            const auto body = valueOf(shape).toObject();
            for (const auto &each : Mutations::of(body[QLatin1String("data")], body)) {
                const auto read = AnswerReader::read(request, http(each.body, status, reason));
                ++mutated;
                QVERIFY2(!read || status < 300, qPrintable(each.what));
                if (each.what.endsWith(QLatin1String(" twice")))
                    QVERIFY2(!read, qPrintable(each.what)); // nobody can say which of the two holds
            }
            const auto whole = StrictJson::write(body);
            for (qsizetype size = 0; size < whole.size(); size += isLong() ? 1 : whole.size() < 400 ? 5 : 23) {
                const auto read = AnswerReader::read(request, http(whole.left(size), status, reason));
                ++cut;
                QVERIFY(!read);
                if (status < 300)
                    QCOMPARE(read.error().kind, isRead ? Error::Kind::Malformed : Error::Kind::Unknown);
            }
        }
        qInfo("%d recordings: %d mutated, %d cut", recordings, mutated, cut);
        m_cases += mutated + cut;
        QVERIFY(recordings > 500);
    }
    /// Each answer of a poll, each place in it, each fault; from the bytes to the inventory.
    void neverMakesSomethingUpOfAPoll()
    {
        const auto sample = PollSample::answers();
        const auto whole = readAnswers(sample, nullptr);
        QVERIFY(whole);
        const ApiRequest request{Method::Get, {QStringLiteral("any")}};
        int read = 0, refused = 0;
        for (int part = 0; part < 3; ++part) {
            const auto data = part == 0 ? sample.resources : part == 1 ? *sample.status : *sample.tasks;
            auto all = Mutations::of(data);
            const auto body = StrictJson::write(QJsonObject{{QStringLiteral("data"), data}});
            for (qsizetype size = 0; size < body.size(); ++size)
                all.push_back({QStringLiteral("cut at %1").arg(size), body.left(size)});
            for (const auto &each : all) {
                const auto answer = AnswerReader::read(request, http(each.body));
                ++(answer ? read : refused);
                auto answers = sample;
                const auto value = answer ? Result<QJsonValue>(answer->data) : Result<QJsonValue>(answer.error());
                if (part == 0)
                    answers.resources = value ? *value : QJsonValue();
                else
                    (part == 1 ? answers.status : answers.tasks) = value;
                for (const auto *before : {static_cast<const InventorySnapshot *>(nullptr), &*whole}) {
                    const auto state = readAnswers(answers, before);
                    if (!state)
                        continue;
                    if (each.what.endsWith(QLatin1String("/lock dropped")) ||
                        each.what.endsWith(QLatin1String("/lock word")))
                        continue; // no lock, or another one: nobody can tell that it was "suspended"
                    const auto fault = MadeUp::claims(*whole, *state);
                    QVERIFY2(fault.isEmpty(), qPrintable(each.what + QLatin1String(": ") + fault));
                    if (before && state->problem.isEmpty()) // nobody vanishes without a word
                        QCOMPARE(state->guests.size(), whole->guests.size());
                }
            }
        }
        qInfo("%d answers of a poll read as far as possible, %d refused", read, refused);
        m_cases += read + refused;
    }
    void neverMakesSomethingUpOfAGuest_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("stride");
        QTest::newRow("status") << "/nodes/pve1/qemu/101/status/current" << 9;
        QTest::newRow("config") << "/nodes/pve1/qemu/101/config" << 5;
        QTest::newRow("pending") << "/nodes/pve1/qemu/101/pending" << 11;
    }
    void neverMakesSomethingUpOfAGuest()
    {
        QFETCH(QString, path);
        QFETCH(int, stride);
        judgeOperation("guest.get", {{"guest", 101}}, path, stride);
    }
    void neverMakesSomethingUpOfLists()
    {
        judgeOperation("node.list", {}, QStringLiteral("/nodes"), 5);
        judgeOperation("guest.list", {{"limit", 1000}}, QStringLiteral("/cluster/resources"), 197);
        judgeOperation("task.list", {{"limit", 500}}, QStringLiteral("/cluster/tasks"), 59);
        judgeOperation("node.status", {{"node", "pve1"}}, QStringLiteral("/nodes/pve1/status"), 11);
    }
    void neverMakesSomethingUpOfStoragesAndRights()
    {
        const QJsonObject rule{{"place", 101}, {"type", "in"}, {"action", "DROP"}, {"proto", "tcp"}, {"dport", "22"}};
        QVERIFY(m_stage->run("firewall.rule.add", rule).outcome);
        judgeOperation("cluster.status", {}, QStringLiteral("/cluster/status"), 5);
        judgeOperation("ha.status", {}, QStringLiteral("/cluster/ha/status/current"), 11);
        judgeOperation("storage.content", {{"storage", "nas-images"}, {"content", "iso"}},
                       QStringLiteral("/nodes/pve1/storage/nas-images/content"), 3);
        judgeOperation("backup.list", {{"guest", 104}}, QStringLiteral("/nodes/pve1/storage/nas-backup/content"), 13);
        judgeOperation("firewall.rules", {{"place", 101}}, QStringLiteral("/nodes/pve1/qemu/101/firewall/rules"), 3);
        judgeOperation("access.permissions", {}, QStringLiteral("/access/acl"), 11);
    }
    void neverTakesATaskForDone_data()
    {
        QTest::addColumn<bool>("isRunning");
        QTest::newRow("one that runs") << true;
        QTest::newRow("one that failed") << false;
    }
    void neverTakesATaskForDone()
    {
        QFETCH(bool, isRunning);
        auto &world = m_stage->cluster.world();
        world.taskPace = 1'000;
        ApiRequest request{Method::Post, {"nodes", "pve1", "qemu", isRunning ? "120" : "121", "status", "start"}};
        const auto answer = await(m_stage->cluster.client().send(std::move(request), {}));
        QVERIFY(answer);
        const auto upid = answer->data.toString();
        if (!isRunning)
            world.interrupt(upid);
        const auto path = QStringLiteral("/nodes/pve1/tasks/%1/").arg(upid);
        judgeOperation("task.get", {{"task", upid}}, path + QStringLiteral("status"), 3);
        judgeOperation("task.log", {{"task", upid}}, path + QStringLiteral("log"), 3);
        world.interrupt(upid);
        world.taskPace = 0;
    }
    /// The answer to a change that starts a task: without the task's name nobody knows what became of it.
    void neverTakesAChangeForDoneWithoutItsTask()
    {
        auto &simulator = m_stage->cluster.simulator;
        const auto upid = QStringLiteral("UPID:pve1:0000AAAA:0000BBBB:6B0D48B7:vzstart:107:root@pam:");
        auto all = Mutations::of(upid);
        const auto body = StrictJson::write(QJsonObject{{QStringLiteral("data"), upid}});
        for (qsizetype size = 0; size < body.size(); size += isLong() ? 1 : 6)
            all.push_back({QStringLiteral("cut at %1").arg(size), body.left(size)});
        for (int missing = 1; missing < 20; missing += isLong() ? 1 : 5)
            all.push_back({QStringLiteral("shorter by %1").arg(missing),
                           StrictJson::write(QJsonObject{{QStringLiteral("data"), upid.chopped(missing)}})});
        for (const auto &each : all) {
            Fault fault;
            fault.kind = Fault::Kind::Answer;
            fault.method = QStringLiteral("POST");
            fault.status = 200;
            fault.reason = "OK";
            fault.contentType = "application/json;charset=UTF-8";
            fault.body = each.body;
            simulator.faults().add(fault);
            const auto result = m_stage->run("guest.start", {{"guest", 107}});
            simulator.faults().clear();
            QVERIFY2(result.state == CallState::Unknown, qPrintable(each.what));
        }
        qInfo("%zu answers to a change", all.size());
        m_cases += int(all.size());
    }
    void countsThem()
    {
        qInfo("%d mutated answers in all", m_cases);
        QVERIFY(m_cases > 10'000);
    }
};

LABHELM_TEST(MutatedAnswersTest)
#include "MutatedAnswersTest.moc"
