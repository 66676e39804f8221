#pragma once
#include "base/Background.h"
#include "pages/inventory/TreeChange.h"
#include "pages/inventory/TreeShape.h"
#include <QTimer>
#include <optional>

class InventoryTreeModel;

/// Brings the model to the tree that is asked for: a worker finds out what differs, the window's thread applies it in
/// pieces too small to be felt.
class TreeFeed : public QObject
{
    Q_OBJECT
public:
    /// `model` is borrowed, empty, and shown to by nobody else.
    explicit TreeFeed(InventoryTreeModel &model, QObject *parent = nullptr);

    /// What the tree is to show.
    struct Question {
        std::vector<InventoryPtr> remotes;
        Grouping grouping = Grouping::Nodes;
        QString filter = {};
        qint64 nowMs = 0;
    };
    /// While one question is worked at, only the latest of those that follow is kept.
    void ask(Question question);
    bool isIdle() const { return !m_isBusy; }

Q_SIGNALS:
    /// The tree shows what was asked for last. `isNews` false: it looked like that already.
    void applied(bool isNews);

private:
    void start(Question question);
    void take(TreeChange change);
    void proceed();
    void finish(bool isNews);

    InventoryTreeModel &m_model;
    TreeChange::Shape m_shown;
    std::optional<Question> m_next;
    bool m_isBusy = false;
    QTimer m_slice;
    Background m_worker;
};
