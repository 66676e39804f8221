#include "mcp/SessionStage.h"
#include "support/TestMain.h"
#include <QRegularExpression>
#include <QSignalSpy>

/// MCP as a client sees it, in both eras.
class McpSessionTest : public QObject
{
    Q_OBJECT

    static void eras()
    {
        QTest::addColumn<bool>("modern");
        QTest::newRow("legacy") << false;
        QTest::newRow("modern") << true;
    }
    static QString errorOf(const QJsonObject &structured)
    {
        return structured[u"error"].toObject()[u"code"].toString();
    }
    static inline const QJsonObject half{{QStringLiteral("brightness"), 50}};

private Q_SLOTS:
    void agreesOnTheRevisionThatIsAskedFor_data();
    void agreesOnTheRevisionThatIsAskedFor();
    void answersALookAroundWithoutBecomingActive();
    void refusesRequestsBeforeTheRevisionIsKnownAndGoesOn();
    void knowsNoInitializeInTheModernEra();
    void servesBothErasOnOneConnection();
    void refusesAModernRequestThatSaysTooLittle();
    void tellsWhichRevisionsItKnows();

    void listsTheSameToolsEveryTime_data() { eras(); }
    void listsTheSameToolsEveryTime();
    void everyToolIsOneThatClientsBear();
    void readsAreAnsweredAsObjectAndAsText_data() { eras(); }
    void readsAreAnsweredAsObjectAndAsText();
    void anAnswerThatIsNoObjectIsWrapped();
    void unknownToolsAndMethodsAreErrorsOfTheProtocol_data() { eras(); }
    void unknownToolsAndMethodsAreErrorsOfTheProtocol();
    void wrongArgumentsAreAnAnswerToActOn_data();
    void wrongArgumentsAreAnAnswerToActOn();

    void changesAskAndSayWhatTheyDid_data() { eras(); }
    void changesAskAndSayWhatTheyDid();
    void aPersonHearsTheReason();
    void aDryRunChangesNothingAndAsksNobody();
    void aDenialSaysThatNothingChanged();
    void aFailureLeavesOpenWhatChanged();
    void answersOfTheDemoSaySo();

    void batchesAreForOneRevisionOnly();
    void aBatchIsAnsweredAsOneListWithoutWhatWasCancelled();
};

