#pragma once
#include "simulator/Simulator.h"
#include <QJsonValue>

/// What the control channel can be told to do:
///   advance {ms} · now · settle
///   fault {kind, method, path, nth, always, bytes, delay, status, reason, content_type, body} · clear_faults · latency
///   {ms} requests · writes · count {method, path} · forget · connections · cut node {name, online} · quorum {quorate}
///   · expire_tickets · renew_certificate guest {vmid} · set_config {vmid, key, value} · set_run {vmid, run} · tasks ·
///   pace {factor} accounts
class ControlCommands
{
public:
    ControlCommands(Simulator &simulator, ManualClock *clock) : m_simulator(simulator), m_clock(clock) {}
    Result<QJsonValue> run(const QJsonObject &command);

private:
    using Outcome = Result<QJsonValue>;
    std::optional<Outcome> time(const QString &what, const QJsonObject &command);
    std::optional<Outcome> fault(const QString &what, const QJsonObject &command);
    std::optional<Outcome> requests(const QString &what, const QJsonObject &command);
    std::optional<Outcome> cluster(const QString &what, const QJsonObject &command);
    std::optional<Outcome> guest(const QString &what, const QJsonObject &command);

    Simulator &m_simulator;
    ManualClock *m_clock;
};
