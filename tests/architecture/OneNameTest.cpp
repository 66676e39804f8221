#include "architecture/SourceTree.h"
#include "support/TestMain.h"
#include <QHash>
#include <QRegularExpression>

/// No two types share a name outside any namespace: the linker keeps one of each inline function and says nothing, and
/// a program that has both, as a test with the simulator, breaks somewhere else.
class OneNameTest : public QObject
{
    Q_OBJECT

    /// The text outside all braces; what stands in braces is left out.
    static QString outside(const QString &code)
    {
        QString margin;
        int depth = 0;
        for (const auto letter : code) {
            if (letter == u'}')
                --depth;
            if (depth == 0)
                margin += letter;
            if (letter == u'{')
                ++depth;
        }
        return margin;
    }
    static QStringList typesOf(const SourceFile &file)
    {
        // At the start of a line, so not in template<…>; with "::" or "<" after it, it is a part or a special case of
        // another.
        static const QRegularExpression type(
            QStringLiteral(
                "^(?:class|struct|enum class|enum)\\s+(?:\\[\\[\\w+\\]\\]\\s*)?(\\w+)(?![\\w:<])[^;{}()=]*\\{"),
            QRegularExpression::MultilineOption);
        QStringList names;
        for (auto types = type.globalMatch(outside(file.code)); types.hasNext();)
            names << types.next().captured(1);
        return names;
    }
    static QStringList findings(const QList<SourceFile> &files)
    {
        QHash<QString, QString> first;
        QStringList found;
        for (const auto &file : files) {
            for (const auto &name : typesOf(file)) {
                if (first.contains(name))
                    found << QStringLiteral("%1: %2 is also a type of %3").arg(file.path, name, first.value(name));
                first.insert(name, file.path);
            }
        }
        return found;
    }
    static SourceFile file(const char *path, const char *text)
    {
        return SourceFile::of(QString::fromLatin1(path), QString::fromLatin1(text));
    }

private Q_SLOTS:
    void everyTypeHasANameOfItsOwn()
    {
        auto files = SourceTree::sources({QStringLiteral("core"), QStringLiteral("app")});
        // A program that links nothing of core.
        files.removeIf([](const SourceFile &each) { return each.path.startsWith(QLatin1String("app/bridge/")); });
        QVERIFY(SourceTree::isClean(findings(files)));
    }
    void noticesANameThatIsTaken()
    {
        const auto one = file("core/a/X.h", "struct Answer {\n};\n");
        QCOMPARE(findings({one, file("core/b/Y.h", "class Answer final : public Base\n{\n};\n")}).size(), 1);
        QCOMPARE(findings({one, file("core/b/Y.cpp", "#include \"a\"\nstruct [[nodiscard]] Answer {\n};\n")}).size(),
                 1);
        QCOMPARE(findings({one, file("core/b/Y.h", "enum class Answer { Yes };\n")}).size(), 1);
    }
    void acceptsANamespaceAndADeclaration()
    {
        const auto one = file("core/a/X.h", "struct Answer {\n};\n");
        QCOMPARE(findings({one, file("core/b/Y.h", "namespace b\n{\nstruct Answer {\n};\n}\n")}), QStringList());
        QCOMPARE(findings({one, file("core/b/Y.cpp", "namespace\n{\nstruct Answer {\n};\n}\n")}), QStringList());
        QCOMPARE(findings({one, file("core/b/Y.cpp",
                                     "struct Answer::Parts {\n};\ntemplate <class Answer>\nint f()\n{\n}\n")}),
                 QStringList());
        QCOMPARE(findings({one, file("core/b/Y.h", "struct Answer;\nclass Z\n{\n    struct Answer {\n    };\n};\n")}),
                 QStringList());
    }
};

LABHELM_TEST(OneNameTest)
#include "OneNameTest.moc"
