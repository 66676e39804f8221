#pragma once
#include "pages/inventory/TreeEntry.h"
#include <QAbstractItemModel>
#include <chrono>
#include <deque>
#include <memory>

/// The inventory tree for a view. It is given how the tree should look and touches only the lines that differ, so that
/// selection, expansion and scroll position survive every update.
class InventoryTreeModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Role { AsideRole = Qt::UserRole, MarkRole, FadedRole, HeadingRole, SelectionRole, KeyRole };
    explicit InventoryTreeModel(QObject *parent = nullptr);
    ~InventoryTreeModel() override;
    /// Shows this at once. What is marked as the same is left alone, and so is all that was below it.
    void show(std::vector<TreeEntry> roots);
    /// The same in pieces: take(), then work() until it says that all is done. What was not done yet is done first.
    void take(std::vector<TreeEntry> roots);
    bool work(std::chrono::milliseconds atMost);
    /// The first line that stands for this thing; invalid if none does.
    QModelIndex find(const Selection &selection) const;
    Selection selection(const QModelIndex &index) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &) const override { return 1; }
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Line;
    Line *line(const QModelIndex &index) const;
    QModelIndex indexOf(const Line *line) const;
    /// What is still to be done: the lines below `parent` are to look like this.
    struct Job {
        Line *parent;
        std::vector<TreeEntry> wanted;
    };
    void reconcile(Line *parent, std::vector<TreeEntry> wanted);
    void settle(Line *line, TreeEntry wanted);
    void arrange(Line *parent, std::vector<TreeEntry> wanted);
    void dropMissing(Line *parent, const std::vector<TreeEntry> &wanted);
    void insertRun(Line *parent, size_t at, std::vector<TreeEntry> run);
    void moveUp(Line *parent, size_t from, size_t to);
    const Line *search(const Line *below, const Selection &selection) const;
    std::unique_ptr<Line> m_root;
    std::deque<Job> m_jobs;
};
