#include "pages/inventory/InventoryPage.h"
#include "base/Clock.h"
#include "inventory/Inventory.h"
#include "pages/inventory/InventoryTree.h"
#include "pages/inventory/InventoryTreeModel.h"
#include "pages/inventory/TreeFeed.h"
#include "widgets/SegmentedControl.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

using namespace std::chrono_literals;

InventoryPage::InventoryPage(Inventory &inventory, QWidget *parent)
    : QWidget(parent), m_inventory(inventory), m_model(new InventoryTreeModel(this)),
      m_feed(new TreeFeed(*m_model, this)), m_tree(new InventoryTree(this)), m_filter(new QLineEdit(this)),
      m_grouping(new SegmentedControl({tr("Nodes"), tr("Pools"), tr("Tags")}, this)),
      m_columns(new QSplitter(Qt::Horizontal, this)), m_rows(new QSplitter(Qt::Vertical, this)),
      m_details(new QStackedWidget(this)), m_empty(Words::muted(tr("Nothing is selected."), this)),
      m_connect(new QPushButton(tr("Connect a cluster…"), this)), m_manage(new QPushButton(tr("Manage…"), this))
{
    m_tree->setModel(m_model);
    m_empty->setAlignment(Qt::AlignCenter);
    m_details->addWidget(m_empty);
    m_rows->addWidget(m_details);
    m_rows->setChildrenCollapsible(false);
    m_columns->addWidget(makeSidebar());
    m_columns->addWidget(m_rows);
    m_columns->setStretchFactor(1, 1);
    m_columns->setChildrenCollapsible(false);
    m_columns->setSizes({251, 1029});
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_columns);

    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    m_ages.setInterval(20s);
    connect(&m_soon, &QTimer::timeout, this, &InventoryPage::refresh);
    connect(&m_ages, &QTimer::timeout, this, &InventoryPage::refresh);
    connect(&m_inventory, &Inventory::changed, &m_soon, qOverload<>(&QTimer::start));
    connect(m_feed, &TreeFeed::applied, this, &InventoryPage::settle);
    connect(m_filter, &QLineEdit::textChanged, this, &InventoryPage::refresh);
    connect(m_grouping, &SegmentedControl::chosen, this, &InventoryPage::refresh);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &now) {
        if (!m_isRefreshing && now.isValid())
            showDetail(m_model->selection(now));
    });
    connect(m_tree, &QTreeView::collapsed, this, &InventoryPage::keepExpansion);
    connect(m_tree, &QTreeView::expanded, this, &InventoryPage::keepExpansion);
    m_ages.start();
    refresh();
}

