#include "pages/guest/SnapshotsTab.h"
#include "base/DisplayText.h"
#include "operations/OperationAction.h"
#include "operations/OperationButton.h"
#include "operations/OperationDialog.h"
#include "operations/PersonCalls.h"
#include "widgets/Quantity.h"
#include "widgets/RowDelegate.h"
#include "widgets/RowTable.h"
#include "widgets/Words.h"
#include <QHeaderView>
#include <QStandardItemModel>
#include <QVBoxLayout>

static constexpr int nameRole = Qt::UserRole;

SnapshotsTab::SnapshotsTab(PersonCalls &calls, QWidget *parent)
    : QWidget(parent), m_calls(calls), m_model(new QStandardItemModel(this)), m_table(new RowTable(this)),
      m_empty(Words::muted({}, this))
{
    setObjectName(QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(18, 12, 18, 12);
    bar->setSpacing(8);
    const auto action = [&](const char *id, bool asksFirst) {
        auto *made = new OperationAction(*calls.catalogue().find(QLatin1String(id)), asksFirst, this);
        bar->addWidget(new OperationButton(made, this));
        return made;
    };
    m_take = action("snapshot.create", true);
    m_rollBack = action("snapshot.rollback", true);
    m_delete = action("snapshot.delete", false);
    bar->addStretch(1);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(bar);
    all->addWidget(m_empty, 0, Qt::AlignHCenter);
    all->addWidget(m_table, 1);
    m_table->setModel(m_model);
    m_table->setRootIsDecorated(true);
    m_table->setItemDelegate(new RowDelegate(m_table));
    m_table->setAccessibleName(tr("Snapshots"));
    connect(m_take, &QAction::triggered, this, &SnapshotsTab::takeAsked);
    connect(m_rollBack, &QAction::triggered, this, &SnapshotsTab::rollBack);
    connect(m_delete, &QAction::triggered, this, &SnapshotsTab::remove);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SnapshotsTab::allow);
    allow();
}

void SnapshotsTab::show(const GuestView &view)
{
    const bool isOther = std::exchange(m_shownKey, view.key()) != view.key();
    m_view = view;
    if (isOther) {
        m_model->clear();
        m_empty->setText(tr("Not read yet."));
        m_empty->show();
    }
    allow();
}

void SnapshotsTab::load()
{
    if (!m_view.isLive())
        return;
    const auto asked = m_shownKey;
    m_calls.read(QStringLiteral("snapshot.list"), {{QStringLiteral("guest"), asked}}, this,
                 [this, asked](const Result<QJsonValue> &answer) {
                     if (asked != m_shownKey)
                         return;
                     if (answer) {
                         fill(answer->toObject());
                     } else {
                         m_empty->setText(DisplayText::visible(answer.error().message));
                         m_empty->setVisible(m_model->rowCount() == 0);
                     }
                 });
}

QList<QStandardItem *> SnapshotsTab::row(const QJsonObject &snapshot) const
{
    const auto name = snapshot[QLatin1String("name")].toString();
    auto *first = new QStandardItem(DisplayText::visible(name));
    first->setData(name, nameRole);
    const auto time = snapshot[QLatin1String("time")];
    auto *taken =
        new QStandardItem(time.isUndefined() ? Quantity::unknown() : Quantity::moment(time.toInteger() * 1000));
    auto *memory = new QStandardItem(snapshot[QLatin1String("memory")].toBool() ? tr("yes") : tr("no"));
    auto *note = new QStandardItem(DisplayText::visible(snapshot[QLatin1String("description")].toString()));
    for (auto *item : {taken, memory, note})
        item->setData(true, RowDelegate::MutedRole);
    return {first, taken, memory, note};
}

void SnapshotsTab::fill(const QJsonObject &answer)
{
    const auto kept = selectedName();
    m_model->clear();
    m_model->setHorizontalHeaderLabels({tr("Name"), tr("Taken"), tr("With memory"), tr("Note")});
    const auto snapshots = answer[QLatin1String("snapshots")].toArray();
    QHash<QString, QStandardItem *> byName;
    for (const auto &entry : snapshots) { // oldest first, so a parent comes before its children
        const auto items = row(entry.toObject());
        auto *parent = byName.value(entry[QLatin1String("parent")].toString(), m_model->invisibleRootItem());
        parent->appendRow(items);
        byName.insert(items.first()->data(nameRole).toString(), items.first());
    }
    if (!snapshots.isEmpty()) {
        auto *here = new QStandardItem(tr("You are here"));
        here->setData(static_cast<int>(Tone::Blue), RowDelegate::PillRole);
        here->setSelectable(false);
        byName.value(answer[QLatin1String("present_state_follows")].toString(), m_model->invisibleRootItem())
            ->appendRow(here);
    }
    m_table->expandAll();
    m_table->setColumnWidth(0, 300);
    m_table->setColumnWidth(1, 180);
    m_table->setColumnWidth(2, 110);
    m_table->setVisible(!snapshots.isEmpty());
    m_empty->setVisible(snapshots.isEmpty());
    m_empty->setText(tr("This guest has no snapshots."));
    if (auto *item = byName.value(kept))
        m_table->setCurrentIndex(item->index());
    allow();
    Q_EMIT listed(snapshots);
}

QString SnapshotsTab::selectedName() const
{
    const auto rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? QString() : rows.first().data(nameRole).toString();
}

void SnapshotsTab::allow()
{
    const bool mayChange = m_view.isLive() && m_view.guest.power != GuestState::Power::Unknown;
    m_take->setEnabled(mayChange && !m_view.guest.isTemplate);
    m_rollBack->setEnabled(mayChange && !selectedName().isEmpty());
    m_delete->setEnabled(mayChange && !selectedName().isEmpty());
}

void SnapshotsTab::rollBack()
{
    const auto name = selectedName();
    auto *dialog = new OperationDialog(
        m_rollBack->operation(), m_view.ref().label() + QStringLiteral(" → ") + DisplayText::visible(name),
        {{QStringLiteral("guest"), m_view.key()}, {QStringLiteral("name"), name}}, {}, m_calls, window());
    dialog->open();
}

void SnapshotsTab::remove()
{
    m_calls.change(QStringLiteral("snapshot.delete"),
                   {{QStringLiteral("guest"), m_view.key()}, {QStringLiteral("name"), selectedName()}});
}
