#include "cli/DesktopLink.h"
#include "base/StrictJson.h"
#include "mcp/JsonRpc.h"
#include "mcp/PairedAgents.h"
#include "mcp/SocketFolder.h"
#include <QFile>
#include <QFileInfo>
#include <unistd.h>

Result<Secret> DesktopLink::readKey() const
{
    QFile file(m_keyFile);
    if (!file.open(QIODevice::ReadOnly))
        return Error{Error::Kind::Unreachable, tr("Labhelm has not made a key for the terminal yet. Start it first."),
                     m_keyFile};
    constexpr auto ofOthers = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    const QFileInfo info(file);
    if (info.ownerId() != ::geteuid() || (info.permissions() & ofOthers))
        return Error{Error::Kind::Untrusted,
                     tr("The key file %1 is open to others, so it is not used.").arg(m_keyFile)};
    return Secret(file.read(256).trimmed());
}

void DesktopLink::open()
{
    const auto socket = connectToSocket(m_path);
    if (!socket) {
        fail({Error::Kind::Unreachable, tr("Labhelm is not running. Start it on this desktop, then try again."),
              socket.error().message});
        return;
    }
    auto key = readKey();
    if (!key || !m_socket.setSocketDescriptor(*socket)) {
        ::close(*socket);
        fail(key ? Error{Error::Kind::Internal, m_socket.errorString()} : key.error());
        return;
    }
    connect(&m_socket, &QLocalSocket::readyRead, this, &DesktopLink::take);
    connect(&m_socket, &QLocalSocket::disconnected, this, [this] {
        fail({Error::Kind::Unreachable, tr("Labhelm has closed the connection.")});
    });
    m_handshake = std::make_unique<Handshake::ProgramSide>(PairedAgents::terminalId, *std::move(key));
    send(m_handshake->hello());
}

void DesktopLink::take()
{
    m_framing.feed(m_socket.readAll());
    while (const auto line = m_framing.next()) {
        if (m_phase == Phase::Over)
            return;
        if (m_phase != Phase::Open) {
            shake(*line);
            continue;
        }
        if (const auto message = StrictJson::parseObject(*line))
            Q_EMIT received(*message);
    }
}

void DesktopLink::shake(const QByteArray &line)
{
    if (m_phase == Phase::Welcome) {
        const auto session = Handshake::ProgramSide::welcomed(line);
        if (!session) {
            fail(session.error());
            return;
        }
        m_phase = Phase::Open;
        Q_EMIT ready();
        return;
    }
    const auto proof = m_handshake->answer(line);
    if (!proof) {
        fail(proof.error());
        return;
    }
    m_phase = Phase::Welcome;
    send(*proof);
}

void DesktopLink::send(const QByteArray &line)
{
    m_socket.write(line);
    m_socket.flush();
}

void DesktopLink::request(int id, const QString &method, QJsonObject params, QJsonObject meta)
{
    const auto prefix = QStringLiteral("io.modelcontextprotocol/");
    meta.insert(prefix + QStringLiteral("protocolVersion"), QStringLiteral("2026-07-28"));
    meta.insert(prefix + QStringLiteral("clientCapabilities"), QJsonObject());
    meta.insert(prefix + QStringLiteral("clientInfo"),
                QJsonObject{{QStringLiteral("name"), QStringLiteral("labhelm-cli")},
                            {QStringLiteral("version"), QStringLiteral(LABHELM_VERSION)}});
    params.insert(QStringLiteral("_meta"), meta);
    send(JsonRpc::request(QByteArray::number(id), method, params) + '\n');
}

void DesktopLink::notify(const QString &method, const QJsonObject &params)
{
    send(JsonRpc::notification(method, params) + '\n');
}

void DesktopLink::fail(const Error &error)
{
    if (std::exchange(m_phase, Phase::Over) != Phase::Over)
        Q_EMIT failed(error);
}
