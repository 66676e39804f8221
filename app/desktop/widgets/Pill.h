#pragma once
#include "widgets/Tones.h"
#include <QWidget>

/// A short word on a tinted, rounded ground: "running", "destroys", "done". The text is shown as it is, never as rich
/// text.
class Pill : public QWidget
{
    Q_OBJECT
public:
    explicit Pill(QString text = {}, Tone tone = Tone::Neutral, QWidget *parent = nullptr);
    void set(const QString &text, Tone tone);
    const QString &text() const { return m_text; }
    Tone tone() const { return m_tone; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

    /// The same look inside a table or a list: painted left-aligned and vertically centred in `room`; returns its
    /// width.
    static int paint(QPainter &painter, const QRect &room, const QString &text, Tone tone, const QPalette &palette,
                     const QFont &base);
    static int widthOf(const QString &text, const QFont &base);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
    Tone m_tone;
};
