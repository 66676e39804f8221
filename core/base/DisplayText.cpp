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
    case QChar::Separator_Paragraph:
        return true;
    default:
        return code == 0x034F || code == 0x115F || code == 0x1160 || code == 0x3164 || code == 0xFFA0
               || (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF);
    }
}

QString DisplayText::visible(const QString &text, bool multiline)
{
    QString out;
    out.reserve(text.size());
    for (const auto code : text.toUcs4()) {
        const auto point = static_cast<char32_t>(code);
        if (multiline && (point == U'\n' || point == U'\t'))
            out += QChar(point);
        else if (point < 0x20 || (point >= 0x7F && point < 0xA0))
            out += QStringLiteral("\\x%1").arg(code, 2, 16, QLatin1Char('0'));
        else if (isInvisible(point))
            out += QStringLiteral("<U+%1>").arg(QStringLiteral("%1").arg(code, 4, 16, QLatin1Char('0')).toUpper());
        else
            out += QString::fromUcs4(&point, 1);
    }
    return out;
}

bool DisplayText::mixesScripts(const QString &text)
{
    auto script = QChar::Script_Common;
    for (const auto code : text.toUcs4()) {
        const auto point = static_cast<char32_t>(code);
        if (!QChar::isLetter(point)) {
            if (!QChar::isMark(point))
                script = QChar::Script_Common;
            continue;
        }
        const auto own = QChar::script(point);
        const bool together = own == QChar::Script_Han || own == QChar::Script_Hiragana || own == QChar::Script_Katakana
                              || own == QChar::Script_Hangul;
        if (own == QChar::Script_Common || own == QChar::Script_Inherited || together)
            continue;
        if (script != QChar::Script_Common && script != own)
            return true;
        script = own;
    }
    return false;
}
