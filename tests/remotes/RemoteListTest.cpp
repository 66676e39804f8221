#include "remotes/RemoteList.h"
#include "remotes/RemoteFile.h"
#include "support/TestMain.h"
#include <QDir>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace
{
Remote homelab(const QString &name = QStringLiteral("homelab"))
{
    Remote remote;
    remote.name = name;
    remote.addresses = {QStringLiteral("pve1.lan"), QStringLiteral("10.0.0.3:8007")};
    remote.user = QStringLiteral("root@pam!labhelm");
    remote.pins.insert(QStringLiteral("pve1.lan:8006"), QByteArray(32, '\x5a'));
    return remote;
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

bool isEqual(const Remote &one, const Remote &other)
{
    return one.id == other.id && one.name == other.name && one.addresses == other.addresses &&
           one.signIn == other.signIn && one.user == other.user && one.pins == other.pins && one.isDemo == other.isDemo;
}
}

class RemoteListTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("config/connections.json"));
    }

    void startsEmptyWithoutAFile()
    {
        RemoteList list(m_path);
        QVERIFY(list.load());
        QVERIFY(list.all().empty());
        QVERIFY(!QFileInfo::exists(m_path));
    }
    void keepsWhatWasAdded()
    {
        RemoteList list(m_path);
        QSignalSpy added(&list, &RemoteList::added);
        const auto first = list.add(homelab());
        QVERIFY(first);
        auto office = homelab(QStringLiteral("Büro"));
        office.signIn = Remote::SignIn::Password;
        office.user = QStringLiteral("alice@pve");
        office.isDemo = true;
        const auto second = list.add(office);
        QVERIFY(second);
        QCOMPARE(added.count(), 2);

        RemoteList again(m_path);
        QVERIFY(again.load());
        QCOMPARE(again.all().size(), size_t(2));
        QVERIFY(isEqual(again.all()[0], *first));
        QVERIFY(isEqual(again.all()[1], *second));
        QVERIFY(again.find(first->id));
        QVERIFY(again.findByName(QStringLiteral("HomeLab")));
        QVERIFY(!again.find(QStringLiteral("homelab")));
    }
    void letsOnlyTheOwnerRead()
    {
        RemoteList list(m_path);
        QVERIFY(list.add(homelab()));
        const auto owner =
            QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ReadUser | QFileDevice::WriteUser;
        QCOMPARE(QFileInfo(m_path).permissions(), owner);
        QCOMPARE(QFileInfo(QFileInfo(m_path).path()).permissions() & (QFileDevice::ReadGroup | QFileDevice::ReadOther),
                 QFileDevice::Permissions());
        QFile::setPermissions(m_path, owner | QFileDevice::ReadOther);
        QVERIFY(list.add(homelab(QStringLiteral("second"))));
        QCOMPARE(QFileInfo(m_path).permissions(), owner);
    }
    void makesIdsThatStayAndFitAPath()
    {
        RemoteList list(m_path);
        auto remote = list.add(homelab(QStringLiteral("Büro 2 / ")));
        QVERIFY(!remote);
        remote = list.add(homelab(QStringLiteral("Büro 2")));
        QVERIFY(remote);
        QVERIFY2(QRegularExpression(QStringLiteral("^[a-z0-9-]+$")).match(remote->id).hasMatch(),
                 qPrintable(remote->id));
        remote->name = QStringLiteral("renamed");
        const auto id = remote->id;
        QVERIFY(list.change(*remote));
        QCOMPARE(list.all()[0].id, id);
        const auto japanese = list.add(homelab(QStringLiteral("自宅")));
        QVERIFY(japanese);
        QVERIFY(japanese->id.startsWith(QLatin1String("remote-")));
    }
    void refusesASecondOfTheSameName()
    {
        RemoteList list(m_path);
        QVERIFY(list.add(homelab()));
        const auto second = list.add(homelab(QStringLiteral("HOMELAB")));
        QVERIFY(!second);
        QCOMPARE(second.error().kind, Error::Kind::Conflict);
        auto other = list.add(homelab(QStringLiteral("other")));
        QVERIFY(other);
        other->name = QStringLiteral("homelab");
        const auto renamed = list.change(*other);
        QVERIFY(!renamed);
        QCOMPARE(renamed.error().kind, Error::Kind::Conflict);
        QCOMPARE(list.all()[1].name, QStringLiteral("other"));
    }
    void letsAConnectionChangeTheCaseOfItsName()
    {
        RemoteList list(m_path);
        auto remote = list.add(homelab());
        QVERIFY(remote);
        remote->name = QStringLiteral("HomeLab");
        QSignalSpy changed(&list, &RemoteList::changed);
        QVERIFY(list.change(*remote));
        QCOMPARE(changed.count(), 1);
    }
    void changesAndRemovesOnlyWhatExists()
    {
        RemoteList list(m_path);
        auto remote = homelab();
        remote.id = QStringLiteral("nobody");
        QCOMPARE(list.change(remote).error().kind, Error::Kind::NotFound);
        QCOMPARE(list.remove(remote.id).error().kind, Error::Kind::NotFound);
        const auto added = list.add(remote);
        QVERIFY(added);
        QVERIFY(added->id != QLatin1String("nobody"));
        QSignalSpy removed(&list, &RemoteList::removed);
        QVERIFY(list.remove(list.all()[0].id));
        QCOMPARE(removed.count(), 1);
        QCOMPARE(removed[0][0].toString(), added->id);
        RemoteList again(m_path);
        QVERIFY(again.load());
        QVERIFY(again.all().empty());
    }
    void refusesWhatNoConnectionCanHave_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        for (const auto *name : {"", " x", "a:b", "a/b", "evil\u202Eknup", "line\nbreak"})
            QTest::newRow(qPrintable(QStringLiteral("name %1").arg(QLatin1String(name))))
                << QStringLiteral("name") << QString::fromUtf8(name);
        for (const auto *address : {"-oProxyCommand=x", "a b", "pve1:0", "pve1:65536", "pve1:", "http://pve1", "a..b",
                                    "[1.2.3.4]", "user@pve1", "pve\n1", ""})
            QTest::newRow(qPrintable(QStringLiteral("address %1").arg(QLatin1String(address))))
                << QStringLiteral("address") << QString::fromUtf8(address);
        for (const auto *user :
             {"root", "root@pam", "root@pam!", "root@pam!a b", "root@pam!x\n", "ro:ot@pam!x", "@pam!x"})
            QTest::newRow(qPrintable(QStringLiteral("token %1").arg(QLatin1String(user))))
                << QStringLiteral("user") << QString::fromUtf8(user);
    }
    void refusesWhatNoConnectionCanHave()
    {
        QFETCH(QString, field);
        QFETCH(QString, value);
        auto remote = homelab();
        if (field == QLatin1String("name"))
            remote.name = value;
        if (field == QLatin1String("address"))
            remote.addresses = QStringList{value};
        if (field == QLatin1String("user"))
            remote.user = value;
        RemoteList list(m_path);
        const auto refused = list.add(remote);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Invalid);
        QVERIFY(!refused.error().message.isEmpty());
        QVERIFY(!QFileInfo::exists(m_path));
    }
    void writesEachAddressInOneWay()
    {
        RemoteList list(m_path);
        auto remote = homelab();
        remote.addresses = QStringList{QStringLiteral(" https://PVE1.lan:8006/ "), QStringLiteral("[::1]:8007")};
        remote.pins = {{QStringLiteral("PVE1.lan"), QByteArray(32, '1')}};
        const auto added = list.add(remote);
        QVERIFY2(added, qPrintable(added ? QString() : added.error().message));
        QCOMPARE(added->addresses, (QStringList{QStringLiteral("pve1.lan"), QStringLiteral("[::1]:8007")}));
        QCOMPARE(added->pins.keys(), QStringList{QStringLiteral("pve1.lan:8006")});
    }
    void takesEveryFormOfAddress()
    {
        auto remote = homelab();
        remote.addresses = {QStringLiteral("pve"), QStringLiteral("10.0.0.1"), QStringLiteral("[fe80::1]"),
                            QStringLiteral("[::1]:8006"), QStringLiteral("pve-1.example.org:443")};
        const auto fine = RemoteFile::check(remote);
        QVERIFY2(fine, qPrintable(fine ? QString() : fine.error().message));
    }

    void keepsABrokenFileAsItIs_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("word");
        const auto good = RemoteFile::write({[] {
            auto r = homelab();
            r.id = QStringLiteral("a-1");
            return r;
        }()});
        QVERIFY(RemoteFile::parse(good));
        QTest::newRow("empty") << QByteArray() << QString();
        QTest::newRow("not JSON") << QByteArray("remotes:\n - x") << QString();
        QTest::newRow("a list") << QByteArray("[]") << QString();
        QTest::newRow("no version") << QByteArray(R"({"remotes":[]})") << QStringLiteral("version");
        QTest::newRow("no remotes") << QByteArray(R"({"version":1})") << QStringLiteral("remotes");
        QTest::newRow("newer") << QByteArray(R"({"version":2,"remotes":[]})") << QStringLiteral("newer");
        QTest::newRow("an entry is no object") << QByteArray(R"({"version":1,"remotes":[7]})") << QString();
        QTest::newRow("a pin cut short") << QByteArray(good).replace("5a5a\"", "5a\"") << QStringLiteral("pin");
        QTest::newRow("another way to sign in")
            << QByteArray(good).replace("\"token\"", "\"hope\"") << QStringLiteral("sign_in");
        QTest::newRow("a duplicate key") << QByteArray(good).replace("\"version\": 1", "\"version\": 1, \"version\": 1")
                                         << QString();
        QTest::newRow("an id that leaves its place") << QByteArray(good).replace("a-1", "../x") << QStringLiteral("id");
        for (const auto *key : {"id", "name", "addresses", "sign_in", "user", "pins", "demo"})
            QTest::newRow(key) << QByteArray(good).replace(QByteArray("\"") + key + "\"", "\"other\"")
                               << QString::fromLatin1(key);
        for (qsizetype i = 0; i < good.trimmed().size(); i += 7)
            QTest::addRow("cut after %d bytes", int(i)) << good.left(i) << QString();
    }
    void keepsABrokenFileAsItIs()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, word);
        QDir().mkpath(QFileInfo(m_path).path());
        put(m_path, text);
        RemoteList list(m_path);
        const auto loaded = list.load();
        QVERIFY(!loaded);
        QVERIFY2(loaded.error().message.contains(word), qPrintable(loaded.error().message));
        QVERIFY(list.all().empty());
        const auto refused = list.add(homelab());
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Unavailable);
        QCOMPARE(bytesOf(m_path), text);

        const auto aside = list.setAside();
        QVERIFY(aside);
        QCOMPARE(bytesOf(*aside), text);
        QVERIFY(list.add(homelab()));
    }
    void keepsAnUnfinishedTokenChange()
    {
        RemoteList list(m_path);
        const auto was = list.add(homelab());
        QVERIFY(was);
        TokenChange change{*was, was->user, was->secretKey()};
        change.next.user = QStringLiteral("root@pam!next");
        change.next.secretSlot = 1;
        QVERIFY(list.begin(change));
        QCOMPARE(list.begin(change).error().kind, Error::Kind::Conflict);
        QVERIFY(isEqual(list.all()[0], *was));
        RemoteList making(m_path);
        QVERIFY(making.load());
        QCOMPARE(making.unfinished().size(), size_t(1));
        QCOMPARE(making.unfinished()[0].step, TokenChange::Step::Making);
        QCOMPARE(making.unfinished()[0].oldSecret, was->secretKey());

        QSignalSpy changed(&making, &RemoteList::changed);
        QVERIFY(making.commit(was->id));
        QCOMPARE(changed.count(), 1);
        QVERIFY(making.all()[0].secretKey() != was->secretKey());
        RemoteList revoking(m_path);
        QVERIFY(revoking.load());
        QCOMPARE(revoking.all()[0].user, QStringLiteral("root@pam!next"));
        QCOMPARE(revoking.unfinished()[0].step, TokenChange::Step::Revoking);
        QVERIFY(revoking.finish(was->id));
        QCOMPARE(revoking.finish(was->id).error().kind, Error::Kind::NotFound);
        QVERIFY(revoking.load());
        QVERIFY(revoking.unfinished().empty());
    }
    void refusesAnUnfinishedChangeOfAnotherSecret()
    {
        RemoteList list(m_path);
        const auto was = list.add(homelab());
        QVERIFY(was);
        QVERIFY(list.begin({*was, {}, QStringLiteral("agent/somebody")}));
        QVERIFY(!RemoteList(m_path).load());
    }
    void refusesTwoOfOneNameInTheFile()
    {
        auto one = homelab(), other = homelab(QStringLiteral("Homelab"));
        one.id = QStringLiteral("a");
        other.id = QStringLiteral("b");
        QVERIFY(!RemoteFile::parse(RemoteFile::write({one, other})));
        other.name = QStringLiteral("x");
        QVERIFY(RemoteFile::parse(RemoteFile::write({one, other})));
    }
    void changesNothingThatCannotBeWritten()
    {
        RemoteList list(m_folder->filePath(QStringLiteral("blocked/connections.json")));
        blockByFolder();
        QSignalSpy added(&list, &RemoteList::added);
        const auto refused = list.add(homelab());
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Unavailable);
        QVERIFY(list.all().empty());
        QCOMPARE(added.count(), 0);
    }

private:
    /// A file where the folder should be: this stops root as well.
    void blockByFolder() { put(m_folder->filePath(QStringLiteral("blocked")), "x"); }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

LABHELM_TEST(RemoteListTest)
#include "RemoteListTest.moc"
