#pragma once
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

/// The test host as a child process: see tests/host/TestHost.h for its commands.
class HostProcess
{
public:
    HostProcess()
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral(LABHELM_BIN "/labhelm-test-host"),
                        {QStringLiteral("--folder"), m_folder.path()});
        places = answer().object();
    }
    ~HostProcess()
    {
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(10'000))
            m_process.kill();
    }
    /// Sends one command and waits for its answer, which must be an object or a list.
    QJsonDocument run(const char *what, QJsonObject more = {})
    {
        send(what, std::move(more));
        return answer();
    }
    void send(const char *what, QJsonObject more = {})
    {
        more.insert(QStringLiteral("do"), QLatin1String(what));
        m_process.write(QJsonDocument(more).toJson(QJsonDocument::Compact) + '\n');
    }
    QJsonDocument answer()
    {
        if (!QTest::qWaitFor([this] { return m_process.canReadLine(); }, 20'000))
            return {};
        m_last = m_process.readLine().trimmed();
        return QJsonDocument::fromJson(m_last);
    }
    /// The last answer as it came: true, 3, null …
    QByteArray last() const { return m_last; }
    /// Waits until the person is asked, and answers. The question.
    QJsonObject decide(bool allow)
    {
        const auto question = run("asked").object();
        run("answer", {{QStringLiteral("allow"), allow}});
        return question;
    }
    qsizetype writes()
    {
        const QJsonObject command{{QStringLiteral("do"), QStringLiteral("writes")}};
        return run("simulator", {{QStringLiteral("command"), command}}).array().size();
    }

    QJsonObject places;

private:
    QTemporaryDir m_folder;
    QProcess m_process;
    QByteArray m_last;
};
