#include "simulator/RawClient.h"
#include "simulator/RecordedCluster.h"
#include "simulator/Simulator.h"
#include "support/TestMain.h"
#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

/// Replays the recorded exchanges in the order of their time against a simulator in the same state, and compares
/// status, reason, headers that matter, keys and JSON types.
class RecordingsTest : public QObject
{
    Q_OBJECT

    struct Counts {
        int served = 0;
        int equal = 0;
        QMap<QString, QStringList> leftOut;
        QStringList differences;
    };

    static QList<QJsonObject> recordings();
    static QJsonValue shape(const QJsonValue &value);
    /// What tells two shapes apart: "-key" only theirs, "+key" only ours.
    static QString difference(const QJsonValue &theirs, const QJsonValue &ours);
    static QString leftOutFor(const QJsonObject &recorded);
    static QStringList upgradeDifferences(const QJsonObject &recorded, const RawAnswer &answer);
    QByteArray openedConsole(const QJsonObject &recorded, QByteArray asked);
    static QStringList differences(const QJsonObject &recorded, const RawAnswer &answer);
    static QString bodyDifference(const QJsonObject &recorded, const RawAnswer &answer);
    QByteArray bytes(const QJsonObject &recorded);
    QByteArray credential(const QJsonObject &who, const QByteArray &method);
    QByteArray filled(QString text);
    void remember(const QJsonValue &data, const QString &upid);
    void replay(const QJsonObject &recorded, Counts &counts);

    ManualClock m_clock;
    std::unique_ptr<Simulator> m_simulator;
    quint16 m_port = 0;
    QHash<QString, QString> m_upids;   ///< recorded → ours
    QHash<QString, QString> m_secrets; ///< by full name of the token
    QString m_signed;                  ///< the last ticket of a challenge or console

private Q_SLOTS:
    void init();
    void everyRecordedAnswerThatCanBeServedIsEqual();
};

void RecordingsTest::init()
{
    Simulator::Options options;
    options.clock = &m_clock;
    options.empty = true;
    m_clock.wall = 1796032097000;
    m_simulator = std::make_unique<Simulator>(options);
    RecordedCluster::build(m_simulator->world());
    m_simulator->renewCertificate();
    const auto port = m_simulator->listen();
    QVERIFY(port);
    m_port = *port;
}

QList<QJsonObject> RecordingsTest::recordings()
{
    QFile file(QStringLiteral(LABHELM_TEST_DATA "/recordings.jsonl"));
    QList<QJsonObject> all;
    if (file.open(QIODevice::ReadOnly))
        for (const auto &line : file.readAll().split('\n'))
            if (!line.isEmpty())
                all.append(QJsonDocument::fromJson(line).object());
    return all;
}

QJsonValue RecordingsTest::shape(const QJsonValue &value)
{
    if (value.isBool())
        return QStringLiteral("bool");
    if (value.isNull())
        return QStringLiteral("null");
    if (value.isString())
        return QStringLiteral("string");
    if (value.isDouble())
        return QStringLiteral("number");
    if (value.isObject()) {
        const auto object = value.toObject();
        QJsonObject result;
        for (auto it = object.begin(); it != object.end(); ++it)
            result.insert(it.key(), shape(*it));
        return result;
    }
    QMap<QByteArray, QJsonValue> distinct;
    for (const auto &element : value.toArray()) {
        const auto each = shape(element);
        distinct.insert(QJsonDocument(QJsonArray{each}).toJson(QJsonDocument::Compact), each);
    }
    return QJsonArray::fromVariantList(QVariantList(distinct.begin(), distinct.end()));
}

QString RecordingsTest::difference(const QJsonValue &theirs, const QJsonValue &ours)
{
    if (theirs == ours)
        return {};
    if (theirs.isObject() && ours.isObject()) {
        QStringList found;
        const auto one = theirs.toObject();
        const auto other = ours.toObject();
        for (auto it = one.begin(); it != one.end(); ++it)
            if (!other.contains(it.key()))
                found.append(u'-' + it.key());
            else if (*it != other[it.key()])
                found.append(it.key() + QLatin1String(": ") + difference(*it, other[it.key()]));
        for (auto it = other.begin(); it != other.end(); ++it)
            if (!one.contains(it.key()))
                found.append(u'+' + it.key());
        return u'{' + found.join(QLatin1String(", ")) + u'}';
    }
    const auto text = [](const QJsonValue &value) {
        return QString::fromUtf8(QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact));
    };
    QStringList lines;
    if (theirs.isArray() && ours.isArray()) {
        const auto one = theirs.toArray();
        const auto other = ours.toArray();
        if (one.size() == 1 && other.size() == 1)
            return u'[' + difference(one[0], other[0]) + u']';
        for (const auto &each : one)
            if (!other.contains(each))
                lines.append(QLatin1String("\n      only theirs ") + text(each));
        for (const auto &each : other)
            if (!one.contains(each))
                lines.append(QLatin1String("\n      only ours   ") + text(each));
        return lines.join(QString());
    }
    return text(theirs) + QLatin1String(" became ") + text(ours);
}

