#include "support/TestMain.h"
#include <QProcess>
#include <QTemporaryDir>

/// The official TypeScript client through labhelm-mcp, in every era it knows.
class McpClientTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theMainJobIsDone_data()
    {
        QTest::addColumn<QString>("era");
        for (const char *era : {"legacy", "auto", "modern"})
            QTest::newRow(era) << QString::fromLatin1(era);
    }
    void theMainJobIsDone()
    {
        QFETCH(QString, era);
        const QTemporaryDir folder;
        QProcess node;
        node.setProcessChannelMode(QProcess::MergedChannels);
        node.start(qEnvironmentVariable("LABHELM_NODE"), {QStringLiteral(LABHELM_SOURCE "/tests/scenarios/client.mjs"),
                                                          era, QStringLiteral(LABHELM_BIN), folder.path()});
        QVERIFY(node.waitForFinished(200'000));
        const auto said = node.readAll();
        for (const auto &line : said.split('\n')) // what a failure message has no room for
            if (!line.startsWith("ok ") && !line.isEmpty())
                qInfo("%s", line.constData());
        QVERIFY2(node.exitStatus() == QProcess::NormalExit && node.exitCode() == 0, said.constData());
        QVERIFY(said.contains("all hold"));
    }
};

LABHELM_NPM_TEST(McpClientTest)
#include "McpClientTest.moc"
