#include "pages/timeline/TimelineDetail.h"
#include "base/DisplayText.h"
#include "execution/Executor.h"
#include "pages/timeline/TimelineModel.h"
#include "pages/timeline/TimelineWords.h"
#include "widgets/CodeBlock.h"
#include "widgets/DiffView.h"
#include "widgets/FactTable.h"
#include "widgets/Wording.h"
#include "widgets/Words.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

TimelineDetail::TimelineDetail(Executor &executor, QWidget *parent)
    : QScrollArea(parent), m_executor(executor), m_inside(new QWidget)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(m_inside);
    m_inside->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Details of the chosen entry"));
    showNothing(tr("Choose an entry to see what was asked, what changed and what undoes it."));
}

TimelineDetail::~TimelineDetail()
{
    if (!m_preview.isEmpty())
        m_executor.cancel(m_preview);
}

void TimelineDetail::clear()
{
    if (!m_preview.isEmpty())
        m_executor.cancel(std::exchange(m_preview, {}));
    m_undoWords = nullptr;
    m_undo = nullptr;
    delete m_column;
    qDeleteAll(m_inside->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly));
    m_column = new QVBoxLayout(m_inside);
    m_column->setContentsMargins(16, 16, 16, 16);
    m_column->setSpacing(6);
    m_inside->setMinimumHeight(1);
}

void TimelineDetail::showNothing(const QString &words)
{
    clear();
    m_callId.clear();
    auto *label = Words::muted(words, m_inside);
    label->setWordWrap(true);
    m_column->addWidget(label);
    m_column->addStretch();
}

void TimelineDetail::show(const CallDetail &detail)
{
    const auto scrolled = detail.row.callId == m_callId ? verticalScrollBar()->value() : 0;
    clear();
    m_callId = detail.row.callId;
    addTitle(detail.row);
    addFacts(detail);
    addChanges(detail);
    addUndo(detail);
    addRequests(detail);
    addChain(detail);
    m_column->addStretch();
    verticalScrollBar()->setValue(scrolled);
}

void TimelineDetail::addSection(const QString &heading)
{
    m_column->addSpacing(10);
    m_column->addWidget(Words::heading(heading, m_inside));
}

void TimelineDetail::addWords(const QString &words)
{
    auto *label = Words::plain(words, m_inside);
    label->setWordWrap(true);
    m_column->addWidget(label);
}

void TimelineDetail::addTitle(const CallRow &row)
{
    auto *title = Words::title(TimelineWords::what(row), m_inside);
    title->setObjectName(QStringLiteral("what"));
    title->setFont(Words::scaled(font(), 1.2, QFont::Bold));
    title->setWordWrap(true);
    m_column->addWidget(title);
    QStringList parts{tr("entry %1").arg(QLocale().toString(row.seq)), TimelineWords::fullTime(row.atMs)};
    if (const auto took = TimelineWords::took(row); !took.isEmpty())
        parts << took;
    auto *line = Words::muted(parts.join(QStringLiteral(" · ")), m_inside);
    line->setWordWrap(true);
    line->setToolTip(TimelineWords::exactTime(row.atMs, row.utcOffset));
    m_column->addWidget(line);
    m_column->addSpacing(6);
}

static QString who(const CallRow &row)
{
    const auto process = Wording::process(row.actor);
    return process.isEmpty() ? Wording::actor(row.actor) : Wording::actor(row.actor) + QStringLiteral(", ") + process;
}

void TimelineDetail::addFacts(const CallDetail &detail)
{
    const auto &row = detail.row;
    auto *facts = new FactTable(m_inside);
    const auto add = [facts](const QString &label, const QString &value, Tone tone = Tone::Neutral) {
        if (!value.isEmpty())
            facts->add(label, DisplayText::visible(value, true), tone);
    };
    if (!row.operation.isEmpty())
        facts->addExact(tr("Operation"), DisplayText::visible(row.operation));
    add(tr("Target"), row.targetLabel);
    add(tr("Actor"), who(row));
    add(tr("Program"), row.actor.program);
    add(tr("Outcome"), TimelineWords::outcome(row));
    add(tr("Because"), row.error, Tone::Red);
    for (const auto &warning : detail.merged[QStringLiteral("warnings")].toArray())
        add(tr("Warning"), warning.toString());
    add(tr("Decided by"), row.decision);
    add(tr("Your answer"), detail.merged[QStringLiteral("answer")].toString());
    if (!row.reason.isEmpty())
        add(tr("Reason given"), tr("“%1”").arg(row.reason));
    if (!row.upid.isEmpty())
        facts->addExact(tr("Task"), DisplayText::visible(row.upid));
    m_column->addWidget(facts);
}

