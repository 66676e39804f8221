#pragma once
#include <QJsonObject>
#include <QList>
#include <QString>
#include <optional>

/// What is set for the cluster as a whole.
struct ClusterSettings {
    /// As they were given: property strings are text.
    QJsonObject options{{"description", ""}, {"keyboard", "en-us"}, {"mac_prefix", "BC:24:11"}};
};

/// What is set on one node.
struct NodeSettings {
    QJsonObject dns;
    QString hosts; ///< empty = made from the nodes
    QString timezone = QStringLiteral("Etc/UTC");
    QList<QJsonObject> network;                ///< as it is
    std::optional<QList<QJsonObject>> pending; ///< as it shall be once it is applied
};
