#include "support/Signals.h"
#include "support/TestMain.h"
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

/// The scripts around the two commands keep their promises: nothing needless, nothing left behind, nothing hidden.
class ScriptsTest : public QObject
{
    Q_OBJECT

    struct Run {
        int status = -1;
        QString output;
    };
    static QString script(const char *path) { return QStringLiteral(LABHELM_SOURCE "/") + QLatin1String(path); }

    /// A folder of programs that stand before the real ones.
    static void put(const QDir &folder, const char *name, const QByteArray &body)
    {
        QFile file(folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/bash\n" + body + '\n');
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    static Run run(const QString &program, const QStringList &arguments, const QProcessEnvironment &environment)
    {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        if (!process.waitForFinished(120'000))
            return {};
        return {process.exitCode(), QString::fromUtf8(process.readAll())};
    }
    static QProcessEnvironment with(const QString &folder, const QString &rest)
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"), folder + u':' + rest);
        environment.remove(QStringLiteral("CI"));
        return environment;
    }
    static QString systemPath() { return qEnvironmentVariable("PATH"); }
    static bool isAlive(qint64 pid)
    {
        QFile status(QStringLiteral("/proc/%1/stat").arg(pid));
        if (!status.open(QIODevice::ReadOnly))
            return false;
        const auto fields = status.readAll();
        return fields.mid(fields.lastIndexOf(')') + 2, 1) != "Z";
    }

private Q_SLOTS:
    void asksAptForNothingWhereNothingIsMissing();
    void installsOnlyWhatIsMissing();
    void saysWhatIsMissingWithoutRootOrSudo();
    void refusesAnUnknownPart();
    void givesASessionOfItsOwn();
    void endsASessionWithItsScript_data();
    void endsASessionWithItsScript();
    void skipsVisiblyWhereNpmCannotBeReached();
    void doesNotSkipInCi();

private:
    QTemporaryDir m_folder;
};

void ScriptsTest::asksAptForNothingWhereNothingIsMissing()
{
    put(m_folder.path(), "apt-get", "echo apt was asked; exit 1");
    put(m_folder.path(), "dpkg-query", "echo -n installed");
    const auto done = run(script("packaging/install-dependencies.sh"), {}, with(m_folder.path(), systemPath()));
    QCOMPARE(done.output, QString());
    QCOMPARE(done.status, 0);
}

void ScriptsTest::installsOnlyWhatIsMissing()
{
    put(m_folder.path(), "apt-get", "echo \"$@\" >> \"$ASKED\"");
    put(m_folder.path(), "id", "echo 0");
    put(m_folder.path(), "dpkg-query", "[ \"${@: -1}\" = rapidjson-dev ] || echo -n installed");
    auto environment = with(m_folder.path(), systemPath());
    environment.insert(QStringLiteral("ASKED"), m_folder.filePath(QStringLiteral("asked")));
    const auto done = run(script("packaging/install-dependencies.sh"), {QStringLiteral("build")}, environment);
    QCOMPARE(done.status, 0);
    QCOMPARE(done.output, QStringLiteral("Installing 1 Debian packages: rapidjson-dev\n"));
    QFile asked(m_folder.filePath(QStringLiteral("asked")));
    QVERIFY(asked.open(QIODevice::ReadOnly));
    const auto lines = asked.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].endsWith(" update"));
    QVERIFY(lines[1].endsWith(" install -y --no-install-recommends rapidjson-dev"));
}

void ScriptsTest::saysWhatIsMissingWithoutRootOrSudo()
{
    QTemporaryDir tools;
    for (const char *tool : {"bash", "sort", "printf", "env"})
        QFile::link(QStringLiteral("/usr/bin/") + QLatin1String(tool), tools.filePath(QLatin1String(tool)));
    put(tools.path(), "id", "echo 1000");
    put(tools.path(), "apt-get", "echo apt was asked");
    put(tools.path(), "dpkg-query", "exit 1");
    const auto done = run(QStringLiteral("/bin/bash"),
                          {script("packaging/install-dependencies.sh"), QStringLiteral("run")}, with(tools.path(), {}));
    QCOMPARE(done.status, 1);
    QVERIFY2(done.output.contains(QLatin1String("apt-get install fonts-dejavu-core libqt6sql6-sqlite libqt6svg6")),
             qPrintable(done.output));
    QVERIFY(!done.output.contains(QLatin1String("apt was asked")));
}

void ScriptsTest::refusesAnUnknownPart()
{
    const auto done =
        run(script("packaging/install-dependencies.sh"), {QStringLiteral("everything")}, with({}, systemPath()));
    QCOMPARE(done.status, 2);
    QVERIFY(done.output.contains(QLatin1String("everything")));
}

void ScriptsTest::givesASessionOfItsOwn()
{
    const auto done =
        run(script("packaging/session.sh"),
            {QStringLiteral("bash"), QStringLiteral("-c"),
             QStringLiteral(
                 "echo \"$HOME|$DISPLAY|$DBUS_SESSION_BUS_ADDRESS\"; dbus-send --session --print-reply=literal "
                 "--dest=org.freedesktop.secrets /org/freedesktop/secrets/aliases/default "
                 "org.freedesktop.DBus.Properties.Get string:org.freedesktop.Secret.Collection string:Locked; exit 7")},
            with({}, systemPath()));
    QCOMPARE(done.status, 7);
    const auto places = done.output.section(u'\n', 0, 0).split(u'|');
    QCOMPARE(places.size(), 3);
    QVERIFY(places[0] != QDir::homePath() && !QDir(places[0]).exists());
    QVERIFY(places[1].startsWith(u':'));
    QVERIFY(places[2].startsWith(QLatin1String("unix:path=")));
    QVERIFY2(done.output.contains(QLatin1String("boolean false")), qPrintable(done.output));
}

void ScriptsTest::endsASessionWithItsScript_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("TERM") << SIGTERM;
    QTest::newRow("HUP") << SIGHUP;
    QTest::newRow("KILL") << SIGKILL;
}

