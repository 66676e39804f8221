#include "pve/Connection.h"
#include "pve/TokenSwap.h"
#include "remotes/RemoteList.h"
#include "secrets/SecretStore.h"
#include "simulator/Simulator.h"
#include "simulator/world/Homelab.h"
#include "support/Await.h"
#include "support/TestMain.h"
#include <QCryptographicHash>
#include <QTemporaryDir>

namespace
{
const auto owner = QStringLiteral("root@pam");

/// Remembers, and tells of each change.
class TellingStore final : public SecretStore
{
public:
    Future<Secret> read(const QString &key) override
    {
        if (!kept.contains(key))
            return ready<Secret>(Error{Error::Kind::NotFound, QStringLiteral("none")});
        return ready<Secret>(kept[key]);
    }
    Future<void> write(const QString &key, const Secret &value) override
    {
        if (isLocked)
            return ready<void>(Error{Error::Kind::Unavailable, QStringLiteral("The keyring is locked.")});
        kept[key] = value;
        return tell();
    }
    Future<void> remove(const QString &key) override
    {
        kept.remove(key);
        return tell();
    }
    Future<void> tell()
    {
        if (changed)
            changed();
        return ready<void>({});
    }
    QHash<QString, Secret> kept;
    std::function<void()> changed;
    bool isLocked = false;
};

/// What a crash at some moment leaves behind.
struct Remains {
    QByteArray file;
    QHash<QString, Secret> secrets;
    Access access;
    QString when;
};

/// A cluster, a file of connections, and a person who is signed in with a password.
struct House {
    ManualClock clock;
    Simulator simulator;
    TellingStore secrets;
    QTemporaryDir folder;
    QString path;
    std::unique_ptr<RemoteList> remotes;
    Remote person;
    std::unique_ptr<Connection> authority;
    QStringList rows;
    bool logIsFull = false;
    std::vector<Remains> moments;

