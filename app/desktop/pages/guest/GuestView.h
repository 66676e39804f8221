#pragma once
#include "inventory/InventorySnapshot.h"
#include <QJsonObject>

/// What the guest's page knows at one moment: the last known state of the cluster, and the guest's own answer if there
/// was one.
struct GuestView {
    InventoryPtr cluster; ///< never null while a guest is shown
    GuestState guest;
    QJsonObject answer = {}; ///< of guest.get; empty until it came
    QString problem = {};    ///< why the answer is missing or old; safe to show

    bool isLive() const { return cluster && cluster->reach == InventorySnapshot::Reach::Live; }
    GuestRef ref() const { return cluster->ref(guest); }
    QString key() const { return ref().key(); }
    QJsonObject config() const { return answer[QLatin1String("config")].toObject(); }
    QJsonObject runtime() const { return answer[QLatin1String("runtime")].toObject(); }
};
