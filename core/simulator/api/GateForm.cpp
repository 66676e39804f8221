#include "simulator/api/Gate.h"
#include <QJsonArray>
#include <QJsonDocument>

namespace
{
quint32 crc32(const QByteArray &text)
{
    quint32 crc = 0xffffffff;
    for (const auto c : text) {
        crc ^= quint8(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? (crc >> 1) ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

/// RFC 1952 around what zlib made: Qt's length, zlib's header and its checksum go.
QByteArray gzipped(const QByteArray &text)
{
    const auto deflated = qCompress(text).mid(6).chopped(4);
    QByteArray out("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
    out += deflated;
    for (const auto number : {crc32(text), quint32(text.size())})
        for (int shift = 0; shift < 32; shift += 8)
            out += char(number >> shift);
    return out;
}

/// Only what is longer than 1024 bytes, and only when asked.
void compress(HttpAnswer &answer, const QByteArray &accepted)
{
    const bool gzip = accepted.contains("gzip");
    if (answer.body.size() <= 1024 || !(gzip || accepted.contains("deflate")))
        return;
    answer.contentEncoding = gzip ? "gzip" : "deflate";
    answer.body = gzip ? gzipped(answer.body) : qCompress(answer.body).mid(4);
}

/// The same for a browser.
void makePage(HttpAnswer &answer)
{
    answer.body = "<!DOCTYPE html>\n<html><head><title>Proxmox VE API</title></head><body><pre>" +
                  QString::fromUtf8(answer.body).toHtmlEscaped().toUtf8() + "</pre></body></html>\n";
    answer.contentType = "text/html;charset=UTF-8";
}

QByteArray firstLine(const QString &message)
{
    return message.left(message.indexOf(u'\n') < 0 ? message.size() : message.indexOf(u'\n')).toUtf8();
}
} // namespace

std::variant<Parameters, HttpAnswer> Gate::parameters(const HttpRequest &request)
{
    Parameters all;
    if (request.header("content-type").toLower().startsWith("application/json") && !request.body.isEmpty()) {
        QJsonParseError error;
        const auto document = QJsonDocument::fromJson(request.body, &error);
        if (error.error != QJsonParseError::NoError)
            return HttpAnswer::plain(
                500, "malformed JSON string, neither tag, array, object, number, string or atom, at character offset " +
                         QByteArray::number(error.offset) +
                         " (before \"(end of string)\") at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 934.\n");
        if (!document.isObject())
            return HttpAnswer::plain(500,
                                     "Not a HASH reference at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 978.\n");
        all = Parameters::fromJson(document.object());
    } else {
        all = Parameters::fromForm(request.body);
    }
    all.merge(Parameters::fromForm(request.query));
    return all;
}

std::optional<HttpAnswer> Gate::lostOnTheWay(const Endpoint &endpoint, const Parameters &all) const
{
    const auto name = all.text(endpoint.proxyTo);
    if (endpoint.proxyTo.isEmpty() || name == m_world.localNode || name == QLatin1String("localhost"))
        return std::nullopt;
    const auto *node = m_world.node(name);
    if (!node && m_world.strangers.contains(name)) {
        const auto &[status, text] = m_world.strangers[name];
        auto answer = status < 595 ? formatted(ApiAnswer::failed(text, status), {QStringLiteral("json"), {}}, {})
                                   : HttpAnswer::bare(status, text.toUtf8());
        answer.delay = m_refusalDelay;
        return answer;
    }
    if (!node) {
        const bool resolvable = std::all_of(name.begin(), name.end(),
                                            [](QChar c) { return c.isLetterOrNumber() || c == u'-' || c == u'.'; });
        const auto why = resolvable ? QStringLiteral("Temporary failure in name resolution")
                                    : QStringLiteral("Name or service not known");
        return formatted(
            ApiAnswer::failed(
                QStringLiteral("hostname lookup '%1' failed - failed to get address info for: %1: %2").arg(name, why)),
            {QStringLiteral("json"), {}}, {});
    }
    if (node->online)
        return std::nullopt;
    auto answer = HttpAnswer::bare(595, "No route to host");
    answer.delay = m_refusalDelay;
    return answer;
}

QByteArray Gate::upstream(const Endpoint &endpoint, const Parameters &all) const
{
    if (endpoint.isProtected)
        return "close";
    const auto name = all.text(endpoint.proxyTo);
    const bool away = !endpoint.proxyTo.isEmpty() && name != m_world.localNode && name != QLatin1String("localhost");
    return away ? "Keep-Alive" : QByteArray();
}

HttpAnswer Gate::formatted(const ApiAnswer &answer, const Target &asked, const HttpRequest &request) const
{
    // What breaks between daemon and proxy has no body.
    if (answer.status >= 595)
        return HttpAnswer::bare(answer.status, answer.message.toUtf8());
    HttpAnswer out;
    const bool extjs = asked.format == QLatin1String("extjs");
    out.status = extjs && answer.status != 401 ? 200 : answer.status;
    if (!answer.text.isNull()) {
        out.body = answer.text;
        out.contentType = answer.textType;
        out.disposition = answer.disposition;
        if (answer.isCompressed) {
            out.contentEncoding = "gzip";
            out.body = gzipped(out.body);
        }
        return out;
    }
    auto body = answer.beside;
    body.insert(QLatin1String("data"), answer.data);
    if (!answer.message.isEmpty()) {
        body.insert(QLatin1String("message"), answer.message);
        if (!extjs)
            out.reason = firstLine(answer.message);
    }
    if (!answer.errors.isEmpty())
        body.insert(QLatin1String("errors"), answer.errors);
    if (extjs) {
        body.insert(QLatin1String("success"), answer.status < 400 ? 1 : 0);
        if (answer.status >= 400)
            body.insert(QLatin1String("status"),
                        answer.status == 500 ? QJsonValue(500) : QJsonValue(QString::number(answer.status)));
    }
    out.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
    out.contentType = "application/json;charset=UTF-8";
    if (asked.format == QLatin1String("html"))
        makePage(out);
    compress(out, request.header("accept-encoding"));
    return out;
}
