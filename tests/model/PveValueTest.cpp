#include "model/PveValue.h"
#include "base/StrictJson.h"
#include "support/TestMain.h"

/// What PVE sends is read as what it means: 4, "4", 0, null and absent are told apart.
class PveValueTest : public QObject
{
    Q_OBJECT

    static QJsonObject answer()
    {
        return StrictJson::parseObject(
                   R"({"port":"5900","cores":4,"zero":0,"none":null,"memory":"8589934592000","half":0.5,
            "whole":3.0,"on":1,"off":"0","yes":true,"two":2,"text":"web","empty":"","huge":1e300,"negative":-1,
            "padded":"4 GB","hex":"0x10","pi":3.14159265358979,"load":"0.25","nan":"nan","inf":"inf","list":[1],"object":{}})",
                   {.exactIntegers = false})
            .valueOr({});
    }

private Q_SLOTS:
    // A09: number, string or property string; not set and unreadable are two things.
    void tellsNotSetFromUnreadable_A09_data()
    {
        QTest::addColumn<QJsonValue>("value");
        QTest::addColumn<QString>("is");
        QTest::newRow("number") << QJsonValue(2048) << "2048";
        QTest::newRow("string") << QJsonValue("2048") << "2048";
        QTest::newRow("property string") << QJsonValue("current=2048") << "2048";
        QTest::newRow("property string with more") << QJsonValue("max=4096,current=2048") << "2048";
        QTest::newRow("space before") << QJsonValue(" 2048") << "2048";
        QTest::newRow("fraction in a string") << QJsonValue("2048.0") << "unreadable";
        QTest::newRow("fraction") << QJsonValue(2048.5) << "unreadable";
        QTest::newRow("null") << QJsonValue() << "not set";
        QTest::newRow("absent") << QJsonValue(QJsonValue::Undefined) << "not set";
        QTest::newRow("words") << QJsonValue("abc") << "unreadable";
        QTest::newRow("empty") << QJsonValue("") << "unreadable";
        QTest::newRow("another key") << QJsonValue("max=2048") << "unreadable";
        QTest::newRow("too large") << QJsonValue("99999999999999999999") << "unreadable";
        QTest::newRow("object") << QJsonValue(QJsonObject()) << "unreadable";
        QTest::newRow("0") << QJsonValue(0) << "0";
    }
    void tellsNotSetFromUnreadable_A09()
    {
        QFETCH(QJsonValue, value);
        QFETCH(QString, is);
        const auto read = PveValue::given(value, "current");
        QCOMPARE(!read    ? QStringLiteral("unreadable")
                 : !*read ? QStringLiteral("not set")
                          : QString::number(**read),
                 is);
    }
    void readsIntegersFromNumbersAndStrings();
    void readsNumbers();
    void readsBooleans();
    void readsText();
    void tellsAbsentFromZero();
};

void PveValueTest::readsIntegersFromNumbersAndStrings()
{
    const auto given = answer();
    QVERIFY(!given.isEmpty());
    QCOMPARE(PveValue::integer(given, "port"), 5900);
    QCOMPARE(PveValue::integer(given, "cores"), 4);
    QCOMPARE(PveValue::integer(given, "memory"), Q_INT64_C(8589934592000));
    QCOMPARE(PveValue::integer(given, "whole"), 3);
    QCOMPARE(PveValue::integer(given, "negative"), -1);
    for (const char *key : {"half", "huge", "text", "empty", "padded", "hex", "yes", "list", "object"})
        QVERIFY2(!PveValue::integer(given, key), key);
    const auto largest =
        StrictJson::parseObject(R"({"n":9223372036854775807,"s":"9223372036854775808"})", {.exactIntegers = false});
    QCOMPARE(PveValue::integer(*largest, "n"), std::numeric_limits<qint64>::max());
    QVERIFY(!PveValue::integer(*largest, "s"));
}

void PveValueTest::readsNumbers()
{
    const auto given = answer();
    QCOMPARE(PveValue::number(given, "half"), 0.5);
    QCOMPARE(PveValue::number(given, "load"), 0.25);
    QCOMPARE(PveValue::number(given, "cores"), 4.0);
    for (const char *key : {"nan", "inf", "text", "empty", "yes", "list"})
        QVERIFY2(!PveValue::number(given, key), key);
}

void PveValueTest::readsBooleans()
{
    const auto given = answer();
    QCOMPARE(PveValue::boolean(given, "on"), true);
    QCOMPARE(PveValue::boolean(given, "off"), false);
    QCOMPARE(PveValue::boolean(given, "yes"), true);
    QCOMPARE(PveValue::boolean(given, "zero"), false);
    for (const char *key : {"two", "negative", "text", "empty", "half", "list"})
        QVERIFY2(!PveValue::boolean(given, key), key);
}

void PveValueTest::readsText()
{
    const auto given = answer();
    QCOMPARE(PveValue::text(given, "text"), QStringLiteral("web"));
    QCOMPARE(PveValue::text(given, "empty"), QString(QLatin1String("")));
    QCOMPARE(PveValue::text(given, "cores"), QStringLiteral("4"));
    QCOMPARE(PveValue::text(given, "pi"), QStringLiteral("3.14159265358979"));
    QCOMPARE(PveValue::text(given, "half"), QStringLiteral("0.5"));
    for (const char *key : {"yes", "list", "object"})
        QVERIFY2(!PveValue::text(given, key), key);
}

void PveValueTest::tellsAbsentFromZero()
{
    const auto given = answer();
    QVERIFY(PveValue::integer(given, "zero").has_value());
    for (const char *key : {"none", "absent"}) {
        QVERIFY(!PveValue::integer(given, key));
        QVERIFY(!PveValue::number(given, key));
        QVERIFY(!PveValue::boolean(given, key));
        QVERIFY(!PveValue::text(given, key));
    }
    QVERIFY(given.contains(QLatin1String("none")) && !given.contains(QLatin1String("absent")));
}

LABHELM_TEST(PveValueTest)
#include "PveValueTest.moc"
