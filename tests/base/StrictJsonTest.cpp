#include "base/StrictJson.h"
#include "support/TestMain.h"
#include <QJsonArray>

/// JSON from outside is taken whole and exact, or not at all.
class StrictJsonTest : public QObject
{
    Q_OBJECT

    static bool accepts(const QByteArray &text, const StrictJson::Limits &limits = {})
    {
        return bool(StrictJson::parse(text, limits));
    }
    static QString refusal(const QByteArray &text, const StrictJson::Limits &limits = {})
    {
        const auto value = StrictJson::parse(text, limits);
        return value ? QStringLiteral("accepted") : value.error().message;
    }
    static QByteArray nested(int levels) { return QByteArray(levels, '[') + QByteArray(levels, ']'); }

private Q_SLOTS:
    void readsEachKindOfValue();
    void refusesADuplicateKey_data();
    void refusesADuplicateKey();
    void takesTheSameKeyInTwoObjects();
    void takesTheLimitOfNestingAndNoMore_data();
    void takesTheLimitOfNestingAndNoMore();
    void refusesWhatIsNotUtf8_data();
    void refusesWhatIsNotUtf8();
    void refusesALoneSurrogate_data();
    void refusesALoneSurrogate();
    void keepsAPairOfSurrogates();
    void keepsEveryCharacterOfAString();
    void toleratesAByteOrderMarkInFront();
    void refusesNumbersThatAreNone_data();
    void refusesNumbersThatAreNone();
    void keepsIntegersExactlyToTheLimit();
    void refusesIntegersPastTheLimitUnlessAsked();
    void refusesIntegersWrittenAsFractions_data();
    void refusesIntegersWrittenAsFractions();
    void refusesTextCutAnywhere();
    void refusesWhatFollowsTheValue_data();
    void refusesWhatFollowsTheValue();
    void refusesTextOverTheLimitOfBytes();
    void refusesAnythingButAnObjectWhereOneIsExpected();
    void repeatsNothingOfTheTextInTheDetail();
    void writesEqualValuesAsEqualBytes();
    void writesWhatItRead();
};

void StrictJsonTest::readsEachKindOfValue()
{
    const auto read = StrictJson::parseObject(R"({"a":null,"b":true,"c":-7,"d":0.5,"e":"x","f":[1,[]],"g":{}})");
    QVERIFY(read);
    QVERIFY(read->value(QStringLiteral("a")).isNull());
    QCOMPARE(read->value(QStringLiteral("b")).toBool(), true);
    QCOMPARE(read->value(QStringLiteral("c")).toInteger(), -7);
    QCOMPARE(read->value(QStringLiteral("d")).toDouble(), 0.5);
    QCOMPARE(read->value(QStringLiteral("e")).toString(), QStringLiteral("x"));
    QCOMPARE(read->value(QStringLiteral("f")).toArray().size(), 2);
    QVERIFY(read->value(QStringLiteral("g")).isObject());
    QVERIFY(read->value(QStringLiteral("absent")).isUndefined());
}

void StrictJsonTest::refusesADuplicateKey_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("plain") << QByteArray(R"({"vmid":100,"vmid":999})");
    QTest::newRow("escaped") << QByteArray(R"({"vmid":100,"\u0076mid":999})");
    QTest::newRow("both escaped") << QByteArray(R"({"v\u006did":100,"\u0076mid":999})");
    QTest::newRow("far apart") << QByteArray(R"({"vmid":1,"a":{"b":[{}]},"c":2,"vmid":1})");
    QTest::newRow("nested") << QByteArray(R"({"a":[{"vmid":1,"vmid":1}]})");
    QTest::newRow("null") << QByteArray(R"({"vmid":null,"vmid":null})");
    QTest::newRow("as a container") << QByteArray(R"({"vmid":{},"vmid":{}})");
}

void StrictJsonTest::refusesADuplicateKey()
{
    QFETCH(QByteArray, text);
    QVERIFY2(refusal(text).contains(QLatin1String("\"vmid\"")), qPrintable(refusal(text)));
}

void StrictJsonTest::takesTheSameKeyInTwoObjects()
{
    QVERIFY(accepts(R"({"a":{"vmid":1},"b":{"vmid":2},"vmid":3})"));
    QVERIFY(accepts(R"({"vmid":1,"VMID":2,"vmid ":3,"":4})"));
}

void StrictJsonTest::takesTheLimitOfNestingAndNoMore_data()
{
    QTest::addColumn<int>("levels");
    QTest::addColumn<bool>("taken");
    QTest::newRow("64") << 64 << true;
    QTest::newRow("65") << 65 << false;
    QTest::newRow("1025") << 1025 << false;
    QTest::newRow("a million") << 1'000'000 << false;
}

void StrictJsonTest::takesTheLimitOfNestingAndNoMore()
{
    QFETCH(int, levels);
    QFETCH(bool, taken);
    QCOMPARE(accepts(nested(levels)), taken);
    QVERIFY(accepts(nested(3), {.depth = 3}));
    QVERIFY(!accepts(nested(4), {.depth = 3}));
}

