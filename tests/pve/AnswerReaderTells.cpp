#include "pve/AnswerReader.h"
#include "support/TestMain.h"
#include <QJsonArray>
#include <QJsonDocument>

namespace
{
using Kind = Error::Kind;

ApiRequest request(Method method = Method::Get)
{
    return {method, {QStringLiteral("nodes"), QStringLiteral("pve1"), QStringLiteral("qemu"), QStringLiteral("100")}};
}

HttpAnswer answer(int status, const char *reason, const QByteArray &body,
                  const char *type = "application/json;charset=UTF-8")
{
    return {status, QString::fromUtf8(reason), body, type, QStringLiteral("pve1:8006")};
}

Result<ApiAnswer> read(const HttpAnswer &what, Method method = Method::Get)
{
    return AnswerReader::read(request(method), what);
}

QString allWords(const Error &error)
{
    return error.message + u'\n' + error.detail;
}
}
Q_DECLARE_METATYPE(HttpAnswer)

/// Every answer that PVE, or something in front of it, was seen to give is told in words and of the right kind.
class AnswerReaderTells : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void tellsErrorsInThePveWords_data();
    void tellsErrorsInThePveWords();
    void namesEachFieldThatIsWrong();
    void namesThePrivilegeAndThePath();
    void keepsTheReasonWhenThereIsNoBody();
    void calls595UnreachableAlsoForAWrite();
    void calls596UnknownForAWrite();
    void tellsThatSomethingElseAnswered_data();
    void tellsThatSomethingElseAnswered();
    void refusesAnAnswerWithoutData_data();
    void refusesAnAnswerWithoutData();
    void takesNullForData();
    void keepsBigNumbersExact();
    void takesNoTruncatedAnswerForAWholeOne();
    void showsNoInvisibleCharacters();
    void keepsWhatAWriteWasAnsweredOutOfErrors();
    void readsEveryRecordedAnswer();
};

void AnswerReaderTells::tellsErrorsInThePveWords_data()
{
    QTest::addColumn<HttpAnswer>("answer");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, HttpAnswer what, Kind kind, const char *words) {
        QTest::newRow(name) << what << kind << QString::fromUtf8(words);
    };
    row("not found is 500",
        answer(500, "Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist", R"({"data":null})"),
        Kind::Rejected, "999.conf' does not exist");
    row("the body says more than the reason",
        answer(500, "first line", R"({"data":null,"message":"first line\nsecond line\n"})"), Kind::Rejected,
        "first line\nsecond line");
    row("plain text", answer(500, "", "broken JSON", ""), Kind::Rejected, "broken JSON");
    row("no words at all", answer(500, "", "", ""), Kind::Rejected, "500");
    row("unknown path", answer(501, "Method 'GET /x' not implemented", R"({"data":null})"), Kind::Rejected,
        "does not offer this call");
    row("no cluster", answer(424, "node is not in a cluster, no join info available!", R"({"data":null})"),
        Kind::Rejected, "not in a cluster");
    row("a digest that changed", answer(500, "checksum mismatch (file change by other user?)", R"({"data":null})"),
        Kind::Conflict, "other user");
    row("a firewall digest that changed",
        answer(500, "detected modified configuration - file changed by other user? Try again.", R"({"data":null})"),
        Kind::Conflict, "other user");
    row("a lock", answer(500, "VM is locked (backup)", R"({"data":null})"), Kind::Conflict, "locked");
    row("401 without a body", answer(401, "No ticket", "", ""), Kind::Unauthorized, "No ticket");
    row("401 with a body",
        answer(401, "authentication failure", R"({"data":null,"message":"authentication failure\n"})"),
        Kind::Unauthorized, "authentication failure");
    row("403 for root only", answer(403, "Permission check failed (user != root@pam)", R"({"data":null})"),
        Kind::Forbidden, "Only root@pam");
    row("403 for a token",
        answer(403, "Permission check failed (URI '/access/password' not available with API token, need proper ticket.",
               R"({"data":null})"),
        Kind::Forbidden, "API token");
    row("403 without more",
        answer(403, "Permission check failed", R"({"data":null,"message":"Permission check failed\n"})"),
        Kind::Forbidden, "Permission check failed");
}