void ScriptsTest::endsASessionWithItsScript()
{
    QFETCH(int, signal);
    QProcess process;
    process.start(
        script("packaging/session.sh"),
        {QStringLiteral("bash"), QStringLiteral("-c"),
         QStringLiteral("printf '%s\\n' $(</proc/$PPID/task/$PPID/children) $$ end; exec tail -f /dev/null")});
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardOutput()).contains("end"), 60'000);
    QList<qint64> pids;
    for (const auto &line : said.split('\n'))
        if (line.trimmed().toLongLong() > 0)
            pids.append(line.trimmed().toLongLong());
    QVERIFY(pids.size() >= 3); // the display, the bus and the command
    QVERIFY(signalTo(process, signal));
    QVERIFY(process.waitForFinished(30'000));
    for (const auto pid : pids)
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), 20'000);
}

void ScriptsTest::skipsVisiblyWhereNpmCannotBeReached()
{
    QTemporaryDir build;
    put(m_folder.path(), "npm", "echo 'npm ERR! network unreachable' >&2; exit 1");
    const auto done =
        run(script("tests/support/with-npm.sh"), {build.path(), QStringLiteral("echo"), QStringLiteral("ran")},
            with(m_folder.path(), systemPath()));
    QCOMPARE(done.status, 77);
    QCOMPARE(done.output, QStringLiteral("Tests with npm's packages are skipped: npm ERR! network unreachable\n"));
}

void ScriptsTest::doesNotSkipInCi()
{
    QTemporaryDir build;
    put(m_folder.path(), "npm", "exit 1");
    auto environment = with(m_folder.path(), systemPath());
    environment.insert(QStringLiteral("CI"), QStringLiteral("true"));
    QCOMPARE(run(script("tests/support/with-npm.sh"), {build.path(), QStringLiteral("true")}, environment).status, 1);
}

LABHELM_TEST(ScriptsTest)
#include "ScriptsTest.moc"
