#include "Engine.h"
#include "support/Await.h"
#include "support/FileStore.h"
#include "support/ScriptedApprover.h"
#include "support/TestMain.h"
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

/// What agents may do and what they used, across starts, when another program wrote into the files.
class SealedRightsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { m_engine.reset(); }

    void holdAgainAsTheyWereWhenNothingWasTouched();
    void areOnlyLookingFromAnAlteredCounterOnUntilAPersonChooses_data();
    void areOnlyLookingFromAnAlteredCounterOnUntilAPersonChooses();
    void countOnFromTheNextStart();
    void keepTheCountersFileThatCannotBeAnsweredFor();

private:
    void start();
    void end();
    QString counters() const { return m_folder->filePath(QStringLiteral("data/counters.json")); }
    QString grants() const { return m_folder->filePath(QStringLiteral("config/grants.json")); }
    Verdict decided(Effect effect) const
    {
        return m_engine->policy
            .decide({.actor = {.kind = Actor::Kind::Agent, .id = m_agent},
                     .effect = effect,
                     .operation = QStringLiteral("guest.start")})
            .verdict;
    }
    static QByteArray contentOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static bool write(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    ScriptedApprover m_person;
    std::unique_ptr<Engine> m_engine;
    QString m_agent;
    QStringList m_troubles;
};

void SealedRightsTest::start()
{
    m_troubles.clear();
    Folders folders{.config = m_folder->filePath(QStringLiteral("config")),
                    .data = m_folder->filePath(QStringLiteral("data")),
                    .socket = m_folder->filePath(QStringLiteral("run"))};
    for (const auto &folder : {folders.config, folders.data, folders.socket})
        QVERIFY(QDir().mkpath(folder) &&
                QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    m_engine = std::make_unique<Engine>(
        EngineParts{.folders = folders,
                    .secrets = std::make_unique<FileStore>(m_folder->filePath(QStringLiteral("secrets"))),
                    .approver = &m_person});
    connect(m_engine.get(), &Engine::troubled, this, [this](const QString &what) { m_troubles << what; });
    m_engine->open();
    QTRY_VERIFY(!m_engine->mcp->path().isEmpty());
}

void SealedRightsTest::end()
{
    bool isOver = false;
    m_engine->end([&isOver] { isOver = true; });
    QTRY_VERIFY(isOver);
    m_engine.reset();
}

/// One agent that operates, with a rule that allows what destroys, and a few calls that were counted.
void SealedRightsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    start();
    const auto pairing = await(m_engine->agents->pair(QStringLiteral("Goose")));
    QVERIFY(pairing);
    m_agent = pairing->agent.id;
    m_engine->policy.grant(m_agent, Preset::Operate);
    Rule rule;
    rule.id = QStringLiteral("r1");
    rule.operation = QStringLiteral("guest.start");
    rule.verdict = Verdict::Allow;
    m_engine->policy.setRule(rule);
    QVERIFY(m_engine->grants.save(m_engine->policy));
    for (int i = 0; i < 7; ++i)
        QVERIFY(m_engine->limits.admitChange({.kind = Actor::Kind::Agent, .id = m_agent}, 0));
    end();
}

void SealedRightsTest::holdAgainAsTheyWereWhenNothingWasTouched()
{
    start();
    QCOMPARE(m_troubles, QStringList());
    QCOMPARE(decided(Effect::Destroys), Verdict::Allow);
    QCOMPARE(m_engine->limits.changesThisHour(m_agent), 7);
}

void SealedRightsTest::areOnlyLookingFromAnAlteredCounterOnUntilAPersonChooses_data()
{
    QTest::addColumn<QString>("how");
    QTest::newRow("a count was changed") << "changed";
    QTest::newRow("the file is gone") << "gone";
    QTest::newRow("it is empty") << "empty";
    QTest::newRow("another sealed file is in its place") << "swapped";
}

void SealedRightsTest::areOnlyLookingFromAnAlteredCounterOnUntilAPersonChooses()
{
    QFETCH(QString, how);
    auto text = contentOf(counters());
    QVERIFY(text.contains("changes"));
    if (how == QLatin1String("gone"))
        QVERIFY(QFile::remove(counters()));
    else
        QVERIFY(write(counters(), how == QLatin1String("empty")     ? QByteArray()
                                  : how == QLatin1String("swapped") ? contentOf(grants())
                                                                    : text.replace("changes", "changed")));
    for (int begin = 0; begin < 3; ++begin) { // also at the starts after the one that found it out
        start();
        QCOMPARE(m_troubles.size(), begin == 0 ? 1 : 0);
        QVERIFY(m_engine->policy.isHeld(m_agent));
        QVERIFY(m_engine->policy.isHeld(PairedAgents::terminalId));
        for (const auto effect : {Effect::Changes, Effect::Disrupts, Effect::Executes, Effect::Destroys})
            QCOMPARE(decided(effect), Verdict::Deny);
        QCOMPARE(decided(Effect::Reads), Verdict::Allow);
        end();
    }
    start();
    m_engine->policy.grant(m_agent, Preset::Operate); // what a person chose is still known, rules too
    QVERIFY(m_engine->grants.save(m_engine->policy));
    end();
    start();
    QCOMPARE(decided(Effect::Destroys), Verdict::Allow);
    QVERIFY(m_engine->policy.isHeld(PairedAgents::terminalId));
}

void SealedRightsTest::countOnFromTheNextStart()
{
    QVERIFY(QFile::remove(counters()));
    start();
    QVERIFY(m_engine->limits.admitChange({.kind = Actor::Kind::Agent, .id = m_agent}, 0));
    end();
    start();
    QCOMPARE(m_engine->limits.changesThisHour(m_agent), 1);
}

/// While what agents may do cannot be kept either, the next start must find out as well.
void SealedRightsTest::keepTheCountersFileThatCannotBeAnsweredFor()
{
    const auto text = contentOf(counters()).replace("changes", "changed");
    QVERIFY(write(counters(), text));
    QVERIFY(write(grants(), "{\"grants\":"));
    start();
    QVERIFY(m_engine->policy.isHeld(m_agent));
    end();
    QCOMPARE(contentOf(counters()), text);
}

LABHELM_TEST(SealedRightsTest)
#include "SealedRightsTest.moc"