    House() : simulator(options()), path(folder.filePath(QStringLiteral("connections.json")))
    {
        const auto port = simulator.listen();
        person.id = person.name = QStringLiteral("person");
        person.addresses = QStringList{QStringLiteral("127.0.0.1:%1").arg(port ? *port : 0)};
        person.pins = {{person.addresses[0], simulator.certificate().certificate.digest(QCryptographicHash::Sha256)}};
        person.signIn = Remote::SignIn::Password;
        person.user = owner;
        secrets.kept[person.secretKey()] = Secret(Homelab::rootPassword.toUtf8());
        signIn();
        load();
    }
    Simulator::Options options() const
    {
        Simulator::Options made;
        made.clock = &clock;
        made.refusalDelay = std::chrono::milliseconds(0);
        return made;
    }
    void signIn() { authority = std::make_unique<Connection>(person, secrets); }
    void load()
    {
        remotes = std::make_unique<RemoteList>(path);
        const auto loaded = remotes->load();
        QVERIFY2(bool(loaded), loaded ? "" : qPrintable(loaded.error().message));
    }
    TokenSwap swap()
    {
        return TokenSwap(
            {*remotes, secrets, [this](const QString &sentence, const QString &) {
                 if (logIsFull)
                     return ready<void>(Error{Error::Kind::Unavailable, QStringLiteral("The disk is full.")});
                 rows << sentence;
                 return ready<void>({});
             }});
    }
    Remote cluster(Remote::SignIn kind)
    {
        auto made = person;
        made.name = QStringLiteral("homelab");
        made.signIn = kind;
        made.user = kind == Remote::SignIn::Token ? QStringLiteral("root@pam!ci") : owner;
        return made;
    }
    /// A connection that works, kept.
    Remote keep(Remote::SignIn kind)
    {
        const auto kept = remotes->add(cluster(kind));
        const auto secret = kind == Remote::SignIn::Token ? Homelab::tokenSecret(kept->user) : Homelab::rootPassword;
        secrets.kept[kept->secretKey()] = Secret(secret.toUtf8());
        return *kept;
    }
    Result<Remote> run(const TokenChange &change)
    {
        auto swapping = swap();
        const std::vector<TokenGrant> grants{{QStringLiteral("PVEAdmin"), QStringLiteral("/")}};
        return await(swapping.run(authority.get(), change, grants, {}));
    }
    Result<void> settle(const QString &id)
    {
        auto swapping = swap();
        return await(swapping.settle(authority.get(), id, {}));
    }
    void watch()
    {
        const auto look = [this](const QString &when) {
            QFile file(path);
            const auto bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
            moments.push_back({bytes, secrets.kept, simulator.world().access, when});
        };
        secrets.changed = [look] { look(QStringLiteral("a secret changed")); };
        QObject::connect(&simulator, &Simulator::heard, &simulator,
                         [look](const HeardRequest &request) { look(request.method + u' ' + request.path); });
        QObject::connect(remotes.get(), &RemoteList::unfinishedChanged, remotes.get(),
                         [look] { look(QStringLiteral("the file changed")); });
    }
    void unwatch()
    {
        secrets.changed = {};
        simulator.disconnect(&simulator);
    }
    /// As if the program had ended at that moment and was started again.
    void become(const Remains &remains)
    {
        QFile::remove(path);
        QFile file(path);
        if (!remains.file.isEmpty() && file.open(QIODevice::WriteOnly))
            file.write(remains.file);
        file.close();
        secrets.kept = remains.secrets;
        simulator.world().access = remains.access;
        load();
        signIn();
    }
    QStringList tokens() const
    {
        QStringList all;
        for (const auto &user : world().access.users)
            if (user.id == owner)
                for (const auto &token : user.tokens)
                    all << user.id + u'!' + token.name;
        return all;
    }
    bool works(const Remote &remote)
    {
        Connection trial(remote, secrets);
        TokenMaker tester(trial);
        return bool(await(tester.test({})));
    }
    World &world() const { return const_cast<Simulator &>(simulator).world(); }
};

/// Each token that this program made is the one in use, or is written down as one that must go.
QStringList silent(House &house)
{
    auto all = house.tokens();
    all.removeAll(QStringLiteral("root@pam!ci"));
    for (const auto &remote : house.remotes->all())
        all.removeAll(remote.user);
    for (const auto &change : house.remotes->unfinished()) {
        all.removeAll(change.next.user);
        all.removeAll(change.oldUser);
    }
    return all;
}

/// The connection works, nothing is left silently, and settling leaves one token and one secret.
QString whatIsWrong(House &house, const QString &id)
{
    const auto before = house.remotes->find(id);
    if (before && !house.works(*before))
        return QStringLiteral("the connection does not work");
    if (const auto left = silent(house); !left.isEmpty())
        return QStringLiteral("left silently: ") + left.join(u' ');
    if (const auto settled = house.settle(id); !settled)
        return QStringLiteral("not settled: ") + settled.error().message;
    if (!house.remotes->unfinished().empty())
        return QStringLiteral("still unfinished");
    const auto after = house.remotes->find(id);
    if (bool(before) != bool(after) || (after && !house.works(*after)))
        return QStringLiteral("the connection does not work after it was settled");
    auto made = house.tokens();
    if (after)
        made.removeAll(after->user);
    made.removeAll(QStringLiteral("root@pam!ci"));
    if (!made.isEmpty())
        return QStringLiteral("not revoked: ") + made.join(u' ');
    const auto prefix = QStringLiteral("remote/%1/").arg(id);
    for (auto secret = house.secrets.kept.cbegin(); secret != house.secrets.kept.cend(); ++secret)
        if (secret.key().startsWith(prefix) && (!after || secret.key() != after->secretKey()))
            return QStringLiteral("a secret is left: ") + secret.key();
    return {};
}
}

/// A connection's token is made, tested, swapped and revoked so that no moment leaves it without one, or with two that
/// nobody knows of.
class TokenSwapSurvives : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void offersTheRolesAndPoolsOfTheServer();
    void makesATokenAndForgetsThePassword();
    void makesATokenForANewConnection();
    void replacesATokenByAnother();
    void aCrashAtEveryMoment_data() { addKinds(); }
    void aCrashAtEveryMoment();
    void aFaultInEveryRequest_data();
    void aFaultInEveryRequest();
    void aKeyringThatIsLocked();
    void aLogThatCannotBeWritten();
    void aTokenWithoutRights();
    void aPersonWhoMayNot();
    void aSecondChangeBeforeTheFirstIsDone();
    void neverTellsTheSecret();

