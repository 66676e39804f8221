#include "operations/PlanDialog.h"
#include "base/DisplayText.h"
#include "operations/PersonCalls.h"
#include "operations/Requests.h"
#include "widgets/StepList.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

PlanDialog::PlanDialog(PersonCalls &calls, QWidget *parent)
    : QDialog(parent), m_calls(calls), m_scroll(new QScrollArea(this)), m_problem(Words::plain({}, this)),
      m_run(new QPushButton(tr("Run plan"), this))
{
    setObjectName(QStringLiteral("plan"));
    setWindowTitle(tr("Plan"));
    build();
    connect(&calls.draft(), &PlanDraft::changed, this, &PlanDialog::look);
    connect(&calls.draft(), &PlanDraft::added, this, &QDialog::show);
}

void PlanDialog::build()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(22, 20, 22, 18);
    column->setSpacing(12);
    column->addWidget(Words::title(tr("Plan"), this));
    auto *about = Words::muted(
        tr("The steps run in this order and stop at the first that fails. What was done can be undone as one."), this);
    about->setWordWrap(true);
    column->addWidget(about);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    column->addWidget(m_scroll, 1);
    m_problem->setProperty("role", QStringLiteral("bad"));
    m_problem->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->hide();
    column->addWidget(m_problem);
    auto *row = new QHBoxLayout;
    auto *clear = new QPushButton(tr("Throw away"), this);
    clear->setObjectName(QStringLiteral("clear"));
    clear->setAutoDefault(false);
    connect(clear, &QPushButton::clicked, this, [this] {
        m_calls.draft().clear();
        accept();
    });
    row->addWidget(clear);
    row->addStretch(1);
    auto *later = new QPushButton(tr("Add more"), this);
    later->setAutoDefault(false);
    connect(later, &QPushButton::clicked, this, &QDialog::hide);
    row->addWidget(later);
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setProperty("role", QStringLiteral("primary"));
    connect(m_run, &QPushButton::clicked, this, &PlanDialog::run);
    row->addWidget(m_run);
    column->addLayout(row);
    resize(620, 520);
}

/// Asks what each step would do now.
void PlanDialog::look()
{
    m_looking = std::make_shared<int>();
    delete m_scroll->takeWidget();
    m_list = nullptr;
    say({});
    m_run->setEnabled(false);
    const auto &steps = m_calls.draft().steps();
    if (steps.isEmpty())
        return;
    Call call;
    call.operation = QStringLiteral("plan.run");
    call.arguments = arguments({{QStringLiteral("steps"), steps}});
    call.actor = Actor::person();
    call.previewOnly = true;
    m_calls.executor().start(std::move(call), [self = QPointer<PlanDialog>(this),
                                               looking = std::weak_ptr<int>(m_looking)](const CallResult &preview) {
        if (self && looking.lock() == self->m_looking)
            self->showPreview(preview);
    });
}

void PlanDialog::showPreview(const CallResult &preview)
{
    if (!preview.plan) {
        say(preview.outcome ? QString() : preview.outcome.error().message);
        return;
    }
    m_list = new StepList(preview.plan->steps, m_scroll);
    m_scroll->setWidget(m_list);
    m_list->setAutoFillBackground(false);
    connect(m_list, &StepList::changed, this, [this] { m_run->setEnabled(!m_list->isNothingLeft()); });
    m_run->setEnabled(true);
}

void PlanDialog::say(const QString &problem)
{
    m_problem->setText(DisplayText::visible(problem, true));
    m_problem->setVisible(!problem.isEmpty());
}

QJsonObject PlanDialog::chosen() const
{
    QJsonArray steps;
    const auto &all = m_calls.draft().steps();
    const auto leftOut = m_list->leftOut();
    for (int index = 0; index < all.size(); ++index)
        if (!leftOut.contains(index))
            steps.append(all[index]);
    return {{QStringLiteral("steps"), steps}};
}

void PlanDialog::run()
{
    m_run->setEnabled(false);
    m_calls.change(
        QStringLiteral("plan.run"), chosen(), this,
        [this](const CallResult &result) {
            if (result.state == CallState::Refused || result.state == CallState::Denied) {
                look();
                say(result.outcome ? QString() : result.outcome.error().message);
                return;
            }
            m_calls.draft().clear();
            accept();
        },
        true);
}
