#include "base/Result.h"
#include "support/TestMain.h"
#include <QSet>
#include <memory>

/// A value or the reason why there is none.
class ResultTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holdsAValueOrAnError();
    void movesAMoveOnlyValueOut();
    void succeedsWithNothing();
    void givesEachKindItsOwnCode();
};

void ResultTest::holdsAValueOrAnError()
{
    const Result<int> value = 4;
    QVERIFY(value);
    QCOMPARE(*value, 4);
    QCOMPARE(value.valueOr(1), 4);
    const Result<int> error = Error{Error::Kind::NotFound, QStringLiteral("gone")};
    QVERIFY(!error);
    QCOMPARE(error.error().kind, Error::Kind::NotFound);
    QCOMPARE(error.valueOr(1), 1);
    const Result<bool> no = false;
    QVERIFY2(no, "a value of false is still a value");
}

void ResultTest::movesAMoveOnlyValueOut()
{
    Result<std::unique_ptr<int>> held = std::make_unique<int>(3);
    const std::unique_ptr<int> taken = *std::move(held);
    QCOMPARE(*taken, 3);
}

void ResultTest::succeedsWithNothing()
{
    const Result<> done;
    QVERIFY(done);
    const Result<> failed = Error{Error::Kind::Conflict, QStringLiteral("locked")};
    QVERIFY(!failed);
    QCOMPARE(failed.error().code(), QStringLiteral("conflict"));
}

void ResultTest::givesEachKindItsOwnCode()
{
    QSet<QString> codes;
    for (int kind = int(Error::Kind::Invalid); kind <= int(Error::Kind::Internal); ++kind)
        codes.insert(Error::code(static_cast<Error::Kind>(kind)));
    QCOMPARE(codes.size(), qsizetype(Error::Kind::Internal) + 1);
    for (const auto &code : codes)
        QVERIFY2(!code.isEmpty() && code == code.toLower() && !code.contains(u' '), qPrintable(code));
}

LABHELM_TEST(ResultTest)
#include "ResultTest.moc"
