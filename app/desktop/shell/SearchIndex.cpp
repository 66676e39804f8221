#include "shell/SearchIndex.h"
#include "inventory/Inventory.h"
#include "widgets/GuestWords.h"
#include <QCoreApplication>

static QString words(const char *text)
{
    return QCoreApplication::translate("SearchIndex", text);
}

void SearchIndex::offer(const QString &title, const QString &aside, Mark mark, std::function<void()> run,
                        const QString &alsoKnownAs)
{
    const auto haystack = QString(title + u' ' + aside + u' ' + alsoKnownAs).toLower();
    const bool fits =
        std::all_of(m_words.begin(), m_words.end(), [&](const QString &word) { return haystack.contains(word); });
    if (!fits)
        return;
    const auto lower = title.toLower();
    const auto rank = lower == m_words.first()            ? 0
                      : lower.startsWith(m_words.first()) ? 1
                      : lower.contains(m_words.first())   ? 2
                                                          : 3;
    m_hits.push_back({rank, {title, aside, mark, std::move(run)}});
}

void SearchIndex::offerInventory(const Inventory &inventory, const std::function<void(const Selection &)> &select)
{
    for (const auto &remote : inventory.snapshots()) {
        for (const auto &guest : remote->guests) {
            const Selection to{.kind = Selection::Kind::Guest, .remote = remote->remoteId, .vmid = guest.vmid};
            offer(
                GuestWords::name(guest),
                QStringLiteral("%1 %2 · %3").arg(GuestWords::kind(guest), guest.vmid.text(), guest.node.text()),
                GuestWords::mark(guest), [select, to] { select(to); }, guest.tags.join(u' '));
        }
        for (const auto &node : remote->nodes) {
            const Selection to{.kind = Selection::Kind::Node, .remote = remote->remoteId, .node = node.name};
            offer(node.name.text(), words(QT_TRANSLATE_NOOP("SearchIndex", "node")),
                  node.status == NodeState::Status::Online ? Mark::Online : Mark::Offline,
                  [select, to] { select(to); });
        }
        for (const auto &storage : remote->storages) {
            Selection to{.kind = Selection::Kind::Storage, .remote = remote->remoteId, .storage = storage.name};
            if (!storage.isShared)
                to.node = storage.node;
            else if (&storage != &*std::find_if(remote->storages.begin(), remote->storages.end(),
                                                [&](const StorageState &other) { return other.name == storage.name; }))
                continue; // a shared one is there once a node
            offer(storage.name.text(),
                  storage.isShared ? words(QT_TRANSLATE_NOOP("SearchIndex", "storage"))
                                   : words(QT_TRANSLATE_NOOP("SearchIndex", "storage on %1")).arg(storage.node.text()),
                  Mark::None, [select, to] { select(to); });
        }
    }
}

std::vector<PaletteEntry> SearchIndex::best() const
{
    auto sorted = m_hits;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Hit &left, const Hit &right) { return left.rank < right.rank; });
    std::vector<PaletteEntry> entries;
    for (const auto &hit : sorted)
        entries.push_back(hit.entry);
    return entries;
}
