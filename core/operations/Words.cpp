#include "operations/Words.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

QString words(const char *text)
{
    return QCoreApplication::translate("operation", text);
}

QString sizeText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeIecFormat);
}

QString timeText(qint64 secondsSinceEpoch)
{
    return QLocale().toString(QDateTime::fromSecsSinceEpoch(secondsSinceEpoch), QStringLiteral("d MMM yyyy HH:mm"));
}

QString valueText(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Undefined:
    case QJsonValue::Null: return words(QT_TRANSLATE_NOOP("operation", "not set"));
    case QJsonValue::Bool:
        return value.toBool() ? words(QT_TRANSLATE_NOOP("operation", "yes"))
                              : words(QT_TRANSLATE_NOOP("operation", "no"));
    case QJsonValue::Double: return value.toVariant().toString();
    default: return DisplayText::visible(value.toString());
    }
}

QString listText(const QStringList &names, qsizetype most)
{
    QStringList shown;
    for (const auto &name : names.mid(0, most))
        shown << DisplayText::visible(name);
    auto text = shown.join(QStringLiteral(", "));
    if (names.size() > most)
        text = words(QT_TRANSLATE_NOOP("operation", "%1 and %2 more")).arg(text).arg(names.size() - most);
    return text;
}
