#include "pve/Client.h"
#include "pve/HttpTransport.h"
#include "pve/Session.h"
#include "pve/TaskWatcher.h"
#include "secrets/MemoryStore.h"
#include "simulator/Simulator.h"
#include "simulator/world/Homelab.h"
#include "support/Await.h"
#include "support/TestMain.h"
#include <QCryptographicHash>
#include <QJsonArray>

namespace
{
/// A stopped virtual machine of pve1, without lock or protection.
constexpr int stoppedVm = 120;

QStringList path(const char *text)
{
    return QString::fromLatin1(text).split(u'/');
}

/// The simulated homelab and a client that speaks to it.
struct Lab {
    ManualClock clock;
    Simulator simulator;
    MemoryStore secrets;
    Remote remote;
    HttpTransport transport;
    Session session;
    Client client;
    TaskWatcher tasks;

    explicit Lab(Remote::SignIn kind = Remote::SignIn::Token,
                 const QString &user = QStringLiteral("labhelm@pve!desktop"), const HttpLimits &limits = {})
        : simulator(options()), remote(remoteFor(kind, user)), transport(remote, limits),
          session(remote, transport, secrets, clock), client(transport, session), tasks(client, pace())
    {
        const auto secret = kind == Remote::SignIn::Token ? Homelab::tokenSecret(user) : Homelab::rootPassword;
        const auto kept = await(secrets.write(remote.secretKey(), Secret(secret.toUtf8())));
        Q_ASSERT(kept);
    }
    Simulator::Options options() const
    {
        Simulator::Options made;
        made.clock = &clock;
        made.refusalDelay = std::chrono::milliseconds(0);
        return made;
    }
    static TaskPace pace()
    {
        TaskPace made;
        made.betweenRequests = made.first = made.slowest = std::chrono::milliseconds(5);
        return made;
    }
    Remote remoteFor(Remote::SignIn kind, const QString &user)
    {
        const auto port = simulator.listen();
        const auto address = QStringLiteral("127.0.0.1:%1").arg(port ? *port : 0);
        Remote made;
        made.id = made.name = QStringLiteral("homelab");
        made.addresses = QStringList{address};
        made.signIn = kind;
        made.user = user;
        made.pins.insert(address, simulator.certificate().certificate.digest(QCryptographicHash::Sha256));
        return made;
    }
    Result<ApiAnswer> send(Method method, const char *where, QList<std::pair<QString, QString>> parameters = {})
    {
        return await(client.send({method, path(where), std::move(parameters)}, {}));
    }
    Result<Upid> start(Method method, const char *where, QList<std::pair<QString, QString>> parameters = {})
    {
        const auto answer = send(method, where, std::move(parameters));
        if (!answer)
            return answer.error();
        return Upid::from(answer->data.toString());
    }
};
}

/// The whole dialect against a cluster that shares no line with it.
class ClientInACluster : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void readsWithAToken();
    void readsAndWritesWithAPassword();
    void staysSignedInForADay();
    void mendsATicketThatTheServerForgot();
    void followsATaskToItsEnd();
    void tellsATaskThatFailed();
    void namesThePrivilegeThatIsMissing();
    void namesTheFieldsThatAreWrong();
    void tellsThatANodeIsAway();
    void refusesACertificateThatChanged();
    void changesOnceHoweverTheConnectionBreaks_data();
    void changesOnceHoweverTheConnectionBreaks();
    void goesOnAfterTheServerHasRestarted();
};

void ClientInACluster::readsWithAToken()
{
    Lab lab;
    const auto version = lab.send(Method::Get, "version");
    QVERIFY2(bool(version), version ? "" : qPrintable(version.error().message));
    QVERIFY(version->data.toObject()[QLatin1String("version")].toString().startsWith(QLatin1String("9.")));
    const auto guests = lab.send(Method::Get, "cluster/resources", {{QStringLiteral("type"), QStringLiteral("vm")}});
    QVERIFY(bool(guests));
    QCOMPARE(guests->data.toArray().size(), lab.simulator.world().guests().size());
}

void ClientInACluster::readsAndWritesWithAPassword()
{
    Lab lab(Remote::SignIn::Password, QStringLiteral("root@pam"));
    QVERIFY(bool(lab.send(Method::Get, "version")));
    const auto where = QStringLiteral("nodes/pve1/qemu/%1/config").arg(stoppedVm).toLatin1();
    const auto changed = lab.send(Method::Put, where.constData(),
                                  {{QStringLiteral("description"), QStringLiteral("a=b; c+d & ü\n100%")}});
    QVERIFY2(bool(changed), changed ? "" : qPrintable(changed.error().message));
    const auto config = lab.send(Method::Get, where.constData());
    QCOMPARE(config->data.toObject()[QLatin1String("description")].toString(), QStringLiteral("a=b; c+d & ü\n100%"));
    QCOMPARE(lab.simulator.count(QStringLiteral("POST"), QStringLiteral("/access/ticket")), 1);
}

