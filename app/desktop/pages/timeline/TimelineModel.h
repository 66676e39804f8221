#pragma once
#include "audit/AuditQuery.h"
#include <QAbstractTableModel>
#include <QSet>
#include <QTimer>

class AuditLog;

/// The rows of the timeline that fit a filter, newest first. Older pages are read when the view asks for them; what is
/// committed meanwhile appears by itself, and rows that move on are updated in place.
class TimelineModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Time, Who, What, Target, Harm, Outcome, Action, Columns };
    /// What a person can do with a row at once.
    enum class Offer { None, Undo, Review };
    static constexpr int pageSize = 200;
    /// Rows that may come by themselves before old ones are dropped.
    static constexpr int newestKept = 800;

    /// Both are borrowed and must outlive the model.
    TimelineModel(AuditQuery &query, AuditLog &log, QObject *parent = nullptr);

    /// Empties the table and reads its first page.
    void setFilter(const CallFilter &filter);
    const CallFilter &filter() const { return m_filter; }
    /// While nobody looks nothing is read; what was missed is read when somebody does again.
    void setWatched(bool watched);
    const QList<CallRow> &rows() const { return m_rows; }
    /// -1 if it is not loaded.
    int find(const QString &callId) const;
    static Offer offer(const CallRow &row);
    bool isLoading() const { return m_isLoading; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

Q_SIGNALS:
    /// A page came; `problem` is empty or says why not.
    void loaded(const QString &problem);
    /// Something was committed to these calls, whether they are in the table or not.
    void touched(const QSet<QString> &callIds);

private:
    void load();
    void append(QList<CallRow> page);
    void refresh();
    void mergeHead(const QList<CallRow> &head);
    void updateOld(const QString &callId);
    void dropWhatPilesUp();
    QString text(const CallRow &row, int column) const;
    QVariant toolTip(const CallRow &row, int column) const;

    AuditQuery &m_query;
    CallFilter m_filter;
    QList<CallRow> m_rows;
    QSet<QString> m_touched;
    QTimer m_refresh;
    qsizetype m_fetched = 0; ///< rows that were asked for
    int m_generation = 0;    ///< answers to an earlier filter are dropped
    bool m_isWatched = true;
    bool m_isStale = false; ///< something was committed while nobody looked
    bool m_hasMore = false;
    bool m_isLoading = false;
};
