#pragma once
#include <QElapsedTimer>
#include <QHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

/// A client of the real bridge: starts labhelm-mcp and speaks JSON-RPC over its standard input and output.
class BridgeClient
{
public:
    /// The command as the Agents page shows it. `name` is what the client calls itself.
    explicit BridgeClient(const QStringList &command, const QString &name = QStringLiteral("test-client"))
        : m_name(name)
    {
        m_process.setProcessChannelMode(QProcess::SeparateChannels);
        QObject::connect(&m_process, &QProcess::readyReadStandardOutput, &m_process, [this] { read(); });
        m_process.start(command.first(), command.mid(1));
    }
    ~BridgeClient()
    {
        m_process.closeWriteChannel();
        const bool hasEnded = QTest::qWaitFor([this] { return m_process.state() == QProcess::NotRunning; }, 3000);
        if (!hasEnded)
            m_process.kill();
    }

    /// Introduces itself as a client of the revision 2025-11-25. False if nobody answers.
    bool introduce()
    {
        const auto id =
            send(QStringLiteral("initialize"),
                 {{QStringLiteral("protocolVersion"), QStringLiteral("2025-11-25")},
                  {QStringLiteral("capabilities"), QJsonObject()},
                  {QStringLiteral("clientInfo"),
                   QJsonObject{{QStringLiteral("name"), m_name}, {QStringLiteral("version"), QStringLiteral("1")}}}});
        if (!waitFor(id) || !answer(id).contains(QStringLiteral("result")))
            return false;
        write({{QStringLiteral("jsonrpc"), QStringLiteral("2.0")},
               {QStringLiteral("method"), QStringLiteral("notifications/initialized")}});
        return true;
    }
    /// Calls a tool; returns the request's id at once.
    int call(const QString &tool, const QJsonObject &arguments)
    {
        return send(QStringLiteral("tools/call"),
                    {{QStringLiteral("name"), tool}, {QStringLiteral("arguments"), arguments}});
    }
    void cancel(int id)
    {
        write({{QStringLiteral("jsonrpc"), QStringLiteral("2.0")},
               {QStringLiteral("method"), QStringLiteral("notifications/cancelled")},
               {QStringLiteral("params"), QJsonObject{{QStringLiteral("requestId"), id}}}});
    }
    bool isAnswered(int id) const { return m_answers.contains(id); }
    bool waitFor(int id, int milliseconds = 20000)
    {
        return QTest::qWaitFor([&] { return isAnswered(id) || m_process.state() == QProcess::NotRunning; },
                               milliseconds) &&
               isAnswered(id);
    }
    QJsonObject answer(int id) const { return m_answers.value(id); }
    /// The answer, which is not kept any longer.
    QJsonObject take(int id) { return m_answers.take(id); }
    /// The text of a tool's result, or of the error.
    QString text(int id) const
    {
        const auto whole = answer(id);
        if (whole.contains(QStringLiteral("error")))
            return whole[QStringLiteral("error")][QStringLiteral("message")].toString();
        return whole[QStringLiteral("result")][QStringLiteral("content")][0][QStringLiteral("text")].toString();
    }
    bool isError(int id) const
    {
        const auto whole = answer(id);
        return whole.contains(QStringLiteral("error")) ||
               whole[QStringLiteral("result")][QStringLiteral("isError")].toBool();
    }
    /// The structured part of a tool's result.
    QJsonObject result(int id) const
    {
        return answer(id)[QStringLiteral("result")][QStringLiteral("structuredContent")].toObject();
    }
    QString complaints() { return QString::fromUtf8(m_process.readAllStandardError()); }
    QProcess &process() { return m_process; }

private:
    int send(const QString &method, const QJsonObject &parameters)
    {
        const int id = ++m_lastId;
        write({{QStringLiteral("jsonrpc"), QStringLiteral("2.0")},
               {QStringLiteral("id"), id},
               {QStringLiteral("method"), method},
               {QStringLiteral("params"), parameters}});
        return id;
    }
    void write(const QJsonObject &message)
    {
        m_process.write(QJsonDocument(message).toJson(QJsonDocument::Compact) + '\n');
    }
    void read()
    {
        while (m_process.canReadLine()) {
            const auto message = QJsonDocument::fromJson(m_process.readLine()).object();
            if (message.contains(QStringLiteral("id")) && !message.contains(QStringLiteral("method")))
                m_answers.insert(message[QStringLiteral("id")].toInt(), message);
        }
    }
    QProcess m_process;
    QString m_name;
    QHash<int, QJsonObject> m_answers;
    int m_lastId = 0;
};
