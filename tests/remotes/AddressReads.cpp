#include "remotes/Address.h"
#include "remotes/Fingerprint.h"
#include "support/TestMain.h"

/// However an address is written, it is one and the same node.
class AddressReads : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void readsEveryWayToWriteIt_data();
    void readsEveryWayToWriteIt();
    void asksBackWhenTheEndLooksLikeAPort_data();
    void asksBackWhenTheEndLooksLikeAPort();
    void keepsTheZoneFromTheServer();
    void knowsThisComputer_data();
    void knowsThisComputer();
    void refusesWhatIsNoAddress_data();
    void refusesWhatIsNoAddress();
    void readsAFingerprintAsPeopleWriteIt();
};

void AddressReads::readsEveryWayToWriteIt_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char *text, const char *key, const char *shown) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(key) << QString::fromUtf8(shown);
    };
    row("pve1", "pve1:8006", "pve1");
    row(" PVE1.lan. ", "pve1.lan:8006", "pve1.lan");
    row("pve1:443", "pve1:443", "pve1:443");
    row("https://pve1:8006/api2/json/", "pve1:8006", "pve1");
    row("HTTPS://pve1", "pve1:8006", "pve1");
    row("192.0.2.1", "192.0.2.1:8006", "192.0.2.1");
    row("2001:db8::1", "[2001:db8::1]:8006", "2001:db8::1");
    row("[2001:DB8:0::1]", "[2001:db8::1]:8006", "2001:db8::1");
    row("[2001:db8::1]:8006", "[2001:db8::1]:8006", "2001:db8::1");
    row("[2001:db8::1]:443", "[2001:db8::1]:443", "[2001:db8::1]:443");
    row("2001:db8::1:8006", "[2001:db8::1:8006]:8006", "2001:db8::1:8006");
    // A02: a link-local one with its zone, as people and as URLs write it
    row("fe80::1%eth0", "[fe80::1%eth0]:8006", "fe80::1%eth0");
    row("[FE80::1%eth0]:443", "[fe80::1%eth0]:443", "[fe80::1%eth0]:443");
    row("https://[fe80::1%25eth0]:8006/", "[fe80::1%eth0]:8006", "fe80::1%eth0");
    // A03: a base address as other programs want it
    row("https://h:8006/api2/json/", "h:8006", "h");
    row("h", "h:8006", "h");
    row("bücher.example", "xn--bcher-kva.example:8006", "xn--bcher-kva.example");
}

void AddressReads::readsEveryWayToWriteIt()
{
    QFETCH(QString, text);
    const auto address = Address::from(text);
    QVERIFY2(bool(address), address ? "" : qPrintable(address.error().message));
    QTEST(address->key(), "key");
    QTEST(address->text(), "shown");
    QCOMPARE(*Address::from(address->key()), *address);
}

void AddressReads::refusesWhatIsNoAddress_data()
{
    QTest::addColumn<QString>("text");
    for (const auto *text : {"",
                             " ",
                             "http://pve1",
                             "ftp://pve1",
                             "root@pve1",
                             "https://root@pve1",
                             "pve1:",
                             "pve1:0",
                             "pve1:65536",
                             "pve1:80a",
                             "pve1:+80",
                             "-oProxyCommand=x",
                             "a b",
                             "a\nb",
                             "[pve1]",
                             "[2001:db8::1",
                             "[2001:db8::1]8006",
                             "2001:db8:::1",
                             "pve1..lan",
                             "pve_%1",
                             "a?b",
                             "a#b",
                             "[fe80::1%eth0]x",
                             "fe80::1%",

                             "fe80::1%et h0",
                             "2001:db8::1%eth0",
                             "[fe80::1%-o]"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void AddressReads::refusesWhatIsNoAddress()
{
    QFETCH(QString, text);
    const auto address = Address::from(text);
    QVERIFY2(!address, address ? qPrintable(address->key()) : "");
    QCOMPARE(address.error().kind, Error::Kind::Invalid);
}

// A02
void AddressReads::asksBackWhenTheEndLooksLikeAPort_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("meant"); ///< empty: there is no doubt
    QTest::newRow("a port without brackets") << "2001:db8::1:8006"
                                             << "[2001:db8::1]:8006";
    QTest::newRow("another port") << " fd00::5:443 "
                                  << "[fd00::5]:443";
    QTest::newRow("in brackets") << "[2001:db8::1]:8006"
                                 << "";
    QTest::newRow("no end that is a port") << "2001:db8::1"
                                           << "";
    QTest::newRow("nothing left before it") << "2001:db8::8006"
                                            << "";
    QTest::newRow("hexadecimal") << "2001:db8::1:80a6"
                                 << "";
    QTest::newRow("a name") << "pve1:8006"
                            << "";
    QTest::newRow("no address") << "a b:8006"
                                << "";
}

void AddressReads::asksBackWhenTheEndLooksLikeAPort()
{
    QFETCH(QString, text);
    QFETCH(QString, meant);
    const auto doubt = Address::doubt(text);
    if (meant.isEmpty()) {
        QCOMPARE(doubt, QString());
        return;
    }
    QVERIFY2(doubt.contains(meant), qPrintable(doubt));
    QVERIFY2(doubt.contains(Address::from(text)->host), qPrintable(doubt));
}

void AddressReads::keepsTheZoneFromTheServer()
{
    const auto address = Address::from(QStringLiteral("fe80::1%eth0"));
    QVERIFY(bool(address));
    QCOMPARE(address->encodedHost(), QStringLiteral("[fe80::1%25eth0]"));
    QCOMPARE(address->nameForServer(), QStringLiteral("fe80::1"));
}

void AddressReads::knowsThisComputer_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isLoopback");
    QTest::newRow("its name") << "localhost:8006" << true;
    QTest::newRow("a name below it") << "pve.localhost" << true;
    QTest::newRow("127.0.0.1") << "127.0.0.1" << true;
    QTest::newRow("127.9.9.9") << "127.9.9.9" << true;
    QTest::newRow("::1") << "[::1]:443" << true;
    QTest::newRow("a name that begins so") << "localhost.example" << false;
    QTest::newRow("another") << "192.0.2.1" << false;
    QTest::newRow("an IPv6 address") << "2001:db8::1" << false;
}

void AddressReads::knowsThisComputer()
{
    QFETCH(QString, text);
    QTEST(Address::from(text)->isLoopback(), "isLoopback");
}

void AddressReads::readsAFingerprintAsPeopleWriteIt()
{
    const QByteArray bytes = QByteArray::fromHex("00ff10").repeated(10) + QByteArray("\x01\x02", 2);
    const auto text = Fingerprint::text(bytes);
    QVERIFY(text.startsWith(QLatin1String("00:FF:10:")));
    QCOMPARE(text.size(), 95);
    QCOMPARE(Fingerprint::fromText(text), bytes);
    QCOMPARE(Fingerprint::fromText(u' ' + text.toLower().remove(u':')), bytes);
    QVERIFY(Fingerprint::fromText(text.chopped(3)).isEmpty());
    QVERIFY(Fingerprint::fromText(QStringLiteral("no")).isEmpty());
}

LABHELM_TEST(AddressReads)
#include "AddressReads.moc"