void StrictJsonTest::refusesWhatIsNotUtf8_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("stray continuation") << QByteArray("\x80");
    QTest::newRow("cut sequence") << QByteArray("\xe2\x82");
    QTest::newRow("overlong slash") << QByteArray("\xc0\xaf");
    QTest::newRow("overlong NUL") << QByteArray("\xc0\x80");
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80");
    QTest::newRow("past the last plane") << QByteArray("\xf4\x90\x80\x80");
    QTest::newRow("latin 1") << QByteArray("\xe9");
}

void StrictJsonTest::refusesWhatIsNotUtf8()
{
    QFETCH(QByteArray, bytes);
    QVERIFY(!accepts("[\"" + bytes + "\"]"));
    QVERIFY(!accepts("{\"" + bytes + "\":1}"));
}

void StrictJsonTest::refusesALoneSurrogate_data()
{
    QTest::addColumn<QByteArray>("string");
    QTest::newRow("high") << QByteArray(R"("\ud800")");
    QTest::newRow("high before text") << QByteArray(R"("\ud800x")");
    QTest::newRow("high before an escape") << QByteArray(R"("\ud800\n")");
    QTest::newRow("two high") << QByteArray(R"("\ud800\ud800")");
    QTest::newRow("low") << QByteArray(R"("\udc00")");
    QTest::newRow("low before high") << QByteArray(R"("\udc00\ud800")");
}

void StrictJsonTest::refusesALoneSurrogate()
{
    QFETCH(QByteArray, string);
    QVERIFY(!accepts("[" + string + "]"));
    QVERIFY(!accepts("{" + string + ":1}"));
}

void StrictJsonTest::keepsAPairOfSurrogates()
{
    const auto read = StrictJson::parse(R"(["\ud83d\udda5"])");
    QVERIFY(read);
    QCOMPARE(read->toArray().at(0).toString(), QString::fromUtf8("\xf0\x9f\x96\xa5"));
}

void StrictJsonTest::keepsEveryCharacterOfAString()
{
    const auto read = StrictJson::parse("[\"a\\u0000b\",\"\\ufeffx\",\"\xef\xbb\xbfx\",\"\\ufffe\",\"\\u2028\"]");
    QVERIFY(read);
    const auto strings = read->toArray();
    QCOMPARE(strings.at(0).toString(), QStringLiteral("a") + QChar(u'\0') + QStringLiteral("b"));
    QCOMPARE(strings.at(1).toString(), QChar(0xFEFF) + QStringLiteral("x"));
    QCOMPARE(strings.at(2).toString(), QChar(0xFEFF) + QStringLiteral("x"));
    QCOMPARE(strings.at(3).toString(), QString(QChar(0xFFFE)));
    QCOMPARE(strings.at(4).toString(), QString(QChar(0x2028)));
    const auto keys = StrictJson::parseObject("{\"x\":1,\"\\ufeffx\":2}");
    QVERIFY2(keys, "two keys that differ in an invisible character are two keys");
    QCOMPARE(keys->size(), 2);
}

void StrictJsonTest::toleratesAByteOrderMarkInFront()
{
    QVERIFY(accepts("\xef\xbb\xbf{\"a\":1}\r\n"));
    QVERIFY(!accepts("{\"a\":1}\xef\xbb\xbf"));
}

void StrictJsonTest::refusesNumbersThatAreNone_data()
{
    QTest::addColumn<QByteArray>("number");
    for (const char *number :
         {"NaN", "Infinity", "-Infinity", "1e400", "-1e400", "01", "+1", "0x10", "1.", ".5", "1e", "--1", "1_000", "-"})
        QTest::newRow(number) << QByteArray(number);
}

void StrictJsonTest::refusesNumbersThatAreNone()
{
    QFETCH(QByteArray, number);
    QVERIFY(!accepts("[" + number + "]"));
    QVERIFY(!accepts("[" + number + "]", {.exactIntegers = false}));
}

void StrictJsonTest::keepsIntegersExactlyToTheLimit()
{
    const auto read = StrictJson::parse("[9007199254740991,-9007199254740991,0,66624765952]");
    QVERIFY(read);
    QCOMPARE(read->toArray().at(0).toInteger(), Q_INT64_C(9007199254740991));
    QCOMPARE(read->toArray().at(1).toInteger(), Q_INT64_C(-9007199254740991));
    QCOMPARE(read->toArray().at(3).toInteger(), Q_INT64_C(66624765952));
}

