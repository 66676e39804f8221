#include "activity/ActivityModel.h"
#include "widgets/RowDelegate.h"

void ActivityModel::show(std::vector<ActivityRow> rows)
{
    const auto sameKeys =
        std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                   [](const ActivityRow &left, const ActivityRow &right) { return left.key == right.key; });
    if (!sameKeys) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    for (size_t at = 0; at < rows.size(); ++at) {
        if (rows[at] == m_rows[at])
            continue;
        m_rows[at] = std::move(rows[at]);
        Q_EMIT dataChanged(index(static_cast<int>(at), 0), index(static_cast<int>(at), Columns - 1));
    }
}

int ActivityModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ActivityModel::text(const ActivityRow &row, int column) const
{
    switch (column) {
    case What: return row.what;
    case Target: return row.target;
    case By: return row.by;
    case Progress: return row.state;
    case Time: return row.time;
    case Stop: return row.mayStop ? tr("Stop") : QString();
    default: return {};
    }
}

QVariant ActivityModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto &row = m_rows[static_cast<size_t>(index.row())];
    const auto column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::ToolTipRole: return row.toolTip.isEmpty() ? row.what.toHtmlEscaped() : row.toolTip.toHtmlEscaped();
    case Qt::AccessibleTextRole:
        if (column == Progress && row.state.isEmpty())
            return tr("running, %1").arg(row.time);
        return column == Stop && row.mayStop ? tr("Stop: press Delete") : text(row, column);
    case RowDelegate::ProgressRole:
        return column == Progress && row.state.isEmpty() ? QVariant(row.fraction) : QVariant();
    case RowDelegate::PillRole:
        if (column == Progress)
            return static_cast<int>(row.tone);
        return column == By && row.byTone != Tone::Neutral ? QVariant(static_cast<int>(row.byTone)) : QVariant();
    case RowDelegate::MutedRole: return column == Time;
    case RowDelegate::StopRole: return column == Stop;
    default: return {};
    }
}

QVariant ActivityModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case What: return tr("Activity");
    case Target: return tr("Target");
    case By: return tr("By");
    case Progress: return tr("Progress");
    case Time: return tr("Time");
    default: return QString();
    }
}
