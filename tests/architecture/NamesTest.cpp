#include "architecture/SourceTree.h"
#include "support/TestMain.h"
#include <QRegularExpression>

/// Names say what a thing is, and every type says in a sentence what it is for.
class NamesTest : public QObject
{
    Q_OBJECT

    static bool isEmptyWord(const QString &name)
    {
        static const QRegularExpression vague(QStringLiteral("(Manager|Helpers?|Utils?|Utilities|Misc)$"),
                                              QRegularExpression::CaseInsensitiveOption);
        return vague.match(name).hasMatch();
    }

    static bool isOfQt(const QString &name) { return name.size() > 1 && name[0] == u'Q' && name[1].isUpper(); }

    static QStringList pathFindings(const QString &path)
    {
        static const QRegularExpression folder(QStringLiteral("^[a-z][a-z0-9]*$"));
        static const QRegularExpression name(QStringLiteral("^[A-Za-z][A-Za-z0-9]*$"));
        auto parts = path.split(u'/');
        const auto base = parts.takeLast().section(u'.', 0, 0);
        QStringList found;
        for (const auto &part : parts)
            if (!folder.match(part).hasMatch() || isEmptyWord(part))
                found.append(QStringLiteral("%1: the folder %2 is no lower-case noun").arg(path, part));
        if (!name.match(base).hasMatch() || isEmptyWord(base))
            found.append(QStringLiteral("%1: %2 does not say what is in it").arg(path, base));
        return found;
    }

    static QStringList typeFindings(const SourceFile &file)
    {
        static const QRegularExpression type(
            QStringLiteral("\\b(?:class|struct|namespace|enum class)\\s+(?:\\[\\[\\w+\\]\\]\\s*)?(\\w+)"));
        QStringList found;
        for (auto types = type.globalMatch(file.code); types.hasNext();) {
            const auto match = types.next();
            if (isEmptyWord(match.captured(1)) && !isOfQt(match.captured(1)))
                found.append(file.at(match.capturedStart(),
                                     QStringLiteral("%1 does not say what it is").arg(match.captured(1))));
        }
        static const QRegularExpression friendly(QStringLiteral("\\bfriend\\s+(?:class|struct)\\s+\\w*Test\\w*"));
        for (auto friends = friendly.globalMatch(file.code); friends.hasNext();)
            found.append(file.at(friends.next().capturedStart(), QStringLiteral("no friend class Test")));
        static const QRegularExpression single(
            QStringLiteral("\\bstatic\\s+\\w+\\s*[&*]\\s*(?:instance|self|theInstance)\\s*\\("));
        for (auto singles = single.globalMatch(file.code); singles.hasNext();)
            found.append(file.at(singles.next().capturedStart(), QStringLiteral("no singletons")));
        return found;
    }

    /// Types at the margin of a header without a /// sentence above them.
    static QStringList sentenceFindings(const SourceFile &file)
    {
        static const QRegularExpression type(QStringLiteral("^(?:class|struct) [^;{]*\\{?$"));
        static const QRegularExpression specialised(QStringLiteral("^(?:class|struct) \\w+<"));
        const auto lines = file.text.split(u'\n');
        QStringList found;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const bool opens =
                type.match(lines[i]).hasMatch() && (lines[i].endsWith(u'{') || lines.value(i + 1).startsWith(u'{'));
            if (!opens || specialised.match(lines[i]).hasMatch())
                continue;
            auto above = i - 1;
            while (above >= 0 && (lines[above].startsWith(QLatin1String("template")) ||
                                  lines[above].startsWith(QLatin1String("    requires"))))
                --above;
            if (above < 0 || !lines[above].startsWith(QLatin1String("///")))
                found.append(
                    QStringLiteral("%1:%2: \"%3\" has no /// sentence").arg(file.path).arg(i + 1).arg(lines[i]));
        }
        return found;
    }
    static SourceFile file(const char *text)
    {
        return SourceFile::of(QStringLiteral("core/a/X.h"), QString::fromLatin1(text));
    }
    static QStringList folders() { return {QStringLiteral("core"), QStringLiteral("app"), QStringLiteral("tests")}; }

private Q_SLOTS:
    void everyNameSaysWhatItIs();
    void everyTypeOfAHeaderHasASentence();
    void noticesAVagueName();
    void noticesATypeWithoutASentence();
    void noticesATestThatIsAFriend();
    void noticesASingleton();
};

void NamesTest::everyNameSaysWhatItIs()
{
    QStringList found;
    for (const auto &source : SourceTree::sources(folders()))
        found.append(pathFindings(source.path) + typeFindings(source));
    QVERIFY(SourceTree::isClean(found));
}

void NamesTest::everyTypeOfAHeaderHasASentence()
{
    QStringList found;
    for (const auto &source : SourceTree::sources(folders()))
        if (source.isHeader())
            found.append(sentenceFindings(source));
    QVERIFY(SourceTree::isClean(found));
}

void NamesTest::noticesAVagueName()
{
    for (const char *path : {"core/a/TaskManager.h", "core/utils/X.h", "core/a/StringUtils.cpp", "core/a/testhelper.h",
                             "core/Audit/X.h", "core/a_b/X.h"})
        QVERIFY2(!pathFindings(QString::fromLatin1(path)).isEmpty(), path);
    QCOMPARE(pathFindings(QStringLiteral("core/operations/guest/power.cpp")), QStringList());
    QCOMPARE(typeFindings(file("class TaskManager : public QObject {")).size(), 1);
    QCOMPARE(typeFindings(file("namespace JsonUtils\n{")).size(), 1);
    QCOMPARE(typeFindings(file("class QNetworkAccessManager;")), QStringList());
    QCOMPARE(typeFindings(file("struct Transport { QNetworkAccessManager network; };")), QStringList());
}

void NamesTest::noticesATypeWithoutASentence()
{
    QCOMPARE(sentenceFindings(file("#pragma once\n\nclass X\n{\n};\n")).size(), 1);
    QCOMPARE(sentenceFindings(file("// Not for the documentation.\nstruct X {\n};\n")).size(), 1);
    QCOMPARE(sentenceFindings(file("/// Says it.\ntemplate <class T>\nclass [[nodiscard]] X\n{\n};\n")), QStringList());
    QCOMPARE(sentenceFindings(file("class X;\nstruct Y;\n")), QStringList());
    QCOMPARE(sentenceFindings(file("template <>\nstruct Field<int> {\n};\n")), QStringList());
}

void NamesTest::noticesATestThatIsAFriend()
{
    QCOMPARE(typeFindings(file("class X {\n    friend class XTest;\n};")).size(), 1);
    QCOMPARE(typeFindings(file("class X {\n    friend class Y;\n};")), QStringList());
}

void NamesTest::noticesASingleton()
{
    QCOMPARE(typeFindings(file("class X {\n    static X &instance();\n};")).size(), 1);
    QCOMPARE(typeFindings(file("class X {\n    static X make();\n};")), QStringList());
}

LABHELM_TEST(NamesTest)
#include "NamesTest.moc"
