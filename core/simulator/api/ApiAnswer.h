#pragma once
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

namespace simulator
{
/// What a call of the API says, before it is put into HTTP.
struct ApiAnswer {
    int status = 200;
    QString message;    ///< of an error; its first line is the reason phrase
    QJsonObject errors; ///< per parameter
    QJsonValue data = QJsonValue::Null;
    QJsonObject beside; ///< keys beside data: total …
    QByteArray text;    ///< a download instead of JSON
    QByteArray textType = "text/plain";
    bool isCompressed = false; ///< the download always comes as gzip
    QByteArray disposition;

    static ApiAnswer ok(const QJsonValue &data = QJsonValue::Null)
    {
        ApiAnswer answer;
        answer.data = data;
        return answer;
    }
    static ApiAnswer withTotal(const QJsonValue &data, qint64 total)
    {
        auto answer = ok(data);
        answer.beside.insert(QLatin1String("total"), total);
        return answer;
    }
    /// A call that died: 500 with its message.
    static ApiAnswer failed(const QString &message, int status = 500)
    {
        ApiAnswer answer;
        answer.status = status;
        answer.message = message + u'\n';
        return answer;
    }
    static ApiAnswer refused(const QString &what)
    {
        const auto base = QStringLiteral("Permission check failed");
        return failed(what.isEmpty() ? base : base + QLatin1String(" (") + what + u')', 403);
    }
    static ApiAnswer invalid(const QJsonObject &errors)
    {
        auto answer = failed(QStringLiteral("Parameter verification failed."), 400);
        answer.errors = errors;
        return answer;
    }
    static ApiAnswer invalid(const QString &parameter, const QString &text) { return invalid({{parameter, text}}); }
};
}
using simulator::ApiAnswer; // pve or operations has one too, and tests link both
