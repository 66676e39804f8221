#include "simulator/control/ControlCommands.h"
#include "simulator/world/Homelab.h"
#include <QJsonArray>

static Error complaint(const QString &text)
{
    return {Error::Kind::Invalid, text, {}};
}
static QString text(const QJsonObject &command, const char *key)
{
    return command.value(QLatin1String(key)).toString();
}

static QJsonObject heardToJson(const HeardRequest &request)
{
    return {{QLatin1String("method"), request.method},
            {QLatin1String("path"), request.path},
            {QLatin1String("parameters"), request.parameters},
            {QLatin1String("who"), request.who},
            {QLatin1String("status"), request.status}};
}

static QJsonArray heardToJson(const QList<HeardRequest> &requests)
{
    QJsonArray all;
    for (const auto &request : requests)
        all.append(heardToJson(request));
    return all;
}

Result<QJsonValue> ControlCommands::run(const QJsonObject &command)
{
    const auto what = text(command, "do");
    m_simulator.world().settle();
    if (auto done = time(what, command))
        return *done;
    if (auto done = fault(what, command))
        return *done;
    if (auto done = requests(what, command))
        return *done;
    if (auto done = cluster(what, command))
        return *done;
    if (auto done = guest(what, command))
        return *done;
    return complaint(QStringLiteral("unknown command '%1'").arg(what));
}

std::optional<Result<QJsonValue>> ControlCommands::time(const QString &what, const QJsonObject &command)
{
    if (what == QLatin1String("now"))
        return Outcome(QJsonValue(m_simulator.world().nowMs()));
    if (what == QLatin1String("settle"))
        return Outcome(QJsonValue());
    if (what == QLatin1String("pace")) {
        m_simulator.world().taskPace = command.value(QLatin1String("factor")).toDouble(1);
        return Outcome(QJsonValue());
    }
    if (what != QLatin1String("advance"))
        return std::nullopt;
    if (!m_clock)
        return Outcome(complaint(QStringLiteral("time is the machine's; start with --clock manual")));
    m_clock->advance(std::chrono::milliseconds(command.value(QLatin1String("ms")).toInteger()));
    m_simulator.world().settle();
    return Outcome(QJsonValue(m_simulator.world().nowMs()));
}

std::optional<Result<QJsonValue>> ControlCommands::fault(const QString &what, const QJsonObject &command)
{
    if (what == QLatin1String("clear_faults")) {
        m_simulator.faults().clear();
        return Outcome(QJsonValue());
    }
    if (what == QLatin1String("latency")) {
        m_simulator.faults().latency = std::chrono::milliseconds(command.value(QLatin1String("ms")).toInteger());
        return Outcome(QJsonValue());
    }
    if (what == QLatin1String("fail_socket")) {
        m_simulator.faults().failSocket(command.value(QLatin1String("nth")).toInt());
        return Outcome(QJsonValue());
    }
    if (what == QLatin1String("socket")) {
        const auto failed = m_simulator.faults().failedOperation();
        return Outcome(QJsonObject{{"operations", m_simulator.faults().socketOperations()},
                                   {"failed", failed ? QJsonValue(Faults::nameOf(*failed)) : QJsonValue()}});
    }
    if (what != QLatin1String("fault"))
        return std::nullopt;
    const auto kind = Faults::kindFromName(text(command, "kind"));
    if (!kind)
        return Outcome(complaint(QStringLiteral("unknown kind of fault")));
    Fault fault;
    fault.kind = *kind;
    fault.method = text(command, "method");
    fault.path = text(command, "path");
    fault.nth = command.value(QLatin1String("nth")).toInt(1);
    fault.always = command.value(QLatin1String("always")).toBool();
    if (command.contains(QLatin1String("bytes")))
        fault.bytes = command.value(QLatin1String("bytes")).toInteger();
    fault.delay = std::chrono::milliseconds(command.value(QLatin1String("delay")).toInteger());
    fault.status = command.value(QLatin1String("status")).toInt(500);
    fault.reason = text(command, "reason").toUtf8();
    fault.contentType = text(command, "content_type").toUtf8();
    fault.body = text(command, "body").toUtf8();
    m_simulator.faults().add(fault);
    return Outcome(QJsonValue());
}

