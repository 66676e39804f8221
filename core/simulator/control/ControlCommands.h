#pragma once
#include "simulator/Simulator.h"
#include <QJsonValue>

/// What the control channel can be told to do:
/// - time: advance {ms}, now, settle, pace {factor}
/// - faults: fault {kind, method, path, nth, always, bytes, delay, status, reason, content_type, body}, clear_faults,
///   latency {ms}, cut, fail_socket {nth}, socket
/// - what was heard: requests, writes, count {method, path}, forget, connections
/// - the cluster: node {name, online}, quorum {quorate}, expire_tickets, renew_certificate, accounts
/// - guests: guest {vmid}, set_config {vmid, key, value}, set_run {vmid, run}, tasks
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
