#include "base/Secret.h"
#include "support/TestMain.h"
#include <cstring>
#include <optional>
#include <type_traits>

template <class T>
concept isPrintable = requires(QDebug debug, T value)
{
    debug << value;
};
template <class T>
concept isComparable = requires(T one, T other)
{
    one == other;
};

/// A secret is compared, handed on and forgotten, but never printed.
class SecretTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comparesByValue();
    void overwritesBytesThatNobodyElseHolds();
    void leavesTheBytesOfAnotherOwnerAlone();
    void survivesCopiesAndMoves();
    void cannotBePrinted();
};

void SecretTest::comparesByValue()
{
    const Secret secret("canary");
    QVERIFY(secret.equals(Secret("canary")));
    QVERIFY(!secret.equals(Secret("canarx")));
    QVERIFY(!secret.equals(Secret("xanary")));
    QVERIFY(!secret.equals(Secret("canary2")));
    QVERIFY(!secret.equals(Secret()));
    QVERIFY(Secret().equals(Secret("")));
    QVERIFY(Secret().isEmpty());
    QVERIFY(!secret.isEmpty());
}

void SecretTest::overwritesBytesThatNobodyElseHolds()
{
    QByteArray bytes("canary and more");
    bytes.truncate(6); // what was cut off is still in the memory
    const auto *memory = bytes.constData();
    Secret::overwrite(bytes);
    QVERIFY(bytes.isDetached());
    QCOMPARE(bytes.constData(), memory);
    for (qsizetype i = 0; i < 15; ++i)
        QCOMPARE(memory[i], '\0');
}

void SecretTest::leavesTheBytesOfAnotherOwnerAlone()
{
    const QByteArray mine("canary");
    const char fixed[] = "constant";
    {
        const Secret shared(mine);
        const Secret raw(QByteArray::fromRawData(fixed, 8));
        const Secret literal(QByteArrayLiteral("literal"));
        QVERIFY(raw.equals(Secret("constant")));
        std::optional<Secret> copy(shared);
        copy.reset();
        QVERIFY(shared.equals(Secret("canary")));
    }
    QCOMPARE(mine, QByteArray("canary"));
    QCOMPARE(std::strcmp(fixed, "constant"), 0);
}

void SecretTest::survivesCopiesAndMoves()
{
    Secret secret("canary");
    secret = Secret(secret);
    Secret copy(secret);
    const Secret moved(std::move(copy));
    Secret assigned;
    assigned = moved;
    secret = Secret();
    QVERIFY(assigned.equals(Secret("canary")));
    QVERIFY(moved.equals(assigned));
}

void SecretTest::cannotBePrinted()
{
    static_assert(!std::is_convertible_v<Secret, QByteArray>);
    static_assert(!std::is_convertible_v<Secret, QString>);
    static_assert(!std::is_convertible_v<QByteArray, Secret>);
    static_assert(!isPrintable<Secret>);
    static_assert(!isComparable<Secret>);
    static_assert(isPrintable<QByteArray> && isComparable<QByteArray>);
}

LABHELM_TEST(SecretTest)
#include "SecretTest.moc"
