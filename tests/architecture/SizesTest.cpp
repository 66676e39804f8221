#include "architecture/SourceTree.h"
#include "support/TestMain.h"
#include <QRegularExpression>

/// Files and functions stay short enough to be read at once. There is no list of exceptions.
class SizesTest : public QObject
{
    Q_OBJECT

    static constexpr int longestHeader = 150;
    static constexpr int longestSource = 500;
    static constexpr int longestMainWindow = 300;
    static constexpr int longestFunction = 40;

    struct Body {
        QString name;
        qsizetype at = 0;
        qsizetype lines = 0;
    };

    /// Whether a brace after `head` opens a namespace or a type, in which functions are looked for.
    static bool opensAScope(QString head)
    {
        static const QRegularExpression attribute(QStringLiteral("\\[\\[[^\\]]*\\]\\]|alignas\\([^)]*\\)"));
        static const QRegularExpression word(QStringLiteral("\\b(namespace|class|struct|union|enum|extern)\\b"));
        head.remove(attribute);
        for (auto at = head.indexOf(QLatin1String("template")); at >= 0; at = head.indexOf(QLatin1String("template"))) {
            const auto angle = head.indexOf(u'<', at);
            const auto end = angle < 0 ? -1 : SourceTree::closingAngle(head, angle);
            if (end < 0)
                break;
            head.remove(at, end - at + 1);
        }
        for (auto words = word.globalMatch(head); words.hasNext();) {
            const auto at = words.next().capturedStart();
            const auto before = QStringView(head).first(at);
            if (before.count(u'(') == before.count(u')') && !QStringView(head).sliced(at).contains(u'('))
                return true;
        }
        return false;
    }

    static QString nameIn(const QString &head)
    {
        static const QRegularExpression name(QStringLiteral("([\\w:~]+(?:operator[^(]*)?)\\s*\\("));
        const auto match = name.match(head);
        return match.hasMatch() ? match.captured(1) : head.simplified().right(40);
    }

    static QString withoutPreprocessor(QString code)
    {
        static const QRegularExpression line(QStringLiteral("^[ \\t]*#(?:[^\\n]*\\\\\\n)*[^\\n]*"),
                                             QRegularExpression::MultilineOption);
        for (auto lines = line.globalMatch(code); lines.hasNext();) {
            const auto match = lines.next();
            for (auto i = match.capturedStart(); i < match.capturedEnd(); ++i)
                if (code[i] != u'\n')
                    code[i] = u' ';
        }
        return code;
    }

