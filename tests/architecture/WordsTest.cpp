#include "architecture/SourceTree.h"
#include "support/TestMain.h"
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

/// What the project says: nothing of the machine it was made on, nothing unfinished, everything for people
/// translatable.
class WordsTest : public QObject
{
    Q_OBJECT

    static bool isText(const QString &path)
    {
        static const QStringList binary{QStringLiteral("png"), QStringLiteral("ico"), QStringLiteral("jpg"),
                                        QStringLiteral("gz"),  QStringLiteral("zst"), QStringLiteral("db"),
                                        QStringLiteral("qm")};
        return !binary.contains(path.section(u'.', -1)) && path != QLatin1String("LICENSE");
    }

    static QStringList matches(const SourceFile &file, const QString &where, const QRegularExpression &pattern,
                               const QString &what)
    {
        QStringList found;
        for (auto matches = pattern.globalMatch(where); matches.hasNext();) {
            const auto match = matches.next();
            found.append(file.at(match.capturedStart(), what + QStringLiteral(": ") + match.captured().simplified()));
        }
        return found;
    }

    /// Hosts of package registries and paths of a machine. The patterns are put together here so that they do not find
    /// themselves.
    static QStringList placeFindings(const SourceFile &file)
    {
        static const QRegularExpression host(
            QStringLiteral("\\b(?:deb|security|snapshot|ftp|archive)\\.") + QStringLiteral("(?:debian|ubuntu)\\.\\w+") +
            QStringLiteral("|\\bregistry\\.") + QStringLiteral("(?:npmjs|yarnpkg)\\.\\w+|\\bnpm") +
            QStringLiteral("js\\.org") + QStringLiteral("|\\bpypi\\.") + QStringLiteral("org|\\bpkg\\.") +
            QStringLiteral("dev\\b"));
        static const QRegularExpression place(QStringLiteral("(?<![\\w.])/(?:work|farm|root|home/\\w+)/\\w"));
        return matches(file, file.text, host, QStringLiteral("a registry's host")) +
               matches(file, file.text, place, QStringLiteral("a path of one machine"));
    }

    static QStringList markerFindings(const SourceFile &file)
    {
        static const QRegularExpression marker(QStringLiteral("\\b(?:TO") + QStringLiteral("DO|FIX") +
                                               QStringLiteral("ME|XX") + QStringLiteral("X)\\b"));
        return matches(file, file.text, marker, QStringLiteral("left unfinished"));
    }

    static QStringList testFindings(const SourceFile &file)
    {
        static const QRegularExpression sleeping(
            QStringLiteral("\\b(?:qWait|qSleep|sleep_for|sleep_until|usleep|msleep|nanosleep)\\s*\\(|\\bsleep\\s*\\("));
        static const QRegularExpression skipped(QStringLiteral("\\b(?:QSKIP|QEXPECT_FAIL)\\b"));
        return matches(file, file.code, sleeping, QStringLiteral("a test never sleeps")) +
               matches(file, file.code, skipped, QStringLiteral("a test is real or absent"));
    }

    /// Literals with a letter that a person would see without translation.
    static QStringList translationFindings(const SourceFile &file)
    {
        static const QRegularExpression shown(
            QStringLiteral(
                "(?:(?:\\.|->)(?:addAction|addMenu|addTab|addButton|addRow)|\\b(?:setText|setWindowTitle|setToolTip|"
                "setStatusTip|setWhatsThis|setPlaceholderText|setTitle|setInformativeText|setAccessibleName|"
                "setAccessibleDescription|setLabelText|setHeaderLabels|QLabel|QPushButton|QToolButton|QCheckBox|"
                "QRadioButton|QGroupBox|QAction|QMenu|QDockWidget))"
                "\\s*\\(\\s*(?:\\w+,\\s*)?(?:QStringLiteral|QLatin1String|QString|QString::fromUtf8)?\\s*\\(?\\{?\\s*u?"
                "\"(?=[^\"\\n]*\\pL)[^\"\\n]*\""),
            QRegularExpression::UseUnicodePropertiesOption);
        return file.path.startsWith(QLatin1String("app/desktop/"))
                   ? matches(file, file.spoken, shown, QStringLiteral("not translatable"))
                   : QStringList();
    }

    static QStringList findings(const SourceFile &file)
    {
        auto found = placeFindings(file) + markerFindings(file) + translationFindings(file);
        const bool isTest = file.path.startsWith(QLatin1String("tests/"));
        return isTest && (file.isHeader() || file.path.endsWith(QLatin1String(".cpp"))) ? found + testFindings(file)
                                                                                        : found;
    }
    static QStringList findingsIn(const char *path, const QString &text)
    {
        return findings(SourceFile::of(QString::fromLatin1(path), text));
    }

private Q_SLOTS:
    void everyFileSpeaksOfTheProjectAlone();
    void theLicenceIsNamed();
    void theLockFileNamesNoHost();
    void noticesAHostOrAPlace_data();
    void noticesAHostOrAPlace();
    void noticesASleepingOrSkippedTest_data();
    void noticesASleepingOrSkippedTest();
    void noticesTextThatIsNotTranslatable_data();
    void noticesTextThatIsNotTranslatable();
    void acceptsOrdinaryText_data();
    void acceptsOrdinaryText();
};

