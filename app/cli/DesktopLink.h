#pragma once
#include "base/Result.h"
#include "mcp/Handshake.h"
#include "mcp/LineFraming.h"
#include <QJsonObject>
#include <QLocalSocket>
#include <memory>

/// The connection of labhelm-cli to the desktop: handshake, then MCP messages of the newest revision.
class DesktopLink : public QObject
{
    Q_OBJECT
public:
    DesktopLink(QString socket, QString keyFile) : m_path(std::move(socket)), m_keyFile(std::move(keyFile)) {}
    ~DesktopLink() override { m_socket.disconnect(this); }
    /// Begins; ready() or failed() follows, perhaps at once.
    void open();
    /// Sends a request; its id is a number. `meta` is added to what the revision wants.
    void request(int id, const QString &method, QJsonObject params, QJsonObject meta = {});
    void notify(const QString &method, const QJsonObject &params);

Q_SIGNALS:
    void ready();
    /// Before or after ready(); nothing more comes.
    void failed(const Error &error);
    void received(const QJsonObject &message);

private:
    enum class Phase { Challenge, Welcome, Open, Over };
    Result<Secret> readKey() const;
    void take();
    void shake(const QByteArray &line);
    void send(const QByteArray &line);
    void fail(const Error &error);

    QString m_path, m_keyFile;
    QLocalSocket m_socket;
    LineFraming m_framing;
    std::unique_ptr<Handshake::ProgramSide> m_handshake;
    Phase m_phase = Phase::Challenge;
};
