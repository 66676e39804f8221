#include "pages/inventory/TreeShape.h"
#include "base/DisplayText.h"
#include "widgets/GuestWords.h"
#include "widgets/Quantity.h"
#include <QCoreApplication>
#include <QSet>
#include <map>

static QString words(const char *text)
{
    return QCoreApplication::translate("TreeShape", text);
}

/// Everything of one remote while its part of the tree is made.
struct RemoteShape {
    const InventorySnapshot &state;
    Grouping grouping;
    QStringList wanted; ///< lower-case words of the filter
    qint64 nowMs;
    bool faded = state.reach != InventorySnapshot::Reach::Live;

    bool fitsAll() const { return wanted.isEmpty(); }
    bool fits(const GuestState &guest) const;
    bool fits(const QString &haystack) const
    {
        const auto lower = haystack.toLower();
        return std::all_of(wanted.begin(), wanted.end(), [&](const QString &word) { return lower.contains(word); });
    }
    TreeEntry entry(const GuestState &guest) const;
    TreeEntry entry(const NodeState &node) const;
    TreeEntry entry(const StorageState &storage) const;
    std::vector<TreeEntry> byNode() const;
    std::vector<TreeEntry> byGroup(QStringList (*groups)(const GuestState &), const char *without) const;
    TreeEntry storages() const;
    TreeEntry whole() const;
};

TreeEntry RemoteShape::entry(const GuestState &guest) const
{
    TreeEntry entry{.key = QLatin1String("guest ") + guest.vmid.text(),
                    .selection = {.kind = Selection::Kind::Guest, .remote = state.remoteId, .vmid = guest.vmid}};
    entry.title = GuestWords::name(guest);
    entry.aside = guest.vmid.text();
    entry.mark = GuestWords::mark(guest);
    entry.isFaded = faded || guest.power == GuestState::Power::Unknown;
    entry.spoken =
        words(QT_TRANSLATE_NOOP("TreeShape", "%1, %2 %3 on %4, %5"))
            .arg(entry.title, GuestWords::kind(guest), guest.vmid.text(), guest.node.text(), GuestWords::state(guest));
    entry.toolTip = entry.spoken;
    if (!guest.lock.isEmpty())
        entry.toolTip += words(QT_TRANSLATE_NOOP("TreeShape", ", locked: %1")).arg(DisplayText::visible(guest.lock));
    return entry;
}

TreeEntry RemoteShape::entry(const NodeState &node) const
{
    TreeEntry entry{.key = QLatin1String("node ") + node.name.text(),
                    .selection = {.kind = Selection::Kind::Node, .remote = state.remoteId, .node = node.name}};
    entry.title = node.name.text();
    entry.isFaded = faded;
    const auto memory = node.memory && node.maxMemory && *node.maxMemory > 0
                            ? static_cast<double>(*node.memory) / static_cast<double>(*node.maxMemory)
                            : 0;
    if (node.status == NodeState::Status::Offline) {
        entry.mark = Mark::Offline;
        entry.aside = words(QT_TRANSLATE_NOOP("TreeShape", "offline"));
    } else if (node.status == NodeState::Status::Unknown) {
        entry.mark = Mark::Unknown;
        entry.aside = words(QT_TRANSLATE_NOOP("TreeShape", "unknown"));
    } else if (memory > 0.9 || node.cpu.value_or(0) > 0.9) {
        entry.mark = Mark::Strained;
        entry.aside = memory > 0.9 ? words(QT_TRANSLATE_NOOP("TreeShape", "memory %1")).arg(Quantity::share(memory))
                                   : words(QT_TRANSLATE_NOOP("TreeShape", "CPU %1")).arg(Quantity::share(*node.cpu));
    } else {
        entry.mark = Mark::Online;
    }
    auto status = entry.aside.isEmpty() ? words(QT_TRANSLATE_NOOP("TreeShape", "online")) : entry.aside;
    if (node.lastSeenMs)
        status += words(QT_TRANSLATE_NOOP("TreeShape", ", last seen %1")).arg(Quantity::ago(*node.lastSeenMs, nowMs));
    entry.spoken = words(QT_TRANSLATE_NOOP("TreeShape", "node %1, %2")).arg(entry.title, status);
    entry.toolTip = entry.spoken;
    return entry;
}

