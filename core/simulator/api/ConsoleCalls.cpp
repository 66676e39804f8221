#include "simulator/api/Routes.h"

using namespace std::chrono_literals;

namespace
{
QString pathOf(const Call &call)
{
    return call.has("vmid") ? "/vms/" + call.text("vmid") : "/nodes/" + call.node();
}

/// Opens a port where a console waits ten seconds for the one who asked.
ApiAnswer open(Call &call, ConsoleListener::Kind kind)
{
    auto &world = call.world;
    const auto now = world.now();
    ConsoleListener wish;
    wish.kind = kind;
    wish.node = call.node();
    wish.name = call.node();
    wish.user = call.user();
    if (const auto *guest = call.has("vmid") ? std::as_const(world).guest(call.text("vmid").toLongLong()) : nullptr)
        wish.name = guest->name();
    wish.ticket = world.access.consoleTicket(call.user(), pathOf(call), 0, now);
    const auto listener = world.consoles.open(wish, now);
    TaskPlan plan;
    plan.node = call.node();
    plan.type = call.has("vmid") ? "vncproxy" : "vncshell";
    plan.id = call.text("vmid");
    plan.user = call.user();
    plan.duration = 10s;
    plan.finish = [listener] {
        listener->over = !listener->taken;
        return listener->taken ? QString() : QStringLiteral("connection timed out");
    };
    const auto upid = world.run(plan);
    return ApiAnswer::ok(QJsonObject{{"port", QString::number(listener->port)},
                                     {"ticket", listener->ticket},
                                     {"upid", upid},
                                     {"user", call.user()}});
}

ApiAnswer screen(Call &call)
{
    if (call.has("vmid") && !call.guest())
        return call.noSuchGuest();
    auto answer = open(call, ConsoleListener::Kind::Screen);
    auto data = answer.data.toObject();
    for (const auto &paper : call.world.node(call.world.localNode)->certificates)
        if (paper.value("filename").toString() == "pve-root-ca.pem")
            data.insert("cert", paper.value("pem").toString());
    if (call.flag("generate-password"))
        data.insert("password", data.value("ticket").toString().right(10).left(8));
    answer.data = data;
    return answer;
}

ApiAnswer terminal(Call &call)
{
    if (call.has("vmid") && !call.guest())
        return call.noSuchGuest();
    return open(call, ConsoleListener::Kind::Terminal);
}

/// Says on which port the console waits; the connection itself becomes a websocket afterwards.
ApiAnswer socket(Call &call)
{
    if (!call.world.access.isConsoleTicket(call.text("vncticket"), call.user(), pathOf(call), 0, call.world.now()))
        return ApiAnswer::failed("permission denied - invalid PVEVNC ticket", 401);
    return ApiAnswer::ok(QJsonObject{{"port", call.text("port")}});
}
} // namespace

void calls::addConsoles(Routes &routes)
{
    for (const QByteArray place : {"/nodes/{node}/qemu/{vmid}", "/nodes/{node}/lxc/{vmid}"}) {
        routes.add("POST " + place + "/vncproxy", screen);
        routes.add("POST " + place + "/termproxy", terminal);
        routes.add("GET " + place + "/vncwebsocket", socket);
    }
    routes.add("POST /nodes/{node}/vncshell", screen);
    routes.add("POST /nodes/{node}/termproxy", terminal);
    routes.add("GET /nodes/{node}/vncwebsocket", socket);
}