/// What the simulator does not claim to do; empty = it must be served.
QString RecordingsTest::leftOutFor(const QJsonObject &recorded)
{
    const auto path = recorded[QLatin1String("path")].toString();
    if (recorded.contains(QLatin1String("plain")))
        return QStringLiteral("asked without TLS, see HttpTest");
    if (path.startsWith(QLatin1String("/api2/png")))
        return QStringLiteral("pictures");
    return {};
}

QByteArray RecordingsTest::filled(QString text)
{
    auto &world = m_simulator->world();
    static const QRegularExpression ticket(QStringLiteral("\\{ticket:([^:}]+):(-?\\d+)\\}"));
    if (const auto match = ticket.match(text); match.hasMatch())
        text.replace(match.captured(0), QString::fromLatin1(QUrl::toPercentEncoding(world.access.ticket(
                                            match.captured(1), world.now() - match.captured(2).toLongLong()))));
    static const QRegularExpression zeros(QStringLiteral("\\{(?:zeros|letters):(\\d+)\\}"));
    if (const auto match = zeros.match(text); match.hasMatch())
        text.replace(match.captured(0), QString(match.captured(1).toInt(), u'0'));
    text.replace(QLatin1String("{signature}"), QString::fromLatin1(QUrl::toPercentEncoding(m_signed)));
    for (auto it = m_upids.begin(); it != m_upids.end(); ++it) {
        text.replace(it.key(), it.value());
        text.replace(QString::fromLatin1(QUrl::toPercentEncoding(it.key())),
                     QString::fromLatin1(QUrl::toPercentEncoding(it.value())));
    }
    return text.toUtf8();
}

QByteArray RecordingsTest::credential(const QJsonObject &who, const QByteArray &method)
{
    const auto &access = m_simulator->world().access;
    const auto now = m_simulator->world().now();
    if (const auto header = who[QLatin1String("header")].toString(); !header.isEmpty()) {
        auto text = header;
        text.replace(QLatin1String("{wrong}"), QLatin1String("s-wrong"));
        text.replace(
            QLatin1String("{secret}"),
            m_secrets.value(header.section(u'=', 0, -2).section(QRegularExpression(QStringLiteral("[ =]")), -1)));
        return "Authorization: " + text.toUtf8() + "\r\n";
    }
    if (const auto cookie = who[QLatin1String("cookie")].toString(); !cookie.isEmpty())
        return "Cookie: PVEAuthCookie=" + cookie.toUtf8() + "\r\n";
    if (!who.contains(QLatin1String("user")))
        return {};
    const auto user = who[QLatin1String("user")].toString();
    const auto ticket = access.ticket(user, now - who[QLatin1String("age")].toInteger()).toUtf8();
    const auto form = who[QLatin1String("form")].toString();
    QByteArray header = form == QLatin1String("authorization") ? "Authorization: PVEAuthCookie=" + ticket
                        : form == QLatin1String("raw")         ? "Cookie: PVEAuthCookie=" + ticket
                                                               : "Cookie: PVEAuthCookie=" + ticket.toPercentEncoding();
    header += "\r\n";
    const auto csrf = who[QLatin1String("csrf")];
    if (csrf.isDouble())
        header += "CSRFPreventionToken: " + access.csrfToken(user, now - csrf.toInteger()).toUtf8() + "\r\n";
    else if (csrf.isString())
        header += "CSRFPreventionToken: 6B0D3F4C:AAAA\r\n";
    Q_UNUSED(method)
    return header;
}

QByteArray RecordingsTest::bytes(const QJsonObject &recorded)
{
    const auto method = recorded[QLatin1String("method")].toString().toLatin1();
    const auto sent = recorded[QLatin1String("body")].toString();
    const bool isFile = sent.startsWith(QLatin1String("{zeros:")) &&
                        recorded[QLatin1String("path")].toString().endsWith(QLatin1String("/upload"));
    const auto body = isFile ? RecordedCluster::upload(recorded[QLatin1String("n")].toInt()) : filled(sent);
    auto head = method + ' ' + filled(recorded[QLatin1String("path")].toString()) + ' ' +
                recorded[QLatin1String("http")].toString().toLatin1() +
                "\r\nHost: localhost\r\nAccept: application/json\r\n" +
                credential(recorded[QLatin1String("who")].toObject(), method);
    const auto extra = recorded[QLatin1String("extra")].toObject();
    for (auto it = extra.begin(); it != extra.end(); ++it)
        head += it.key().toLatin1() + ": " + filled(it->toString()) + "\r\n";
    if (const auto type = recorded[QLatin1String("type")].toString(); !type.isEmpty())
        head += "Content-Type: " + type.toLatin1() + "\r\n";
    if (!body.isEmpty() && !extra.contains(QLatin1String("transfer-encoding")))
        head += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    return head + "\r\n" + body;
}