TreeEntry RemoteShape::entry(const StorageState &storage) const
{
    TreeEntry entry{.key = QLatin1String("storage ") + storage.name.text(),
                    .selection = {.kind = Selection::Kind::Storage, .remote = state.remoteId, .storage = storage.name}};
    entry.title = storage.name.text();
    if (!storage.isShared) {
        entry.key += u' ' + storage.node.text();
        entry.selection.node = storage.node;
        entry.title += QStringLiteral(" · ") + storage.node.text();
    }
    entry.isFaded = faded || !storage.isAvailable;
    if (!storage.isAvailable)
        entry.aside = words(QT_TRANSLATE_NOOP("TreeShape", "not available"));
    else if (storage.used && storage.size && *storage.size > 0)
        entry.aside = Quantity::share(static_cast<double>(*storage.used) / static_cast<double>(*storage.size));
    else
        entry.aside = Quantity::unknown();
    entry.spoken = words(QT_TRANSLATE_NOOP("TreeShape", "storage %1, %2")).arg(entry.title, entry.aside);
    entry.toolTip = entry.spoken;
    return entry;
}

static QString haystack(const GuestState &guest)
{
    const QChar gap(u'\n');
    return guest.name + gap + guest.vmid.text() + gap + guest.pool + gap + guest.tags.join(gap) + gap +
           GuestWords::kind(guest) + gap + GuestWords::state(guest);
}

bool RemoteShape::fits(const GuestState &guest) const
{
    return fitsAll() || fits(QString(haystack(guest) + u'\n' + guest.node.text()));
}

std::vector<TreeEntry> RemoteShape::byNode() const
{
    std::map<QString, std::vector<TreeEntry>> guests;
    for (const auto &guest : state.guests)
        if (fits(guest))
            guests[guest.node.text()].push_back(entry(guest));
    std::map<QString, TreeEntry> nodes;
    for (const auto &node : state.nodes)
        if (fits(node.name.text()) || guests.contains(node.name.text()))
            nodes.emplace(node.name.text(), entry(node));
    for (auto &[name, those] : guests) {
        auto node = nodes.find(name);
        if (node == nodes.end()) { // the cluster named a guest on a node that it did not name
            NodeState stranger;
            stranger.name = NodeName::from(name).valueOr({});
            node = nodes.emplace(name, entry(stranger)).first;
        }
        node->second.children = std::move(those);
    }
    std::vector<TreeEntry> all;
    for (auto &[name, node] : nodes)
        all.push_back(std::move(node));
    return all;
}

std::vector<TreeEntry> RemoteShape::byGroup(QStringList (*groups)(const GuestState &), const char *without) const
{
    std::map<QString, std::vector<TreeEntry>> sorted;
    std::vector<TreeEntry> rest;
    for (const auto &guest : state.guests) {
        if (!fits(guest))
            continue;
        const auto names = groups(guest);
        for (const auto &name : names)
            sorted[name].push_back(entry(guest));
        if (names.isEmpty())
            rest.push_back(entry(guest));
    }
    std::vector<TreeEntry> all;
    const auto add = [&](const QString &key, const QString &title, std::vector<TreeEntry> children) {
        const auto count = QString::number(children.size());
        all.push_back({.key = key,
                       .title = title,
                       .aside = count,
                       .isFaded = faded,
                       .isHeading = true,
                       .children = std::move(children)});
        all.back().spoken = words(QT_TRANSLATE_NOOP("TreeShape", "%1, guests: %2")).arg(title, count);
    };
    for (auto &[name, children] : sorted)
        add(QLatin1String("group ") + name, DisplayText::visible(name), std::move(children));
    if (!rest.empty())
        add(QStringLiteral("without"), words(without), std::move(rest));
    return all;
}

