#include "pve/AnswerReader.h"
#include "base/DisplayText.h"
#include "base/StrictJson.h"
#include "pve/RefusalWords.h"
#include <QCoreApplication>
#include <QRegularExpression>

namespace
{
constexpr qsizetype longestText = 4000;
constexpr StrictJson::Limits answerLimits{.depth = 64, .bytes = 32 * 1024 * 1024, .exactIntegers = false};

struct Text {
    Q_DECLARE_TR_FUNCTIONS(AnswerReader)
};
QString shown(const QString &text)
{
    return DisplayText::visible(text.trimmed().left(longestText), true);
}

QString detailOf(const ApiRequest &request, const HttpAnswer &answer)
{
    return QStringLiteral("%1 %2 at %3: %4")
        .arg(methodName(request.method), QString::fromLatin1(request.path()), answer.origin)
        .arg(answer.status);
}

/// Something else than PVE speaks: a proxy's page, a captive portal.
bool isForeign(const HttpAnswer &answer)
{
    return answer.contentType.toLower().contains("html") || answer.body.trimmed().startsWith('<');
}

Error foreign(const ApiRequest &request, const HttpAnswer &answer, const QString &what)
{
    Error error{
        Error::Kind::Malformed,
        Text::tr("%1 answered, but not as Proxmox VE does: %2. A proxy or another server may stand there; check "
                 "the address and the port.")
            .arg(answer.origin, what),
        detailOf(request, answer)};
    // An answer to a write may hold a new ticket or token, if it is JSON at all.
    if (request.isRead() || isForeign(answer))
        error.detail += QLatin1String(": ") + DisplayText::visible(QString::fromUtf8(answer.body.left(200)));
    const bool mayHaveWorked = answer.status < 400 || answer.status >= 500;
    if (!request.isRead()) {
        error.kind = mayHaveWorked ? Error::Kind::Unknown : Error::Kind::Rejected;
        if (mayHaveWorked)
            error.message += u' ' + Text::tr("Whether the change took effect is not known.");
    }
    return error;
}

/// PVE's own words: `message` or else the reason phrase, then each field with what is wrong with it. Every server from
/// 7 to 9 fills one of them (FACTS "Transport").
QString wordsOf(const HttpAnswer &answer)
{
    auto text = RefusalWords::plain(shown(answer.reason));
    const auto parsed = StrictJson::parseObject(answer.body, answerLimits);
    if (!parsed) {
        const bool isPlain = !answer.body.isEmpty() && !isForeign(answer) && !answer.body.trimmed().startsWith('{');
        return isPlain && text.isEmpty() ? RefusalWords::plain(shown(QString::fromUtf8(answer.body))) : text;
    }
    if (const auto message = (*parsed)[QLatin1String("message")].toString().trimmed(); !message.isEmpty())
        text = RefusalWords::plain(shown(message));
    const auto errors = (*parsed)[QLatin1String("errors")].toObject();
    if (!errors.isEmpty() && text == QLatin1String("Parameter verification failed."))
        text = Text::tr("Proxmox VE does not accept this:");
    for (auto field = errors.begin(); field != errors.end(); ++field)
        text += u'\n' + DisplayText::visible(field.key()) + QLatin1String(": ") +
                RefusalWords::field(shown(field->toVariant().toString()));
    return text;
}

/// 595 was never handed over; after that nobody knows what the other node did.
Error betweenNodes(const ApiRequest &request, const HttpAnswer &answer)
{
    const bool neverReached = answer.status == 595;
    auto message =
        neverReached
            ? Text::tr("%1 can't reach the node that this is for: %2. Check that this node is on and in the "
                       "cluster's network.")
            : Text::tr("%1 lost the node that this is for while it waited for it: %2. If this happens again, look at "
                       "that node.");
    message =
        message.arg(answer.origin, shown(answer.reason.isEmpty() ? QString::number(answer.status) : answer.reason));
    if (neverReached || request.isRead())
        return {Error::Kind::Unreachable, message, detailOf(request, answer)};
    return {Error::Kind::Unknown, message + u' ' + Text::tr("Whether the change took effect is not known."),
            detailOf(request, answer)};
}

Error rejected(const ApiRequest &request, const HttpAnswer &answer)
{
    static const QRegularExpression drift(
        QStringLiteral("file changed? by other user|detected modified configuration|\\bis locked \\("));
    auto words = wordsOf(answer);
    if (words.isEmpty())
        words = Text::tr("The server answered with error %1 and no explanation. Its system log may tell more.")
                    .arg(answer.status);
    const auto kind = drift.match(words).hasMatch() ? Error::Kind::Conflict : Error::Kind::Rejected;
    if (const auto advice = RefusalWords::advice(answer.status, words); !advice.isEmpty())
        words += u'\n' + advice;
    return {kind, words, detailOf(request, answer)};
}

Error refusal(const ApiRequest &request, const HttpAnswer &answer)
{
    const auto status = answer.status;
    if (status >= 595)
        return betweenNodes(request, answer);
    if (isForeign(answer) || (status >= 502 && status <= 504))
        return foreign(request, answer, Text::tr("error %1 %2").arg(status).arg(shown(answer.reason)));
    if (status == 401)
        return {Error::Kind::Unauthorized, RefusalWords::unauthorized(wordsOf(answer)), detailOf(request, answer)};
    if (status == 403)
        return {Error::Kind::Forbidden, RefusalWords::forbidden(wordsOf(answer)), detailOf(request, answer)};
    return rejected(request, answer);
}
}

Result<ApiAnswer> AnswerReader::read(const ApiRequest &request, const HttpAnswer &answer)
{
    if (answer.status >= 400)
        return refusal(request, answer);
    if (answer.status >= 300)
        return foreign(request, answer, Text::tr("it sends elsewhere, and Labhelm does not follow"));
    auto parsed = StrictJson::parseObject(answer.body, answerLimits);
    if (!parsed)
        return foreign(request, answer,
                       answer.body.isEmpty() ? Text::tr("the answer is empty") : parsed.error().message);
    if (!parsed->contains(QLatin1String("data")))
        return foreign(request, answer, Text::tr("the answer has no data"));
    const auto data = parsed->take(QLatin1String("data"));
    return ApiAnswer{data, std::move(*parsed)};
}
