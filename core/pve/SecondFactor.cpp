#include "pve/SecondFactor.h"
#include "base/StrictJson.h"
#include <QCoreApplication>

/// Which ways there are, as an object: {"totp":true,"recovery":[1,2],"webauthn":{…}}. What is null or false is not set
/// up.
static QJsonObject waysIn(const QString &ticket)
{
    const auto text = ticket.section(u'!', 2).section(u':', 0, 0);
    const auto parsed = StrictJson::parseObject(QByteArray::fromPercentEncoding(text.toUtf8()));
    return parsed ? *parsed : QJsonObject();
}

static bool isSetUp(const QJsonValue &way)
{
    if (way.isArray())
        return !way.toArray().isEmpty();
    return !way.isUndefined() && !way.isNull() && way != QJsonValue(false) && way != QJsonValue(0);
}

Result<SecondFactor> SecondFactor::fromTicket(const QString &ticket)
{
    if (!ticket.startsWith(QLatin1String("PVE:!tfa!")))
        return Error{Error::Kind::Malformed,
                     QCoreApplication::translate(
                         "SecondFactor", "The server wants a second factor in a way that Labhelm does not know.")};
    SecondFactor factor;
    factor.challenge = Secret(ticket.toUtf8());
    const auto ways = waysIn(ticket);
    if (isSetUp(ways[QLatin1String("totp")]) || ways.isEmpty())
        factor.kinds << Kind::Totp;
    if (isSetUp(ways[QLatin1String("recovery")]))
        factor.kinds << Kind::Recovery;
    if (isSetUp(ways[QLatin1String("yubico")]))
        factor.kinds << Kind::Yubico;
    return factor;
}

Secret SecondFactor::answer(Kind kind, const Secret &code)
{
    auto text = code.reveal();
    text = text.replace(' ', "").trimmed();
    const QByteArray prefix = kind == Kind::Totp ? "totp:" : kind == Kind::Recovery ? "recovery:" : "yubico:";
    return Secret(prefix + text);
}
