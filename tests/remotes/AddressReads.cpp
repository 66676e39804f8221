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
    for (const auto *text :
         {"",          " ",      "http://pve1", "ftp://pve1",   "root@pve1",         "https://root@pve1",
          "pve1:",     "pve1:0", "pve1:65536",  "pve1:80a",     "pve1:+80",          "-oProxyCommand=x",
          "a b",       "a\nb",   "[pve1]",      "[2001:db8::1", "[2001:db8::1]8006", "2001:db8:::1",
          "pve1..lan", "pve_%1", "a?b",         "a#b",          "[fe80::1%eth0]x"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void AddressReads::refusesWhatIsNoAddress()
{
    QFETCH(QString, text);
    const auto address = Address::from(text);
    QVERIFY2(!address, address ? qPrintable(address->key()) : "");
    QCOMPARE(address.error().kind, Error::Kind::Invalid);
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