QString RecordingsTest::bodyDifference(const QJsonObject &recorded, const RawAnswer &answer)
{
    if (!recorded.contains(QLatin1String("shape")))
        // What a task wrote is its own affair.
        return recorded.contains(QLatin1String("text")) &&
                       recorded[QLatin1String("answers")].toString() != QLatin1String("text/plain") &&
                       recorded[QLatin1String("text")].toString().toUtf8() != answer.body
                   ? QStringLiteral("text ") + QString::fromUtf8(answer.body.left(200))
                   : QString();
    // What is inside is looked at in HttpTest.
    if (!answer.header("Content-Encoding").isEmpty())
        return {};
    const auto ours = shape(answer.json());
    if (ours == recorded[QLatin1String("shape")])
        return {};
    return QStringLiteral("shape ") + difference(recorded[QLatin1String("shape")], ours);
}

/// Of a connection that became a websocket.
QStringList RecordingsTest::upgradeDifferences(const QJsonObject &recorded, const RawAnswer &answer)
{
    const auto asked = recorded[QLatin1String("extra")].toObject();
    const auto key = asked[QLatin1String("sec-websocket-key")].toString().toLatin1();
    const QList<QPair<QByteArray, QByteArray>> expected{
        {"Upgrade", "websocket"},
        {"Connection", "upgrade"},
        {"Sec-WebSocket-Accept",
         QCryptographicHash::hash(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", QCryptographicHash::Sha1).toBase64()},
        {"Sec-WebSocket-Protocol", asked[QLatin1String("sec-websocket-protocol")].toString().toLatin1()}};
    QStringList found;
    if (answer.statusLine != "HTTP/1.1 101 Switching Protocols")
        found.append(QStringLiteral("said ") + QString::fromUtf8(answer.statusLine));
    for (const auto &[name, value] : expected)
        if (answer.header(name) != value)
            found.append(QString::fromLatin1(name) + QLatin1String(": ") + QString::fromUtf8(answer.header(name)));
    return found;
}

/// Who connected to a console had asked for it just before, where that was not recorded.
QByteArray RecordingsTest::openedConsole(const QJsonObject &recorded, QByteArray asked)
{
    const auto number = recorded[QLatin1String("n")].toInt();
    const auto path = recorded[QLatin1String("path")].toString().section(u'?', 0, 0);
    const bool refused = number == 610 || (number >= 612 && number <= 615);
    if (!path.endsWith(QLatin1String("/vncwebsocket")) || refused)
        return asked;
    auto proxy = path;
    proxy.replace(QLatin1String("vncwebsocket"), number < 660 ? QLatin1String("vncproxy") : QLatin1String("termproxy"));
    auto who = recorded[QLatin1String("who")].toObject();
    if (who.contains(QLatin1String("user")))
        who.insert(QLatin1String("csrf"), 0);
    const QJsonValue data =
        RawClient(m_port)
            .exchange("POST " + proxy.toLatin1() + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n" +
                      credential(who, "POST") + "\r\n")
            .json()[QLatin1String("data")];
    remember(data, {});
    // Nobody listened on 5909, and 644 came too late.
    if (number == 644)
        m_clock.wall += 12000;
    asked = bytes(recorded);
    const auto ours = "port=" + data[QLatin1String("port")].toString().toLatin1();
    return number == 643 ? asked : asked.replace("port=5900", ours).replace("port=5901", ours);
}

QStringList RecordingsTest::differences(const QJsonObject &recorded, const RawAnswer &answer)
{
    QStringList found;
    if (recorded[QLatin1String("connection")] == QJsonArray{QLatin1String("upgrade")})
        return upgradeDifferences(recorded, answer);
    if (!recorded.contains(QLatin1String("status")))
        return answer.nothing && answer.closed ? found : QStringList{QStringLiteral("said something")};
    // A process number in a file name is never the same.
    static const QRegularExpression process(QStringLiteral("\\.tmp\\.\\d+"));
    const auto compare = [&found](const char *what, QString theirs, QString ours) {
        if (theirs.replace(process, QString()) != ours.replace(process, QString()))
            found.append(QStringLiteral("%1: theirs '%2', ours '%3'").arg(QLatin1String(what), theirs, ours));
    };
    compare("status", QString::number(recorded[QLatin1String("status")].toInt()), QString::number(answer.status));
    compare("reason", recorded[QLatin1String("reason")].toString(), QString::fromUtf8(answer.reason));
    compare("content type", recorded[QLatin1String("answers")].toString(),
            QString::fromLatin1(answer.header("Content-Type")));
    compare("encoding", recorded[QLatin1String("encoding")].toString(),
            QString::fromLatin1(answer.header("Content-Encoding")));
    compare("length", recorded[QLatin1String("length")].toBool() ? QStringLiteral("yes") : QStringLiteral("no"),
            answer.header("Content-Length").isEmpty() ? QStringLiteral("no") : QStringLiteral("yes"));
    QStringList connection;
    for (const auto &value : recorded[QLatin1String("connection")].toArray())
        connection.append(value.toString());
    compare("connection", connection.join(u' '), QString::fromLatin1(answer.all("Connection").join(' ')));
    const auto json = answer.json();
    compare("message", recorded[QLatin1String("message")].toString(), json[QLatin1String("message")].toString());
    if (recorded[QLatin1String("errors")] != json[QLatin1String("errors")])
        found.append(QStringLiteral("errors: ours ") + QString::fromUtf8(answer.body));
    if (const auto body = bodyDifference(recorded, answer); !body.isEmpty())
        found.append(body);
    return found;
}

/// Keeps what later requests name.
void RecordingsTest::remember(const QJsonValue &data, const QString &upid)
{
    if (!upid.isEmpty())
        m_upids.insert(upid, data.toString());
    if (const auto token = data[QLatin1String("full-tokenid")]; token.isString())
        m_secrets.insert(token.toString(), data[QLatin1String("value")].toString());
    const auto ticket = data[QLatin1String("ticket")].toString();
    if (ticket.startsWith(QLatin1String("PVEVNC:")) || data[QLatin1String("NeedTFA")].toInt() == 1)
        m_signed = ticket;
}

void RecordingsTest::replay(const QJsonObject &recorded, Counts &counts)
{
    auto &world = m_simulator->world();
    const auto number = recorded[QLatin1String("n")].toInt();
    const auto label =
        QStringLiteral("%1 %2 %3")
            .arg(number)
            .arg(recorded[QLatin1String("method")].toString(), recorded[QLatin1String("path")].toString());
    m_clock.wall = std::max(m_clock.wall + 60, recorded[QLatin1String("at")].toInteger() * 1000 + 500);
    world.settle();
    RecordedCluster::before(world, number);
    auto reason = leftOutFor(recorded);
    RawAnswer answer;
    if (reason.isEmpty()) {
        answer = RawClient(m_port).exchange(openedConsole(recorded, bytes(recorded)));
        if (answer.reason.startsWith("The simulator does not answer"))
            reason = QStringLiteral("not answered yet");
    }
    const auto upid = recorded[QLatin1String("upid")].toString();
    if (!reason.isEmpty()) {
        counts.leftOut[reason].append(label);
        if (!upid.isEmpty())
            m_upids.insert(upid, RecordedCluster::finish(world, upid));
        return;
    }
    remember(answer.json()[QLatin1String("data")], upid);
    ++counts.served;
    const auto found = differences(recorded, answer);
    if (found.isEmpty())
        ++counts.equal;
    else
        counts.differences.append(label + QLatin1String("\n    ") + found.join(QLatin1String("\n    ")) +
                                  (qEnvironmentVariableIsSet("LABHELM_VERBOSE")
                                       ? QLatin1String("\n    ") + QString::fromUtf8(answer.body)
                                       : QString()));
}

void RecordingsTest::everyRecordedAnswerThatCanBeServedIsEqual()
{
    const auto all = recordings();
    QVERIFY(all.size() > 600);
    Counts counts;
    for (const auto &recorded : all)
        replay(recorded, counts);
    for (const auto &difference : std::as_const(counts.differences))
        qInfo().noquote() << difference;
    for (auto it = counts.leftOut.begin(); it != counts.leftOut.end(); ++it)
        qInfo().noquote() << "left out," << it.key() + QLatin1Char(':') << it->size();
    qInfo("recorded %d, served %d, equal %d", int(all.size()), counts.served, counts.equal);
    if (qEnvironmentVariableIsSet("LABHELM_VERBOSE"))
        for (auto it = counts.leftOut.begin(); it != counts.leftOut.end(); ++it)
            qInfo().noquote() << it.key() << it->join(QLatin1String("\n  "));
    QCOMPARE(counts.equal, counts.served);
    QVERIFY2(counts.served >= 602, "calls that were answered once are left out now");
}

LABHELM_TEST(RecordingsTest)
#include "RecordingsTest.moc"
