#include "pages/timeline/TimelineModel.h"
#include "async/Deliver.h"
#include "audit/AuditLog.h"
#include "base/DisplayText.h"
#include "pages/timeline/TimelineWords.h"
#include "widgets/RowDelegate.h"
#include "widgets/Wording.h"
#include <algorithm>

using namespace std::chrono_literals;

TimelineModel::TimelineModel(AuditQuery &query, AuditLog &log, QObject *parent)
    : QAbstractTableModel(parent), m_query(query)
{
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(100ms);
    connect(&m_refresh, &QTimer::timeout, this, &TimelineModel::refresh);
    connect(&log, &AuditLog::committed, this, [this](const QStringList &callIds) {
        if (!m_isWatched) {
            m_isStale = true;
            return;
        }
        m_touched += QSet<QString>(callIds.begin(), callIds.end());
        if (!m_refresh.isActive())
            m_refresh.start();
    });
}

void TimelineModel::setWatched(bool watched)
{
    m_isWatched = watched;
    if (!watched && m_refresh.isActive()) {
        m_refresh.stop();
        m_touched.clear();
        m_isStale = true;
    }
    if (watched && m_isStale)
        setFilter(m_filter);
}

void TimelineModel::setFilter(const CallFilter &filter)
{
    m_isStale = !m_isWatched;
    if (m_isStale) {
        m_filter = filter;
        return;
    }
    beginResetModel();
    m_filter = filter;
    m_rows.clear();
    m_fetched = 0;
    m_hasMore = true;
    ++m_generation;
    m_isLoading = false;
    endResetModel();
    load();
}

int TimelineModel::find(const QString &callId) const
{
    for (qsizetype i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].callId == callId)
            return int(i);
    return -1;
}

TimelineModel::Offer TimelineModel::offer(const CallRow &row)
{
    if (row.state == CallState::Waiting)
        return Offer::Review;
    return row.hasInverse && row.undoneBy.isEmpty() ? Offer::Undo : Offer::None;
}

bool TimelineModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && m_hasMore && !m_isLoading;
}

void TimelineModel::fetchMore(const QModelIndex &)
{
    load();
}

void TimelineModel::load()
{
    if (std::exchange(m_isLoading, true))
        return;
    const auto before = m_rows.isEmpty() ? 0 : m_rows.last().seq;
    deliver<QList<CallRow>>(m_query.page(m_filter, before, pageSize), this,
                            [this, generation = m_generation](Result<QList<CallRow>> page) {
                                if (generation != m_generation)
                                    return;
                                m_isLoading = false;
                                m_hasMore = page && page->size() == pageSize;
                                if (page)
                                    append(*std::move(page));
                                Q_EMIT loaded(page ? QString() : page.error().message);
                            });
}

void TimelineModel::append(QList<CallRow> page)
{
    const auto last = m_rows.isEmpty() ? std::numeric_limits<qint64>::max() : m_rows.last().seq;
    page.erase(std::remove_if(page.begin(), page.end(), [last](const CallRow &row) { return row.seq >= last; }),
               page.end());
    if (page.isEmpty())
        return;
    beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + page.size()) - 1);
    m_rows += page;
    m_fetched += page.size();
    endInsertRows();
}

/// What came by itself since does not pile up: the oldest rows go, and are read again when asked for.
void TimelineModel::dropWhatPilesUp()
{
    const auto keep = m_fetched + pageSize;
    if (m_rows.size() <= keep + newestKept)
        return;
    beginRemoveRows({}, int(keep), int(m_rows.size()) - 1);
    m_rows.resize(keep);
    endRemoveRows();
    m_hasMore = true;
}

void TimelineModel::refresh()
{
    Q_EMIT touched(m_touched);
    deliver<QList<CallRow>>(m_query.page(m_filter, 0, pageSize), this,
                            [this, generation = m_generation, ids = std::exchange(m_touched, {})](auto head) {
                                if (generation != m_generation || !head)
                                    return;
                                mergeHead(*head);
                                dropWhatPilesUp();
                                const auto oldest = head->isEmpty() ? 0 : head->last().seq;
                                for (const auto &id : ids)
                                    if (const int at = find(id); at >= 0 && m_rows[at].seq < oldest)
                                        updateOld(id);
                            });
}

