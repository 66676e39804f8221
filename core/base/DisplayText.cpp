#include "base/DisplayText.h"
#include <QChar>

static bool isInvisible(char32_t code)
{
    switch (QChar::category(code)) {
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph: return true;
    default:
        return code == 0x034F || code == 0x115F || code == 0x1160 || code == 0x17B4 || code == 0x17B5 ||
               code == 0x2800 || code == 0x3164 || code == 0xFFA0 || (code >= 0x180B && code <= 0x180F) ||
               (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF);
    }
}

/// The code point that starts at `at`; a lone surrogate stands for itself, where QString::toUcs4 would replace it.
static char32_t pointAt(const QString &text, qsizetype at)
{
    const QChar unit = text[at];
    if (unit.isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate())
        return QChar::surrogateToUcs4(unit, text[at + 1]);
    return unit.unicode();
}

static QString shown(char32_t point)
{
    if (point < 0x20 || (point >= 0x7F && point < 0xA0))
        return QStringLiteral("\\x%1").arg(uint(point), 2, 16, QLatin1Char('0'));
    if (isInvisible(point))
        return QStringLiteral("<U+%1>").arg(QStringLiteral("%1").arg(uint(point), 4, 16, QLatin1Char('0')).toUpper());
    return QString::fromUcs4(&point, 1);
}

QString DisplayText::visible(const QString &text, bool multiline)
{
    QString out;
    out.reserve(text.size());
    for (qsizetype at = 0; at < text.size();) {
        const auto point = pointAt(text, at);
        at += QChar::requiresSurrogates(point) ? 2 : 1;
        if (multiline && point == U'\r' && at < text.size() && text[at] == u'\n')
            continue;
        if (multiline && (point == U'\n' || point == U'\t'))
            out += QChar(point);
        else
            out += shown(point);
    }
    return out;
}

bool DisplayText::mixesScripts(const QString &text)
{
    auto script = QChar::Script_Common;
    for (const auto code : text.toUcs4()) {
        const auto point = static_cast<char32_t>(code);
        if (!QChar::isLetter(point)) {
            if (!QChar::isMark(point) && !QChar::isDigit(point))
                script = QChar::Script_Common;
            continue;
        }
        const auto own = QChar::script(point);
        const bool together = own == QChar::Script_Han || own == QChar::Script_Hiragana ||
                              own == QChar::Script_Katakana || own == QChar::Script_Hangul ||
                              own == QChar::Script_Bopomofo;
        if (own == QChar::Script_Common || own == QChar::Script_Inherited || together)
            continue;
        if (script != QChar::Script_Common && script != own)
            return true;
        script = own;
    }
    return false;
}