std::optional<Result<QJsonValue>> ControlCommands::requests(const QString &what, const QJsonObject &command)
{
    if (what == QLatin1String("requests"))
        return Outcome(QJsonValue(heardToJson(m_simulator.requests())));
    if (what == QLatin1String("writes"))
        return Outcome(QJsonValue(heardToJson(m_simulator.writes())));
    if (what == QLatin1String("count"))
        return Outcome(QJsonValue(m_simulator.count(text(command, "method"), text(command, "path"))));
    if (what == QLatin1String("connections"))
        return Outcome(QJsonValue(m_simulator.connections()));
    if (what == QLatin1String("forget"))
        m_simulator.forgetRequests();
    else if (what == QLatin1String("cut"))
        m_simulator.cutConnections();
    else
        return std::nullopt;
    return Outcome(QJsonValue());
}

std::optional<Result<QJsonValue>> ControlCommands::cluster(const QString &what, const QJsonObject &command)
{
    auto &world = m_simulator.world();
    if (what == QLatin1String("node")) {
        if (!world.node(text(command, "name")))
            return Outcome(complaint(QStringLiteral("no such node")));
        world.setOnline(text(command, "name"), command.value(QLatin1String("online")).toBool());
    } else if (what == QLatin1String("quorum")) {
        world.quorate = command.value(QLatin1String("quorate")).toBool();
    } else if (what == QLatin1String("expire_tickets")) {
        world.access.expireTickets();
    } else if (what == QLatin1String("renew_certificate")) {
        m_simulator.renewCertificate();
        return Outcome(QJsonValue(m_simulator.fingerprint()));
    } else if (what == QLatin1String("accounts")) {
        QJsonObject tokens;
        for (const auto &user : world.access.users)
            for (const auto &token : user.tokens)
                tokens.insert(user.id + u'!' + token.name, token.secret);
        return Outcome(QJsonValue(QJsonObject{{QLatin1String("tokens"), tokens},
                                              {QLatin1String("root@pam"), Homelab::rootPassword},
                                              {QLatin1String("operator@pve"), Homelab::operatorPassword}}));
    } else {
        return std::nullopt;
    }
    return Outcome(QJsonValue());
}

static QJsonObject guestToJson(const Guest &guest)
{
    static const char *runs[] = {"stopped", "running", "paused"};
    QJsonObject config;
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it)
        config.insert(it.key(), it.value());
    QJsonObject pending;
    for (auto it = guest.pending.begin(); it != guest.pending.end(); ++it)
        pending.insert(it.key(), it.value());
    QJsonArray snapshots;
    for (const auto &snapshot : guest.snapshots)
        snapshots.append(snapshot.name);
    return {{QLatin1String("vmid"), guest.vmid},       {QLatin1String("kind"), guestKindName(guest.kind)},
            {QLatin1String("node"), guest.node},       {QLatin1String("run"), QLatin1String(runs[int(guest.run)])},
            {QLatin1String("config"), config},         {QLatin1String("pending"), pending},
            {QLatin1String("digest"), guest.digest()}, {QLatin1String("snapshots"), snapshots}};
}

std::optional<Result<QJsonValue>> ControlCommands::guest(const QString &what, const QJsonObject &command)
{
    auto &world = m_simulator.world();
    if (what == QLatin1String("tasks")) {
        QJsonArray all;
        for (const auto *task : world.tasks())
            all.append(
                QJsonObject{{QLatin1String("upid"), task->upid}, {QLatin1String("exitstatus"), task->exitStatus}});
        return Outcome(QJsonValue(all));
    }
    if (what != QLatin1String("guest") && what != QLatin1String("set_config") && what != QLatin1String("set_run"))
        return std::nullopt;
    const auto vmid = command.value(QLatin1String("vmid")).toInteger();
    auto *guest = world.guest(vmid);
    if (!guest)
        return Outcome(what == QLatin1String("guest") ? Outcome(QJsonValue())
                                                      : Outcome(complaint(QStringLiteral("no such guest"))));
    if (what == QLatin1String("set_config"))
        world.setConfig(vmid, text(command, "key"), text(command, "value"));
    if (what == QLatin1String("set_run")) {
        const auto run = text(command, "run");
        if (run == QLatin1String("stopped") && guest->isRunning())
            world.stop(*guest);
        if (run != QLatin1String("stopped") && !guest->isRunning())
            world.start(*guest);
        if (run == QLatin1String("paused"))
            guest->run = Guest::Run::Paused;
        if (run == QLatin1String("running"))
            guest->run = Guest::Run::Running;
    }
    return Outcome(QJsonValue(guestToJson(*guest)));
}
