#pragma once
#include "simulator/RawClient.h"
#include "simulator/Simulator.h"
#include "simulator/world/Homelab.h"

/// A simulator whose clock the test moves, and a client that signs in with a token.
struct SimulatedCluster {
    explicit SimulatedCluster(const Simulator::Options &wishes = {})
    {
        auto options = wishes;
        options.clock = &clock;
        simulator = std::make_unique<Simulator>(options);
        port = simulator->listen().valueOr(0);
    }
    World &world() { return simulator->world(); }
    void advance(std::chrono::milliseconds time)
    {
        clock.advance(time);
        world().settle();
    }
    /// "GET /nodes" with the token; the body, if any, as a form.
    RawAnswer call(const QByteArray &methodAndPath, const QByteArray &form = {})
    {
        return send(methodAndPath, form, "Authorization: " + Homelab::authorization(token) + "\r\n");
    }
    RawAnswer send(const QByteArray &methodAndPath, const QByteArray &form, const QByteArray &headers)
    {
        const auto space = methodAndPath.indexOf(' ');
        auto bytes = methodAndPath.left(space) + " /api2/json" + methodAndPath.mid(space + 1) +
                     " HTTP/1.1\r\nHost: localhost\r\n" + headers;
        if (!form.isEmpty())
            bytes += "Content-Type: application/x-www-form-urlencoded\r\n";
        if (!form.isEmpty() || methodAndPath.startsWith('P'))
            bytes += "Content-Length: " + QByteArray::number(form.size()) + "\r\n";
        return RawClient(port).exchange(bytes + "\r\n" + form);
    }
    QJsonValue data(const QByteArray &methodAndPath, const QByteArray &form = {})
    {
        return call(methodAndPath, form).json()[QLatin1String("data")];
    }
    /// Starts a task, lets it end, and tells how.
    QString outcome(const QByteArray &methodAndPath, const QByteArray &form = {})
    {
        const auto upid = data(methodAndPath, form).toString();
        advance(std::chrono::minutes(10));
        const auto *task = world().task(upid);
        return task ? task->exitStatus : QStringLiteral("no task");
    }

    ManualClock clock;
    std::unique_ptr<Simulator> simulator;
    quint16 port = 0;
    QString token = QStringLiteral("labhelm@pve!desktop");
};
