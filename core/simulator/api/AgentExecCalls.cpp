#include "simulator/api/AgentPrograms.h"
#include "simulator/api/GuestAgent.h"
#include "simulator/api/Routes.h"

using namespace Qt::StringLiterals;

namespace
{
/// What glib says of a program that is not there has quotes beyond Latin-1, and the daemon fails to pass it on.
ApiAnswer brokenPipe()
{
    ApiAnswer answer;
    answer.status = 596;
    answer.message = u"Broken pipe"_s;
    return answer;
}

ApiAnswer start(Call &call, Guest &guest)
{
    auto process =
        AgentPrograms::run(guest, call.given.values(u"command"_s), call.text("input-data"), call.world.nowMs());
    guest.inside.lastPid += 2;
    if (!process)
        return brokenPipe();
    process->pid = guest.inside.lastPid;
    guest.inside.processes.append(*process);
    return ApiAnswer::ok(QJsonObject{{"pid"_L1, process->pid}});
}

/// The agent tells the end of a program once and forgets it.
ApiAnswer status(Call &call, Guest &guest)
{
    auto &processes = guest.inside.processes;
    const auto pid = call.text("pid").toInt();
    const auto found =
        std::find_if(processes.begin(), processes.end(), [pid](const auto &process) { return process.pid == pid; });
    if (found == processes.end())
        return GuestAgent::failed(u"PID ld does not exist"_s);
    if (found->endsAtMs > call.world.nowMs())
        return ApiAnswer::ok(QJsonObject{{"exited"_L1, 0}});
    QJsonObject data{{"exited"_L1, 1}, {"exitcode"_L1, found->exitCode}};
    if (!found->out.isEmpty()) {
        data.insert("out-data"_L1, found->out);
        data.insert("out-truncated"_L1, 0);
    }
    if (!found->err.isEmpty()) {
        data.insert("err-data"_L1, found->err);
        data.insert("err-truncated"_L1, 0);
    }
    processes.erase(found);
    return ApiAnswer::ok(data);
}

ApiAnswer readFile(Call &call, Guest &guest)
{
    const auto file = call.text("file");
    if (!guest.inside.files.contains(file))
        return GuestAgent::failed(u"failed to open file '%1' (mode: 'r'): No such file or directory"_s.arg(file));
    const auto content = guest.inside.files.value(file);
    return ApiAnswer::ok(QJsonObject{{"content"_L1, content}, {"bytes-read"_L1, content.size()}});
}

ApiAnswer writeFile(Call &call, Guest &guest)
{
    auto content = call.text("content");
    if (!call.flag("encode", true))
        content = QString::fromUtf8(QByteArray::fromBase64(content.toLatin1()));
    guest.inside.files[call.text("file")] = content;
    return ApiAnswer::ok();
}

ApiAnswer setPassword(Call &, Guest &)
{
    return GuestAgent::result(QJsonObject());
}

template <auto question>
ApiAnswer asked(Call &call)
{
    return GuestAgent::ask(call, question);
}
} // namespace

void calls::addAgentExec(Routes &routes)
{
    routes.add("POST /nodes/{node}/qemu/{vmid}/agent/exec", asked<start>);
    routes.add("GET /nodes/{node}/qemu/{vmid}/agent/exec-status", asked<status>);
    routes.add("GET /nodes/{node}/qemu/{vmid}/agent/file-read", asked<readFile>);
    routes.add("POST /nodes/{node}/qemu/{vmid}/agent/file-write", asked<writeFile>);
    routes.add("POST /nodes/{node}/qemu/{vmid}/agent/set-user-password", asked<setPassword>);
}
