#include "tour/Tour.h"
#include "approval/ApprovalDialog.h"
#include "approval/ApprovalQueue.h"
#include "demo/DemoCluster.h"
#include "operations/PersonCalls.h"
#include "pages/inventory/InventoryTree.h"
#include "shell/MainWindow.h"
#include "shell/Theme.h"
#include "support/Await.h"
#include "support/BridgeClient.h"
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QTest>
#include <cstdio>

Tour::Tour(QString folder) : m_folder(std::move(folder)) {}

Tour::~Tour()
{
    m_agent.reset();
    m_application.reset();
}

bool Tour::run()
{
    return step("start", "The window opens and offers to connect", [this] { return start(); }) &&
           step("certificate", "The certificate is shown before anything is sent",
                [this] { return lookAtCertificate(); }) &&
           step("connected", "It is trusted, the token is checked and kept", [this] { return signIn(); }) &&
           step("tree", "The tree shows nodes and guests", [this] { return fillTree(); }) &&
           step("guest", "A guest's summary shows live charts", [this] { return openGuest(); }) &&
           step("change", "Its memory is changed by mouse", [this] { return changeMemory(); }) &&
           step("undone", "The toast takes the change back", [this] { return undoFromToast(); }) &&
           step("snapshot", "A snapshot is taken", [this] { return takeSnapshot(); }) &&
           step("agent", "An agent is paired", [this] { return pairAgent(); }) &&
           step("agent-reads", "The agent lists the guests", [this] { return listAsAgent(); }) &&
           step("asks", "The agent asks for a rollback; nothing is sent", [this] { return askForRollback(); }) &&
           step("allowed", "The id is typed, Allow is clicked, the task ends", [this] { return allowRollback(); }) &&
           step("timeline", "The timeline has the row with its before-state",
                [this] { return seeRollbackOnTimeline(); }) &&
           step("snapshot-undone", "The snapshot is undone from the timeline",
                [this] { return undoSnapshotOnTimeline(); }) &&
           step("denied", "The agent asks to delete a guest and is denied", [this] { return denyDeletion(); }) &&
           step("verified", "The audit chain is whole", [this] { return verifyChain(); }) &&
           step("dark", "The same in the dark", [this] { return goDark(); });
}

bool Tour::step(const char *name, const char *words, const Step &does)
{
    const auto problem = does();
    takePicture(QString::fromLatin1(name));
    std::printf("%2d  %-55s %s\n", m_count, words,
                problem.isEmpty() ? "ok" : qPrintable(QStringLiteral("FAILED: ") + problem));
    std::fflush(stdout);
    return problem.isEmpty();
}

void Tour::takePicture(const QString &name)
{
    const auto file = QStringLiteral("%1/%2-%3.png").arg(m_folder).arg(++m_count, 2, 10, QLatin1Char('0')).arg(name);
    const bool isDrawn = QGuiApplication::platformName() == QLatin1String("xcb");
    const auto look = [this, isDrawn] {
        auto &window = m_application->window();
        const auto place = window.frameGeometry(); // with whatever stands before it
        return isDrawn ? QGuiApplication::primaryScreen()->grabWindow(0, place.x(), place.y(), place.width(),
                                                                      place.height())
                       : window.grab();
    };
    QImage picture;
    QElapsedTimer still;
    still.start();
    waitFor( // animations and charts come to rest
        [&picture, &still, &look] {
            if (auto now = look().toImage(); now != picture) {
                picture = std::move(now);
                still.restart();
            }
            return still.elapsed() > 300;
        },
        5'000);
    if (!picture.save(file))
        std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
}

bool Tour::waitFor(const std::function<bool()> &condition, int milliseconds)
{
    return QTest::qWaitFor(condition, milliseconds);
}

QWidget *Tour::shown(const char *name, QWidget *in) const
{
    const auto roots = in ? QList<QWidget *>{in} : QApplication::topLevelWidgets();
    for (auto *root : roots)
        for (auto *widget : root->findChildren<QWidget *>(QLatin1String(name)))
            if (widget->isVisible())
                return widget;
    return nullptr;
}

QString Tour::click(QWidget *widget)
{
    if (!widget)
        return QStringLiteral("there is nothing to click");
    if (!waitFor([widget] { return widget->isEnabled() && widget->isVisible(); }, 5000))
        return QStringLiteral("%1 cannot be clicked").arg(widget->objectName());
    QTest::mouseClick(widget, Qt::LeftButton, {}, {}, 50);
    return {};
}

QString Tour::clickNamed(const char *name, QWidget *in)
{
    if (!waitFor([&] { return shown(name, in) != nullptr; }, 10000))
        return QStringLiteral("there is no %1").arg(QLatin1String(name));
    return click(shown(name, in));
}

QString Tour::fillIn(const char *field, const QString &text)
{
    if (!waitFor([&] { return shown(field) != nullptr; }, 5000))
        return QStringLiteral("there is no field %1").arg(QLatin1String(field));
    auto *widget = shown(field);
    if (auto *inner = widget->findChild<QLineEdit *>())
        widget = inner;
    QTest::mouseClick(widget, Qt::LeftButton);
    QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(widget, text);
    QTest::keyClick(widget, Qt::Key_Tab);
    return {};
}

QString Tour::choosePage(const char *id)
{
    const auto name = QByteArrayLiteral("nav.") + id;
    return clickNamed(name.constData());
}

QString Tour::selectGuest(const QString &name)
{
    auto *tree = qobject_cast<QTreeView *>(shown("inventory"));
    if (!tree)
        return QStringLiteral("there is no tree");
    const auto *model = tree->model();
    QModelIndexList found;
    const auto isThere = [&] { // the tree fills in pieces
        tree->expandAll();
        found = model->match(model->index(0, 0), Qt::DisplayRole, name, 1, Qt::MatchRecursive | Qt::MatchStartsWith);
        return !found.isEmpty();
    };
    if (!waitFor(isThere, 10000))
        return QStringLiteral("%1 is not in the tree").arg(name);
    tree->scrollTo(found.first());
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(found.first()).center());
    return {};
}

QString Tour::allowOpenDialog()
{
    auto *dialog = m_application->approvals().dialog();
    if (!dialog)
        return QStringLiteral("no dialog is open");
    if (auto *typed = dialog->findChild<QLineEdit *>(QStringLiteral("typedId"))) {
        QTest::mouseClick(typed, Qt::LeftButton);
        QTest::keyClicks(typed, dialog->wantedId());
    }
    return clickNamed("allow", dialog);
}

QJsonObject Tour::readGuest(int vmid)
{
    Call call;
    call.operation = QStringLiteral("guest.get");
    call.arguments = QByteArrayLiteral("{\"guest\":") + QByteArray::number(vmid) + '}';
    QJsonObject answer;
    bool hasEnded = false;
    m_application->engine().executor->start(std::move(call), [&](const CallResult &result) {
        answer = result.outcome ? result.outcome->answer.toObject() : QJsonObject();
        hasEnded = true;
    });
    waitFor([&] { return hasEnded; });
    return answer;
}

QList<CallRow> Tour::rows() const
{
    const auto page = await(m_application->engine().query->page({}, 0, 50));
    return page ? *page : QList<CallRow>();
}

std::optional<CallRow> Tour::endedRow(const QString &operation)
{
    std::optional<CallRow> found;
    waitFor([&] {
        for (const auto &row : rows())
            if (row.operation == operation) {
                found = row;
                return row.endedMs != 0;
            }
        return false;
    });
    return found && found->endedMs ? found : std::nullopt;
}
