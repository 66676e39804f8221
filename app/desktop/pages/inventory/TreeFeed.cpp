#include "pages/inventory/TreeFeed.h"
#include "async/Deliver.h"
#include "pages/inventory/InventoryTreeModel.h"

using namespace std::chrono_literals;

TreeFeed::TreeFeed(InventoryTreeModel &model, QObject *parent) : QObject(parent), m_model(model)
{
    m_slice.setSingleShot(true);
    m_slice.setInterval(0);
    connect(&m_slice, &QTimer::timeout, this, &TreeFeed::proceed);
}

void TreeFeed::ask(Question question)
{
    if (m_isBusy)
        m_next = std::move(question);
    else
        start(std::move(question));
}

void TreeFeed::start(Question question)
{
    m_isBusy = true;
    // The shape that goes out of date is given up over there, with its many small pieces.
    auto change = m_worker.run<TreeChange>([question = std::move(question),
                                            before = std::move(m_shown)]() mutable -> Result<TreeChange> {
        auto made =
            TreeChange::from(before, treeShape(question.remotes, question.grouping, question.filter, question.nowMs));
        before.reset();
        question.remotes.clear();
        return made;
    });
    deliver<TreeChange>(std::move(change), this, [this](Result<TreeChange> made) {
        if (made)
            take(std::move(*made));
    });
}

void TreeFeed::take(TreeChange change)
{
    m_shown = std::move(change.whole);
    if (change.isNothing)
        return finish(false);
    m_model.take(std::move(change.wanted));
    proceed();
}

void TreeFeed::proceed()
{
    if (m_model.work(6ms))
        finish(true);
    else
        m_slice.start(); // what waits in the loop has its turn first
}

void TreeFeed::finish(bool isNews)
{
    m_isBusy = false;
    if (auto next = std::exchange(m_next, std::nullopt))
        start(std::move(*next));
    Q_EMIT applied(isNews);
}
