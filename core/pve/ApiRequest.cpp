#include "pve/ApiRequest.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <QSet>
#include <QUrl>

QLatin1String methodName(Method method)
{
    switch (method) {
    case Method::Get: return QLatin1String("GET");
    case Method::Post: return QLatin1String("POST");
    case Method::Put: return QLatin1String("PUT");
    case Method::Delete: return QLatin1String("DELETE");
    }
    Q_UNREACHABLE();
}

namespace
{
/// Every parameter of the 8.4 and 9.1 schemas that carries a secret, or a file or input of a guest.
bool isSecret(const ApiRequest &request, const QString &name)
{
    static const QSet<QString> secrets{QStringLiteral("password"),
                                       QStringLiteral("confirmation-password"),
                                       QStringLiteral("cipassword"),
                                       QStringLiteral("secret"),
                                       QStringLiteral("token"),
                                       QStringLiteral("otp"),
                                       QStringLiteral("totp"),
                                       QStringLiteral("tfa-challenge"),
                                       QStringLiteral("challenge"),
                                       QStringLiteral("ticket"),
                                       QStringLiteral("vncticket"),
                                       QStringLiteral("keys"),
                                       QStringLiteral("key"),
                                       QStringLiteral("client-key"),
                                       QStringLiteral("certkey"),
                                       QStringLiteral("keyring"),
                                       QStringLiteral("encryption-key"),
                                       QStringLiteral("eab-hmac-key"),
                                       QStringLiteral("input-data"),
                                       QStringLiteral("apitoken"),
                                       QStringLiteral("target-endpoint"),
                                       QStringLiteral("data"),
                                       QStringLiteral("CSRFPreventionToken")};
    if (name == QLatin1String("key"))
        return request.segments.value(request.segments.size() - 1) != QLatin1String("sendkey");
    const auto &last = request.segments.isEmpty() ? QString() : request.segments.last();
    if (name == QLatin1String("content"))
        return last == QLatin1String("file-write");
    if (name == QLatin1String("value"))
        return request.segments.contains(QLatin1String("tfa"));
    return secrets.contains(name) || name.contains(QLatin1String("password"), Qt::CaseInsensitive) ||
           name.contains(QLatin1String("secret"), Qt::CaseInsensitive);
}

bool hasControl(const QString &text)
{
    return std::any_of(text.cbegin(), text.cend(), [](QChar c) { return c.unicode() < 0x20 || c.unicode() == 0x7F; });
}
}

QByteArray ApiRequest::path() const
{
    QByteArray path;
    for (const auto &segment : segments)
        path += '/' + QUrl::toPercentEncoding(segment);
    return path;
}

QByteArray ApiRequest::form() const
{
    QByteArray form;
    for (const auto &[name, value] : parameters) {
        if (!form.isEmpty())
            form += '&';
        form += QUrl::toPercentEncoding(name) + '=' + QUrl::toPercentEncoding(value);
    }
    return form;
}

QString ApiRequest::describe() const
{
    constexpr qsizetype longest = 200;
    QStringList shown;
    for (const auto &[name, value] : parameters) {
        auto text = QStringLiteral("…");
        if (!isSecret(*this, name))
            text = DisplayText::visible(value.size() > longest ? value.left(longest) + QStringLiteral("…") : value);
        shown << DisplayText::visible(name) + u'=' + text;
    }
    const auto what = methodName(method) + u' ' + QString::fromLatin1(path());
    return shown.isEmpty() ? what : what + QLatin1String("  ") + shown.join(u' ');
}

QString ApiRequest::problem() const
{
    if (segments.isEmpty())
        return QCoreApplication::translate("ApiRequest", "A request without a path was not sent.");
    for (const auto &segment : segments)
        for (const auto &piece : segment.split(u'/'))
            if (piece.isEmpty() || piece == QLatin1String(".") || piece == QLatin1String("..") || hasControl(piece))
                return QCoreApplication::translate("ApiRequest", "\"%1\" can't be part of a path; nothing was sent.")
                    .arg(DisplayText::visible(segment.left(80)));
    for (const auto &parameter : parameters)
        if (parameter.first.isEmpty() || hasControl(parameter.first))
            return QCoreApplication::translate("ApiRequest", "A parameter without a proper name was not sent.");
    return {};
}
