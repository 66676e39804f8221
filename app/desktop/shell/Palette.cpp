#include "shell/Palette.h"
#include "shell/PaletteDelegate.h"
#include <QFocusEvent>
#include <QKeyEvent>
#include <QListView>
#include <QShortcut>
#include <QStandardItemModel>

Palette::Palette(QWidget *parent) : QLineEdit(parent), m_list(new QListView(window())), m_rows(new QStandardItemModel(this))
{
    setObjectName(QStringLiteral("palette"));
    setPlaceholderText(tr("Search guests, nodes, actions…  Ctrl+K"));
    setAccessibleName(tr("Search guests, nodes, pages and actions"));
    setMinimumWidth(280);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("What was found"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setModel(m_rows);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->hide();
    auto *open = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_K), this, nullptr, nullptr, Qt::WindowShortcut);
    connect(open, &QShortcut::activated, this, [this] {
        setFocus(Qt::ShortcutFocusReason);
        selectAll();
    });
    connect(this, &QLineEdit::textEdited, this, &Palette::search);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex &index) { run(index.row()); });
}

void Palette::search()
{
    m_rows->clear();
    m_found.clear();
    const auto words = text().toLower().split(QChar(u' '), Qt::SkipEmptyParts);
    if (m_source && !words.isEmpty())
        m_found = m_source(words);
    if (m_found.size() > most)
        m_found.resize(most);
    for (const auto &entry : m_found) {
        auto *item = new QStandardItem(entry.title);
        item->setData(entry.aside, PaletteDelegate::AsideRole);
        item->setData(static_cast<int>(entry.mark), PaletteDelegate::MarkRole);
        item->setData(tr("%1, %2").arg(entry.title, entry.aside), Qt::AccessibleTextRole);
        m_rows->appendRow(item);
    }
    if (!words.isEmpty() && m_found.empty()) {
        auto *none = new QStandardItem(tr("Nothing fits."));
        none->setFlags(Qt::NoItemFlags);
        m_rows->appendRow(none);
    }
    m_list->setVisible(!words.isEmpty());
    if (!m_found.empty())
        m_list->setCurrentIndex(m_rows->index(0, 0));
    place();
}

void Palette::place()
{
    if (m_list->parentWidget() != window())
        m_list->setParent(window());
    const auto corner = mapTo(window(), QPoint(0, height() + 4));
    const auto rowHeight = m_list->sizeHintForRow(0);
    const auto listWidth = std::max(width(), 380);
    m_list->setGeometry(corner.x() + width() - listWidth, corner.y(), listWidth, m_rows->rowCount() * std::max(rowHeight, 20) + 10);
    if (!text().isEmpty())
        m_list->show();
    m_list->raise();
}

void Palette::run(int row)
{
    if (row < 0 || row >= static_cast<int>(m_found.size()))
        return;
    const auto go = m_found[static_cast<size_t>(row)].run;
    m_list->hide();
    clear();
    clearFocus();
    go();
}

void Palette::keyPressEvent(QKeyEvent *event)
{
    const auto now = m_list->currentIndex().row();
    switch (event->key()) {
    case Qt::Key_Down: m_list->setCurrentIndex(m_rows->index(std::min(now + 1, m_rows->rowCount() - 1), 0)); return;
    case Qt::Key_Up: m_list->setCurrentIndex(m_rows->index(std::max(now - 1, 0), 0)); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: run(now); return;
    case Qt::Key_Escape:
        m_list->hide();
        clear();
        clearFocus();
        return;
    default: QLineEdit::keyPressEvent(event);
    }
}

void Palette::focusInEvent(QFocusEvent *event)
{
    QLineEdit::focusInEvent(event);
    if (!text().isEmpty())
        search();
}

void Palette::focusOutEvent(QFocusEvent *event)
{
    QLineEdit::focusOutEvent(event);
    m_list->hide();
}
