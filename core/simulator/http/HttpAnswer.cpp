#include "simulator/http/HttpAnswer.h"
#include <QDateTime>
#include <QLocale>

static QByteArray httpDate(qint64 nowMs)
{
    static qint64 lastSecond = -1;
    static QByteArray last;
    if (nowMs / 1000 != lastSecond) {
        lastSecond = nowMs / 1000;
        last = QLocale::c()
                   .toString(QDateTime::fromSecsSinceEpoch(lastSecond, Qt::UTC),
                             QStringLiteral("ddd, dd MMM yyyy HH:mm:ss 'GMT'"))
                   .toLatin1();
    }
    return last;
}

QByteArray HttpAnswer::bytes(int minorVersion, bool keepAlive, qint64 nowMs) const
{
    QByteArray out;
    out.reserve(body.size() + 400);
    const auto line = [&out](const QByteArray &name, const QByteArray &value) { out += name + ": " + value + "\r\n"; };
    out += (minorVersion == 0 ? "HTTP/1.0 " : "HTTP/1.1 ") + QByteArray::number(status) + ' ' + reason + "\r\n";
    line("Cache-Control", "max-age=0");
    if (!upstreamConnection.isEmpty())
        line("Connection", upstreamConnection);
    if (upstreamConnection.isEmpty() || keepAlive)
        line("Connection", keepAlive ? "Keep-Alive" : "close");
    line("Date", httpDate(nowMs));
    line("Pragma", "no-cache");
    line("Server", "pve-api-daemon/3.0");
    if (!contentEncoding.isEmpty())
        line("Content-Encoding", contentEncoding);
    if (hasLength)
        line("Content-Length", QByteArray::number(body.size() + filler + tail.size()));
    if (!contentType.isEmpty())
        line("Content-Type", contentType);
    line("Expires", httpDate(nowMs));
    if (!disposition.isEmpty())
        line("Content-Disposition", disposition);
    return out + "\r\n" + body;
}

HttpAnswer HttpAnswer::bare(int status, const QByteArray &reason)
{
    HttpAnswer answer;
    answer.status = status;
    answer.reason = reason.left(reason.indexOf('\n') < 0 ? reason.size() : reason.indexOf('\n'));
    answer.hasLength = false;
    answer.close = true;
    return answer;
}

HttpAnswer HttpAnswer::plain(int status, const QByteArray &text)
{
    auto answer = bare(status, text);
    answer.hasLength = true;
    answer.body = text;
    return answer;
}
