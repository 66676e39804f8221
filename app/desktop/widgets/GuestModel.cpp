#include "widgets/GuestModel.h"
#include "widgets/GuestWords.h"
#include "widgets/Quantity.h"
#include "widgets/RowDelegate.h"
#include <algorithm>

void GuestModel::show(InventoryPtr cluster, const NodeName &node)
{
    Rows next;
    if (cluster)
        for (const auto &guest : cluster->guests)
            if (node.isEmpty() || guest.node == node)
                next.push_back(&guest);
    const bool isOther = !m_cluster || !cluster || m_cluster->remoteId != cluster->remoteId || m_node != node;
    const auto held = std::exchange(m_cluster, std::move(cluster)); // the old rows point into it
    if (isOther) {
        beginResetModel();
        m_node = node;
        m_rows = std::move(next);
        endResetModel();
        return;
    }
    const bool isSame = std::equal(m_rows.begin(), m_rows.end(), next.begin(), next.end(),
                                   [](const auto *one, const auto *other) { return one->vmid == other->vmid; });
    if (isSame)
        tellChanges(std::exchange(m_rows, std::move(next)));
    else
        merge(std::move(next));
}

/// The same guests: whoever differs is painted again.
void GuestModel::tellChanges(const Rows &before)
{
    const auto differs = [&](size_t row) { return !(*before[row] == *m_rows[row]); };
    for (size_t from = 0; from < m_rows.size(); ++from) {
        if (!differs(from))
            continue;
        auto to = from;
        while (to + 1 < m_rows.size() && differs(to + 1))
            ++to;
        Q_EMIT dataChanged(index(static_cast<int>(from), 0), index(static_cast<int>(to), Columns - 1));
        from = to;
    }
}

/// Both are in the order of their numbers: first goes what is gone, then comes what is new, in runs.
void GuestModel::merge(Rows next)
{
    const auto byVmid = [](const GuestState *one, const GuestState *other) { return one->vmid < other->vmid; };
    const auto isIn = [&](const Rows &rows, const GuestState *guest) {
        return std::binary_search(rows.begin(), rows.end(), guest, byVmid);
    };
    for (auto end = m_rows.size(); end > 0;) {
        auto begin = end;
        while (begin > 0 && !isIn(next, m_rows[begin - 1]))
            --begin;
        if (begin < end) {
            beginRemoveRows({}, static_cast<int>(begin), static_cast<int>(end) - 1);
            m_rows.erase(m_rows.begin() + static_cast<qsizetype>(begin), m_rows.begin() + static_cast<qsizetype>(end));
            endRemoveRows();
        }
        end = begin > 0 ? begin - 1 : 0;
    }
    for (size_t at = 0; at < next.size();) {
        auto end = at;
        while (end < next.size() && (at >= m_rows.size() || next[end]->vmid < m_rows[at]->vmid))
            ++end;
        if (end > at) {
            beginInsertRows({}, static_cast<int>(at), static_cast<int>(end) - 1);
            m_rows.insert(m_rows.begin() + static_cast<qsizetype>(at), next.begin() + static_cast<qsizetype>(at),
                          next.begin() + static_cast<qsizetype>(end));
            endInsertRows();
        }
        at = end > at ? end : at + 1;
    }
    tellChanges(std::exchange(m_rows, std::move(next)));
}

Vmid GuestModel::vmid(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows[static_cast<size_t>(row)]->vmid : Vmid();
}

int GuestModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QString GuestModel::text(const GuestState &guest, int column)
{
    const bool isRunning = guest.power == GuestState::Power::Running;
    switch (column) {
    case Name: return GuestWords::name(guest);
    case Id: return guest.vmid.text();
    case State: return GuestWords::state(guest);
    case Cpu: return isRunning && guest.cpu ? Quantity::share(*guest.cpu) : QString();
    case Memory:
        return isRunning && guest.memory && guest.maxMemory ? Quantity::bytesOf(*guest.memory, *guest.maxMemory)
                                                            : Quantity::bytes(guest.maxMemory);
    case Uptime: return isRunning && guest.uptime ? Quantity::duration(*guest.uptime) : QString();
    default: return {};
    }
}

QVariant GuestModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto &guest = *m_rows[static_cast<size_t>(index.row())];
    const auto column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(guest, column);
    case RowDelegate::PillRole:
        return column == State ? QVariant(static_cast<int>(GuestWords::tone(guest))) : QVariant();
    case RowDelegate::MutedRole:
        return column == Id || column == Uptime || (guest.power == GuestState::Power::Unknown && column == Name) ||
               (column == Memory && guest.power != GuestState::Power::Running);
    default: return {};
    }
}

QVariant GuestModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name: return tr("Name");
    case Id: return tr("Id");
    case State: return tr("State");
    case Cpu: return tr("CPU");
    case Memory: return tr("Memory");
    case Uptime: return tr("Up for");
    default: return {};
    }
}
