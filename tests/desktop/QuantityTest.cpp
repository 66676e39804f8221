#include "widgets/Quantity.h"
#include "support/TestMain.h"
#include <QLocale>

/// Numbers as people read them.
class QuantityTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void writesSizesAsProxmoxDoes_data();
    void writesSizesAsProxmoxDoes();
    void saysTheUnitOnceWhereItIsTheSame();
    void doesNotCallUnknownZero();
    void writesShares();
    void writesSpansOfTime();

private:
    static QString plain(QString text) { return text.replace(QChar(0xa0), u' '); }
};

void QuantityTest::writesSizesAsProxmoxDoes_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << qint64(0) << QStringLiteral("0 B");
    QTest::newRow("one") << qint64(1) << QStringLiteral("1 B");
    QTest::newRow("KiB") << qint64(1536) << QStringLiteral("1.5 KiB");
    QTest::newRow("whole") << qint64(4096) * 1048576 << QStringLiteral("4 GiB");
    QTest::newRow("part") << qint64(2.9 * 1073741824) << QStringLiteral("2.9 GiB");
    QTest::newRow("small part") << qint64(66'624'765'952) << QStringLiteral("62.05 GiB");
    QTest::newRow("above a hundred") << qint64(476.9 * 1073741824) << QStringLiteral("477 GiB");
    QTest::newRow("just below") << qint64(1073741823) << QStringLiteral("1 GiB");
    QTest::newRow("beyond 32 bits") << qint64(5) * 1099511627776 << QStringLiteral("5 TiB");
}

void QuantityTest::writesSizesAsProxmoxDoes()
{
    QFETCH(qint64, bytes);
    QTEST(plain(Quantity::bytes(bytes)), "text");
}

void QuantityTest::saysTheUnitOnceWhereItIsTheSame()
{
    QCOMPARE(plain(Quantity::bytesOf(qint64(9.1 * 1073741824), qint64(16) << 30)), QStringLiteral("9.1 of 16 GiB"));
    QCOMPARE(plain(Quantity::bytesOf(qint64(512) << 20, qint64(16) << 30)), QStringLiteral("512 MiB of 16 GiB"));
}

void QuantityTest::doesNotCallUnknownZero()
{
    QCOMPARE(Quantity::bytes(std::optional<qint64>()), QStringLiteral("unknown"));
    QCOMPARE(plain(Quantity::bytes(std::optional<qint64>(0))), QStringLiteral("0 B"));
}

void QuantityTest::writesShares()
{
    QCOMPARE(plain(Quantity::share(0)), QStringLiteral("0 %"));
    QCOMPARE(plain(Quantity::share(0.004)), QStringLiteral("0.4 %"));
    QCOMPARE(plain(Quantity::share(0.234)), QStringLiteral("23 %"));
    QCOMPARE(plain(Quantity::share(1)), QStringLiteral("100 %"));
}

void QuantityTest::writesSpansOfTime()
{
    QCOMPARE(Quantity::duration(40), QStringLiteral("40 s"));
    QCOMPARE(Quantity::duration(125), QStringLiteral("2 min"));
    QCOMPARE(Quantity::duration(3 * 3600 + 12 * 60), QStringLiteral("3 h 12 min"));
    QCOMPARE(Quantity::duration(18 * 86400), QStringLiteral("18 days"));
    QCOMPARE(Quantity::ago(1000, 2000), QStringLiteral("just now"));
    QCOMPARE(Quantity::ago(0, 360'000), QStringLiteral("6 min ago"));
}

LABHELM_TEST(QuantityTest)
#include "QuantityTest.moc"