void AnswerReaderTells::tellsErrorsInThePveWords()
{
    QFETCH(HttpAnswer, answer);
    QFETCH(Kind, kind);
    QFETCH(QString, words);
    for (const auto method : {Method::Get, Method::Post, Method::Put, Method::Delete}) {
        const auto told = read(answer, method);
        QVERIFY(!told);
        QCOMPARE(told.error().kind, kind);
        QVERIFY2(told.error().message.contains(words), qPrintable(told.error().message));
        QVERIFY(told.error().detail.contains(QLatin1String("/nodes/pve1/qemu/100")));
        QVERIFY(told.error().detail.contains(QString::number(answer.status)));
    }
}

// A07
void AnswerReaderTells::namesEachFieldThatIsWrong()
{
    const auto told = read(answer(400, "Parameter verification failed.",
                                  R"({"data":null,"message":"Parameter verification failed.\n","errors":{
                                      "net0":"invalid format - format error\nnet0.model: property is missing\n",
                                      "cores":"value must have a minimum value of 1"}})"),
                           Method::Put);
    QCOMPARE(told.error().kind, Kind::Rejected);
    QCOMPARE(told.error().message, QStringLiteral("Proxmox VE does not accept this:\ncores: must be at least 1\n"
                                                  "net0: net0.model: is needed"));
}

// R13
void AnswerReaderTells::namesThePrivilegeAndThePath()
{
    const auto one = read(answer(403, "Permission check failed (/vms/100, VM.Audit)",
                                 R"({"data":null,"message":"Permission check failed (/vms/100, VM.Audit)\n"})"));
    QCOMPARE(one.error().kind, Kind::Forbidden);
    QCOMPARE(one.error().message,
             QStringLiteral("This sign-in lacks the privilege VM.Audit on /vms/100. The role PVEAuditor has it."));
    const auto either =
        read(answer(403, "Permission check failed (/vms/100, Sys.Audit|Sys.Modify)", R"({"data":null})"));
    QCOMPARE(either.error().message,
             QStringLiteral(
                 "This sign-in lacks the privilege Sys.Audit or Sys.Modify on /vms/100. The role PVEAuditor has it."));
    const auto bodyless =
        read(answer(403, "Permission check failed (/storage/local, Datastore.AllocateTemplate)", "", ""), Method::Post);
    QCOMPARE(bodyless.error().message,
             QStringLiteral("This sign-in lacks the privilege Datastore.AllocateTemplate on /storage/local. The role "
                            "PVEDatastoreAdmin has it."));
}

void AnswerReaderTells::keepsTheReasonWhenThereIsNoBody()
{
    // A07
    const auto told = QStringLiteral("storage 'nope' does not exist\nChoose a storage that the cluster has; upper and "
                                     "lower case count.");
    QCOMPARE(read(answer(500, "storage 'nope' does not exist", R"({"data":null})")).error().message, told);
    QCOMPARE(read(answer(400, "storage 'nope' does not exist", "{\"data\":nu")).error().message, told);
}

// A08
void AnswerReaderTells::calls595UnreachableAlsoForAWrite()
{
    for (const auto method : {Method::Get, Method::Post, Method::Put, Method::Delete}) {
        const auto told = read(answer(595, "No route to host", "", ""), method);
        QCOMPARE(told.error().kind, Kind::Unreachable);
        QVERIFY(told.error().message.contains(QLatin1String("No route to host")));
    }
}

void AnswerReaderTells::calls596UnknownForAWrite()
{
    for (const int status : {596, 597, 598, 599}) {
        QCOMPARE(read(answer(status, "Connection timed out", "", "")).error().kind, Kind::Unreachable);
        for (const auto method : {Method::Post, Method::Put, Method::Delete})
            QCOMPARE(read(answer(status, "Connection timed out", "", ""), method).error().kind, Kind::Unknown);
    }
}

