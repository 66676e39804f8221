#include "model/GuestRef.h"
#include "support/TestMain.h"
#include <QSet>
#include <map>

/// A name that passed is safe in a path, in a request and in front of a person.
class IdsTest : public QObject
{
    Q_OBJECT

    template <class Id>
    static bool takes(const QString &text)
    {
        const auto id = Id::from(text);
        return id && id->text() == text && !id->isEmpty();
    }
    static bool takesAnywhere(const QString &text)
    {
        return takes<NodeName>(text) || takes<StorageName>(text) || takes<SnapshotName>(text) || takes<VolumeId>(text);
    }

private Q_SLOTS:
    void takesNamesThatPveTakes_data();
    void takesNamesThatPveTakes();
    void refusesNamesThatPveRefuses_data();
    void refusesNamesThatPveRefuses();
    void refusesWhatCouldLeaveItsPlace_data();
    void refusesWhatCouldLeaveItsPlace();
    void takesVmidsInsideTheBounds();
    void refusesVmidsOutside_data();
    void refusesVmidsOutside();
    void refusalsShowTheNameSafely();
    void ordersAndHashesByText();
    void tellsNotGivenFromGiven();
    void labelsAGuestWithNameAndNumber();
};

void IdsTest::takesNamesThatPveTakes_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("text");
    for (const char *name : {"pve1", "a", "1", "PVE-2", "a-b-c"})
        QTest::addRow("node %s", name) << QStringLiteral("node") << QString::fromLatin1(name);
    QTest::addRow("node of 63") << QStringLiteral("node") << QString(63, u'a');
    for (const char *name : {"local", "local-zfs", "a1", "nfs_backup.2", "CEPH"})
        QTest::addRow("storage %s", name) << QStringLiteral("storage") << QString::fromLatin1(name);
    QTest::addRow("storage of 100") << QStringLiteral("storage") << QString(100, u'a');
    for (const char *name : {"before-upgrade", "ab", "a_", "Currently", "a1-"})
        QTest::addRow("snapshot %s", name) << QStringLiteral("snapshot") << QString::fromLatin1(name);
    QTest::addRow("snapshot of 40") << QStringLiteral("snapshot") << QString(40, u'a');
    for (const char *name : {"local:iso/debian 12.iso", "local-zfs:vm-100-disk-0", "local:100/vm-100-disk-0.qcow2",
                             "pbs:backup/vm/100/2026-01-01T00:00:00Z"})
        QTest::addRow("volume %s", name) << QStringLiteral("volume") << QString::fromLatin1(name);
}

void IdsTest::takesNamesThatPveTakes()
{
    QFETCH(QString, kind);
    QFETCH(QString, text);
    const bool taken = kind == QLatin1String("node")      ? takes<NodeName>(text)
                       : kind == QLatin1String("storage") ? takes<StorageName>(text)
                       : kind == QLatin1String("volume")  ? takes<VolumeId>(text)
                                                          : takes<SnapshotName>(text);
    QVERIFY(taken);
}

void IdsTest::refusesNamesThatPveRefuses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("refused");
    QTest::newRow("node with a hyphen in front") << QStringLiteral("-pve") << !takes<NodeName>(QStringLiteral("-pve"));
    QTest::newRow("node with a hyphen behind") << QStringLiteral("pve-") << !takes<NodeName>(QStringLiteral("pve-"));
    QTest::newRow("node with a dot") << QStringLiteral("pve.lan") << !takes<NodeName>(QStringLiteral("pve.lan"));
    QTest::newRow("node of 64") << QString(64, u'a') << !takes<NodeName>(QString(64, u'a'));
    QTest::newRow("storage of one") << QStringLiteral("a") << !takes<StorageName>(QStringLiteral("a"));
    QTest::newRow("storage with a digit in front") << QStringLiteral("1a") << !takes<StorageName>(QStringLiteral("1a"));
    QTest::newRow("storage with a dot behind") << QStringLiteral("ab.") << !takes<StorageName>(QStringLiteral("ab."));
    QTest::newRow("storage of 101") << QString(101, u'a') << !takes<StorageName>(QString(101, u'a'));
    QTest::newRow("snapshot current") << QStringLiteral("current") << !takes<SnapshotName>(QStringLiteral("current"));
    QTest::newRow("snapshot of one") << QStringLiteral("a") << !takes<SnapshotName>(QStringLiteral("a"));
    QTest::newRow("snapshot of 41") << QString(41, u'a') << !takes<SnapshotName>(QString(41, u'a'));
    QTest::newRow("snapshot with a digit in front")
        << QStringLiteral("1a") << !takes<SnapshotName>(QStringLiteral("1a"));
    QTest::newRow("snapshot with a dot") << QStringLiteral("a.b") << !takes<SnapshotName>(QStringLiteral("a.b"));
    QTest::newRow("volume without a storage") << QStringLiteral("disk-0") << !takes<VolumeId>(QStringLiteral("disk-0"));
    QTest::newRow("volume without a name") << QStringLiteral("local:") << !takes<VolumeId>(QStringLiteral("local:"));
    const auto longVolume = QStringLiteral("local:") + QString(507, u'a');
    QTest::newRow("volume of 513") << longVolume << !takes<VolumeId>(longVolume);
}