private:
    static void addKinds()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("in place of a token") << 0;
        QTest::newRow("in place of a password") << 1;
        QTest::newRow("for a new connection") << 2;
    }
    /// The change of that kind, begun from a connection that works.
    static TokenChange changeFor(House &house, int kind)
    {
        if (kind == 2)
            return TokenSwap::plan(*house.remotes->prepare(house.cluster(Remote::SignIn::Password)), owner, true);
        const auto was = house.keep(kind == 0 ? Remote::SignIn::Token : Remote::SignIn::Password);
        return TokenSwap::plan(was, owner, false);
    }
};

void TokenSwapSurvives::offersTheRolesAndPoolsOfTheServer()
{
    House house;
    TokenMaker maker(*house.authority);
    const auto choices = await(maker.choices({}));
    QVERIFY2(bool(choices), choices ? "" : qPrintable(choices.error().message));
    QStringList roles;
    for (const auto &role : choices->roles)
        roles << role.id;
    QVERIFY(roles.contains(QLatin1String("PVEAuditor")) && roles.contains(QLatin1String("Administrator")));
    QVERIFY(!roles.contains(QLatin1String("NoAccess")));
    QVERIFY(choices->roles.front().privileges.size() < choices->roles.back().privileges.size());
    QVERIFY(choices->pools.contains(QLatin1String("media")));
}

void TokenSwapSurvives::makesATokenAndForgetsThePassword()
{
    House house;
    const auto was = house.keep(Remote::SignIn::Password);
    const auto change = TokenSwap::plan(was, owner, false);
    const auto now = house.run(change);
    QVERIFY2(bool(now), now ? "" : qPrintable(now.error().message));
    QCOMPARE(now->id, was.id);
    QCOMPARE(now->signIn, Remote::SignIn::Token);
    QVERIFY(house.works(*house.remotes->find(was.id)));
    QVERIFY(!house.secrets.kept.contains(was.secretKey()));
    QVERIFY(house.remotes->unfinished().empty());
    const auto grants = house.world().access.grants;
    QCOMPARE(std::count_if(
                 grants.begin(), grants.end(),
                 [&](const auto &grant) { return grant.who == now->user && grant.role == QLatin1String("PVEAdmin"); }),
             1);
    QCOMPARE(house.rows.size(), 3); // intent, swap, what was forgotten
}

void TokenSwapSurvives::makesATokenForANewConnection()
{
    House house;
    const auto now = house.run(changeFor(house, 2));
    QVERIFY2(bool(now), now ? "" : qPrintable(now.error().message));
    RemoteList again(house.path);
    QVERIFY(bool(again.load()));
    QCOMPARE(again.all().size(), size_t(1));
    QVERIFY(house.works(again.all()[0]));
    QVERIFY(again.unfinished().empty());
}

void TokenSwapSurvives::replacesATokenByAnother()
{
    House house;
    const auto was = house.keep(Remote::SignIn::Token);
    const auto now = house.run(TokenSwap::plan(was, owner, false));
    QVERIFY2(bool(now), now ? "" : qPrintable(now.error().message));
    QCOMPARE(house.tokens(), QStringList{now->user});
    const auto again = house.run(TokenSwap::plan(*now, owner, false));
    QVERIFY2(bool(again), again ? "" : qPrintable(again.error().message));
    QCOMPARE(house.tokens(), QStringList{again->user});
    QVERIFY(house.works(*house.remotes->find(was.id)));
    TokenMaker maker(*house.authority);
    const auto grants = await(maker.grantsOf(again->user, {}));
    QVERIFY(bool(grants));
    QCOMPARE(grants->size(), size_t(1));
    QCOMPARE(grants->front(), (TokenGrant{QStringLiteral("PVEAdmin"), QStringLiteral("/")}));
}

void TokenSwapSurvives::aCrashAtEveryMoment()
{
    QFETCH(int, kind);
    House house;
    const auto change = changeFor(house, kind);
    house.watch();
    QVERIFY(bool(house.run(change)));
    house.unwatch();
    const auto moments = house.moments;
    QVERIFY2(moments.size() >= 7, qPrintable(QString::number(moments.size())));
    for (const auto &moment : moments) {
        house.become(moment);
        const auto wrong = whatIsWrong(house, change.next.id);
        QVERIFY2(wrong.isEmpty(), qPrintable(moment.when + QLatin1String(" → ") + wrong));
    }
    qInfo("%d moments survived", int(moments.size()));
}

