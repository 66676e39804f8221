#include "simulator/RequestFacts.h"
#include "simulator/api/Gate.h"
#include "simulator/api/Routes.h"
#include "simulator/world/Homelab.h"
#include "support/TestMain.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QUrl>

/// Requests made from the schema, right and with one fault each, for every call that the simulator answers: it takes
/// what the schema takes and refuses what the schema refuses, naming the parameter. The verdict comes from a reading of
/// the schema that shares nothing with the simulator's.
class GeneratedRequestsTest : public QObject
{
    Q_OBJECT

    struct Counts {
        int classes = 0;
        int requests = 0;
        int accepted = 0;
        int refused = 0;
        QStringList notJudged;
        QMap<QString, int> faults;
        QStringList disagreements;
    };
    struct Verdict {
        int status = 0;
        QJsonObject errors;
        QByteArray reason;
    };
    /// Right and faulty ones together, for a call that has enough parameters. PVE 8 differs in few.
    static int perClass(int version)
    {
        const bool isLong = qEnvironmentVariableIsSet("LABHELM_LONG");
        return version == 9 ? (isLong ? 300 : 90) : (isLong ? 60 : 30);
    }

    void rebuild(int version);
    Verdict ask(const RequestFacts &facts, const MadeRequest &made);
    HttpRequest request(const RequestFacts &facts, const MadeRequest &made) const;
    void judge(const RequestFacts &facts, const MadeRequest &made, int version, Counts &counts);
    void askAbout(const RequestFacts &facts, int version, Counts &counts);
    static bool isSchemaText(const QString &text);

    ManualClock m_clock;
    Faults m_faults;
    std::unique_ptr<World> m_world;
    std::unique_ptr<Gate> m_gate;

private Q_SLOTS:
    void everyAnsweredCallAgreesWithTheSchema_data();
    void everyAnsweredCallAgreesWithTheSchema();
};

void GeneratedRequestsTest::rebuild(int version)
{
    Simulator::Options options;
    options.clock = &m_clock;
    options.version = version;
    m_gate.reset();
    m_world = std::make_unique<World>(m_clock, 1);
    Homelab::build(*m_world);
    m_gate = std::make_unique<Gate>(*m_world, m_faults, options);
}

HttpRequest GeneratedRequestsTest::request(const RequestFacts &facts, const MadeRequest &made) const
{
    auto path = facts.path;
    QByteArray form;
    for (auto it = made.values.begin(); it != made.values.end(); ++it) {
        const auto placeholder = u'{' + it.key() + u'}';
        if (path.contains(placeholder)) {
            path.replace(placeholder, QString::fromLatin1(QUrl::toPercentEncoding(it->first())));
            continue;
        }
        for (const auto &value : *it)
            form +=
                (form.isEmpty() ? "" : "&") + QUrl::toPercentEncoding(it.key()) + '=' + QUrl::toPercentEncoding(value);
    }
    const auto user = QStringLiteral("root@pam");
    HttpRequest http;
    http.method = facts.method.toLatin1();
    http.path = "/api2/json" + path.toLatin1();
    http.headers = {
        {"cookie", "PVEAuthCookie=" + m_world->access.ticket(user, m_world->now()).toUtf8().toPercentEncoding()},
        {"csrfpreventiontoken", m_world->access.csrfToken(user, m_world->now()).toUtf8()}};
    const bool inBody = http.method == "POST" || http.method == "PUT";
    (inBody ? http.body : http.query) = form;
    return http;
}

GeneratedRequestsTest::Verdict GeneratedRequestsTest::ask(const RequestFacts &facts, const MadeRequest &made)
{
    const auto http = request(facts, made);
    if (const auto early = m_gate->refuse(http))
        return {early->status, {}, early->reason};
    const auto answer = m_gate->handle(http).answer;
    return {answer.status, QJsonDocument::fromJson(answer.body).object()[QLatin1String("errors")].toObject(),
            answer.reason};
}

bool GeneratedRequestsTest::isSchemaText(const QString &text)
{
    static const QStringList words{QStringLiteral("property is missing and it is not optional"),
                                   QStringLiteral("property is not defined in schema"),
                                   QStringLiteral("type check ("),
                                   QStringLiteral("invalid format - "),
                                   QStringLiteral("value does not match the regex pattern"),
                                   QStringLiteral("value may only be"),
                                   QStringLiteral("value must be at least"),
                                   QStringLiteral("value must have a"),
                                   QStringLiteral("does not have a value in the enumeration"),
                                   QStringLiteral("missing property required by")};
    return std::any_of(words.begin(), words.end(), [&](const auto &word) { return text.contains(word); });
}

