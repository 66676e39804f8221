#pragma once
#include "pages/timeline/HistogramView.h"
#include <QTimer>
#include <QWidget>

class AuditLog;
class AuditQuery;
class Executor;
class Pill;
class QLabel;
class QPushButton;
class RowTable;
class TimelineDetail;
class TimelineFilters;
class TimelineModel;
struct CallRow;

/// Everything that was done or asked, by anyone: filters, a histogram that selects time, rows, and all about one of
/// them.
class TimelinePage : public QWidget
{
    Q_OBJECT
public:
    /// All borrowed.
    TimelinePage(AuditQuery &query, AuditLog &log, Executor &executor, QWidget *parent = nullptr);
    /// Only what was done to one object; `label` is safe to show.
    void showTarget(const QString &key, const QString &label);
    /// Chooses an entry if it is loaded.
    void showEntry(const QString &callId);

Q_SIGNALS:
    /// A person wants to answer this request.
    void reviewAsked(const QString &callId);
    /// After "Verify chain": what was found, in words.
    void chainVerified(bool isWhole, const QString &finding);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void build(Executor &executor);
    QWidget *buildTop();
    QWidget *buildTable();
    void applyFilter();
    void drawHistogram();
    void loadDetail(const QString &callId);
    void chosen();
    void clicked(const QModelIndex &index);
    void openMenu(const QPoint &at);
    void sayWhatIsMissing(const QString &problem);
    void verify();

    AuditQuery &m_query;
    TimelineModel *m_model;
    TimelineFilters *m_filters = nullptr;
    HistogramView *m_histogram = nullptr;
    RowTable *m_table = nullptr;
    QLabel *m_empty = nullptr;
    TimelineDetail *m_detail = nullptr;
    QPushButton *m_verify = nullptr;
    Pill *m_chain = nullptr;
    QLabel *m_finding = nullptr;
    QTimer m_redraw;
    qint64 m_drawnToMs = 0; ///< where the histogram ends
    int m_drawing = 0;      ///< answers to an earlier histogram are dropped
};
