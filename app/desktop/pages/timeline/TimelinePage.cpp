#include "pages/timeline/TimelinePage.h"
#include "async/Deliver.h"
#include "audit/AuditLog.h"
#include "base/DisplayText.h"
#include "pages/timeline/TimelineDetail.h"
#include "pages/timeline/TimelineFilters.h"
#include "pages/timeline/TimelineModel.h"
#include "widgets/Line.h"
#include "widgets/Pill.h"
#include "widgets/RowDelegate.h"
#include "widgets/RowTable.h"
#include "widgets/Words.h"
#include <QDateTime>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

using namespace std::chrono_literals;

TimelinePage::TimelinePage(AuditQuery &query, AuditLog &log, Executor &executor, QWidget *parent)
    : QWidget(parent), m_query(query), m_model(new TimelineModel(query, log, this))
{
    setObjectName(QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    build(executor);
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(300ms);
    connect(&m_redraw, &QTimer::timeout, this, &TimelinePage::drawHistogram);
    connect(m_model, &TimelineModel::loaded, this, &TimelinePage::sayWhatIsMissing);
    connect(m_model, &QAbstractItemModel::rowsInserted, m_empty, &QWidget::hide);
    connect(m_model, &TimelineModel::touched, this, [this](const QSet<QString> &callIds) {
        m_redraw.start();
        if (callIds.contains(m_detail->callId()))
            loadDetail(m_detail->callId());
    });
    m_model->setWatched(false); // until it is shown
    applyFilter();
}

void TimelinePage::showEvent(QShowEvent *event)
{
    m_model->setWatched(true);
    m_redraw.start();
    if (!m_detail->callId().isEmpty())
        loadDetail(m_detail->callId());
    QWidget::showEvent(event);
}

void TimelinePage::hideEvent(QHideEvent *event)
{
    m_model->setWatched(false);
    QWidget::hideEvent(event);
}

void TimelinePage::build(Executor &executor)
{
    m_detail = new TimelineDetail(executor, this);
    connect(m_detail, &TimelineDetail::reviewAsked, this, &TimelinePage::reviewAsked);
    auto *split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(buildTable());
    split->addWidget(m_detail);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 0);
    split->setSizes({880, 400});
    split->setChildrenCollapsible(false);
    m_detail->setMinimumWidth(280);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildTop());
    column->addWidget(new Line(Qt::Horizontal, this));
    column->addWidget(split, 1);
}

QWidget *TimelinePage::buildTop()
{
    auto *top = new QWidget(this);
    auto *column = new QVBoxLayout(top);
    column->setContentsMargins(18, 14, 18, 8);
    column->setSpacing(10);
    auto *row = new QHBoxLayout;
    row->addWidget(Words::title(tr("Timeline"), top));
    row->addStretch();
    m_chain = new Pill({}, Tone::Neutral, top);
    m_chain->setObjectName(QStringLiteral("chainPill"));
    m_chain->hide();
    row->addWidget(m_chain);
    m_verify = new QPushButton(tr("Verify chain"), top);
    m_verify->setObjectName(QStringLiteral("verify"));
    connect(m_verify, &QPushButton::clicked, this, &TimelinePage::verify);
    row->addWidget(m_verify);
    column->addLayout(row);
    m_finding = Words::muted({}, top);
    m_finding->setObjectName(QStringLiteral("finding"));
    m_finding->setWordWrap(true);
    m_finding->hide();
    column->addWidget(m_finding);
    m_filters = new TimelineFilters(top);
    connect(m_filters, &TimelineFilters::changed, this, [this] {
        m_histogram->clearSelection();
        applyFilter();
    });
    column->addWidget(m_filters);
    m_histogram = new HistogramView(top);
    connect(m_histogram, &HistogramView::selected, this, &TimelinePage::applyFilter);
    column->addWidget(m_histogram);
    return top;
}

QWidget *TimelinePage::buildTable()
{
    auto *side = new QWidget(this);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_empty = Words::muted({}, side);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(24);
    m_empty->setWordWrap(true);
    m_empty->hide();
    m_table = new RowTable(side);
    m_table->setObjectName(QStringLiteral("entries"));
    m_table->setAccessibleName(tr("Entries"));
    m_table->setItemDelegate(new RowDelegate(m_table));
    m_table->setModel(m_model);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    const std::pair<int, int> widths[] = {{TimelineModel::Time, 92},  {TimelineModel::Who, 115},
                                          {TimelineModel::What, 290}, {TimelineModel::Target, 125},
                                          {TimelineModel::Harm, 88},  {TimelineModel::Outcome, 132},
                                          {TimelineModel::Action, 64}};
    for (const auto &[section, width] : widths)
        m_table->header()->resizeSection(section, width);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(TimelineModel::What, QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TimelinePage::chosen);
    connect(m_table, &QAbstractItemView::clicked, this, &TimelinePage::clicked);
    connect(m_table, &QWidget::customContextMenuRequested, this, &TimelinePage::openMenu);
    column->addWidget(m_empty);
    column->addWidget(m_table, 1);
    return side;
}

