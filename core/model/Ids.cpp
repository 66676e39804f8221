#include "model/Ids.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <QRegularExpression>

namespace
{
bool fits(const char *pattern, const QString &text)
{
    const QRegularExpression expression(QRegularExpression::anchoredPattern(QLatin1String(pattern)));
    return expression.match(text).hasMatch() && !text.contains(u'\n');
}

QString tr(const char *text) { return QCoreApplication::translate("Ids", text); }
QString shown(const QString &text) { return DisplayText::visible(text.left(80)); }
}

bool identifiers::Node::isValid(const QString &text)
{
    return fits("[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?", text);
}
QString identifiers::Node::refusal(const QString &text)
{
    return tr("\"%1\" is not a node name. A node name has letters, digits and hyphens.").arg(shown(text));
}
bool identifiers::Storage::isValid(const QString &text)
{
    return text.size() <= 100 && fits("[a-zA-Z][a-zA-Z0-9_.-]*[a-zA-Z0-9]", text);
}
QString identifiers::Storage::refusal(const QString &text)
{
    return tr("\"%1\" is not a storage name. It starts with a letter and has letters, digits, '-', '_' and '.'.")
        .arg(shown(text));
}
bool identifiers::Snapshot::isValid(const QString &text)
{
    return fits("[a-zA-Z][a-zA-Z0-9_-]{1,39}", text) && text != QLatin1String("current");
}
QString identifiers::Snapshot::refusal(const QString &text)
{
    return tr("\"%1\" cannot name a snapshot. Use 2 to 40 letters, digits, '-' or '_', starting with a letter.")
        .arg(shown(text));
}
bool identifiers::Volume::isValid(const QString &text)
{
    return fits("[a-zA-Z][a-zA-Z0-9_.-]*[a-zA-Z0-9]:[^\\x00-\\x20\\x7f]+", text) && !text.contains(QLatin1String(".."))
           && !text.contains(QLatin1String(":/")) && text.size() <= 512;
}
QString identifiers::Volume::refusal(const QString &text)
{
    return tr("\"%1\" is not a volume. A volume is written storage:name.").arg(shown(text));
}

Result<Vmid> Vmid::from(qint64 number)
{
    if (number < lowest || number > highest)
        return Error{Error::Kind::Invalid, tr("%1 is not a guest id. Ids go from 100 to 999999999.").arg(number)};
    Vmid id;
    id.m_number = number;
    return id;
}

Result<Vmid> Vmid::from(const QString &digits)
{
    if (!fits("[1-9][0-9]{2,8}", digits))
        return Error{Error::Kind::Invalid, tr("\"%1\" is not a guest id. Ids go from 100 to 999999999.").arg(shown(digits))};
    return from(digits.toLongLong());
}
