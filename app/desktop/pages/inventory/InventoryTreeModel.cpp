#include "pages/inventory/InventoryTreeModel.h"
#include <QElapsedTimer>
#include <QSet>

/// One line of the model; its children stay where they are in memory.
struct InventoryTreeModel::Line {
    TreeEntry entry; ///< without children
    Line *parent = nullptr;
    int row = 0;
    std::vector<std::unique_ptr<Line>> children = {};

    void renumber(size_t from)
    {
        for (auto at = from; at < children.size(); ++at)
            children[at]->row = static_cast<int>(at);
    }
};

InventoryTreeModel::InventoryTreeModel(QObject *parent) : QAbstractItemModel(parent), m_root(std::make_unique<Line>())
{
}

InventoryTreeModel::~InventoryTreeModel() = default;

void InventoryTreeModel::show(std::vector<TreeEntry> roots)
{
    take(std::move(roots));
    work(std::chrono::hours(1));
}

void InventoryTreeModel::take(std::vector<TreeEntry> roots)
{
    work(std::chrono::hours(1)); // what is marked as the same is so only when the last change is done
    m_jobs.push_back({m_root.get(), std::move(roots)});
}

/// A line that a job belongs to stays until the job is done: only the job above it could take it away.
bool InventoryTreeModel::work(std::chrono::milliseconds atMost)
{
    QElapsedTimer time;
    time.start();
    while (!m_jobs.empty() && time.elapsed() < atMost.count()) {
        auto job = std::move(m_jobs.front());
        m_jobs.pop_front();
        reconcile(job.parent, std::move(job.wanted));
    }
    return m_jobs.empty();
}

void InventoryTreeModel::dropMissing(Line *parent, const std::vector<TreeEntry> &wanted)
{
    QSet<QString> keys;
    for (const auto &entry : wanted)
        keys.insert(entry.key);
    auto &children = parent->children;
    for (auto end = children.size(); end > 0;) {
        auto begin = end;
        while (begin > 0 && !keys.contains(children[begin - 1]->entry.key))
            --begin;
        if (begin < end) {
            beginRemoveRows(indexOf(parent), static_cast<int>(begin), static_cast<int>(end) - 1);
            children.erase(children.begin() + static_cast<qsizetype>(begin),
                           children.begin() + static_cast<qsizetype>(end));
            parent->renumber(begin);
            endRemoveRows();
        }
        end = begin > 0 ? begin - 1 : 0;
    }
}

void InventoryTreeModel::insertRun(Line *parent, size_t at, std::vector<TreeEntry> run)
{
    std::vector<std::unique_ptr<Line>> lines;
    lines.reserve(run.size());
    for (auto &entry : run) {
        auto below = std::exchange(entry.children, {});
        auto &line = lines.emplace_back(std::make_unique<Line>(Line{.entry = std::move(entry), .parent = parent}));
        if (!below.empty())
            m_jobs.push_back({line.get(), std::move(below)});
    }
    const auto count = lines.size();
    beginInsertRows(indexOf(parent), static_cast<int>(at), static_cast<int>(at + count) - 1);
    parent->children.insert(parent->children.begin() + static_cast<qsizetype>(at),
                            std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()));
    parent->renumber(at);
    endInsertRows();
}

void InventoryTreeModel::moveUp(Line *parent, size_t from, size_t to)
{
    const auto index = indexOf(parent);
    beginMoveRows(index, static_cast<int>(from), static_cast<int>(from), index, static_cast<int>(to));
    auto &children = parent->children;
    std::rotate(children.begin() + static_cast<qsizetype>(to), children.begin() + static_cast<qsizetype>(from),
                children.begin() + static_cast<qsizetype>(from) + 1);
    parent->renumber(to);
    endMoveRows();
}

void InventoryTreeModel::reconcile(Line *parent, std::vector<TreeEntry> wanted)
{
    const auto &children = parent->children;
    const bool isInPlace =
        std::equal(children.begin(), children.end(), wanted.begin(), wanted.end(),
                   [](const auto &line, const TreeEntry &entry) { return line->entry.key == entry.key; });
    if (!isInPlace)
        return arrange(parent, std::move(wanted));
    for (size_t at = 0; at < wanted.size(); ++at)
        settle(children[at].get(), std::move(wanted[at]));
}