void ClientInACluster::staysSignedInForADay()
{
    Lab lab(Remote::SignIn::Password, QStringLiteral("root@pam"));
    for (int minutes = 0; minutes < 24 * 60; minutes += 25) {
        const auto answer = lab.send(Method::Get, "version");
        QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
        lab.clock.advance(std::chrono::minutes(25));
    }
    QVERIFY(!lab.session.halted());
    QVERIFY(lab.simulator.count(QStringLiteral("POST"), QStringLiteral("/access/ticket")) <= 16);
    for (const auto &heard : lab.simulator.requests())
        QCOMPARE(heard.status, 200);
}

void ClientInACluster::mendsATicketThatTheServerForgot()
{
    Lab lab(Remote::SignIn::Password, QStringLiteral("root@pam"));
    QVERIFY(bool(lab.send(Method::Get, "version")));
    lab.simulator.world().access.expireTickets();
    QVERIFY(bool(lab.send(Method::Get, "version")));
    QCOMPARE(lab.simulator.count(QStringLiteral("POST"), QStringLiteral("/access/ticket")), 2);
}

void ClientInACluster::followsATaskToItsEnd()
{
    Lab lab;
    const auto upid = lab.start(Method::Post, "nodes/pve2/qemu/212/status/start");
    QVERIFY2(bool(upid), upid ? "" : qPrintable(upid.error().message));
    auto end = std::make_shared<std::optional<Result<TaskEnd>>>();
    awaiting::keep(lab.tasks.watch(*upid, [](const TaskProgress &) {}, {}), end);
    const auto looks = [&] {
        return lab.simulator.count(QStringLiteral("GET"), QStringLiteral("/nodes/pve2/tasks/*/status"));
    };
    QVERIFY(waitUntil([&] { return looks() >= 3; }));
    QVERIFY(!end->has_value());
    lab.clock.advance(std::chrono::minutes(2));
    QVERIFY(waitUntil([&] { return end->has_value(); }));
    QVERIFY(bool(**end));
    QCOMPARE((**end)->how, TaskEnd::How::Ok);
}

void ClientInACluster::tellsATaskThatFailed()
{
    Lab lab;
    TaskPlan plan;
    plan.node = QStringLiteral("pve1");
    plan.type = QStringLiteral("vzdump");
    plan.user = QStringLiteral("labhelm@pve!desktop");
    plan.finish = [] { return QStringLiteral("job errors"); };
    const auto upid = Upid::from(lab.simulator.world().run(plan));
    QVERIFY(bool(upid));
    lab.clock.advance(std::chrono::minutes(1));
    const auto end = await(lab.tasks.watch(*upid, {}, {}));
    QVERIFY(bool(end));
    QCOMPARE(end->how, TaskEnd::How::Failed);
    QCOMPARE(end->exitStatus, QStringLiteral("job errors"));
}

// R13
void ClientInACluster::namesThePrivilegeThatIsMissing()
{
    Lab lab(Remote::SignIn::Token, QStringLiteral("auditor@pve!view"));
    const auto where = QStringLiteral("nodes/pve1/qemu/%1/status/start").arg(stoppedVm).toLatin1();
    const auto answer = lab.send(Method::Post, where.constData());
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Forbidden);
    QVERIFY2(answer.error().message.contains(QLatin1String("VM.PowerMgmt")), qPrintable(answer.error().message));
    QVERIFY(answer.error().message.contains(QStringLiteral("/vms/%1").arg(stoppedVm)));
}

void ClientInACluster::namesTheFieldsThatAreWrong()
{
    Lab lab;
    const auto where = QStringLiteral("nodes/pve1/qemu/%1/config").arg(stoppedVm).toLatin1();
    const auto answer =
        lab.send(Method::Put, where.constData(),
                 {{QStringLiteral("cores"), QStringLiteral("0")}, {QStringLiteral("bogus"), QStringLiteral("1")}});
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Rejected);
    QVERIFY2(answer.error().message.contains(QLatin1String("\nbogus: ")) &&
                 answer.error().message.contains(QLatin1String("\ncores: ")),
             qPrintable(answer.error().message));
}

