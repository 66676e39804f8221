#include "model/Ids.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <QRegularExpression>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(Ids)
};

QRegularExpression whole(const char *pattern)
{
    return QRegularExpression(QRegularExpression::anchoredPattern(QLatin1String(pattern)));
}
QString shown(const QString &text)
{
    return DisplayText::visible(text.left(80));
}
}

bool identifiers::Node::isValid(const QString &text)
{
    static const auto form = whole("[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?");
    return form.match(text).hasMatch();
}
QString identifiers::Node::refusal(const QString &text)
{
    return Text::tr("\"%1\" is not a node name. A node name has letters, digits and hyphens.").arg(shown(text));
}
bool identifiers::Storage::isValid(const QString &text)
{
    static const auto form = whole("[a-zA-Z][a-zA-Z0-9_.-]{0,98}[a-zA-Z0-9]");
    return form.match(text).hasMatch();
}
QString identifiers::Storage::refusal(const QString &text)
{
    return Text::tr("\"%1\" is not a storage name. It starts with a letter and has letters, digits, '-', '_' and '.'.")
        .arg(shown(text));
}
bool identifiers::Snapshot::isValid(const QString &text)
{
    static const auto form = whole("[a-zA-Z][a-zA-Z0-9_-]{1,39}");
    return form.match(text).hasMatch() && text != QLatin1String("current");
}
QString identifiers::Snapshot::refusal(const QString &text)
{
    return Text::tr("\"%1\" cannot name a snapshot. Use 2 to 40 letters, digits, '-' or '_', starting with a letter.")
        .arg(shown(text));
}
bool identifiers::Volume::isValid(const QString &text)
{
    static const auto form = whole("[a-zA-Z][a-zA-Z0-9_.-]*[a-zA-Z0-9]:"
                                   "[^\\x00-\\x20\\x7f-\\x9f/][^\\x00-\\x1f\\x7f-\\x9f]*");
    return text.size() <= 512 && form.match(text).hasMatch() && !text.contains(QLatin1String(".."));
}
QString identifiers::Volume::refusal(const QString &text)
{
    return Text::tr("\"%1\" is not a volume. A volume is written storage:name.").arg(shown(text));
}

Result<Vmid> Vmid::from(qint64 number)
{
    if (number < lowest || number > highest)
        return Error{Error::Kind::Invalid, Text::tr("%1 is not a guest id. Ids go from 100 to 999999999.").arg(number)};
    Vmid id;
    id.m_number = number;
    return id;
}

Result<Vmid> Vmid::from(const QString &digits)
{
    static const auto form = whole("[1-9][0-9]{2,8}");
    if (!form.match(digits).hasMatch())
        return Error{Error::Kind::Invalid,
                     Text::tr("\"%1\" is not a guest id. Ids go from 100 to 999999999.").arg(shown(digits))};
    return from(digits.toLongLong());
}
