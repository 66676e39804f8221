#include "widgets/Words.h"
#include <QFontDatabase>

namespace Words
{
QFont scaled(QFont font, double factor, QFont::Weight weight)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(font.pixelSize() * factor));
    font.setWeight(weight);
    return font;
}

QFont monoFont(const QFont &base)
{
    auto font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(base.pointSizeF() * 0.95);
    return font;
}

QLabel *plain(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

static QLabel *in(double factor, QFont::Weight weight, const char *role, const QString &text, QWidget *parent)
{
    auto *label = plain(text, parent);
    label->setFont(scaled(label->font(), factor, weight));
    label->setProperty("role", QLatin1String(role));
    return label;
}

QLabel *title(const QString &text, QWidget *parent)
{
    return in(1.5, QFont::Bold, "title", text, parent);
}
QLabel *aside(const QString &text, QWidget *parent)
{
    return in(1.4, QFont::Normal, "muted", text, parent);
}
QLabel *figure(const QString &text, QWidget *parent)
{
    return in(1.5, QFont::Bold, "figure", text, parent);
}
QLabel *heading(const QString &text, QWidget *parent)
{
    return in(0.92, QFont::DemiBold, "heading", text, parent);
}
QLabel *muted(const QString &text, QWidget *parent)
{
    return in(1.0, QFont::Normal, "muted", text, parent);
}

QLabel *mono(const QString &text, QWidget *parent)
{
    auto *label = plain(text, parent);
    label->setFont(monoFont(label->font()));
    return label;
}
} // namespace Words
