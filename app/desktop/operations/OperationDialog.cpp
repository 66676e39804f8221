#include "operations/OperationDialog.h"
#include "base/DisplayText.h"
#include "operations/AnswerTree.h"
#include "operations/Operation.h"
#include "operations/OperationForm.h"
#include "operations/PersonCalls.h"
#include "operations/Requests.h"
#include "operations/UndoMark.h"
#include "widgets/Words.h"
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

OperationDialog::OperationDialog(const Operation &operation, const QString &target, QJsonObject fixed,
                                 const QStringList &hidden, PersonCalls &calls, QWidget *parent)
    : QDialog(parent), m_operation(operation), m_calls(calls),
      m_form(new OperationForm(operation, std::move(fixed), hidden, this)), m_problem(Words::plain({}, this)),
      m_go(new QPushButton(operation.title.translated(), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(operation.title.translated());
    build(target);
    connect(m_go, &QPushButton::clicked, this, &OperationDialog::run);
    connect(m_form, &OperationForm::edited, this, [this] { say({}); });
    connect(&calls.executor(), &Executor::changed, this, &OperationDialog::follow);
}

void OperationDialog::build(const QString &target)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(22, 20, 22, 18);
    column->setSpacing(14);
    const auto about = m_operation.title.translated();
    auto *title = Words::title(target.isEmpty() ? about : tr("%1 · %2").arg(about, target), this);
    title->setFont(Words::scaled(font(), 1.25, QFont::Bold));
    title->setWordWrap(true);
    column->addWidget(title);
    auto *summary = Words::muted(m_operation.summary.translated(), this);
    summary->setWordWrap(true);
    column->addWidget(summary);
    column->addWidget(m_form);
    if (m_operation.isRead()) {
        m_answer = new AnswerTree(this);
        m_answer->hide();
        column->addWidget(m_answer, 1);
    } else {
        column->addStretch(1);
    }
    m_problem->setProperty("role", QStringLiteral("bad"));
    m_problem->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->hide();
    column->addWidget(m_problem);

    column->addLayout(answers());
    setMinimumWidth(440);
}

QHBoxLayout *OperationDialog::answers()
{
    auto *row = new QHBoxLayout;
    if (!m_operation.isRead()) {
        auto *mark = new QLabel(this);
        mark->setPixmap(UndoMark::icon(m_operation.undo, palette()).pixmap(16, 16));
        row->addWidget(mark);
        row->addWidget(Words::muted(UndoMark::words(m_operation.undo), this));
    }
    row->addStretch(1);
    if (!m_operation.isRead()) {
        auto *later = new QPushButton(tr("Add to a plan"), this);
        later->setObjectName(QStringLiteral("addToPlan"));
        later->setToolTip(tr("Collects several changes, to see and run them together."));
        later->setAutoDefault(false);
        connect(later, &QPushButton::clicked, this, &OperationDialog::addToPlan);
        row->addWidget(later);
    }
    auto *cancel = new QPushButton(m_operation.isRead() ? tr("Close") : tr("Cancel"), this);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    row->addWidget(cancel);
    m_go->setProperty("role",
                      m_operation.effect == Effect::Destroys ? QStringLiteral("danger") : QStringLiteral("primary"));
    m_go->setObjectName(QStringLiteral("go"));
    m_go->setDefault(true);
    row->addWidget(m_go);
    return row;
}

void OperationDialog::say(const QString &problem)
{
    m_problem->setText(DisplayText::visible(problem, true));
    m_problem->setVisible(!problem.isEmpty());
}

void OperationDialog::setBusy(bool busy)
{
    m_form->setEnabled(!busy);
    m_go->setEnabled(!busy);
    m_go->setText(busy ? tr("Working…") : m_operation.title.translated());
}

std::optional<QJsonObject> OperationDialog::checked()
{
    auto json = m_form->arguments(m_onlyChanges);
    if (m_finish)
        json = m_finish(std::move(json));
    if (const auto fits = m_operation.parse(arguments(json)); !fits) {
        say(fits.error().message);
        return {};
    }
    return json;
}

void OperationDialog::addToPlan()
{
    if (const auto json = checked()) {
        m_calls.draft().add(m_operation.id, *json);
        accept();
    }
}

void OperationDialog::run()
{
    const auto json = checked();
    if (!json)
        return;
    setBusy(true);
    if (m_operation.isRead()) {
        m_calls.read(m_operation.id, *json, this, [this](const Result<QJsonValue> &answer) { showAnswer(answer); });
        return;
    }
    const auto ended = [this](const CallResult &result) {
        if (result.state == CallState::Refused || result.state == CallState::Denied) {
            m_callId.clear();
            setBusy(false);
            say(result.outcome ? QString() : result.outcome.error().message);
        } else {
            accept();
        }
    };
    m_callId = QStringLiteral("starting");
    const auto id = m_calls.change(m_operation.id, *json, this, ended, true);
    if (m_callId == QLatin1String("starting"))
        m_callId = id;
}

void OperationDialog::showAnswer(const Result<QJsonValue> &answer)
{
    setBusy(false);
    say(answer ? QString() : answer.error().message);
    m_answer->setVisible(static_cast<bool>(answer));
    if (!answer)
        return;
    m_answer->set(*answer);
    resize(std::max(width(), 640), std::max(height(), 560));
}

/// PVE has taken the change: the rest is to be seen in the activity list.
void OperationDialog::follow(const ExecutionInfo &info)
{
    if (!m_callId.isEmpty() && info.callId == m_callId && !info.upid.isEmpty() && info.endedMs == 0)
        accept();
}