void StrictJsonTest::refusesIntegersPastTheLimitUnlessAsked()
{
    for (const char *number : {"9007199254740992", "-9007199254740992", "9223372036854775807", "18446744073709551615"})
        QVERIFY2(!accepts(QByteArray("[") + number + "]"), number);
    const auto read = StrictJson::parse("[9223372036854775807,18446744073709551615]", {.exactIntegers = false});
    QVERIFY(read);
    QCOMPARE(read->toArray().at(0).toInteger(), std::numeric_limits<qint64>::max());
    QVERIFY(read->toArray().at(1).isDouble());
    const QByteArray endless(100'000, '9');
    QVERIFY(refusal(endless).size() < 200);
}

void StrictJsonTest::refusesIntegersWrittenAsFractions_data()
{
    QTest::addColumn<QByteArray>("number");
    for (const char *number : {"1e2", "1E2", "1.0", "-0.0", "0e5", "10.0e-1", "1e15", "1e300"})
        QTest::newRow(number) << QByteArray(number);
}

void StrictJsonTest::refusesIntegersWrittenAsFractions()
{
    QFETCH(QByteArray, number);
    const auto text = "{\"vmid\":" + number + "}";
    QVERIFY(!accepts(text));
    QVERIFY(accepts(text, {.exactIntegers = false}));
    QVERIFY(accepts(R"({"load":[0.25,1.5e-3,-2.75]})"));
}

void StrictJsonTest::refusesTextCutAnywhere()
{
    const QByteArray whole =
        "{\"a\":[1,-2.5,true,null,{\"\\u00e9\":\"\xf0\x9f\x96\xa5\\n\"}],\"b\":\"\\ud83d\\udda5\"}";
    QVERIFY(accepts(whole));
    for (qsizetype cut = 0; cut < whole.size(); ++cut)
        QVERIFY2(!accepts(whole.left(cut)), qPrintable(QStringLiteral("accepted when cut at byte %1").arg(cut)));
}

void StrictJsonTest::refusesWhatFollowsTheValue_data()
{
    QTest::addColumn<QByteArray>("rest");
    QTest::newRow("a second object") << QByteArray("{\"b\":2}");
    QTest::newRow("a comma") << QByteArray(",");
    QTest::newRow("a brace") << QByteArray("}");
    QTest::newRow("a comment") << QByteArray("// x");
    QTest::newRow("NUL") << QByteArray("\0", 1);
    QTest::newRow("NUL and more") << QByteArray("\0{\"b\":2}", 8);
    QTest::newRow("NUL after a space") << QByteArray(" \0 ", 3);
}

void StrictJsonTest::refusesWhatFollowsTheValue()
{
    QFETCH(QByteArray, rest);
    QVERIFY(!accepts("{\"a\":1}" + rest));
    QVERIFY(accepts("{\"a\":1} \r\n\t"));
}

void StrictJsonTest::refusesTextOverTheLimitOfBytes()
{
    QVERIFY(accepts("[1,2]", {.bytes = 5}));
    QVERIFY(!accepts("[1,2]", {.bytes = 4}));
    QVERIFY(!accepts(""));
    QVERIFY(!accepts(" "));
}

void StrictJsonTest::refusesAnythingButAnObjectWhereOneIsExpected()
{
    for (const char *text : {"[]", "1", "\"{}\"", "null", "true"}) {
        QVERIFY(accepts(text));
        QVERIFY2(!StrictJson::parseObject(text), text);
    }
    const auto refused = StrictJson::parseObject("[]");
    QCOMPARE(refused.error().kind, Error::Kind::Invalid);
}

void StrictJsonTest::repeatsNothingOfTheTextInTheDetail()
{
    const QByteArray secret = "PVE:root@pam:canary";
    for (const auto &text :
         {"{\"ticket\":\"" + secret + "\",", "{\"ticket\":\"" + secret + "\"}}", "[\"" + secret + "\"]"}) {
        const auto read = StrictJson::parseObject(text);
        QVERIFY(!read);
        QVERIFY(!read.error().detail.contains(QLatin1String("canary")));
        QVERIFY(!read.error().message.contains(QLatin1String("canary")));
    }
    const auto twice = StrictJson::parse("{\"\\u202ea\":1,\"\\u202ea\":2}");
    QVERIFY2(twice.error().message.contains(QLatin1String("<U+202E>a")), qPrintable(twice.error().message));
}

void StrictJsonTest::writesEqualValuesAsEqualBytes()
{
    const auto one = StrictJson::parse(R"({"b":[1,{"y":2,"x":1}],"a":"x"})");
    const auto other = StrictJson::parse("{ \"\\u0061\" : \"x\", \"b\": [1, {\"x\":1,\"y\":2}] }");
    QVERIFY(one && other);
    QCOMPARE(StrictJson::write(*one), StrictJson::write(*other));
    QCOMPARE(StrictJson::write(*one), QByteArray(R"({"a":"x","b":[1,{"x":1,"y":2}]})"));
}

void StrictJsonTest::writesWhatItRead()
{
    for (const char *text :
         {"null", "true", "-7", "0.5", "\"\\u0000\xc3\xa9\"", "[]", "{}", "[[],{}]", "9007199254740991"})
        QCOMPARE(StrictJson::write(*StrictJson::parse(text)), QByteArray(text));
}

LABHELM_TEST(StrictJsonTest)
#include "StrictJsonTest.moc"
