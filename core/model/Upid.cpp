#include "model/Upid.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <QRegularExpression>

Result<Upid> Upid::from(const QString &text)
{
    static const QRegularExpression form(
        QStringLiteral("^UPID:([a-zA-Z0-9-]+):([0-9A-F]{8}):([0-9A-F]{8,9}):([0-9A-F]{8}):([^:/\\s]+):([^:/\\s]*):([^:/\\s!]+)(?:!([^:/\\s]+))?:$"));
    const auto match = form.match(text);
    if (!match.hasMatch() || text.endsWith(u'\n'))
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