    /// Everything in braces that holds statements and stands directly in a namespace or a type.
    static QList<Body> bodies(const QString &text)
    {
        const auto code = withoutPreprocessor(text);
        QList<Body> found;
        qsizetype head = 0;
        for (qsizetype i = 0; i < code.size(); ++i) {
            if (code[i] == u';' || code[i] == u'}')
                head = i + 1;
            if (code[i] != u'{')
                continue;
            const auto opener = code.mid(head, i - head);
            if (!opener.contains(u'(') || opensAScope(opener)) { // what holds no statements itself may hold functions
                head = i + 1;
                continue;
            }
            const auto end = SourceTree::closing(code, i);
            if (end < 0)
                return found << Body{QStringLiteral("unbalanced braces"), i, 100'000};
            const auto body = QStringView(code).sliced(i, end - i);
            if (body.contains(u';'))
                found.append({nameIn(opener), i, body.count(u'\n') + 1});
            i = end;
            const auto rest = QStringView(code).sliced(end + 1).trimmed();
            if (!rest.startsWith(u',') && !rest.startsWith(u'{')) // else it was part of a constructor's initialisers
                head = end + 1;
        }
        return found;
    }

    static QStringList findings(const SourceFile &file)
    {
        QStringList found;
        const auto lines = file.text.count(u'\n');
        const auto name = file.path.section(u'/', -1);
        const int most = file.isHeader()                           ? longestHeader
                         : name == QLatin1String("MainWindow.cpp") ? longestMainWindow
                                                                   : longestSource;
        if (lines > most)
            found.append(QStringLiteral("%1: %2 lines, at most %3").arg(file.path).arg(lines).arg(most));
        for (const auto &body : bodies(file.code))
            if (body.lines > longestFunction)
                found.append(file.at(
                    body.at,
                    QStringLiteral("%1 has %2 lines, at most %3").arg(body.name).arg(body.lines).arg(longestFunction)));
        return found;
    }
    static QStringList findingsIn(const char *path, const QString &text)
    {
        return findings(SourceFile::of(QString::fromLatin1(path), text));
    }
    /// A function whose body, braces included, has this many lines.
    static QString function(const QString &head, int lines)
    {
        return head + QStringLiteral("\n{\n") + QStringLiteral("    work();\n").repeated(lines - 2) +
               QStringLiteral("}\n");
    }

private Q_SLOTS:
    void everythingIsShortEnough();
    void noticesALongFile();
    void noticesALongFunction_data();
    void noticesALongFunction();
    void doesNotTakeATypeForAFunction();
    void readsEveryFunctionOfAFile();
};

void SizesTest::everythingIsShortEnough()
{
    QStringList found;
    for (const auto &file :
         SourceTree::sources({QStringLiteral("core"), QStringLiteral("app"), QStringLiteral("tests")}))
        found.append(findings(file));
    QVERIFY(SourceTree::isClean(found));
}

void SizesTest::noticesALongFile()
{
    const auto lines = [](int count) { return QStringLiteral("int x;\n").repeated(count); };
    QCOMPARE(findingsIn("core/a/X.h", lines(150)), QStringList());
    QCOMPARE(findingsIn("core/a/X.h", lines(151)).size(), 1);
    QCOMPARE(findingsIn("core/a/X.cpp", lines(500)), QStringList());
    QCOMPARE(findingsIn("core/a/X.cpp", lines(501)).size(), 1);
    QCOMPARE(findingsIn("app/desktop/shell/MainWindow.cpp", lines(301)).size(), 1);
}

void SizesTest::noticesALongFunction_data()
{
    QTest::addColumn<QString>("head");
    for (const char *head :
         {"void f()", "static QString A::b(const QString &x) const noexcept", "A::A(int x)\n    : m_x(x), m_y{x}",
          "A::~A()", "bool operator==(const A &a, const A &b)", "template <class T>\nResult<T> Reader<T>::read()",
          "auto f() -> QCoro::Task<int>", "namespace x\n{\nnamespace\n{\nint f(struct stat *s)",
          "class X final : public Y\n{\npublic:\n    void f() override",
          "enum class Z { A, B };\nstruct Q {\n    int x = 0;\n};\nstruct Q f()", "const auto table = make([](int x)",
          "#define M {\nvoid g(std::function<void()> then)", "int X::main(int argc, char *argv[])"})
        QTest::newRow(head) << QString::fromLatin1(head);
}

void SizesTest::noticesALongFunction()
{
    QFETCH(QString, head);
    QCOMPARE(findingsIn("core/a/X.cpp", function(head, 40)), QStringList());
    const auto found = findingsIn("core/a/X.cpp", function(head, 41));
    QCOMPARE(found.size(), 1);
    QVERIFY(found.first().contains(QLatin1String("41 lines")));
}

void SizesTest::doesNotTakeATypeForAFunction()
{
    const auto members = QStringLiteral("    int x = 0;\n").repeated(60);
    for (const char *head :
         {"struct X {", "class [[nodiscard]] X : public Y<Z> {", "namespace a::b\n{", "enum class E : int {",
          "template <class T>\nstruct Y<T, void> {", "union U {", "extern \"C\" {"})
        QCOMPARE(findingsIn("core/a/X.cpp", QString::fromLatin1(head) + u'\n' + members + QStringLiteral("};\n")),
                 QStringList());
    const auto table = QStringLiteral("static const QList<int> table{\n") + QStringLiteral("    1,\n").repeated(60) +
                       QStringLiteral("};\n");
    QCOMPARE(findingsIn("core/a/X.cpp", table), QStringList());
}

void SizesTest::readsEveryFunctionOfAFile()
{
    const auto found =
        bodies(QStringLiteral("class A\n{\n    A() : m_x{1}, m_f{} {\n x(); }\n    int y() const { return 1; }\n};\n"
                              "int g() { if (a) { b(); } return [] { return 1; }(); }\nint h()\n{\n return 2;\n}\n"));
    QStringList names;
    for (const auto &body : found)
        names.append(body.name);
    QCOMPARE(names, QStringList({QStringLiteral("A"), QStringLiteral("y"), QStringLiteral("g"), QStringLiteral("h")}));
    const auto table = QStringLiteral("const QList<F> table{\n    [](int x) {\n        f(x);\n    },\n%1};\n");
    QCOMPARE(bodies(table.arg(QStringLiteral("    [] { g(); },\n").repeated(60))).first().lines, 3);
    QCOMPARE(bodies(QStringLiteral("void f() {")).first().lines, 100'000);
}

LABHELM_TEST(SizesTest)
#include "SizesTest.moc"