void GeneratedRequestsTest::judge(const RequestFacts &facts, const MadeRequest &made, int version, Counts &counts)
{
    // A wrong password is refused as such, and so is the wrong ticket of a console.
    const bool signsIn = facts.path == QLatin1String("/access/ticket") ||
                         facts.path == QLatin1String("/access/vncticket") ||
                         facts.path.endsWith(QLatin1String("/vncwebsocket"));
    auto verdict = ask(facts, made);
    // Whoever was signed in may be gone by what was done before.
    if ((verdict.status == 401 || verdict.status == 403) && !signsIn) {
        rebuild(version);
        verdict = ask(facts, made);
    }
    ++counts.requests;
    ++counts.faults[made.fault.isEmpty() ? QStringLiteral("none") : made.fault];
    QStringList named;
    for (auto it = verdict.errors.begin(); it != verdict.errors.end(); ++it)
        if (isSchemaText(it->toString()))
            named.append(it.key());
    const bool agrees = made.fault.isEmpty()
                            ? named.isEmpty() && (signsIn || (verdict.status != 401 && verdict.status != 403))
                            : verdict.status == 400 && named == QStringList{made.wrong};
    ++(made.fault.isEmpty() ? counts.accepted : counts.refused);
    if (agrees)
        return;
    const auto http = request(facts, made);
    QStringList said{facts.method,
                     facts.path,
                     QString::fromUtf8(http.path),
                     QString::fromUtf8(http.query + http.body).left(300),
                     QStringLiteral("wrong is"),
                     made.fault};
    said += {made.wrong, QString::number(verdict.status), QString::fromUtf8(verdict.reason),
             QString::fromUtf8(QJsonDocument(verdict.errors).toJson(QJsonDocument::Compact))};
    counts.disagreements.append(said.join(u' '));
}

void GeneratedRequestsTest::askAbout(const RequestFacts &facts, int version, Counts &counts)
{
    QRandomGenerator random(quint32(qHash(facts.method + facts.path, 1)));
    rebuild(version);
    ++counts.classes;
    int made = 0;
    // Each fault at least once, then more of them beside other values.
    for (int round = 0; round == 0 || (made < perClass(version) * 2 / 3 && round < 12); ++round)
        for (const auto &faulty : facts.faulty(random)) {
            judge(facts, faulty, version, counts);
            ++made;
        }
    // Rows of a year take their time.
    const bool fewer = facts.parameters.isEmpty() || facts.path.endsWith(QLatin1String("/rrddata"));
    const int valid = fewer ? 5 : perClass(version) / 3;
    for (int i = 0; i < valid; ++i)
        judge(facts, facts.valid(random), version, counts);
}

void GeneratedRequestsTest::everyAnsweredCallAgreesWithTheSchema_data()
{
    QTest::addColumn<int>("version");
    QTest::newRow("9") << 9;
    QTest::newRow("8") << 8;
}

void GeneratedRequestsTest::everyAnsweredCallAgreesWithTheSchema()
{
    QFETCH(int, version);
    const auto facts = RequestFacts::read(QStringLiteral(LABHELM_TEST_DATA "/request-facts-%1.jsonl").arg(version));
    QVERIFY(facts.size() > 600);
    Counts counts;
    auto calls = Routes::all().calls();
    calls.sort();
    for (const auto &call : std::as_const(calls)) {
        // Its body is a form of another kind: see StorageContentTest.
        const bool isUpload = call.endsWith(QLatin1String("/upload"));
        if (!facts.contains(call) && version == 9)
            QFAIL(qPrintable(call + QLatin1String(" is answered, and the schema does not know it")));
        if (!facts.contains(call))
            continue;
        if (isUpload || !facts[call].isJudged())
            counts.notJudged.append(call);
        else
            askAbout(facts[call], version, counts);
    }
    for (const auto &each : counts.disagreements.mid(0, qEnvironmentVariableIsSet("LABHELM_VERBOSE") ? -1 : 60))
        qInfo().noquote() << each;
    qInfo().noquote() << "not judged:" << counts.notJudged.join(QLatin1String(", "));
    for (auto it = counts.faults.begin(); it != counts.faults.end(); ++it)
        qInfo().noquote() << it.key() << *it;
    qInfo("PVE %d: %d calls, %d requests, %d right, %d with one fault, %d disagreements", version, counts.classes,
          counts.requests, counts.accepted, counts.refused, int(counts.disagreements.size()));
    QCOMPARE(counts.disagreements.size(), 0);
    QVERIFY(counts.classes > 150);
}

LABHELM_TEST(GeneratedRequestsTest)
#include "GeneratedRequestsTest.moc"