/// Makes the newest part of the table equal to what was read just now, touching only what differs.
void TimelineModel::mergeHead(const QList<CallRow> &head)
{
    const auto oldest = head.size() < pageSize ? 0 : head.last().seq;
    if (head.size() == pageSize && (m_rows.isEmpty() || m_rows.first().seq < oldest)) {
        beginResetModel(); // more came at once than a page: what lies between is read again when asked for
        m_rows = head;
        m_hasMore = true;
        endResetModel();
        return;
    }
    int at = 0;
    const auto removeAt = [this](int row) {
        beginRemoveRows({}, row, row);
        m_rows.removeAt(row);
        endRemoveRows();
    };
    for (const auto &fresh : head) {
        while (at < m_rows.size() && m_rows[at].seq > fresh.seq)
            removeAt(at);
        if (at < m_rows.size() && m_rows[at].seq == fresh.seq) {
            m_rows[at] = fresh;
            Q_EMIT dataChanged(index(at, 0), index(at, Columns - 1));
        } else {
            beginInsertRows({}, at, at);
            m_rows.insert(at, fresh);
            endInsertRows();
        }
        ++at;
    }
    while (at < m_rows.size() && m_rows[at].seq >= std::max<qint64>(oldest, 1))
        removeAt(at);
}

/// A row below the newest page has moved on: it is undone now, or a long task ended.
void TimelineModel::updateOld(const QString &callId)
{
    deliver<CallDetail>(m_query.detail(callId), this, [this, callId](Result<CallDetail> detail) {
        const int at = find(callId);
        if (!detail || at < 0)
            return;
        const bool fits = (!m_filter.state || *m_filter.state == detail->row.state) &&
                          (!m_filter.onlyUndoable || offer(detail->row) == Offer::Undo);
        if (fits) {
            m_rows[at] = detail->row;
            Q_EMIT dataChanged(index(at, 0), index(at, Columns - 1));
        } else {
            beginRemoveRows({}, at, at);
            m_rows.removeAt(at);
            endRemoveRows();
        }
    });
}

int TimelineModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}
int TimelineModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(Columns);
}

QString TimelineModel::text(const CallRow &row, int column) const
{
    switch (column) {
    case Time: return TimelineWords::time(row.atMs);
    case Who: return Wording::actor(row.actor);
    case What: return TimelineWords::what(row);
    case Target: return DisplayText::visible(row.targetLabel);
    case Harm: return row.effect ? Wording::effect(*row.effect) : QString();
    case Outcome: return TimelineWords::outcome(row);
    case Action: return offer(row) == Offer::Undo ? tr("Undo") : offer(row) == Offer::Review ? tr("Review") : QString();
    default: return {};
    }
}

QVariant TimelineModel::toolTip(const CallRow &row, int column) const
{
    const auto plain = [](const QString &text) { return text.isEmpty() ? QVariant() : QVariant(text.toHtmlEscaped()); };
    if (column == Time)
        return plain(TimelineWords::exactTime(row.atMs, row.utcOffset));
    if (column == Outcome)
        return plain(DisplayText::visible(row.error));
    if (column == Who)
        return plain(Wording::process(row.actor));
    return plain(text(row, column));
}

QVariant TimelineModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows.size())
        return {};
    const auto &row = m_rows[index.row()];
    const auto column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::ToolTipRole: return toolTip(row, column);
    case RowDelegate::PillRole:
        if (column == Who)
            return int(Wording::tone(row.actor));
        if (column == Harm && row.effect)
            return int(Wording::tone(*row.effect));
        return column == Outcome ? QVariant(int(TimelineWords::tone(row))) : QVariant();
    case RowDelegate::MutedRole: return column == Time;
    case RowDelegate::LinkRole: return column == Action;
    default: return {};
    }
}

QVariant TimelineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time: return tr("Time");
    case Who: return tr("By");
    case What: return tr("What happened");
    case Target: return tr("Target");
    case Harm: return tr("Effect");
    case Outcome: return tr("Outcome");
    default: return {};
    }
}