TreeEntry RemoteShape::storages() const
{
    std::map<QString, TreeEntry> byKey; // a shared storage comes once per node that sees it
    for (const auto &storage : state.storages) {
        auto made = entry(storage);
        if (!fits(made.title))
            continue;
        const auto old = byKey.find(made.key);
        if (old == byKey.end())
            byKey.emplace(made.key, std::move(made));
        else if (old->second.isFaded && storage.isAvailable)
            old->second = std::move(made);
    }
    TreeEntry heading{.key = QStringLiteral("~storage"),
                      .title = words(QT_TRANSLATE_NOOP("TreeShape", "Storage")),
                      .isFaded = faded,
                      .isHeading = true};
    heading.spoken = heading.title;
    for (auto &[key, made] : byKey)
        heading.children.push_back(std::move(made));
    return heading;
}

TreeEntry RemoteShape::whole() const
{
    TreeEntry root{.key = state.remoteId, .selection = {.kind = Selection::Kind::Remote, .remote = state.remoteId}};
    root.title = DisplayText::visible(state.remoteName);
    root.isFaded = faded;
    if (state.reach == InventorySnapshot::Reach::Never)
        root.aside = words(QT_TRANSLATE_NOOP("TreeShape", "not reached yet"));
    else if (faded)
        root.aside = words(QT_TRANSLATE_NOOP("TreeShape", "as of %1")).arg(Quantity::ago(state.takenAtMs, nowMs));
    else if (const auto missing = state.missingNodes().size(); missing > 0)
        root.aside = words(QT_TRANSLATE_NOOP("TreeShape", "%1 of %2 nodes"))
                         .arg(state.nodes.size() - missing)
                         .arg(state.nodes.size());
    root.spoken = words(QT_TRANSLATE_NOOP("TreeShape", "cluster %1")).arg(root.title);
    if (!root.aside.isEmpty())
        root.spoken += QStringLiteral(", ") + root.aside;
    root.toolTip = state.problem.isEmpty() ? root.spoken : root.spoken + u'\n' + DisplayText::visible(state.problem);
    switch (grouping) {
    case Grouping::Nodes: root.children = byNode(); break;
    case Grouping::Pools:
        root.children = byGroup(
            [](const GuestState &guest) { return guest.pool.isEmpty() ? QStringList() : QStringList{guest.pool}; },
            QT_TRANSLATE_NOOP("TreeShape", "No pool"));
        break;
    case Grouping::Tags:
        root.children =
            byGroup([](const GuestState &guest) { return guest.tags; }, QT_TRANSLATE_NOOP("TreeShape", "No tag"));
        break;
    }
    if (auto heading = storages(); grouping == Grouping::Nodes && !heading.children.empty())
        root.children.push_back(std::move(heading));
    return root;
}

/// Two siblings with one key cannot be told apart: the first stands.
static void dropRepeated(std::vector<TreeEntry> &entries)
{
    QSet<QString> seen;
    seen.reserve(static_cast<qsizetype>(entries.size()));
    std::erase_if(entries, [&seen](const TreeEntry &entry) {
        const auto before = seen.size();
        seen.insert(entry.key);
        return seen.size() == before;
    });
    for (auto &entry : entries)
        dropRepeated(entry.children);
}

std::vector<TreeEntry> treeShape(const std::vector<InventoryPtr> &remotes, Grouping grouping, const QString &filter,
                                 qint64 nowMs)
{
    const auto wanted = filter.toLower().split(QChar(u' '), Qt::SkipEmptyParts);
    std::vector<TreeEntry> roots;
    for (const auto &state : remotes) {
        const RemoteShape shape{.state = *state, .grouping = grouping, .wanted = wanted, .nowMs = nowMs};
        auto root = shape.whole();
        if (wanted.isEmpty() || !root.children.empty())
            roots.push_back(std::move(root));
    }
    dropRepeated(roots);
    return roots;
}