void InventoryTreeModel::settle(Line *line, TreeEntry wanted)
{
    if (wanted.isSame)
        return;
    auto below = std::exchange(wanted.children, {});
    if (!line->entry.looksLike(wanted)) {
        line->entry = std::move(wanted);
        Q_EMIT dataChanged(indexOf(line), indexOf(line));
    }
    if (!below.empty() || !line->children.empty())
        m_jobs.push_back({line, std::move(below)});
}

void InventoryTreeModel::arrange(Line *parent, std::vector<TreeEntry> wanted)
{
    dropMissing(parent, wanted);
    QHash<QString, Line *> present;
    for (const auto &child : parent->children)
        present.insert(child->entry.key, child.get());
    size_t place = 0;
    for (size_t at = 0; at < wanted.size();) {
        auto end = at;
        while (end < wanted.size() && !present.contains(wanted[end].key))
            ++end;
        if (end > at) {
            insertRun(parent, place,
                      {std::make_move_iterator(wanted.begin() + static_cast<qsizetype>(at)),
                       std::make_move_iterator(wanted.begin() + static_cast<qsizetype>(end))});
            place += end - at;
            at = end;
            continue;
        }
        auto *line = present.value(wanted[at].key);
        if (static_cast<size_t>(line->row) >= place) { // otherwise it is there already: a key came twice
            if (static_cast<size_t>(line->row) != place)
                moveUp(parent, static_cast<size_t>(line->row), place);
            settle(line, std::move(wanted[at]));
            ++place;
        }
        ++at;
    }
}

const InventoryTreeModel::Line *InventoryTreeModel::search(const Line *below, const Selection &selection) const
{
    for (const auto &child : below->children) {
        if (child->entry.selection == selection)
            return child.get();
        if (const auto *found = search(child.get(), selection))
            return found;
    }
    return nullptr;
}

QModelIndex InventoryTreeModel::find(const Selection &selection) const
{
    if (selection.kind == Selection::Kind::Nothing)
        return {};
    const auto *found = search(m_root.get(), selection);
    return found ? indexOf(found) : QModelIndex();
}

Selection InventoryTreeModel::selection(const QModelIndex &index) const
{
    return index.isValid() ? line(index)->entry.selection : Selection();
}

InventoryTreeModel::Line *InventoryTreeModel::line(const QModelIndex &index) const
{
    return index.isValid() ? static_cast<Line *>(index.internalPointer()) : m_root.get();
}

QModelIndex InventoryTreeModel::indexOf(const Line *line) const
{
    return line == m_root.get() ? QModelIndex() : createIndex(line->row, 0, line);
}

QModelIndex InventoryTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, line(parent)->children[static_cast<size_t>(row)].get());
}

QModelIndex InventoryTreeModel::parent(const QModelIndex &child) const
{
    return child.isValid() ? indexOf(line(child)->parent) : QModelIndex();
}

int InventoryTreeModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(line(parent)->children.size());
}

QVariant InventoryTreeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto &entry = line(index)->entry;
    switch (role) {
    case Qt::DisplayRole: return entry.title;
    case Qt::ToolTipRole:
        return QStringLiteral("<qt>%1</qt>").arg(entry.toolTip.toHtmlEscaped().replace(u'\n', QLatin1String("<br>")));
    case Qt::AccessibleTextRole: return entry.spoken;
    case AsideRole: return entry.aside;
    case MarkRole: return static_cast<int>(entry.mark);
    case FadedRole: return entry.isFaded;
    case HeadingRole: return entry.isHeading;
    case SelectionRole: return QVariant::fromValue(entry.selection);
    case KeyRole: return entry.key;
    default: return {};
    }
}

Qt::ItemFlags InventoryTreeModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    return line(index)->entry.isHeading ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}
