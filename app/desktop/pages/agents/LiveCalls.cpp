#include "pages/agents/LiveCalls.h"
#include "base/DisplayText.h"
#include "execution/Executor.h"
#include "widgets/RowDelegate.h"
#include "widgets/Wording.h"
#include <QDateTime>
#include <algorithm>

static constexpr qsizetype longestArguments = 200;

LiveCalls::LiveCalls(Executor &executor, QObject *parent) : QAbstractTableModel(parent)
{
    connect(&executor, &Executor::changed, this, &LiveCalls::take);
}

void LiveCalls::take(const ExecutionInfo &info)
{
    if (!info.actor.isProgram())
        return;
    const auto known =
        std::find_if(m_calls.begin(), m_calls.end(), [&](const auto &one) { return one.callId == info.callId; });
    if (known != m_calls.end()) {
        *known = info;
        const auto row = int(known - m_calls.begin());
        Q_EMIT dataChanged(index(row, 0), index(row, Columns - 1));
        return;
    }
    beginInsertRows({}, 0, 0);
    m_calls.push_front(info);
    endInsertRows();
    if (m_calls.size() > most) {
        beginRemoveRows({}, most, most);
        m_calls.pop_back();
        endRemoveRows();
    }
}

int LiveCalls::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_calls.size());
}
int LiveCalls::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(Columns);
}

static QString stateText(const ExecutionInfo &info)
{
    if (info.state == CallState::Done && info.endedMs)
        return LiveCalls::tr("%1 ms").arg(std::max<qint64>(0, info.endedMs - info.startedMs));
    return Wording::state(info.state);
}

QString LiveCalls::text(const ExecutionInfo &info, int column) const
{
    switch (column) {
    case Time: return QDateTime::fromMSecsSinceEpoch(info.startedMs).time().toString(QStringLiteral("HH:mm:ss.zzz"));
    case Who: return Wording::actor(info.actor);
    case What:
        return DisplayText::visible(QString(info.operation).replace(u'.', u'_') + u' ' +
                                    QString::fromUtf8(info.arguments.left(longestArguments)));
    default: return stateText(info);
    }
}

QVariant LiveCalls::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto &info = m_calls[size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: return text(info, index.column());
    case Qt::ToolTipRole:
        return index.column() == State ? info.error.toHtmlEscaped() : text(info, index.column()).toHtmlEscaped();
    case RowDelegate::PillRole: return index.column() == State ? QVariant(int(Wording::tone(info.state))) : QVariant();
    case RowDelegate::MutedRole: return index.column() < What;
    default: return {};
    }
}

QVariant LiveCalls::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Time"), tr("By"), tr("Call"), tr("State")};
    return names.value(section);
}