void AnswerReaderTells::tellsThatSomethingElseAnswered_data()
{
    QTest::addColumn<HttpAnswer>("answer");
    QTest::addColumn<Kind>("write");
    QTest::newRow("a gateway") << answer(502, "Bad Gateway", "<html><h1>502 Bad Gateway</h1>", "text/html")
                               << Kind::Unknown;
    QTest::newRow("a gateway in a hurry") << answer(504, "Gateway Time-out", "", "") << Kind::Unknown;
    QTest::newRow("a gateway that says no")
        << answer(413, "Request Entity Too Large", "<html>", "text/html") << Kind::Rejected;
    QTest::newRow("a portal") << answer(200, "OK", "<!DOCTYPE html><title>Sign in</title>", "text/html")
                              << Kind::Unknown;
    QTest::newRow("a portal without a type") << answer(200, "OK", " \n<html>", "") << Kind::Unknown;
    QTest::newRow("a redirect") << answer(302, "Found", "", "") << Kind::Unknown;
    QTest::newRow("nothing") << answer(200, "OK", "", "") << Kind::Unknown;
    QTest::newRow("no JSON") << answer(200, "OK", "hello", "text/plain") << Kind::Unknown;
    QTest::newRow("a list") << answer(200, "OK", "[1]") << Kind::Unknown;
    QTest::newRow("no number") << answer(200, "OK", R"({"data":NaN})") << Kind::Unknown;
    QTest::newRow("too big a number") << answer(200, "OK", R"({"data":1e400})") << Kind::Unknown;
    QTest::newRow("a key given twice") << answer(200, "OK", R"({"data":1,"data":2})") << Kind::Unknown;
    QTest::newRow("broken UTF-8") << answer(200, "OK", "{\"data\":\"\xff\"}") << Kind::Unknown;
    QTest::newRow("too deep") << answer(200, "OK", R"({"data":)" + QByteArray(5000, '[') + QByteArray(5000, ']') + '}')
                              << Kind::Unknown;
}

// R17
void AnswerReaderTells::tellsThatSomethingElseAnswered()
{
    QFETCH(HttpAnswer, answer);
    QFETCH(Kind, write);
    const auto told = read(answer);
    QVERIFY(!told);
    QCOMPARE(told.error().kind, Kind::Malformed);
    QVERIFY(told.error().message.contains(QLatin1String("pve1:8006")));
    QVERIFY(told.error().detail.contains(QLatin1String("/nodes/pve1/qemu/100")));
    for (const auto method : {Method::Post, Method::Put, Method::Delete})
        QCOMPARE(read(answer, method).error().kind, write);
}

void AnswerReaderTells::refusesAnAnswerWithoutData_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("empty") << QByteArray("{}");
    QTest::newRow("only what stands beside") << QByteArray(R"({"total":3})");
    QTest::newRow("success of the other format") << QByteArray(R"({"success":1,"message":"","status":200})");
}

void AnswerReaderTells::refusesAnAnswerWithoutData()
{
    QFETCH(QByteArray, body);
    QCOMPARE(read(answer(200, "OK", body)).error().kind, Kind::Malformed);
    QCOMPARE(read(answer(200, "OK", body), Method::Put).error().kind, Kind::Unknown);
}

void AnswerReaderTells::takesNullForData()
{
    const auto told = read(answer(200, "OK", R"({"data":null})"), Method::Delete);
    QVERIFY(bool(told));
    QVERIFY(told->data.isNull());
}

void AnswerReaderTells::keepsBigNumbersExact()
{
    const auto told =
        read(answer(200, "OK", R"({"data":[66624765952,9007199254740993,9223372036854775807,-1,0.25,"2048"]})"));
    QVERIFY(bool(told));
    const auto list = told->data.toArray();
    QCOMPARE(list[0].toInteger(), 66624765952);
    QCOMPARE(list[1].toInteger(), 9007199254740993);
    QCOMPARE(list[2].toInteger(), std::numeric_limits<qint64>::max());
    QCOMPARE(list[4].toDouble(), 0.25);
    QCOMPARE(list[5].toString(), QStringLiteral("2048"));
}