void WordsTest::everyFileSpeaksOfTheProjectAlone()
{
    QStringList found;
    for (const auto &path : SourceTree::paths())
        if (isText(path))
            found.append(findings(SourceFile::of(path, SourceTree::read(path))));
    QVERIFY(SourceTree::isClean(found));
}

void WordsTest::theLicenceIsNamed()
{
    QVERIFY(SourceTree::read(QStringLiteral("LICENSE"))
                .contains(QLatin1String("GNU GENERAL PUBLIC LICENSE\n                       Version 3")));
    QVERIFY(SourceTree::read(QStringLiteral("README.md")).contains(QLatin1String("GPL-3.0-or-later")));
    QVERIFY(SourceTree::read(QStringLiteral("packaging/labhelm.metainfo.xml"))
                .contains(QLatin1String("<project_license>GPL-3.0-or-later<")));
}

void WordsTest::theLockFileNamesNoHost()
{
    const auto lock =
        QJsonDocument::fromJson(SourceTree::read(QStringLiteral("tests/package-lock.json")).toUtf8()).object();
    const auto packages = lock.value(QLatin1String("packages")).toObject();
    QVERIFY(packages.size() > 1);
    for (const auto &package : packages)
        QVERIFY(!package.toObject().contains(QLatin1String("resolved")));
}

void WordsTest::noticesAHostOrAPlace_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("debian") << QStringLiteral("URIs: http://deb.%1.org/x").arg(QStringLiteral("debian"));
    QTest::newRow("npm") << QStringLiteral("\"resolved\": \"https://registry.%1.org/a\"").arg(QStringLiteral("npmjs"));
    QTest::newRow("work") << QStringLiteral("cd /%1/main").arg(QStringLiteral("work"));
    QTest::newRow("home") << QStringLiteral("\"/home/%1/x\"").arg(QStringLiteral("kim"));
    QTest::newRow("marker") << QStringLiteral("// TO%1: later").arg(QStringLiteral("DO"));
}

void WordsTest::noticesAHostOrAPlace()
{
    QFETCH(QString, text);
    QCOMPARE(findingsIn("packaging/x.sh", text).size(), 1);
}

void WordsTest::noticesASleepingOrSkippedTest_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"QTest::qWait(20);", "QThread::sleep(1);", "std::this_thread::sleep_for(1s);",
                             "QSKIP(\"later\");", "QEXPECT_FAIL(\"\", \"bug\", Continue);"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void WordsTest::noticesASleepingOrSkippedTest()
{
    QFETCH(QString, text);
    QCOMPARE(findingsIn("tests/a/XTest.cpp", text).size(), 1);
    QCOMPARE(findingsIn("tests/a/XTest.cpp", QStringLiteral("// ") + text), QStringList());
}

void WordsTest::noticesTextThatIsNotTranslatable_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"button->setText(QStringLiteral(\"Allow\"));", "setWindowTitle(\"Labhelm\");",
                             "auto *label = new QLabel(QStringLiteral(\"Name:\"), this);",
                             "menu->addAction(icon, QStringLiteral(\"Stop\"));", "label->setToolTip(u\"\u00dcber\");",
                             "tabs->addTab(page, QLatin1String(\"Notes\"));"})
        QTest::newRow(text) << QString::fromUtf8(text);
}

void WordsTest::noticesTextThatIsNotTranslatable()
{
    QFETCH(QString, text);
    QCOMPARE(findingsIn("app/desktop/X.cpp", text).size(), 1);
}

void WordsTest::acceptsOrdinaryText_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *path, const char *text) {
        QTest::newRow(text) << QByteArray(path) << QString::fromUtf8(text);
    };
    row("app/desktop/X.cpp", "button->setText(tr(\"Allow\"));");
    row("app/desktop/X.cpp", "label->setText(QStringLiteral(\"%1 \u00b7 %2\").arg(a, b));");
    row("app/desktop/X.cpp", "label->setText(guest.label());");
    row("core/a/X.cpp", "path = QStringLiteral(\"/nodes/pve1/network/\");");
    row("tests/a/XTest.cpp", "QVERIFY(QTest::qWaitFor([&] { return done; }));");
    row("packaging/x.sh", "apt-get install -y debian-archive-keyring # home/user");
}

void WordsTest::acceptsOrdinaryText()
{
    QFETCH(QByteArray, path);
    QFETCH(QString, text);
    QCOMPARE(findingsIn(path.constData(), text), QStringList());
}

LABHELM_TEST(WordsTest)
#include "WordsTest.moc"
