#pragma once
#include <QJsonObject>
#include <QJsonValue>
#include <QList>
#include <QStringList>
#include <utility>

/// The four methods that PVE knows.
enum class Method { Get, Post, Put, Delete };
QLatin1String methodName(Method method);

/// One REST call before encoding: path segments and parameters are plain text, encoded exactly once, piece by piece.
struct ApiRequest {
    Method method = Method::Get;
    QStringList segments; ///< {"nodes", "pve1", "qemu", "104", "config"}; no segment is empty, "." or ".."
    QList<std::pair<QString, QString>> parameters = {};

    bool isRead() const { return method == Method::Get; }
    void add(const char *name, QString value) { parameters.append({QLatin1String(name), std::move(value)}); }
    void add(const QString &name, QString value) { parameters.append({name, std::move(value)}); }
    /// "/nodes/pve1/qemu/104/config", each segment percent-encoded.
    QByteArray path() const;
    /// "memory=6144&delete=balloon"; '=' and ';' and '+' and space are encoded (FACTS "Parameters").
    QByteArray form() const;
    /// For people and for the timeline: "PUT /nodes/pve1/qemu/104/config  memory=6144". Values of secret parameters are
    /// shown as "…".
    QString describe() const;
    /// Why this cannot be sent as a path and parameters, in words; empty if it can. A piece that is empty, "." or ".."
    /// would reach another path than the one that was judged.
    QString problem() const;
    bool operator==(const ApiRequest &) const = default;
};

/// What PVE answered with success: `data`, and what stood beside it (total, changes).
struct ApiAnswer {
    QJsonValue data;
    QJsonObject beside = {};
};
