#include "widgets/GuestWords.h"
#include "support/InventoryMaking.h"
#include "support/TestMain.h"
#include "widgets/Quantity.h"

using namespace InventoryMaking;

/// What is said of a guest: no number where there is none, no name where there is none.
class GuestWordsTest : public QObject
{
    Q_OBJECT
    static QString plain(QString text) { return text.replace(QChar(0xa0), u' '); }

private Q_SLOTS:
    // A16
    void showsAUseOnlyWhereItIsReported_A16_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<qint64>("used");
        QTest::addColumn<qint64>("size");
        QTest::addColumn<QString>("words");
        QTest::addColumn<double>("share");
        const auto row = [](const char *name, GuestKind kind, qint64 used, qint64 size, const char *words,
                            double share) {
            QTest::newRow(name) << int(kind) << (used << 30) << (size << 30) << QString::fromLatin1(words) << share;
        };
        row("a machine's use is not reported", GuestKind::Qemu, 0, 32, "32 GiB", -1);
        row("a container's is", GuestKind::Lxc, 8, 32, "8 of 32 GiB", 0.25);
        row("an empty container", GuestKind::Lxc, 0, 32, "0 B of 32 GiB", 0);
        row("no disk", GuestKind::Qemu, 0, 0, "no disk", -1);
        row("a container without one", GuestKind::Lxc, 0, 0, "no disk", -1);
    }
    void showsAUseOnlyWhereItIsReported_A16()
    {
        QFETCH(int, kind);
        QFETCH(qint64, used);
        QFETCH(qint64, size);
        auto state = guest(100, "a", "pve1");
        state.kind = GuestKind(kind);
        state.disk = used;
        state.maxDisk = size;
        QTEST(plain(GuestWords::disk(state)), "words");
        QTEST(GuestWords::diskShare(state).value_or(-1), "share");
    }
    void saysThatASizeIsUnknown()
    {
        const auto state = guest(100, "a", "pve1");
        QCOMPARE(GuestWords::disk(state), Quantity::unknown());
        QVERIFY(!GuestWords::diskShare(state));
    }
    // A12
    void saysThatANameIsUnknown_A12()
    {
        QCOMPARE(GuestWords::name(guest(1002, "", "pve2")), QStringLiteral("name unknown"));
    }
    // A10
    void showsMoreThan32Bits_A10()
    {
        QCOMPARE(plain(Quantity::bytes(qint64(66'624'765'952))), QStringLiteral("62.05 GiB"));
    }
};

LABHELM_TEST(GuestWordsTest)
#include "GuestWordsTest.moc"
