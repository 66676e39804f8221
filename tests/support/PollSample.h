#pragma once
#include "inventory/PollAnswers.h"
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

/// The answers of a small cluster, of two nodes of which one is away: tests/data/poll-answers.json.
namespace PollSample
{
inline PollAnswers makeAnswers()
{
    QFile file(QStringLiteral(LABHELM_TEST_DATA "/poll-answers.json"));
    const auto json = QJsonDocument::fromJson(file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray()).object();
    PollAnswers made;
    made.remoteId = QStringLiteral("lab-1");
    made.remoteName = QStringLiteral("homelab");
    made.takenAtMs = 1'790'000'000'000;
    made.latencyMs = 12;
    made.resources = json[QLatin1String("resources")];
    made.status = QJsonValue(json[QLatin1String("status")]);
    made.tasks = QJsonValue(json[QLatin1String("tasks")]);
    made.version = json[QLatin1String("version")];
    return made;
}

inline const PollAnswers &answers()
{
    static const auto made = makeAnswers();
    return made;
}
}