void AnswerReaderTells::takesNoTruncatedAnswerForAWholeOne()
{
    const QByteArray whole =
        R"({"total":2,"data":[{"vmid":100,"status":"running","name":"wéb"},{"vmid":101,"cpu":0.5e-1}]})";
    QVERIFY(bool(read(answer(200, "OK", whole))));
    for (qsizetype length = 0; length < whole.size(); ++length) {
        QVERIFY2(!read(answer(200, "OK", whole.left(length))), qPrintable(QString::number(length)));
        const auto error = read(answer(500, "VM 100 not running", whole.left(length)));
        QCOMPARE(error.error().kind, Kind::Rejected);
        QVERIFY(error.error().message.contains(QLatin1String("not running")));
    }
}

void AnswerReaderTells::showsNoInvisibleCharacters()
{
    const auto told = read(answer(500, "x", "{\"data\":null,\"message\":\"\\u001b[2K\\u202Eevil\\u0007\"}"));
    QCOMPARE(told.error().message, QStringLiteral("\\x1b[2K<U+202E>evil\\x07"));
    const auto html = read(answer(200, "OK", "<html>\x1b[2K", "text/html"));
    QVERIFY(html.error().detail.contains(QLatin1String("<html>\\x1b[2K")));
}

void AnswerReaderTells::keepsWhatAWriteWasAnsweredOutOfErrors()
{
    // A new token is told once, in the answer to the write that makes it.
    const QByteArray whole = R"({"data":{"full-tokenid":"root@pam!x","value":"CANARY-0000","info":{"privsep":"1"}}})";
    for (qsizetype length = 0; length < whole.size(); ++length) {
        const auto told = read(answer(200, "OK", whole.left(length)), Method::Post);
        QCOMPARE(told.error().kind, Kind::Unknown);
        QVERIFY(!allWords(told.error()).contains(QLatin1String("CANARY")));
    }
}

void AnswerReaderTells::readsEveryRecordedAnswer()
{
    // Compact facts of a live cluster: method, path, status, reason, and the body of what failed or "-" for what did
    // not.
    QFile file(QStringLiteral(LABHELM_TEST_DATA "/recorded-refusals.tsv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    int count = 0;
    for (const auto &line : file.readAll().split('\n')) {
        if (line.isEmpty() || line.startsWith('#'))
            continue;
        const auto columns = line.split('\t');
        QCOMPARE(columns.size(), 4);
        const int status = columns[1].toInt();
        const auto method = columns[0] == "GET" ? Method::Get : columns[0] == "DELETE" ? Method::Delete : Method::Post;
        const auto told =
            read({status, QString::fromUtf8(columns[2]), columns[3], "", QStringLiteral("pve1:8006")}, method);
        QVERIFY2(!told, line.constData());
        const auto kind = told.error().kind;
        QVERIFY2(status != 401 || kind == Kind::Unauthorized, line.constData());
        QVERIFY2(status != 403 || kind == Kind::Forbidden, line.constData());
        QVERIFY2(status != 595 || kind == Kind::Unreachable, line.constData());
        QVERIFY2(status < 596 || kind == (method == Method::Get ? Kind::Unreachable : Kind::Unknown), line.constData());
        QVERIFY2(status > 501 || status == 401 || status == 403 || kind == Kind::Rejected || kind == Kind::Conflict,
                 line.constData());
        QVERIFY2(told.error().message.size() > 8 && !told.error().message.endsWith(u'\n'), line.constData());
        ++count;
    }
    qInfo("%d recorded refusals read", count);
    QVERIFY(count > 80);
}

Q_DECLARE_METATYPE(Error::Kind)
LABHELM_TEST(AnswerReaderTells)
#include "AnswerReaderTells.moc"
