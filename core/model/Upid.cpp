#include "model/Upid.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <QRegularExpression>

Result<Upid> Upid::from(const QString &text)
{
    static const QRegularExpression form(QRegularExpression::anchoredPattern(
        QStringLiteral("UPID:([a-zA-Z0-9-]+):([0-9A-F]{8}):([0-9A-F]{8,9}):([0-9A-F]{8}):([^:/\\x00-\\x20\\x7f]+):"
                       "([^:/\\x00-\\x20\\x7f]*):([^:/!\\x00-\\x20\\x7f]+)(?:!([^:/!\\x00-\\x20\\x7f]+))?:")));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return Error{Error::Kind::Invalid, QCoreApplication::translate("Upid", "\"%1\" is not a task id (UPID).")
                                               .arg(DisplayText::visible(text.left(120)))};
    return Upid{text,
                match.captured(1),
                match.captured(5),
                match.captured(6),
                match.captured(7),
                match.captured(8),
                match.captured(4).toLongLong(nullptr, 16)};
}