void ClientInACluster::tellsThatANodeIsAway()
{
    Lab lab;
    const auto read = lab.send(Method::Get, "nodes/pve3/status");
    QVERIFY(!read);
    QCOMPARE(read.error().kind, Error::Kind::Unreachable);
    const auto write = lab.send(Method::Post, "nodes/pve3/qemu/100/status/start");
    QVERIFY(!write);
    QCOMPARE(write.error().kind, Error::Kind::Unreachable);
}

void ClientInACluster::refusesACertificateThatChanged()
{
    Lab lab;
    QVERIFY(bool(lab.send(Method::Get, "version")));
    lab.simulator.renewCertificate();
    lab.simulator.cutConnections();
    lab.simulator.forgetRequests();
    for (const auto method : {Method::Get, Method::Post}) {
        const auto answer = lab.send(method, "version");
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Untrusted);
    }
    QVERIFY(lab.simulator.requests().isEmpty());
}

void ClientInACluster::changesOnceHoweverTheConnectionBreaks_data()
{
    QTest::addColumn<Method>("method");
    QTest::addColumn<QString>("where");
    QTest::addColumn<Fault::Kind>("fault");
    QTest::addColumn<int>("bytes");
    const auto all = [](const char *method, Method verb, const char *where) {
        const auto row = [&](const char *what, Fault::Kind fault, int bytes) {
            QTest::newRow(qPrintable(QStringLiteral("%1, %2").arg(QLatin1String(method), QLatin1String(what))))
                << verb << QString::fromLatin1(where) << fault << bytes;
        };
        row("cut before it is heard", Fault::Kind::DropUnheard, -1);
        row("cut before the answer", Fault::Kind::CutBefore, -1);
        row("cut after the first byte", Fault::Kind::CutDuring, 1);
        row("cut in the status line", Fault::Kind::CutDuring, 12);
        row("cut in the middle", Fault::Kind::CutDuring, -1);
        row("cut after the answer", Fault::Kind::CutAfter, -1);
        row("never answered", Fault::Kind::Hang, -1);
    };
    all("POST", Method::Post, "status/start");
    all("PUT", Method::Put, "config");
    all("DELETE", Method::Delete, "");
}

// R03
void ClientInACluster::changesOnceHoweverTheConnectionBreaks()
{
    QFETCH(Method, method);
    QFETCH(QString, where);
    QFETCH(Fault::Kind, fault);
    QFETCH(int, bytes);
    HttpLimits limits;
    limits.firstByteOfWrite = std::chrono::milliseconds(300);
    Lab lab(Remote::SignIn::Token, QStringLiteral("labhelm@pve!desktop"), limits);
    QVERIFY(bool(lab.send(Method::Get, "version"))); // a kept connection is there, which a write must not take
    auto segments = path("nodes/pve1/qemu") + QStringList{QString::number(stoppedVm)};
    if (!where.isEmpty())
        segments += where.split(u'/');
    Fault set;
    set.kind = fault;
    set.method = QLatin1String(methodName(method).data());
    if (bytes >= 0)
        set.bytes = bytes;
    lab.simulator.faults().add(set);
    QList<std::pair<QString, QString>> parameters;
    if (method == Method::Put)
        parameters.append({QStringLiteral("description"), QStringLiteral("x")});
    const auto answer = await(lab.client.send({method, segments, parameters}, {}));
    if (fault == Fault::Kind::CutAfter) {
        QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
    } else {
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Unknown);
    }
    QVERIFY(bool(lab.send(Method::Get, "version"))); // a second one would have arrived by now
    QCOMPARE(lab.simulator.writes().size(), 1);
}

// R11
void ClientInACluster::goesOnAfterTheServerHasRestarted()
{
    Lab lab;
    QVERIFY(bool(lab.send(Method::Get, "version")));
    const auto port = quint16(lab.simulator.url().port());
    lab.simulator.close();
    const auto away = lab.send(Method::Get, "version");
    QVERIFY(!away);
    QCOMPARE(away.error().kind, Error::Kind::Unreachable);
    QVERIFY(bool(lab.simulator.listen(port)));
    QVERIFY(bool(lab.send(Method::Get, "version")));
    lab.simulator.cutConnections();
    QVERIFY(bool(lab.send(Method::Get, "version")));
}

Q_DECLARE_METATYPE(Method)
Q_DECLARE_METATYPE(Fault::Kind)
LABHELM_TEST(ClientInACluster)
#include "ClientInACluster.moc"
