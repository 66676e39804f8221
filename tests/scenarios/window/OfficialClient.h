#pragma once
#include <QHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

/// The official client from npm as a child process that does what it is told; see person.mjs.
class OfficialClient
{
public:
    OfficialClient(const QString &era, const QStringList &bridge)
    {
        m_node.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        QObject::connect(&m_node, &QProcess::readyReadStandardOutput, &m_node, [this] { read(); });
        m_node.start(qEnvironmentVariable("LABHELM_NODE"),
                     QStringList{QStringLiteral(LABHELM_SOURCE "/tests/scenarios/window/person.mjs"), era} + bridge);
    }
    ~OfficialClient()
    {
        m_node.closeWriteChannel();
        const bool hasEnded = QTest::qWaitFor([this] { return m_node.state() == QProcess::NotRunning; }, 5000);
        if (!hasEnded)
            m_node.kill();
    }
    bool isReady()
    {
        return QTest::qWaitFor([this] { return m_isReady || m_node.state() == QProcess::NotRunning; }, 60'000) &&
               m_isReady;
    }
    /// Calls a tool; returns its number at once. `patienceMs`: how long the client itself waits.
    int call(const char *tool, const QJsonObject &arguments, int patienceMs = 120'000)
    {
        const int id = ++m_lastId;
        write({{QStringLiteral("id"), id},
               {QStringLiteral("tool"), QLatin1String(tool)},
               {QStringLiteral("arguments"), arguments},
               {QStringLiteral("timeout"), patienceMs}});
        return id;
    }
    void cancel(int id) { write({{QStringLiteral("cancel"), id}}); }
    bool hasAnswered(int id) const { return m_answers.contains(id); }
    bool waitFor(int id)
    {
        return QTest::qWaitFor([this, id] { return hasAnswered(id); }, 60'000);
    }
    /// The structured part of a result; empty when the client saw an error of the protocol or gave up.
    QJsonObject result(int id) const
    {
        return m_answers.value(id)[QStringLiteral("result")][QStringLiteral("structuredContent")].toObject();
    }
    bool gaveUp(int id) const { return m_answers.value(id).contains(QStringLiteral("error")); }
    QByteArray text(int id) const { return QJsonDocument(m_answers.value(id)).toJson(QJsonDocument::Compact); }

private:
    void write(const QJsonObject &command)
    {
        m_node.write(QJsonDocument(command).toJson(QJsonDocument::Compact) + '\n');
    }
    void read()
    {
        while (m_node.canReadLine()) {
            const auto said = QJsonDocument::fromJson(m_node.readLine()).object();
            m_isReady = m_isReady || said.contains(QStringLiteral("ready"));
            if (said.contains(QStringLiteral("result")) || said.contains(QStringLiteral("error")))
                m_answers.insert(said[QStringLiteral("id")].toInt(), said);
        }
    }
    QProcess m_node;
    QHash<int, QJsonObject> m_answers;
    int m_lastId = 0;
    bool m_isReady = false;
};
