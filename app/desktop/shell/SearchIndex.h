#pragma once
#include "pages/Selection.h"
#include "shell/Palette.h"

class Inventory;

/// Collects what fits a few words, and knows what fits best.
class SearchIndex
{
public:
    /// Lower-case words; all of them must occur.
    explicit SearchIndex(QStringList words) : m_words(std::move(words)) {}
    /// Takes it if it fits. `alsoKnownAs` is searched too but not shown.
    void offer(const QString &title, const QString &aside, Mark mark, std::function<void()> run,
               const QString &alsoKnownAs = {});
    /// Guests, nodes and storages of every connection.
    void offerInventory(const Inventory &inventory, const std::function<void(const Selection &)> &select);
    /// What begins with the first word comes before what only contains it.
    std::vector<PaletteEntry> best() const;

private:
    struct Hit {
        int rank = 0;
        PaletteEntry entry;
    };
    QStringList m_words;
    std::vector<Hit> m_hits;
};