void TokenSwapSurvives::aFaultInEveryRequest_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<Fault::Kind>("fault");
    for (int kind = 0; kind < 3; ++kind) {
        QTest::addRow("%d, not heard", kind) << kind << Fault::Kind::DropUnheard;
        QTest::addRow("%d, done without an answer", kind) << kind << Fault::Kind::CutBefore;
        QTest::addRow("%d, refused", kind) << kind << Fault::Kind::Answer;
    }
}

void TokenSwapSurvives::aFaultInEveryRequest()
{
    QFETCH(int, kind);
    QFETCH(Fault::Kind, fault);
    int failures = 0;
    for (int nth = 1;; ++nth) {
        House house;
        const auto change = changeFor(house, kind);
        Fault set;
        set.kind = fault;
        set.nth = nth;
        house.simulator.faults().add(set);
        house.simulator.forgetRequests();
        const auto done = house.run(change);
        const bool wasHit = house.simulator.requests().size() >= nth;
        house.simulator.faults().clear();
        house.signIn();
        failures += done ? 0 : 1;
        const auto wrong = whatIsWrong(house, change.next.id);
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("request %1: %2").arg(nth).arg(wrong)));
        if (!wasHit) {
            QVERIFY(bool(done));
            QVERIFY(nth > 4);
            break;
        }
    }
    QVERIFY(failures >= 3);
}

void TokenSwapSurvives::aKeyringThatIsLocked()
{
    House house;
    const auto change = changeFor(house, 2);
    house.secrets.isLocked = true;
    const auto done = house.run(change);
    QVERIFY(!done);
    QCOMPARE(done.error().kind, Error::Kind::Unavailable);
    QCOMPARE(whatIsWrong(house, change.next.id), QString());
    QVERIFY(house.remotes->all().empty());
}

void TokenSwapSurvives::aLogThatCannotBeWritten()
{
    House house;
    house.logIsFull = true;
    const auto done = house.run(changeFor(house, 2));
    QVERIFY(!done);
    QCOMPARE(done.error().kind, Error::Kind::Unavailable);
    QVERIFY(house.simulator.writes().isEmpty());
    QVERIFY(house.remotes->unfinished().empty());
}

void TokenSwapSurvives::aTokenWithoutRights()
{
    House house;
    const auto change = changeFor(house, 2);
    auto swapping = house.swap();
    const auto done = await(swapping.run(house.authority.get(), change, {}, {}));
    QVERIFY(!done);
    QCOMPARE(done.error().kind, Error::Kind::Forbidden);
    QCOMPARE(whatIsWrong(house, change.next.id), QString());
}

void TokenSwapSurvives::aPersonWhoMayNot()
{
    House house;
    const auto change = changeFor(house, 0);
    auto auditor = house.person;
    auditor.signIn = Remote::SignIn::Token;
    auditor.user = QStringLiteral("auditor@pve!view");
    house.secrets.kept[auditor.secretKey()] = Secret(Homelab::tokenSecret(auditor.user).toUtf8());
    house.authority = std::make_unique<Connection>(auditor, house.secrets);
    const auto done = house.run(change);
    QVERIFY(!done);
    QCOMPARE(done.error().kind, Error::Kind::Forbidden);
    QVERIFY(house.remotes->unfinished().empty());
    QVERIFY(house.works(*house.remotes->find(change.next.id)));
}

void TokenSwapSurvives::aSecondChangeBeforeTheFirstIsDone()
{
    House house;
    const auto change = changeFor(house, 0);
    QVERIFY(bool(house.remotes->begin(change)));
    const auto second = house.run(TokenSwap::plan(*house.remotes->find(change.next.id), owner, false));
    QVERIFY(!second);
    QCOMPARE(second.error().kind, Error::Kind::Conflict);
    QVERIFY(house.simulator.writes().isEmpty());
}

void TokenSwapSurvives::neverTellsTheSecret()
{
    House house;
    const auto now = house.run(changeFor(house, 0));
    QVERIFY(bool(now));
    const auto secret = QString::fromUtf8(house.secrets.kept[now->secretKey()].reveal());
    QVERIFY(secret.size() > 20);
    QFile file(house.path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(!file.readAll().contains(secret.toUtf8()));
    QVERIFY(!house.rows.join(u'\n').contains(secret));
}

Q_DECLARE_METATYPE(Fault::Kind)
LABHELM_TEST(TokenSwapSurvives)
#include "TokenSwapSurvives.moc"
