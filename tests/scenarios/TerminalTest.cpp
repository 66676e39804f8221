#include "scenarios/HostProcess.h"
#include "support/Signals.h"
#include "support/TestMain.h"
#include <QJsonArray>

/// labhelm-cli as a person at a terminal uses it.
class TerminalTest : public QObject
{
    Q_OBJECT

    /// One run of labhelm-cli.
    struct Run {
        explicit Run(const QStringList &words) { process.start(QStringLiteral(LABHELM_BIN "/labhelm-cli"), words); }
        /// The exit status; -1 if it does not end.
        int end()
        {
            const bool ended = QTest::qWaitFor([this] { return process.state() == QProcess::NotRunning; }, 30'000);
            return ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
        }
        QJsonObject answer() { return QJsonDocument::fromJson(process.readAllStandardOutput()).object(); }
        QByteArray told() { return process.readAllStandardError(); }
        QProcess process;
    };
    static QStringList call(const HostProcess &host, const char *id, const char *arguments, QStringList more = {})
    {
        return QStringList{QStringLiteral("call"),
                           QLatin1String(id),
                           QLatin1String(arguments),
                           QStringLiteral("--socket"),
                           host.places[u"socket"].toString(),
                           QStringLiteral("--key"),
                           host.places[u"terminal_key"].toString()} +
               more;
    }

private Q_SLOTS:
    void listsTheOperationsWithoutADesktop();
    void readsAtOnce();
    void aChangeAsksInTheWindowAndWaits();
    void aDryRunChangesNothing();
    void aDenialIsAFailure();
    void anUnknownEndHasAStatusOfItsOwn();
    void argumentsMayComeFromStandardInput();
    void interruptingCancels();
    void saysThatLabhelmIsNotRunning();
    void aRestartedLabhelmLetsNoOldKeyIn();
    void wrongUsageIsExplained_data();
    void wrongUsageIsExplained();
    void everyVerbHasHelp();
};

void TerminalTest::listsTheOperationsWithoutADesktop()
{
    Run list({QStringLiteral("operations"), QStringLiteral("--json")});
    QCOMPARE(list.end(), 0);
    const auto all = QJsonDocument::fromJson(list.process.readAllStandardOutput()).array();
    QVERIFY(all.size() >= 25);
    for (const auto &entry : all) {
        const auto operation = entry.toObject();
        for (const char *key : {"id", "effect", "title", "summary", "tool"})
            QVERIFY2(!operation[QLatin1String(key)].toString().isEmpty(), key);
        QCOMPARE(operation[u"parameters"].toObject()[u"type"].toString(), QStringLiteral("object"));
        QCOMPARE(operation[u"undo"].isNull(), operation[u"effect"] == QStringLiteral("Reads"));
    }
    Run table({QStringLiteral("operations")});
    QCOMPARE(table.end(), 0);
    QCOMPARE(table.process.readAllStandardOutput().count('\n'), int(all.size()));
}

void TerminalTest::readsAtOnce()
{
    HostProcess host;
    Run run(call(host, "guest.get", "{\"guest\":\"jellyfin\"}"));
    QCOMPARE(run.end(), 0);
    const auto answer = run.answer();
    QCOMPARE(answer[u"vmid"].toInt(), 104);
    QCOMPARE(answer[u"demo"], QJsonValue(true));
    QCOMPARE(run.told(), QByteArray());
    const auto rows = host.run("rows").array();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows[0].toObject()[u"actor"].toString(), QStringLiteral("terminal"));
}

void TerminalTest::aChangeAsksInTheWindowAndWaits()
{
    HostProcess host;
    Run run(call(host, "guest.config.set", "{\"guest\":\"jellyfin\",\"memory\":3072}",
                 {QStringLiteral("--reason"), QStringLiteral("it swaps")}));
    const auto question = host.decide(true);
    QCOMPARE(question[u"agent"].toString(), QStringLiteral("terminal"));
    QCOMPARE(question[u"reason"].toString(), QStringLiteral("it swaps"));
    QCOMPARE(run.end(), 0);
    QCOMPARE(run.answer()[u"state"].toString(), QStringLiteral("done"));
    QVERIFY(run.told().contains("person"));
    QCOMPARE(host.writes(), 1);
}

void TerminalTest::aDryRunChangesNothing()
{
    HostProcess host;
    Run run(call(host, "guest.config.set", "{\"guest\":\"jellyfin\",\"memory\":3072}", {QStringLiteral("--dry-run")}));
    QCOMPARE(run.end(), 0);
    QCOMPARE(run.answer()[u"changes"].toArray()[0].toObject()[u"after"].toInt(), 3072);
    QCOMPARE(host.writes(), 0);
}