void McpSessionTest::agreesOnTheRevisionThatIsAskedFor_data()
{
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("agreed");
    for (const char *known : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
        QTest::newRow(known) << QString::fromLatin1(known) << QString::fromLatin1(known);
    QTest::newRow("newer") << QStringLiteral("2099-01-01") << QStringLiteral("2025-11-25");
    QTest::newRow("modern") << QStringLiteral("2026-07-28") << QStringLiteral("2025-11-25");
}

void McpSessionTest::agreesOnTheRevisionThatIsAskedFor()
{
    QFETCH(QString, wanted);
    QFETCH(QString, agreed);
    SessionStage s;
    s.begin(false, wanted);
    const auto result = s.answer("0");
    QCOMPARE(result[u"protocolVersion"].toString(), agreed);
    QCOMPARE(result[u"serverInfo"].toObject()[u"name"].toString(), QStringLiteral("labhelm"));
    QVERIFY(result[u"capabilities"].toObject().contains(u"tools"));
    QVERIFY(result[u"instructions"].toString().size() < 2048);
    QVERIFY(!result.contains(u"resultType"));
}

void McpSessionTest::answersALookAroundWithoutBecomingActive()
{
    SessionStage s;
    QSignalSpy active(s.session.get(), &McpSession::activated);
    s.ask("\"p\"", QStringLiteral("ping"));
    QCOMPARE(s.answer("\"p\""), QJsonObject());
    QVERIFY(s.isAnswered("\"p\""));
    s.begin(false);
    s.session->receive("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    s.isModern = true;
    s.ask("1", QStringLiteral("server/discover"));
    const auto found = s.answer("1");
    QCOMPARE(found[u"supportedVersions"].toArray()[0].toString(), QStringLiteral("2026-07-28"));
    QCOMPARE(found[u"resultType"].toString(), QStringLiteral("complete"));
    QCOMPARE(found[u"cacheScope"].toString(), QStringLiteral("private"));
    QVERIFY(found[u"ttlMs"].isDouble());
    QCOMPARE(active.size(), 0);
    s.ask("2", QStringLiteral("tools/list"));
    QCOMPARE(active.size(), 1);
}

void McpSessionTest::refusesRequestsBeforeTheRevisionIsKnownAndGoesOn()
{
    SessionStage s;
    s.ask("1", QStringLiteral("tools/list"));
    QCOMPARE(s.errorCode("1"), -32602);
    QVERIFY(s.lines.last().contains("2025-11-25"));
    s.ask("2", QStringLiteral("server/discover"));
    QCOMPARE(s.errorCode("2"), -32601);
    s.begin(false);
    s.ask("3", QStringLiteral("tools/list"));
    QVERIFY(s.answer("3").contains(u"tools"));
}

void McpSessionTest::knowsNoInitializeInTheModernEra()
{
    SessionStage s;
    s.isModern = true;
    for (const char *method : {"initialize", "ping", "logging/setLevel", "resources/subscribe"})
        s.ask('"' + QByteArray(method) + '"', QLatin1String(method));
    for (const char *method : {"initialize", "ping", "logging/setLevel", "resources/subscribe"})
        QCOMPARE(s.errorCode('"' + QByteArray(method) + '"'), -32601);
}

void McpSessionTest::servesBothErasOnOneConnection()
{
    SessionStage s;
    s.begin(false);
    s.isModern = true;
    s.ask("1", QStringLiteral("tools/list"));
    QCOMPARE(s.answer("1")[u"resultType"].toString(), QStringLiteral("complete"));
    s.isModern = false;
    s.ask("2", QStringLiteral("tools/list"));
    QVERIFY(!s.answer("2").contains(u"resultType"));
}

void McpSessionTest::refusesAModernRequestThatSaysTooLittle()
{
    SessionStage s;
    const auto version = QStringLiteral("io.modelcontextprotocol/protocolVersion");
    const auto capabilities = QStringLiteral("io.modelcontextprotocol/clientCapabilities");
    s.ask("1", QStringLiteral("tools/list"), {}, {{version, QStringLiteral("2026-07-28")}});
    s.ask("2", QStringLiteral("tools/list"), {}, {{version, 5}, {capabilities, QJsonObject()}});
    s.ask("3", QStringLiteral("tools/list"), {}, {{version, QStringLiteral("2026-07-28")}, {capabilities, 1}});
    for (const char *id : {"1", "2", "3"})
        QCOMPARE(s.errorCode(id), -32602);
}

void McpSessionTest::tellsWhichRevisionsItKnows()
{
    SessionStage s;
    s.ask("1", QStringLiteral("tools/list"), {},
          {{QStringLiteral("io.modelcontextprotocol/protocolVersion"), QStringLiteral("2030-01-01")},
           {QStringLiteral("io.modelcontextprotocol/clientCapabilities"), QJsonObject()}});
    QCOMPARE(s.errorCode("1"), -32022);
    const auto data = s.answer("1")[u"error"].toObject()[u"data"].toObject();
    QCOMPARE(data[u"requested"].toString(), QStringLiteral("2030-01-01"));
    QVERIFY(data[u"supported"].toArray().contains(QStringLiteral("2026-07-28")));
}

void McpSessionTest::listsTheSameToolsEveryTime()
{
    QFETCH(bool, modern);
    SessionStage s;
    s.begin(modern);
    s.ask("1", QStringLiteral("tools/list"));
    s.callTool("2", "lamp_look");
    QVERIFY(!s.structured("2").isEmpty());
    s.ask("3", QStringLiteral("tools/list"));
    QCOMPARE(s.answer("1"), s.answer("3"));
    QCOMPARE(s.answer("1")[u"tools"].toArray().size(), 4);
    QCOMPARE(s.answer("1").contains(u"ttlMs"), modern);
    s.ask("4", QStringLiteral("tools/list"), {{QStringLiteral("cursor"), QStringLiteral("x")}});
    QCOMPARE(s.errorCode("4"), -32602);
}

void McpSessionTest::everyToolIsOneThatClientsBear()
{
    const Catalogue catalogue;
    const ToolProjection tools(catalogue);
    static const QRegularExpression name(QStringLiteral("^[a-z0-9_]{1,40}$"));
    static const QRegularExpression property(QStringLiteral("^[a-zA-Z0-9_.-]{1,64}$"));
    QCOMPARE(tools.tools().size(), qsizetype(catalogue.all().size()));
    for (const auto &entry : tools.tools()) {
        const auto tool = entry.toObject();
        const auto id = tool[u"name"].toString();
        const auto *operation = tools.find(id);
        QVERIFY2(operation && name.match(id).hasMatch(), qPrintable(id));
        QVERIFY(!tool[u"description"].toString().isEmpty() && tool[u"description"].toString().size() < 1024);
        const auto schema = tool[u"inputSchema"].toObject();
        QCOMPARE(schema[u"type"].toString(), QStringLiteral("object"));
        QCOMPARE(schema[u"additionalProperties"], QJsonValue(false));
        const auto properties = schema[u"properties"].toObject();
        for (auto p = properties.begin(); p != properties.end(); ++p) {
            QVERIFY2(property.match(p.key()).hasMatch(), qPrintable(id + u'.' + p.key()));
            QVERIFY(!p.value()[u"description"].toString().isEmpty());
            static const QStringList types{QStringLiteral("string"), QStringLiteral("integer"),
                                           QStringLiteral("number"), QStringLiteral("boolean"),
                                           QStringLiteral("array")};
            QVERIFY2(types.contains(p.value()[u"type"].toString()), qPrintable(id + u'.' + p.key()));
            QCOMPARE(p.value()[u"type"] == QStringLiteral("array"), p.value().toObject().contains(u"items"));
        }
        QCOMPARE(properties.contains(u"dry_run"), !operation->isRead());
        for (const auto &parameter : operation->parameters)
            QVERIFY2(qstrcmp(parameter.name, "dry_run") != 0 && qstrcmp(parameter.name, "reason") != 0, qPrintable(id));
        const auto hints = tool[u"annotations"].toObject();
        QCOMPARE(hints[u"readOnlyHint"].toBool(), operation->isRead());
        QCOMPARE(hints[u"destructiveHint"].toBool(), operation->effect >= Effect::Disrupts);
    }
    const auto bytes = QJsonDocument(tools.tools()).toJson(QJsonDocument::Compact);
    QCOMPARE(QJsonDocument(ToolProjection(catalogue).tools()).toJson(QJsonDocument::Compact), bytes);
}

void McpSessionTest::readsAreAnsweredAsObjectAndAsText()
{
    QFETCH(bool, modern);
    SessionStage s;
    s.begin(modern);
    const auto note = QString::fromUtf8("a\xe2\x80\xa8"
                                        "b\n\xf0\x9f\x98\x80");
    s.callTool("\"x\"", "lamp_look", {{QStringLiteral("note"), note}});
    const auto result = s.answer("\"x\"");
    QVERIFY(!result.contains(u"isError"));
    QCOMPARE(result[u"structuredContent"].toObject()[u"note"].toString(), note);
    const auto text = result[u"content"].toArray()[0].toObject()[u"text"].toString();
    QCOMPARE(QJsonDocument::fromJson(text.toUtf8()).object(), result[u"structuredContent"].toObject());
    QVERIFY(!s.lines.last().contains("\xe2\x80\xa8"));
    QCOMPARE(result[u"resultType"].toString(), modern ? QStringLiteral("complete") : QString());
}

void McpSessionTest::anAnswerThatIsNoObjectIsWrapped()
{
    SessionStage s;
    s.begin(false);
    s.callTool("1", "lamp_names");
    QCOMPARE(s.structured("1")[u"result"].toArray().size(), 2);
}

void McpSessionTest::unknownToolsAndMethodsAreErrorsOfTheProtocol()
{
    QFETCH(bool, modern);
    SessionStage s;
    s.begin(modern);
    s.callTool("1", "no_such_tool");
    s.ask("2", QStringLiteral("tools/call"), {{QStringLiteral("name"), 5}});
    s.ask("3", QStringLiteral("tools/call"));
    s.ask("4", QStringLiteral("tools/call"),
          {{QStringLiteral("name"), QStringLiteral("lamp_look")}, {QStringLiteral("arguments"), QStringLiteral("x")}});
    for (const char *id : {"1", "2", "3", "4"})
        QCOMPARE(s.errorCode(id), -32602);
    s.ask("5", QStringLiteral("no/such"));
    QCOMPARE(s.errorCode("5"), -32601);
    QCOMPARE(s.lamp.looks, 0);
}

void McpSessionTest::wrongArgumentsAreAnAnswerToActOn_data()
{
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<QString>("names");
    const auto row = [](const char *arguments, const char *names) {
        QTest::newRow(arguments) << QByteArray(arguments) << QString::fromLatin1(names);
    };
    row("{}", "brightness");
    row("{\"brightness\":101}", "brightness");
    row("{\"brightness\":1e1}", "1e1");
    row("{\"brightness\":1.0}", "1.0");
    row("{\"brightness\":9007199254740993}", "9007199254740993");
    row("{\"brightness\":\"5\"}", "brightness");
    row("{\"brightness\":5,\"colour\":\"red\"}", "colour");
    row("{\"brightness\":5,\"reason\":7}", "reason");
    row("{\"brightness\":5,\"dry_run\":\"yes\"}", "dry_run");
}

void McpSessionTest::wrongArgumentsAreAnAnswerToActOn()
{
    QFETCH(QByteArray, arguments);
    QFETCH(QString, names);
    SessionStage s(QStringLiteral("operator"));
    s.begin(false);
    s.session->receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"lamp_set\","
                       "\"arguments\":" +
                       arguments + "}}");
    const auto result = s.answer("1");
    QVERIFY(result[u"isError"].toBool());
    const auto error = result[u"structuredContent"].toObject()[u"error"].toObject();
    QCOMPARE(error[u"code"].toString(), QStringLiteral("invalid"));
    QVERIFY2(error[u"message"].toString().contains(names), qPrintable(error[u"message"].toString()));
    QVERIFY(!error[u"advice"].toString().isEmpty());
    QCOMPARE(s.lamp.sets, 0);
}

void McpSessionTest::changesAskAndSayWhatTheyDid()
{
    QFETCH(bool, modern);
    SessionStage s;
    s.begin(modern);
    s.callTool("1", "lamp_set", half);
    QTRY_VERIFY(s.stage.approver.isAsking());
    QVERIFY(!s.isAnswered("1"));
    s.stage.approver.allow();
    const auto done = s.structured("1");
    QCOMPARE(done[u"state"].toString(), QStringLiteral("done"));
    QCOMPARE(done[u"changed"], QJsonValue(true));
    QCOMPARE(done[u"what"].toString(), QStringLiteral("Set the lamp to 50"));
    QCOMPARE(done[u"warnings"].toArray().size(), 0);
    QCOMPARE(done[u"undo"].toObject()[u"possible"].toString(), QStringLiteral("exact"));
    QCOMPARE(done[u"undo"].toObject()[u"with"].toString(), QStringLiteral("undo_apply"));
    QCOMPARE(s.stage.detail(done[u"entry"].toString()).row.state, CallState::Done);
    QCOMPARE(s.lamp.brightness, 50);
}

void McpSessionTest::aPersonHearsTheReason()
{
    SessionStage s;
    s.begin(false);
    auto arguments = half;
    arguments.insert(QStringLiteral("reason"), QStringLiteral("too dark"));
    s.callTool("1", "lamp_set", arguments);
    QTRY_VERIFY(s.stage.approver.isAsking());
    const auto asked = s.stage.approver.asked.front();
    QCOMPARE(asked.reason, QStringLiteral("too dark"));
    QCOMPARE(asked.arguments, half);
    arguments.insert(QStringLiteral("reason"), QString(1001, u'x'));
    s.callTool("2", "lamp_set", arguments);
    QCOMPARE(errorOf(s.structured("2")), QStringLiteral("invalid"));
}

void McpSessionTest::aDryRunChangesNothingAndAsksNobody()
{
    SessionStage s;
    s.begin(false);
    auto arguments = half;
    arguments.insert(QStringLiteral("dry_run"), true);
    s.callTool("1", "lamp_set", arguments);
    const auto plan = s.structured("1");
    QCOMPARE(plan[u"intent"].toString(), QStringLiteral("Set the lamp to 50"));
    QCOMPARE(plan[u"changes"].toArray()[0].toObject()[u"before"].toInt(), 1);
    QVERIFY(s.stage.approver.asked.empty());
    QCOMPARE(s.lamp.sets, 0);
}

void McpSessionTest::aDenialSaysThatNothingChanged()
{
    SessionStage s;
    s.begin(false);
    s.callTool("1", "lamp_set", half);
    QTRY_VERIFY(s.stage.approver.isAsking());
    s.stage.approver.deny(QStringLiteral("not now"));
    const auto result = s.answer("1");
    QVERIFY(result[u"isError"].toBool());
    const auto denied = result[u"structuredContent"].toObject();
    QCOMPARE(denied[u"state"].toString(), QStringLiteral("denied"));
    QCOMPARE(denied[u"changed"], QJsonValue(false));
    QVERIFY(denied[u"error"].toObject()[u"message"].toString().contains(QLatin1String("not now")));
    QCOMPARE(s.lamp.sets, 0);
}

void McpSessionTest::aFailureLeavesOpenWhatChanged()
{
    SessionStage s(QStringLiteral("operator"));
    s.begin(false);
    s.lamp.holds = true;
    s.callTool("1", "lamp_set", half);
    QTRY_COMPARE(s.lamp.held.size(), size_t(1));
    s.lamp.held[0].finish(Error{Error::Kind::Unknown, QStringLiteral("The connection broke."), {}});
    const auto lost = s.structured("1");
    QCOMPARE(lost[u"state"].toString(), QStringLiteral("unknown"));
    QCOMPARE(lost[u"changed"].toString(), QStringLiteral("unknown"));
    QVERIFY(lost[u"error"].toObject()[u"advice"].toString().contains(QLatin1String("Do not repeat")));
}

void McpSessionTest::answersOfTheDemoSaySo()
{
    SessionStage s(QStringLiteral("asker"), true);
    s.begin(false);
    QCOMPARE(s.answer("0")[u"serverInfo"].toObject()[u"title"].toString(), QStringLiteral("Labhelm (demo)"));
    s.callTool("1", "lamp_look");
    QCOMPARE(s.structured("1")[u"demo"], QJsonValue(true));
    s.callTool("2", "lamp_set");
    QCOMPARE(s.structured("2")[u"demo"], QJsonValue(true));
}

void McpSessionTest::batchesAreForOneRevisionOnly()
{
    SessionStage s;
    s.begin(false);
    s.session->receive("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]");
    QCOMPARE(s.errorCode("null"), -32600);
    SessionStage older;
    older.begin(false, QStringLiteral("2025-03-26"));
    older.session->receive("[]");
    QCOMPARE(older.errorCode("null"), -32600);
}

void McpSessionTest::aBatchIsAnsweredAsOneListWithoutWhatWasCancelled()
{
    SessionStage s;
    s.begin(false, QStringLiteral("2025-03-26"));
    s.lamp.holds = true;
    const QByteArray call("\"method\":\"tools/call\",\"params\":{\"name\":\"lamp_look\"}}");
    s.session->receive("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":\"a\"," + call +
                       ",{\"jsonrpc\":\"2.0\",\"id\":\"b\"," + call +
                       ",{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"},5]");
    QTRY_COMPARE(s.lamp.held.size(), size_t(2));
    QCOMPARE(s.lines.size(), 1);
    s.cancel("\"b\"");
    QCOMPARE(s.lines.size(), 1);
    s.lamp.release();
    QTRY_COMPARE(s.lines.size(), 2);
    const auto list = QJsonDocument::fromJson(s.lines.last()).array();
    QCOMPARE(list.size(), 3); // ping, the 5 that is no message, and "a"
    QCOMPARE(list[0].toObject()[u"id"], QJsonValue(1));
    QVERIFY(list[1].toObject().contains(u"error"));
    QCOMPARE(list[2].toObject()[u"id"].toString(), QStringLiteral("a"));
}

LABHELM_TEST(McpSessionTest)
#include "McpSessionTest.moc"