QWidget *InventoryPage::makeSidebar()
{
    auto *sidebar = new QWidget(this);
    sidebar->setObjectName(QStringLiteral("sidebar"));
    sidebar->setAttribute(Qt::WA_StyledBackground);
    sidebar->setMinimumWidth(180);
    m_filter->setPlaceholderText(tr("Filter…"));
    m_filter->setAccessibleName(tr("Filter the inventory"));
    m_filter->setClearButtonEnabled(true);
    m_grouping->setAccessibleName(tr("Group guests by"));
    auto *head = new QVBoxLayout;
    head->setContentsMargins(10, 10, 10, 8);
    head->setSpacing(10);
    head->addWidget(m_filter);
    head->addWidget(m_grouping);
    auto *column = new QVBoxLayout(sidebar);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_tree, 1);
    m_connect->setObjectName(QStringLiteral("connectCluster"));
    m_connect->setProperty("role", QStringLiteral("link"));
    m_connect->hide();
    connect(m_connect, &QPushButton::clicked, this, &InventoryPage::connectAsked);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(10, 6, 10, 8);
    foot->addWidget(m_connect);
    m_manage->setObjectName(QStringLiteral("manageConnections"));
    m_manage->setProperty("role", QStringLiteral("link"));
    m_manage->hide();
    connect(m_manage, &QPushButton::clicked, this, &InventoryPage::connectionsAsked);
    foot->addStretch();
    foot->addWidget(m_manage);
    column->addLayout(foot);
    auto *find = new QShortcut(QKeySequence::Find, this);
    connect(find, &QShortcut::activated, this, [this] {
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
    return sidebar;
}

void InventoryPage::setConnectable(bool connectable)
{
    m_connect->setVisible(connectable);
    m_manage->setVisible(connectable);
}

void InventoryPage::setDetail(Selection::Kind kind, DetailPage *page)
{
    m_pages[kind] = page;
    m_details->addWidget(page);
    if (m_selection.kind == kind)
        showDetail(m_selection);
}

void InventoryPage::setDock(QWidget *dock)
{
    m_rows->addWidget(dock);
    m_rows->setStretchFactor(0, 1);
    m_rows->setStretchFactor(1, 0);
    m_rows->setSizes({600, 150});
}

/// Asks for the tree as it should look now; settle() follows when it looks so.
void InventoryPage::refresh()
{
    m_feed->ask({m_inventory.snapshots(), static_cast<Grouping>(m_grouping->current()), m_filter->text(),
                 Clock::system().wallMs()});
}

void InventoryPage::settle(bool isNews)
{
    if (isNews) {
        m_isRefreshing = true;
        if (m_filter->text().isEmpty())
            expandAtFirst();
        else
            m_tree->expandAll();
        m_isRefreshing = false;
    }
    if (!selectWanted())
        m_tree->selectionModel()->clear();
    if (m_selection.kind == Selection::Kind::Nothing && m_wanted.kind == Selection::Kind::Nothing &&
        m_model->rowCount() > 0)
        m_tree->setCurrentIndex(m_model->index(0, 0)); // something to begin with
}

/// Puts the tree on what is wanted or shown; false if it is not in the tree.
bool InventoryPage::selectWanted()
{
    const bool isWanted = m_wanted.kind != Selection::Kind::Nothing;
    const auto selection = isWanted ? m_wanted : m_selection;
    if (m_model->selection(m_tree->currentIndex()) != selection) {
        const auto index = m_model->find(selection);
        if (!index.isValid())
            return false;
        m_isRefreshing = true;
        m_tree->setCurrentIndex(index);
        m_tree->scrollTo(index);
        m_isRefreshing = false;
    }
    if (isWanted)
        showDetail(selection);
    return true;
}

/// What names a line for good: the keys from the root down.
static QString pathOf(const QModelIndex &index)
{
    const auto key = index.data(InventoryTreeModel::KeyRole).toString();
    return index.parent().isValid() ? pathOf(index.parent()) + u'/' + key : key;
}

/// Everything is open but what a person folded.
void InventoryPage::expandAtFirst()
{
    const std::function<void(const QModelIndex &)> open = [&](const QModelIndex &parent) {
        for (int row = 0; row < m_model->rowCount(parent); ++row) {
            const auto index = m_model->index(row, 0, parent);
            if (!m_model->hasChildren(index))
                continue;
            const auto fold = m_folded.contains(pathOf(index));
            if (m_tree->isExpanded(index) == fold)
                m_tree->setExpanded(index, !fold);
            open(index);
        }
    };
    open({});
}

void InventoryPage::keepExpansion()
{
    if (m_isRefreshing || !m_filter->text().isEmpty())
        return;
    QStringList folded;
    const std::function<void(const QModelIndex &)> look = [&](const QModelIndex &parent) {
        for (int row = 0; row < m_model->rowCount(parent); ++row) {
            const auto index = m_model->index(row, 0, parent);
            if (m_model->hasChildren(index) && !m_tree->isExpanded(index))
                folded << pathOf(index);
            look(index);
        }
    };
    look({});
    m_folded = folded;
}

void InventoryPage::showDetail(Selection selection)
{
    if (selection.kind == Selection::Kind::Nothing)
        return;
    m_wanted = {};
    const auto isNew = m_selection != selection;
    m_selection = selection;
    const auto page = m_pages.find(selection.kind);
    if (page == m_pages.end()) {
        m_details->setCurrentWidget(m_empty);
    } else {
        page->second->show(selection);
        m_details->setCurrentWidget(page->second);
    }
    if (isNew)
        Q_EMIT selected(selection);
}

void InventoryPage::select(const Selection &selection)
{
    m_wanted = selection;
    if (selectWanted())
        return;
    if (m_filter->text().isEmpty())
        refresh();
    else
        m_filter->clear(); // asks again by itself
}

void InventoryPage::save(QSettings &settings) const
{
    settings.setValue(QStringLiteral("inventory/columns"), m_columns->saveState());
    settings.setValue(QStringLiteral("inventory/rows"), m_rows->saveState());
    settings.setValue(QStringLiteral("inventory/grouping"), m_grouping->current());
    settings.setValue(QStringLiteral("inventory/folded"), m_folded);
    settings.setValue(QStringLiteral("inventory/selection"), m_selection.text());
}

void InventoryPage::restore(const QSettings &settings)
{
    m_columns->restoreState(settings.value(QStringLiteral("inventory/columns")).toByteArray());
    m_rows->restoreState(settings.value(QStringLiteral("inventory/rows")).toByteArray());
    m_grouping->setCurrent(std::clamp(settings.value(QStringLiteral("inventory/grouping")).toInt(), 0, 2));
    m_folded = settings.value(QStringLiteral("inventory/folded")).toStringList();
    m_wanted = Selection::fromText(settings.value(QStringLiteral("inventory/selection")).toString());
    refresh();
}
