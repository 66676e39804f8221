#pragma once
#include "mcp/LampOperations.h"
#include "mcp/McpSession.h"
#include "support/ExecutionStage.h"
#include <QJsonDocument>

/// One MCP session over the lamp, with everything it sends.
class SessionStage
{
public:
    explicit SessionStage(const QString &agent = QStringLiteral("asker"), bool isDemo = false)
        : stage(Catalogue(lamp::operations())), tools(stage.catalogue),
          session(std::make_unique<McpSession>(McpSession::Parts{*stage.executor, tools, isDemo},
                                               ExecutionStage::agent(agent)))
    {
        Lamp::now = &lamp;
        QObject::connect(session.get(), &McpSession::outgoing, [this](const QByteArray &line) {
            lines << line;
            sent << QJsonDocument::fromJson(line).object();
        });
    }
    ~SessionStage() { session.reset(); }

    /// Sends a request in this era.
    void ask(const QByteArray &id, const QString &method, QJsonObject params = {}, QJsonObject meta = {})
    {
        if (isModern) {
            const auto prefix = QStringLiteral("io.modelcontextprotocol/");
            meta.insert(prefix + QStringLiteral("protocolVersion"), QStringLiteral("2026-07-28"));
            meta.insert(prefix + QStringLiteral("clientCapabilities"), QJsonObject());
        }
        if (!meta.isEmpty())
            params.insert(QStringLiteral("_meta"), meta);
        session->receive(JsonRpc::request(id, method, params));
    }
    void begin(bool modern, const QString &revision = QStringLiteral("2025-11-25"))
    {
        isModern = modern;
        if (!modern)
            ask("0", QStringLiteral("initialize"), {{QStringLiteral("protocolVersion"), revision}});
    }
    void callTool(const QByteArray &id, const char *tool, const QJsonObject &arguments = {},
                  const QJsonObject &meta = {})
    {
        ask(id, QStringLiteral("tools/call"),
            {{QStringLiteral("name"), QLatin1String(tool)}, {QStringLiteral("arguments"), arguments}}, meta);
    }
    void cancel(const QByteArray &id)
    {
        session->receive("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + id +
                         "}}");
    }
    bool isAnswered(const QByteArray &id) const
    {
        const auto begin = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ',';
        return std::any_of(lines.begin(), lines.end(), [&](const auto &line) { return line.startsWith(begin); });
    }
    /// Waits for the answer to this id: its "result", or the whole message if it is an error.
    QJsonObject answer(const QByteArray &id)
    {
        if (!QTest::qWaitFor([&] { return isAnswered(id); }, 20'000))
            return {};
        const auto begin = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ',';
        for (const auto &line : lines)
            if (line.startsWith(begin)) {
                const auto message = QJsonDocument::fromJson(line).object();
                return message.contains(u"result") ? message[u"result"].toObject() : message;
            }
        return {};
    }
    QJsonObject structured(const QByteArray &id) { return answer(id)[u"structuredContent"].toObject(); }
    int errorCode(const QByteArray &id) { return answer(id)[u"error"].toObject()[u"code"].toInt(); }
    /// The params of all progress so far.
    QList<QJsonObject> progress() const
    {
        QList<QJsonObject> all;
        for (const auto &message : sent)
            if (message[u"method"] == QStringLiteral("notifications/progress"))
                all << message[u"params"].toObject();
        return all;
    }

    Lamp lamp;
    ExecutionStage stage;
    ToolProjection tools;
    std::unique_ptr<McpSession> session;
    QByteArrayList lines;
    QList<QJsonObject> sent;
    bool isModern = false;
};
