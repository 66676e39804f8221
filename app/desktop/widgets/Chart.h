#pragma once
#include "widgets/Tones.h"
#include <QVector>
#include <QWidget>
#include <functional>
#include <optional>

class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;

/// One line of a chart over time. A value that is not a number is a gap.
struct ChartLine {
    QString name;
    Tone tone = Tone::Blue;
    bool isFilled = true;
    QVector<double> times = {}; ///< seconds since the epoch, rising
    QVector<double> values = {};
};

/// A plain chart over time: filled lines over three faint rules, the ends of the time written below, and the value
/// under the pointer (or under the cursor keys) in words.
class Chart : public QWidget
{
    Q_OBJECT
public:
    using Format = std::function<QString(double)>;
    explicit Chart(Format format, QWidget *parent = nullptr);
    void setLines(const QVector<ChartLine> &lines);
    /// The stretch of time shown, seconds since the epoch.
    void setSpan(double from, double to);
    /// The top of the scale; without one it follows the highest value in sight.
    void setCeiling(std::optional<double> ceiling) { m_ceiling = ceiling; }
    const QVector<ChartLine> &lines() const { return m_lines; }
    QSize sizeHint() const override { return {240, 130}; }
    QSize minimumSizeHint() const override { return {120, 80}; }

protected:
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void color();
    void scale();
    void label();
    void point(double time);
    Format m_format;
    QCustomPlot *m_plot;
    QVector<ChartLine> m_lines;
    std::optional<double> m_ceiling;
    QCPItemStraightLine *m_cursor;
    QCPItemText *m_top, *m_start, *m_end;
    double m_from = 0, m_to = 1;
};