void TimelinePage::applyFilter()
{
    auto filter = m_filters->filter();
    filter.fromMs = m_filters->fromMs(QDateTime::currentMSecsSinceEpoch());
    if (const auto &chosenTime = m_histogram->selection()) {
        filter.fromMs = chosenTime->fromMs;
        if (chosenTime->toMs < m_drawnToMs) // what reaches the right end goes on with the clock
            filter.toMs = chosenTime->toMs;
    }
    m_model->setFilter(filter);
    if (!m_histogram->selection())
        drawHistogram();
}

void TimelinePage::drawHistogram()
{
    const auto now = QDateTime::currentMSecsSinceEpoch();
    auto filter = m_filters->filter();
    filter.fromMs = m_filters->fromMs(now);
    m_histogram->setVisible(filter.fromMs.has_value());
    if (!filter.fromMs || m_histogram->selection())
        return;
    filter.toMs = now + 1;
    const HistogramView::Range range{*filter.fromMs, *filter.toMs};
    deliver<QList<HistogramBucket>>(m_query.histogram(filter, HistogramView::bucketCount), this,
                                    [this, range, drawing = ++m_drawing](Result<QList<HistogramBucket>> buckets) {
                                        if (drawing != m_drawing)
                                            return;
                                        m_drawnToMs = range.toMs;
                                        m_histogram->set(range, buckets.valueOr({}));
                                    });
}

void TimelinePage::sayWhatIsMissing(const QString &problem)
{
    const bool isEmpty = m_model->rows().isEmpty();
    m_empty->setVisible(isEmpty || !problem.isEmpty());
    m_empty->setText(problem.isEmpty() ? tr("Nothing here yet that fits these filters.")
                                       : DisplayText::visible(problem));
    QList<Actor> actors;
    for (const auto &row : m_model->rows())
        if (row.actor.kind == Actor::Kind::Agent && !actors.contains(row.actor))
            actors << row.actor;
    if (m_filters->filter().actorId.isEmpty())
        m_filters->setKnownActors(actors);
}

void TimelinePage::loadDetail(const QString &callId)
{
    deliver<CallDetail>(m_query.detail(callId), this, [this, callId](Result<CallDetail> detail) {
        const auto now = m_table->currentIndex();
        if (!now.isValid() || m_model->rows()[now.row()].callId != callId)
            return;
        if (detail)
            m_detail->show(*detail);
        else
            m_detail->showNothing(DisplayText::visible(detail.error().message));
    });
}

void TimelinePage::chosen()
{
    const auto now = m_table->currentIndex();
    if (!now.isValid()) {
        m_detail->showNothing(tr("Choose an entry to see what was asked, what changed and what undoes it."));
        return;
    }
    const auto &callId = m_model->rows()[now.row()].callId;
    if (callId != m_detail->callId())
        loadDetail(callId);
}

void TimelinePage::clicked(const QModelIndex &index)
{
    if (index.column() != TimelineModel::Action)
        return;
    const auto row = m_model->rows()[index.row()];
    if (TimelineModel::offer(row) == TimelineModel::Offer::Review)
        Q_EMIT reviewAsked(row.callId);
    else if (TimelineModel::offer(row) == TimelineModel::Offer::Undo)
        m_detail->undo(row.callId);
}

void TimelinePage::openMenu(const QPoint &at)
{
    const auto index = m_table->indexAt(at);
    if (!index.isValid())
        return;
    const auto row = m_model->rows()[index.row()];
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!row.target.isEmpty()) {
        const auto label = DisplayText::visible(row.targetLabel);
        menu->addAction(tr("Only %1").arg(QString(label).replace(u'&', QStringLiteral("&&"))), this,
                        [this, key = row.target, label] { showTarget(key, label); });
    }
    if (TimelineModel::offer(row) == TimelineModel::Offer::Review)
        menu->addAction(tr("Review"), this, [this, id = row.callId] { Q_EMIT reviewAsked(id); });
    if (menu->isEmpty())
        delete menu;
    else
        menu->popup(m_table->viewport()->mapToGlobal(at));
}

void TimelinePage::showTarget(const QString &key, const QString &label)
{
    m_filters->setTarget(key, label);
}

void TimelinePage::showEntry(const QString &callId)
{
    if (const int row = m_model->find(callId); row >= 0)
        m_table->setCurrentIndex(m_model->index(row, 0));
}

void TimelinePage::verify()
{
    m_verify->setEnabled(false);
    m_verify->setText(tr("Verifying…"));
    deliver<ChainReport>(m_query.verify(), this, [this](Result<ChainReport> report) {
        m_verify->setEnabled(true);
        m_verify->setText(tr("Verify chain"));
        const bool isWhole = report && report->isWhole;
        const auto words = DisplayText::visible(report ? report->finding : report.error().message);
        m_chain->set(!report   ? tr("not verified")
                     : isWhole ? tr("chain is whole")
                               : tr("chain is broken"),
                     !report   ? Tone::Amber
                     : isWhole ? Tone::Green
                               : Tone::Red);
        m_chain->show();
        m_finding->setText(words);
        m_finding->show();
        Q_EMIT chainVerified(isWhole, words);
    });
}
