#include "architecture/SourceTree.h"
#include "support/TestMain.h"

/// The rules can only be trusted if comments and literals are not taken for code.
class SourceTreeTest : public QObject
{
    Q_OBJECT

    static QString code(const QString &text) { return SourceFile::of(QStringLiteral("x.cpp"), text).code.simplified(); }

private Q_SLOTS:
    void blanksCommentsAndLiterals();
    void keepsLinesWhereTheyAre();
    void findsTheSources();
    void findsClosingBrackets();
};

void SourceTreeTest::blanksCommentsAndLiterals()
{
    QCOMPARE(code(QStringLiteral("a /* { */ b // }\nc")), QStringLiteral("a b c"));
    QCOMPARE(code(QStringLiteral("f(\"{ \\\" // {\", '}', '\\'');")),
             QStringLiteral("f(\" \", ' ', ' ');").simplified());
    QCOMPARE(code(QStringLiteral("f(R\"({ \" })\", R\"x(a)\" {)x\");")).count(u'{'), 0);
    QCOMPARE(code(QStringLiteral("f(u'{', L'}', U'\\'', 'a');")),
             QStringLiteral("f(u' ', L' ', U'  ', ' ');").simplified());
    QCOMPARE(code(QStringLiteral("int n = 1'000'000; g({});")), QStringLiteral("int n = 1'000'000; g({});"));
    const auto file = SourceFile::of(QStringLiteral("x.cpp"), QStringLiteral("#include \"a/b.h\" // \"c\"\n"));
    QVERIFY(file.spoken.contains(QLatin1String("\"a/b.h\"")));
    QVERIFY(!file.spoken.contains(QLatin1String("\"c\"")));
}

void SourceTreeTest::keepsLinesWhereTheyAre()
{
    const auto file = SourceFile::of(QStringLiteral("x.cpp"), QStringLiteral("/*\n\n*/ a \"x\n\" R\"(\n)\"\nb"));
    QCOMPARE(file.code.count(u'\n'), file.text.count(u'\n'));
    QCOMPARE(file.code.size(), file.text.size());
    QCOMPARE(file.at(file.code.indexOf(u'b'), QStringLiteral("here")), QStringLiteral("x.cpp:6: here"));
}

void SourceTreeTest::findsTheSources()
{
    const auto sources = SourceTree::sources({QStringLiteral("core"), QStringLiteral("tests")});
    const auto has = [&sources](const char *path) {
        return std::any_of(sources.begin(), sources.end(),
                           [path](const auto &file) { return file.path == QLatin1String(path); });
    };
    QVERIFY(has("core/base/Promise.h"));
    QVERIFY(has("tests/architecture/SourceTreeTest.cpp"));
    for (const auto &path : SourceTree::paths())
        QVERIFY(!path.startsWith(QLatin1String("build/")));
}

void SourceTreeTest::findsClosingBrackets()
{
    QCOMPARE(SourceTree::closing(QStringLiteral("f(a[1], {b})x"), 1), 11);
    QCOMPARE(SourceTree::closing(QStringLiteral("f(a"), 1), -1);
    QCOMPARE(SourceTree::closingAngle(QStringLiteral("T<A<B>, void(C)> x"), 1), 15);
    QCOMPARE(SourceTree::closingAngle(QStringLiteral("a < b;"), 2), -1);
}

LABHELM_TEST(SourceTreeTest)
#include "SourceTreeTest.moc"
