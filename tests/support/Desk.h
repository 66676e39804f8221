#pragma once
#include "approval/ApprovalDialog.h"
#include "approval/ApprovalQueue.h"
#include "execution/Executor.h"
#include "execution/UndoLog.h"
#include "operations/Catalogue.h"
#include "support/AuditBook.h"
#include "support/TestCluster.h"
#include <QJsonDocument>
#include <QLineEdit>
#include <QPushButton>
#include <QWidget>

/// A person's desk in a test: a simulated cluster, the audit log, the executor with the whole catalogue, and the real
/// queue of approvals over a window. `QVERIFY(desk.isReady())` first.
class Desk
{
public:
    explicit Desk(const TestClusterOptions &options = {}) : cluster(options)
    {
        isOpen = static_cast<bool>(book.open());
        policy.grant(QStringLiteral("claude-code"), Preset::AskForWrites);
        window.resize(1280, 800);
        window.show();
        QObject::connect(executor.get(), &Executor::clusterChanged, cluster.poller.get(),
                         [this] { Q_UNUSED(cluster.poller->refresh()); });
    }
    ~Desk() { executor.reset(); }

    bool isReady() const { return isOpen && cluster.isFilled(); }
    static Call call(const char *operation, const QJsonObject &arguments, const Actor &actor = Actor::person())
    {
        Call made;
        made.operation = QLatin1String(operation);
        made.arguments = QJsonDocument(arguments).toJson(QJsonDocument::Compact);
        made.actor = actor;
        return made;
    }
    /// Starts a call; its end is put into `ended` when it is there.
    QString start(const Call &made, std::shared_ptr<std::optional<CallResult>> ended = {})
    {
        return executor->start(made, [ended](const CallResult &result) {
            if (ended)
                *ended = result;
        });
    }
    /// Runs a call that nobody has to answer, to its end.
    CallResult run(const Call &made)
    {
        const auto ended = std::make_shared<std::optional<CallResult>>();
        start(made, ended);
        if (!QTest::qWaitFor([&] { return ended->has_value(); }, 20000))
            return {QString(), CallState::Unknown, Error{Error::Kind::TimedOut, QStringLiteral("no end")}, nullptr};
        return **ended;
    }
    /// Answers the open dialog as a person would: types the id if it is wanted, waits until Allow works, clicks it.
    bool allowOpenDialog()
    {
        auto *dialog = queue.dialog();
        if (!dialog)
            return false;
        if (auto *field = dialog->findChild<QLineEdit *>(QStringLiteral("typedId")))
            QTest::keyClicks(field, dialog->wantedId());
        auto *allow = dialog->findChild<QPushButton *>(QStringLiteral("allow"));
        if (!QTest::qWaitFor([allow] { return allow->isEnabled(); }))
            return false;
        QTest::mouseClick(allow, Qt::LeftButton);
        return true;
    }

    TestCluster cluster;
    AuditBook book;
    bool isOpen = false;
    UndoLog undo{book.query()};
    Services services{cluster.connections, cluster.inventory, undo, undo, Clock::system()};
    Catalogue catalogue;
    Policy policy;
    Limits limits{Clock::system()};
    QWidget window;
    ApprovalQueue queue{&window};
    std::unique_ptr<Executor> executor = std::make_unique<Executor>(
        ExecutorParts{catalogue, services, policy, limits, book.log(), queue, Clock::system()});
};