void IdsTest::refusesNamesThatPveRefuses()
{
    QFETCH(bool, refused);
    QVERIFY(refused);
}

void IdsTest::refusesWhatCouldLeaveItsPlace_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("parent folder") << QStringLiteral("../../access");
    QTest::newRow("encoded parent") << QStringLiteral("..%2f..%2fx");
    QTest::newRow("volume with a parent") << QStringLiteral("local:iso/../../etc/passwd");
    QTest::newRow("absolute volume") << QStringLiteral("local:/etc/passwd");
    QTest::newRow("option") << QStringLiteral("--config");
    QTest::newRow("ssh option") << QStringLiteral("-oProxyCommand=x");
    QTest::newRow("line break") << QStringLiteral("pve1\n");
    QTest::newRow("line break inside") << QStringLiteral("pve\n1");
    QTest::newRow("NUL") << (QStringLiteral("pve1") + QChar(u'\0'));
    QTest::newRow("query") << QStringLiteral("pve1?x=1");
    QTest::newRow("other digits") << QStringLiteral(u"pve\u0661");
    QTest::newRow("cyrillic") << QStringLiteral(u"\u0440ve");
    QTest::newRow("volume with an escape") << QStringLiteral("local:iso/\x1b[2K");
    QTest::newRow("volume with a space in front") << QStringLiteral("local: x");
}

void IdsTest::refusesWhatCouldLeaveItsPlace()
{
    QFETCH(QString, text);
    QVERIFY(!takesAnywhere(text));
}

void IdsTest::takesVmidsInsideTheBounds()
{
    QCOMPARE(Vmid::from(100)->number(), 100);
    QCOMPARE(Vmid::from(QStringLiteral("999999999"))->number(), 999999999);
    QCOMPARE(Vmid::from(QStringLiteral("104"))->text(), QStringLiteral("104"));
}

void IdsTest::refusesVmidsOutside_data()
{
    QTest::addColumn<QString>("digits");
    for (const char *digits : {"", "0", "99", "099", "0100", "1000000000", "-100", "+100", " 100", "100 ", "1e2",
                               "100.0", "0x64", "100\n", "18446744073709551716"})
        QTest::newRow(digits) << QString::fromLatin1(digits);
    QTest::newRow("other digits") << QStringLiteral(u"\u0661\u0660\u0660");
}

void IdsTest::refusesVmidsOutside()
{
    QFETCH(QString, digits);
    QVERIFY(!Vmid::from(digits));
    QVERIFY(!Vmid::from(qint64(99)));
    QVERIFY(!Vmid::from(qint64(1000000000)));
    QVERIFY(!Vmid::from(std::numeric_limits<qint64>::min()));
}

void IdsTest::refusalsShowTheNameSafely()
{
    const auto name = QStringLiteral(u"\u202E") + QString(10'000, u'x') + QStringLiteral("\x1b[2K");
    for (const auto &error :
         {NodeName::from(name).error(), StorageName::from(name).error(), SnapshotName::from(name).error(),
          VolumeId::from(name).error(), Vmid::from(name).error()}) {
        QCOMPARE(error.kind, Error::Kind::Invalid);
        QVERIFY2(error.message.contains(QLatin1String("<U+202E>x")), qPrintable(error.message));
        QVERIFY(error.message.size() < 300);
    }
}

void IdsTest::ordersAndHashesByText()
{
    std::map<NodeName, int> nodes;
    nodes[*NodeName::from(QStringLiteral("pve2"))] = 2;
    nodes[*NodeName::from(QStringLiteral("pve1"))] = 1;
    QCOMPARE(nodes.begin()->second, 1);
    QSet<Vmid> vmids{*Vmid::from(100), *Vmid::from(101), *Vmid::from(100)};
    QCOMPARE(vmids.size(), 2);
    QVERIFY(*Vmid::from(100) < *Vmid::from(101));
    QVERIFY(NodeName::from(QStringLiteral("PVE1"))->text() != QStringLiteral("pve1"));
}

void IdsTest::tellsNotGivenFromGiven()
{
    QVERIFY(NodeName().isEmpty());
    QVERIFY(Vmid().isEmpty());
    QVERIFY(!Vmid::from(qint64(0)));
    QVERIFY(!GuestRef{.asked = QStringLiteral("web")}.isResolved());
    QVERIFY(!NodeRef{.asked = QStringLiteral("pve1")}.isResolved());
}

void IdsTest::labelsAGuestWithNameAndNumber()
{
    GuestRef guest{.asked = QStringLiteral(u"we\u202Eb")};
    QCOMPARE(guest.label(), QStringLiteral("we<U+202E>b"));
    guest.remote = QStringLiteral("homelab");
    guest.vmid = *Vmid::from(104);
    QCOMPARE(guest.label(), QStringLiteral("104"));
    guest.name = QStringLiteral("jelly\x1b"
                                "fin");
    QCOMPARE(guest.label(), QStringLiteral("jelly\\x1bfin 104"));
    QCOMPARE(guest.key(), QStringLiteral("homelab:104"));
    QCOMPARE(guestKindName(GuestKind::Lxc), QStringLiteral("lxc"));
}

LABHELM_TEST(IdsTest)
#include "IdsTest.moc"
