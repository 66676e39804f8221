#include "mcp/JsonRpc.h"
#include "mcp/JsonMembers.h"
#include "support/TestMain.h"
#include <QJsonDocument>
#include <QRandomGenerator>

/// Messages as they come from programs of every kind.
class JsonRpcTest : public QObject
{
    Q_OBJECT

    static QByteArray echoed(const QByteArray &id)
    {
        const auto parsed = JsonRpc::parse("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}");
        const auto *message = std::get_if<RpcMessage>(&parsed);
        return message ? message->id : "refused";
    }
    static int codeOf(const QByteArray &line)
    {
        const auto parsed = JsonRpc::parse(line);
        const auto *fault = std::get_if<RpcFault>(&parsed);
        return fault ? fault->error.code : 0;
    }
    static QByteArray idOfFault(const QByteArray &line)
    {
        const auto parsed = JsonRpc::parse(line);
        const auto *fault = std::get_if<RpcFault>(&parsed);
        return fault ? fault->id : QByteArray();
    }

private Q_SLOTS:
    void echoesEveryIdExactly_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const char *id :
             {"1", "\"1\"", "0", "-7", "1152921504606846976", "9007199254740993", "123456789012345678901234567890",
              "\"\"", "\"a\\\"b\\\\\"", "\"\\u0041\"", "\"\xc3\xa9\"", "\"\xe2\x80\xa8\"", "\"},{\\n\""})
            QTest::newRow(id) << QByteArray(id);
    }
    void echoesEveryIdExactly()
    {
        QFETCH(QByteArray, id);
        QCOMPARE(echoed(id), id);
    }

    void refusesOtherIds_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const char *id : {"null", "1.5", "1e2", "true", "[1]", "{}", "007", "-", "-01", "+1"})
            QTest::newRow(id) << QByteArray(id);
        QTest::newRow("huge") << '"' + QByteArray(5000, 'x') + '"';
    }
    void refusesOtherIds()
    {
        QFETCH(QByteArray, id);
        QCOMPARE(echoed(id), "refused");
    }

    void refusesWhatIsNoMessage_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("id");
        const auto row = [](const char *name, const QByteArray &line, int code, const QByteArray &id) {
            QTest::newRow(name) << line << code << id;
        };
        row("text", "hello", -32700, "null");
        row("cut", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":", -32700, "null");
        row("two", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}{}", -32700, "null");
        row("bad UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32600, "1");
        row("overlong", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc0\xaf\"}", -32600, "1");
        row("lone surrogate", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\ud800\"}", -32600, "1");
        row("raw NUL", QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a#b\"}").replace('#', '\0'), -32600, "1");
        row("a key twice", "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"a\",\"method\":\"b\"}", -32600, "\"x\"");
        row("an argument twice",
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"arguments\":{\"vmid\":100,\"vmid\":"
            "999}}}",
            -32600, "3");
        row("the id twice", "{\"jsonrpc\":\"2.0\",\"id\":3,\"id\":4,\"method\":\"a\"}", -32600, "null");
        row("a number", "5", -32600, "null");
        row("no version", "{\"id\":1,\"method\":\"a\"}", -32600, "1");
        row("other version", "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"a\"}", -32600, "1");
        row("no method", "{\"jsonrpc\":\"2.0\",\"id\":1}", -32600, "1");
        row("a method that is no text", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", -32600, "1");
        row("more than 1 MiB", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + QByteArray(1024 * 1024, 'x') + "\"}",
            -32600, "1");
        row("params as a list", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":[1]}", -32602, "1");
        for (const int depth : {65, 1025, 400'000}) {
            const auto nested = QByteArray(depth, '[') + QByteArray(depth, ']');
            row(qPrintable(QStringLiteral("%1 levels").arg(depth)),
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":{\"x\":" + nested + "}}", -32600, "1");
        }
    }
    void refusesWhatIsNoMessage()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, code);
        QFETCH(QByteArray, id);
        QCOMPARE(codeOf(line), code);
        QCOMPARE(idOfFault(line), id);
    }

    void toleratesAByteOrderMark()
    {
        QCOMPARE(codeOf("\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}"), 0);
    }

    void keepsArgumentsInTheCallersWords()
    {
        const QByteArray arguments("{ \"vmid\":1e2 , \"x\":[1.0, \"}\"],\"big\":9007199254740993 }");
        const auto parsed = JsonRpc::parse("{\"params\":{\"arguments\":" + arguments +
                                           ",\"name\":\"a\"},\"method\":\"tools/call\",\"id\":1,\"jsonrpc\":\"2.0\"}");
        QCOMPARE(std::get<RpcMessage>(parsed).arguments, arguments);
    }

    void losesNoArgumentsToAnEscapedKey()
    {
        const auto parsed = JsonRpc::parse("{\"jsonrpc\":\"2.0\",\"\\u0069d\":7,\"method\":\"tools/"
                                           "call\",\"p\\u0061rams\":{\"\\u0061rguments\":{\"a\":"
                                           "1}}}");
        const auto &message = std::get<RpcMessage>(parsed);
        QCOMPARE(message.id, "7");
        QCOMPARE(message.arguments, "{\"a\":1}");
    }

    void tellsRequestsNoticesAndResponsesApart()
    {
        const auto kind = [](const QByteArray &line) { return std::get<RpcMessage>(JsonRpc::parse(line)); };
        QVERIFY(!kind("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}").isNotification());
        QVERIFY(kind("{\"jsonrpc\":\"2.0\",\"method\":\"a\"}").isNotification());
        QVERIFY(kind("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}").method.isEmpty());
        QVERIFY(kind("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}").method.isEmpty());
    }

    void writesOneLineThatNoClientSplits()
    {
        const auto text = QString::fromUtf8("a\xe2\x80\xa8"
                                            "b\xe2\x80\xa9"
                                            "c\nd\re");
        for (const auto &line : {JsonRpc::result("\"\xe2\x80\xa8\"", {{QStringLiteral("x"), text}}),
                                 JsonRpc::notification(QStringLiteral("n"), {{QStringLiteral("x"), text}}),
                                 JsonRpc::error("1", {RpcError::InvalidParams, text, {}})}) {
            QVERIFY(!line.contains('\n') && !line.contains('\r'));
            QVERIFY(!line.contains("\xe2\x80\xa8") && !line.contains("\xe2\x80\xa9"));
            QVERIFY(QJsonDocument::fromJson(line).isObject());
        }
        const auto back = QJsonDocument::fromJson(JsonRpc::result("1", {{QStringLiteral("x"), text}})).object();
        QCOMPARE(back[u"result"].toObject()[u"x"].toString(), text);
    }

    void takesABatchApartWithoutTouchingIt()
    {
        QCOMPARE(JsonRpc::elements(" [ {\"id\":1e2,\"a\":\"],\"} ,[1,2], 5 ] "),
                 (QByteArrayList{"{\"id\":1e2,\"a\":\"],\"}", "[1,2]", "5"}));
        QVERIFY(JsonRpc::elements("[1,").isEmpty());
        QVERIFY(JsonRpc::elements("[]").isEmpty());
    }

    void survivesEveryDamageOfAMessage()
    {
        const QByteArray good("{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0041\",\"method\":\"tools/call\",\"params\":{\"name\":"
                              "\"x\",\"arguments\":{\"a\":[1,{\"b\":null}],\"c\":\"\xc3\xa9\"}}}");
        QRandomGenerator random(7);
        for (int round = 0; round < 20'000; ++round) {
            auto bad = good;
            for (int change = random.bounded(1, 4); change > 0; --change) {
                const auto at = random.bounded(int(bad.size()));
                switch (random.bounded(3)) {
                case 0: bad[at] = char(random.bounded(256)); break;
                case 1: bad.remove(at, random.bounded(1, 9)); break;
                default: bad.insert(at, "{}[]\",:\\"[random.bounded(8)]);
                }
                if (bad.isEmpty())
                    bad = good;
            }
            const auto parsed = JsonRpc::parse(bad);
            const auto *fault = std::get_if<RpcFault>(&parsed);
            const auto id = fault ? fault->id : std::get<RpcMessage>(parsed).id;
            QVERIFY2(id.isEmpty() || QJsonDocument::fromJson('[' + id + ']').isArray() || fault, bad.constData());
        }
    }
};

LABHELM_TEST(JsonRpcTest)
#include "JsonRpcTest.moc"
