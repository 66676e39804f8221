#include "simulator/api/ConsolePeers.h"
#include "simulator/api/Gate.h"
#include "simulator/http/WebSocketFrames.h"

namespace
{
/// A page as proxies between make it.
HttpAnswer proxyPage(int status)
{
    const QByteArray title = status == 502   ? "Bad Gateway"
                             : status == 503 ? "Service Unavailable"
                             : status == 504 ? "Gateway Time-out"
                                             : "Sign in";
    auto answer = HttpAnswer::plain(status, status == 200 ? QByteArray("OK") : title);
    const QByteArray inside = status == 200
                                  ? "<form method=\"post\" action=\"/login\"><input name=\"user\"></form>"
                                  : "<center><h1>" + QByteArray::number(status) + ' ' + title + "</h1></center>";
    answer.body = "<html>\r\n<head><title>" + title + "</title></head>\r\n<body>" + inside + "</body>\r\n</html>\r\n";
    answer.contentType = "text/html";
    return answer;
}

/// JSON whose one text makes it as long as asked.
HttpAnswer huge(qint64 bytes)
{
    HttpAnswer answer;
    answer.contentType = "application/json;charset=UTF-8";
    answer.body = "{\"data\":\"";
    answer.tail = "\"}";
    answer.filler = std::max<qint64>(1, bytes - answer.body.size() - answer.tail.size());
    return answer;
}
} // namespace

HttpAnswer Gate::insteadOf(const Fault &fault)
{
    if (fault.kind == Fault::Kind::Huge)
        return huge(fault.bytes.value_or(100'000'000));
    if (fault.kind == Fault::Kind::ProxyPage)
        return proxyPage(fault.status == 500 ? 502 : fault.status);
    auto answer = HttpAnswer::plain(fault.status, fault.reason);
    answer.body = fault.body;
    answer.contentType = fault.contentType;
    return answer;
}

void Gate::upgrade(const HttpRequest &request, const HeardRequest &note, Outcome &outcome)
{
    if (note.status != 200 || !note.path.endsWith(QLatin1String("/vncwebsocket")) ||
        request.header("upgrade").toLower() != "websocket")
        return;
    const auto version = request.header("sec-websocket-version");
    if (version != "13") {
        outcome.answer = HttpAnswer::plain(500, "unsupported websocket-version '" + version + "'\n");
        return;
    }
    auto node = note.path.section(u'/', 2, 2);
    if (node == QLatin1String("localhost"))
        node = m_world.localNode;
    const auto port = note.parameters.value(QLatin1String("port")).toString().toInt();
    const auto listener = m_world.consoles.waiting(node, port, m_world.now());
    if (!listener) {
        outcome.cut = 1;
        return;
    }
    listener->taken = true;
    outcome.peer = ConsolePeers::of(listener);
    auto &head = outcome.answer.body;
    head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: " +
           WebSocketFrames::acceptKey(request.header("sec-websocket-key")) + "\r\n";
    if (const auto protocol = request.header("sec-websocket-protocol"); !protocol.isEmpty())
        head += "Sec-WebSocket-Protocol: " + protocol + "\r\n";
    head += "\r\n";
}