void TerminalTest::aDenialIsAFailure()
{
    HostProcess host;
    Run run(call(host, "guest.stop", "{\"guest\":\"jellyfin\"}"));
    host.decide(false);
    QCOMPARE(run.end(), 1);
    QCOMPARE(run.answer()[u"state"].toString(), QStringLiteral("denied"));
    QVERIFY(run.told().contains("denied"));
    QCOMPARE(host.writes(), 0);
}

void TerminalTest::anUnknownEndHasAStatusOfItsOwn()
{
    HostProcess host;
    const QJsonObject fault{{QStringLiteral("do"), QStringLiteral("fault")},
                            {QStringLiteral("kind"), QStringLiteral("cut_before")},
                            {QStringLiteral("method"), QStringLiteral("PUT")},
                            {QStringLiteral("path"), QStringLiteral("*")}};
    host.run("simulator", {{QStringLiteral("command"), fault}});
    QCOMPARE(host.last(), "null");
    Run run(call(host, "guest.config.set", "{\"guest\":\"jellyfin\",\"memory\":3072}"));
    host.decide(true);
    QCOMPARE(run.end(), 2);
    QCOMPARE(run.answer()[u"changed"].toString(), QStringLiteral("unknown"));
}

void TerminalTest::argumentsMayComeFromStandardInput()
{
    HostProcess host;
    Run run(call(host, "guest.get", "-"));
    run.process.write("{\"guest\": \"jellyfin\"}\n");
    run.process.closeWriteChannel();
    QCOMPARE(run.end(), 0);
    QCOMPARE(run.answer()[u"vmid"].toInt(), 104);
}

void TerminalTest::interruptingCancels()
{
    HostProcess host;
    Run run(call(host, "guest.stop", "{\"guest\":\"jellyfin\"}"));
    host.run("asked");
    QVERIFY(signalTo(run.process, SIGINT));
    QCOMPARE(run.end(), 130);
    host.run("idle");
    QCOMPARE(host.run("questions").object()[u"open"], QJsonValue(false));
    QCOMPARE(host.writes(), 0);
}

void TerminalTest::saysThatLabhelmIsNotRunning()
{
    Run run({QStringLiteral("call"), QStringLiteral("guest.list"), QStringLiteral("--socket"),
             QStringLiteral("/no/such/socket")});
    QCOMPARE(run.end(), 3);
    QCOMPARE(run.process.readAllStandardOutput(), QByteArray());
    QVERIFY(run.told().contains("not running"));
}

void TerminalTest::aRestartedLabhelmLetsNoOldKeyIn()
{
    HostProcess host;
    const QTemporaryDir folder;
    const auto old = folder.filePath(QStringLiteral("old.key"));
    QFile file(old);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
    file.write(QByteArray(64, 'a'));
    file.close();
    Run run({QStringLiteral("call"), QStringLiteral("guest.list"), QStringLiteral("--socket"),
             host.places[u"socket"].toString(), QStringLiteral("--key"), old});
    QCOMPARE(run.end(), 3);
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ReadOther));
    Run open({QStringLiteral("call"), QStringLiteral("guest.list"), QStringLiteral("--socket"),
              host.places[u"socket"].toString(), QStringLiteral("--key"), old});
    QCOMPARE(open.end(), 3);
    QVERIFY(open.told().contains("open to others"));
}

void TerminalTest::wrongUsageIsExplained_data()
{
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char *words) {
        QTest::newRow(words) << QString::fromLatin1(words).split(u' ', Qt::SkipEmptyParts);
    };
    row("");
    row("dance");
    row("call");
    row("call guest.fly");
    row("call guest.list {");
    row("call guest.list {} {}");
    row("call guest.list {\"a\":1,\"a\":2}");
    row("call guest.list --dry-run");
    row("call guest.list --socket");
    row("call guest.list --fast");
    row("operations --xml");
    row("help dance");
}

void TerminalTest::wrongUsageIsExplained()
{
    QFETCH(QStringList, words);
    Run run(words);
    QCOMPARE(run.end(), 4);
    QVERIFY(run.process.bytesAvailable() > 0 || !run.told().isEmpty());
}

void TerminalTest::everyVerbHasHelp()
{
    for (const auto &words : {QStringList{QStringLiteral("--help")}, QStringList{QStringLiteral("help")},
                              QStringList{QStringLiteral("help"), QStringLiteral("call")},
                              QStringList{QStringLiteral("call"), QStringLiteral("--help")},
                              QStringList{QStringLiteral("operations"), QStringLiteral("-h")}}) {
        Run run(words);
        QCOMPARE(run.end(), 0);
        QVERIFY(run.process.readAllStandardOutput().contains("labhelm-cli"));
    }
}

LABHELM_TEST(TerminalTest)
#include "TerminalTest.moc"
