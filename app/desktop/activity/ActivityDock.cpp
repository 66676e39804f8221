#include "activity/ActivityDock.h"
#include "activity/ActivityModel.h"
#include "base/Clock.h"
#include "inventory/Inventory.h"
#include "operations/PersonCalls.h"
#include "widgets/RowDelegate.h"
#include "widgets/RowTable.h"
#include "widgets/Words.h"
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

using namespace std::chrono_literals;

ActivityDock::ActivityDock(Inventory &inventory, PersonCalls &calls, QWidget *parent)
    : QWidget(parent), m_inventory(inventory), m_calls(calls), m_model(new ActivityModel(this)),
      m_table(new RowTable(this)), m_empty(Words::muted(tr("Nothing has happened yet."), this))
{
    setObjectName(QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(10, 0, 10, 0);
    all->addWidget(m_table, 1);
    all->addWidget(m_empty, 0, Qt::AlignCenter);
    m_table->setModel(m_model);
    m_table->setItemDelegate(new RowDelegate(m_table));
    m_table->setAccessibleName(tr("Activity"));
    m_table->setMouseTracking(true);
    m_table->installEventFilter(this);
    auto *header = m_table->header();
    header->setStretchLastSection(false);
    const std::array<int, 6> widths{250, 150, 130, 200, 150, 60};
    for (int column = 0; column < ActivityModel::Columns; ++column)
        header->resizeSection(column, widths[static_cast<size_t>(column)]);
    header->setSectionResizeMode(ActivityModel::Progress, QHeaderView::Stretch);
    m_soon.setSingleShot(true);
    m_soon.setInterval(50);
    m_clock.setInterval(1s);
    connect(&m_soon, &QTimer::timeout, this, &ActivityDock::refresh);
    connect(&m_clock, &QTimer::timeout, this, &ActivityDock::refresh);
    connect(&m_inventory, &Inventory::changed, this, [this] { m_soon.start(); });
    connect(&m_calls.executor(), &Executor::changed, this, &ActivityDock::follow);
    connect(m_table, &QAbstractItemView::clicked, this, [this](const QModelIndex &index) {
        if (index.column() == ActivityModel::Stop)
            stop(index.row());
    });
    refresh();
}

void ActivityDock::follow(const ExecutionInfo &info)
{
    if (info.effect == Effect::Reads || info.isPreview)
        return;
    if (info.endedMs != 0) {
        m_ended.push_front(info);
        if (m_ended.size() > mostEnded)
            m_ended.pop_back();
    }
    if (!m_soon.isActive())
        m_soon.start();
}

void ActivityDock::refresh()
{
    auto calls = m_calls.executor().live();
    calls.insert(calls.end(), m_ended.begin(), m_ended.end());
    auto rows = activityRows(calls, m_inventory.snapshots(), Clock::system().wallMs());
    const bool isBusy = std::any_of(rows.begin(), rows.end(), [](const ActivityRow &row) { return row.isRunning; });
    if (isBusy && !m_clock.isActive())
        m_clock.start();
    else if (!isBusy)
        m_clock.stop();
    m_table->setVisible(!rows.empty());
    m_empty->setVisible(rows.empty());
    m_model->show(std::move(rows));
}

/// A call that has sent nothing yet just ends; a task of the cluster is stopped by an operation, which asks back.
void ActivityDock::stop(int at)
{
    auto row = m_model->row(at);
    if (!row.mayStop || (!row.callId.isEmpty() && m_calls.executor().cancel(row.callId)))
        return;
    for (const auto &call : m_calls.executor().live()) // it may have got its task since the row was painted
        if (call.callId == row.callId)
            row.upid = call.upid;
    if (!row.upid.isEmpty())
        m_calls.change(QStringLiteral("task.stop"), {{QStringLiteral("task"), row.upid}});
}

bool ActivityDock::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Delete &&
        m_table->currentIndex().isValid()) {
        stop(m_table->currentIndex().row());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}
