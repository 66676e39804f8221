#pragma once
#include "operations/Catalogue.h"
#include <QJsonArray>
#include <QJsonObject>

/// The catalogue as MCP tools. Made once; the same catalogue gives the same bytes, and no text from outside is in them.
class ToolProjection
{
public:
    /// The catalogue must outlive this.
    explicit ToolProjection(const Catalogue &catalogue);
    /// In the order of the operations' ids.
    const QJsonArray &tools() const { return m_tools; }
    const Operation *find(const QString &tool) const { return m_catalogue.findByMcpName(tool); }

    static QJsonObject tool(const Operation &operation);
    /// The call behind tools/call. For changes it takes out what every change may carry beside its own parameters:
    /// "reason", the caller's words, and "dry_run". Invalid: these have another type. The rest stays exactly as it
    /// came.
    static Result<Call> call(const Operation &operation, const QByteArray &arguments, const Actor &actor);

private:
    const Catalogue &m_catalogue;
    QJsonArray m_tools;
};
