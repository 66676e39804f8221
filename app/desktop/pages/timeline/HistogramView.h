#pragma once
#include "audit/AuditQuery.h"
#include <QWidget>
#include <optional>

/// How much happened when, people below, agents above them, others on top; dragging over it selects a stretch of time.
/// With the keyboard: arrows move a selection, Shift with arrows widens it, Escape drops it.
class HistogramView : public QWidget
{
    Q_OBJECT
public:
    /// Wall time, from inclusive, to exclusive.
    struct Range {
        qint64 fromMs = 0, toMs = 0;
        bool operator==(const Range &) const = default;
    };
    static constexpr int bucketCount = 64;

    explicit HistogramView(QWidget *parent = nullptr);
    /// `buckets` are equal parts of `range`, oldest first.
    void set(const Range &range, const QList<HistogramBucket> &buckets);
    const std::optional<Range> &selection() const { return m_selection; }
    /// Does not emit selected().
    void clearSelection();
    QSize sizeHint() const override;

Q_SIGNALS:
    /// Nothing = the whole range.
    void selected(const std::optional<HistogramView::Range> &range);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    int bucketAt(int x) const;
    qint64 startOf(int bucket) const;
    QRectF bar(int bucket) const;
    void select(int from, int to, bool isFinal);
    void drop();
    void paintBars(QPainter &painter) const;
    void paintAxis(QPainter &painter) const;
    QString describe(int bucket) const;

    Range m_range;
    QList<HistogramBucket> m_buckets;
    std::optional<Range> m_selection;
    int m_first = -1, m_last = -1; ///< selected buckets
    int m_anchor = -1;             ///< where a drag began
};