static std::vector<PlanChange> changesOf(const CallDetail &detail)
{
    std::vector<PlanChange> changes;
    auto kept = detail.merged[QStringLiteral("changes")];
    if (kept.isUndefined())
        kept = detail.merged[QStringLiteral("plan")][QStringLiteral("changes")];
    for (const auto &one : kept.toArray())
        changes.push_back(
            {one[QStringLiteral("key")].toString(), one[QStringLiteral("before")], one[QStringLiteral("after")]});
    return changes;
}

void TimelineDetail::addChanges(const CallDetail &detail)
{
    const auto changes = changesOf(detail);
    if (changes.empty())
        return;
    addSection(tr("Before → after"));
    auto *diff = new DiffView(m_inside);
    diff->set(changes);
    m_column->addWidget(diff);
}

/// What an earlier or later row says about taking this one back; empty if it can be tried.
static QString whyNoUndo(const CallRow &row, const QJsonObject &plan)
{
    if (!row.undoneBy.isEmpty())
        return TimelineDetail::tr("This was undone already.");
    if (row.hasInverse)
        return {};
    if (row.state == CallState::Unknown)
        return TimelineDetail::tr("Nobody knows whether this took effect, so it cannot be undone safely.");
    if (row.state != CallState::Done && row.state != CallState::Warnings)
        return TimelineDetail::tr("Nothing was changed, so there is nothing to undo.");
    const auto planned = plan[QStringLiteral("undo_text")].toString();
    return planned.isEmpty() ? TimelineDetail::tr("Nothing sets this back.") : DisplayText::visible(planned);
}

void TimelineDetail::addUndo(const CallDetail &detail)
{
    const auto &row = detail.row;
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    const bool isChange = row.effect && *row.effect > Effect::Reads;
    if (row.state == CallState::Waiting) {
        addSection(tr("Waiting for you"));
        auto *review = new QPushButton(tr("Review"), m_inside);
        review->setObjectName(QStringLiteral("review"));
        review->setProperty("role", "primary");
        connect(review, &QPushButton::clicked, this, [this] { Q_EMIT reviewAsked(m_callId); });
        buttons->addWidget(review);
    } else if (isChange && row.state != CallState::Running) {
        addSection(tr("Undo"));
        const auto why = whyNoUndo(row, detail.merged[QStringLiteral("plan")].toObject());
        const auto text = detail.merged[QStringLiteral("inverse")][QStringLiteral("text")].toString();
        m_undoWords = Words::plain(why.isEmpty() ? DisplayText::visible(text) : why, m_inside);
        m_undoWords->setObjectName(QStringLiteral("undoWords"));
        m_undoWords->setWordWrap(true);
        m_column->addWidget(m_undoWords);
        if (why.isEmpty()) {
            m_undo = new QPushButton(tr("Undo this change"), m_inside);
            m_undo->setObjectName(QStringLiteral("undo"));
            m_undo->setProperty("role", "primary");
            connect(m_undo, &QPushButton::clicked, this, [this] { undo(m_callId); });
            buttons->addWidget(m_undo);
            askWhatUndoDoes();
        }
    }
    auto *copy = new QPushButton(tr("Copy as JSON"), m_inside);
    copy->setObjectName(QStringLiteral("copyJson"));
    connect(copy, &QPushButton::clicked, this, [text = json(detail)] { QGuiApplication::clipboard()->setText(text); });
    buttons->addWidget(copy);
    buttons->addStretch();
    m_column->addSpacing(4);
    m_column->addLayout(buttons);
}

