#pragma once
#include "base/StrictJson.h"
#include "pve/Transport.h"
#include <QHash>
#include <QTimer>
#include <deque>
#include <functional>

/// Answers what a test tells it to, per path, in the next turn of the loop.
class ScriptedTransport final : public Transport
{
public:
    using Answer = std::function<Result<HttpAnswer>()>;

    static HttpAnswer ok(const QJsonValue &data)
    {
        const QJsonObject whole{{QStringLiteral("data"), data}};
        return text(200, QStringLiteral("OK"), StrictJson::write(whole));
    }
    static HttpAnswer text(int status, const QString &reason, const QByteArray &body)
    {
        HttpAnswer answer;
        answer.status = status;
        answer.reason = reason;
        answer.body = body;
        answer.contentType = "application/json;charset=UTF-8";
        answer.origin = QStringLiteral("test:8006");
        return answer;
    }
    /// From now on, for this path without "?…".
    void script(const QByteArray &path, Answer answer) { m_answers.insert(path, std::move(answer)); }
    void script(const QByteArray &path, const QJsonValue &data)
    {
        script(path, [data]() -> Result<HttpAnswer> { return ok(data); });
    }
    int count(const QByteArray &path) const { return m_counts.value(path); }

    Future<HttpAnswer> send(const HttpRequest &request) override
    {
        const auto path = request.path.split('?').value(0);
        ++m_counts[path];
        auto promise = std::make_shared<Promise<HttpAnswer>>();
        auto future = promise->future();
        const auto answer = m_answers.value(path);
        QTimer::singleShot(0, &m_home, [promise, answer] {
            promise->finish(answer ? answer() : Error{Error::Kind::Unreachable, QStringLiteral("Nobody answers.")});
        });
        return future;
    }

private:
    QHash<QByteArray, Answer> m_answers;
    QHash<QByteArray, int> m_counts;
    QObject m_home;
};
