#include "demo/DemoCluster.h"
#include "base/StrictJson.h"
#include <QCoreApplication>
#include <QDir>

const QString DemoCluster::remoteId = QStringLiteral("homelab");
static const auto tokenId = QStringLiteral("labhelm@pve!desktop");

DemoCluster::DemoCluster(QObject *parent) : QObject(parent)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &DemoCluster::read);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(tr("The demo cluster could not be started: %1").arg(m_process.errorString()));
    });
    connect(&m_process, &QProcess::finished, this, [this] {
        fail(tr("The demo cluster ended before it was ready."));
        Q_EMIT ended();
    });
}

/// The child ends when its standard input closes; it is killed only if it does not.
DemoCluster::~DemoCluster()
{
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.closeWriteChannel();
    constexpr int patienceMs = 500;
    if (!m_process.waitForFinished(patienceMs)) {
        m_process.kill();
        m_process.waitForFinished(patienceMs);
    }
}

QString DemoCluster::besideThisProgram()
{
    return QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("labhelm-simulator"));
}

void DemoCluster::start(const QString &program)
{
    m_process.start(program, {QStringLiteral("--control"), QStringLiteral("stdio")});
}

void DemoCluster::read()
{
    while (m_process.canReadLine())
        obey(m_process.readLine().trimmed());
}

/// "LISTENING port fingerprint", then the answer to "accounts".
void DemoCluster::obey(const QByteArray &line)
{
    const auto words = line.split(' ');
    if (words.size() == 3 && words[0] == "LISTENING") {
        const auto address = QStringLiteral("127.0.0.1:") + QString::fromLatin1(words[1]);
        m_remote = Remote{.id = remoteId, .name = QStringLiteral("homelab"), .addresses = {address}, .user = tokenId, .pins = {}};
        m_remote.pins.insert(address, QByteArray::fromHex(QByteArray(words[2]).replace(':', "")));
        m_remote.isDemo = true;
        m_process.write("{\"id\":1,\"do\":\"accounts\"}\n");
        return;
    }
    const auto answer = StrictJson::parseObject(line);
    if (m_isSettled || !answer)
        return;
    const auto tokens = answer->value(QLatin1String("result"))[QLatin1String("tokens")];
    const auto secret = tokens[tokenId].toString();
    if (secret.isEmpty()) {
        fail(tr("The demo cluster gave no token."));
        return;
    }
    m_isSettled = true;
    Q_EMIT ready(m_remote, Secret(secret.toUtf8()));
}

void DemoCluster::fail(const QString &why)
{
    if (!std::exchange(m_isSettled, true))
        Q_EMIT failed(why);
}