void TimelineDetail::addRequests(const CallDetail &detail)
{
    QStringList lines;
    for (const auto &one : detail.merged[QStringLiteral("requests")].toArray())
        lines << DisplayText::visible(one.toString());
    if (lines.isEmpty())
        return;
    addSection(detail.merged.contains(QStringLiteral("state")) && detail.row.state == CallState::Waiting
                   ? tr("What would be sent")
                   : tr("What was sent"));
    auto *code = new CodeBlock(lines.join(u'\n'), m_inside);
    code->setObjectName(QStringLiteral("requests"));
    m_column->addWidget(code);
}

static QString shortHash(const QByteArray &hash)
{
    const auto hex = QString::fromLatin1(hash.toHex());
    return hex.size() < 12 ? hex : hex.left(4) + u'…' + hex.right(2);
}

void TimelineDetail::addChain(const CallDetail &detail)
{
    addSection(tr("Chain"));
    auto *line =
        Words::mono(tr("before %1  first %2  last %3")
                        .arg(shortHash(detail.previousHash), shortHash(detail.firstHash), shortHash(detail.lastHash)),
                    m_inside);
    line->setObjectName(QStringLiteral("chain"));
    line->setWordWrap(true);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line->setToolTip(tr("Hashes of the event before this entry, of its first event and of its last event"));
    m_column->addWidget(line);
}

QString TimelineDetail::json(const CallDetail &detail)
{
    auto all = detail.merged;
    all.insert(QStringLiteral("entry"), detail.row.callId);
    all.insert(QStringLiteral("seq"), detail.row.seq);
    all.insert(QStringLiteral("at"), TimelineWords::exactTime(detail.row.atMs, detail.row.utcOffset));
    all.insert(QStringLiteral("state"), callStateName(detail.row.state));
    all.insert(QStringLiteral("hash_before"), QString::fromLatin1(detail.previousHash.toHex()));
    all.insert(QStringLiteral("hash_first"), QString::fromLatin1(detail.firstHash.toHex()));
    all.insert(QStringLiteral("hash_last"), QString::fromLatin1(detail.lastHash.toHex()));
    return QString::fromUtf8(QJsonDocument(all).toJson());
}

static Call undoCall(const QString &callId, bool previewOnly)
{
    return {.operation = QStringLiteral("undo.apply"),
            .arguments = QJsonDocument(QJsonObject{{QStringLiteral("entry"), callId}}).toJson(QJsonDocument::Compact),
            .actor = Actor::person(),
            .reason = {},
            .undoes = {},
            .previewOnly = previewOnly};
}

void TimelineDetail::askWhatUndoDoes()
{
    const auto done = [self = QPointer(this), id = m_callId](const CallResult &preview) {
        if (self && self->m_callId == id)
            self->tellWhatUndoDoes(preview);
    };
    m_preview = m_executor.start(undoCall(m_callId, true), done);
}

void TimelineDetail::tellWhatUndoDoes(const CallResult &preview)
{
    m_preview.clear();
    if (!m_undoWords || !m_undo)
        return;
    if (preview.plan) {
        m_undoWords->setText(tr("Would now: %1. Nothing that this entry changed has changed since.")
                                 .arg(DisplayText::visible(preview.plan->intent)));
        return;
    }
    if (preview.outcome || preview.outcome.error().kind == Error::Kind::Cancelled)
        return;
    const auto &error = preview.outcome.error();
    m_undoWords->setText(DisplayText::visible(error.message));
    const bool mayPass = error.kind == Error::Kind::Unreachable || error.kind == Error::Kind::TimedOut;
    m_undo->setEnabled(mayPass); // no connection now does not mean never
}

void TimelineDetail::undo(const QString &callId)
{
    if (m_undo && m_callId == callId)
        m_undo->setEnabled(false);
    m_executor.start(undoCall(callId, false), [self = QPointer(this), callId](const CallResult &result) {
        if (self && self->m_callId == callId)
            self->undone(result);
    });
}

void TimelineDetail::undone(const CallResult &result)
{
    if (m_undoWords && !result.outcome)
        m_undoWords->setText(tr("Not undone: %1").arg(DisplayText::visible(result.outcome.error().message)));
    if (m_undo && !result.outcome)
        m_undo->setEnabled(true);
}
