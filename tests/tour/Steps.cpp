#include "approval/ApprovalDialog.h"
#include "approval/ApprovalQueue.h"
#include "demo/DemoCluster.h"
#include "operations/PersonCalls.h"
#include "remotes/Fingerprint.h"
#include "secrets/MemoryStore.h"
#include "shell/MainWindow.h"
#include "shell/Theme.h"
#include "support/Await.h"
#include "support/BridgeClient.h"
#include "tour/Tour.h"
#include <QAbstractItemView>
#include <QApplication>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>

/// A cluster of its own, and a Labhelm that knows none yet.
QString Tour::start()
{
    m_theme = std::make_unique<Theme>(Theme::Appearance::Light);
    QString failure;
    m_cluster = std::make_unique<DemoCluster>();
    QObject::connect(m_cluster.get(), &DemoCluster::failed, [&failure](const QString &why) { failure = why; });
    QObject::connect(m_cluster.get(), &DemoCluster::ready, [this](const Remote &remote, const Secret &token) {
        m_remote = remote;
        m_token = token;
    });
    m_cluster->start(DemoCluster::besideThisProgram());
    if (!waitFor([&] { return !failure.isEmpty() || !m_token.isEmpty(); }) || m_token.isEmpty())
        return failure.isEmpty() ? QStringLiteral("the cluster did not start") : failure;
    m_cluster->disconnect();
    CommandLine line;
    line.dataFolder = m_home.path();
    m_application = std::make_unique<Application>(std::move(line), std::make_unique<MemoryStore>());
    const auto started = m_application->start();
    if (!started)
        return started.error().message;
    m_application->window().setGeometry(0, 0, 1280, 800);
    return waitFor([this] { return shown("go") != nullptr; }) ? QString() : QStringLiteral("nothing offers to connect");
}

QString Tour::lookAtCertificate()
{
    const std::pair<const char *, QString> fields[] = {{"address", m_remote.addresses.first()},
                                                       {"user", m_remote.user},
                                                       {"secret", QString::fromUtf8(m_token.reveal())}};
    for (const auto &[field, text] : fields)
        if (auto problem = fillIn(field, text); !problem.isEmpty())
            return problem;
    if (auto problem = clickNamed("go"); !problem.isEmpty())
        return problem;
    if (!waitFor([this] { return shown("fingerprint") != nullptr; }))
        return QStringLiteral("no certificate is shown");
    const auto *print = qobject_cast<QLabel *>(shown("fingerprint"));
    const auto expected = Fingerprint::text(m_remote.pins.cbegin().value());
    const auto said = print->text().simplified().remove(u' ');
    return said.endsWith(expected) ? QString() : QStringLiteral("it is not the cluster's certificate: %1").arg(said);
}

QString Tour::signIn()
{
    if (auto problem = clickNamed("trust"); !problem.isEmpty())
        return problem;
    if (!waitFor([this] { return shown("findings") != nullptr; }))
        return QStringLiteral("the token was not accepted");
    takePicture(QStringLiteral("what-it-may"));
    if (auto problem = clickNamed("go"); !problem.isEmpty())
        return problem;
    return waitFor([this] { return shown("inventory") != nullptr; }) ? QString() : QStringLiteral("there is no tree");
}

QString Tour::fillTree()
{
    const auto isLive = [this] {
        const auto all = m_application->engine().inventory.snapshots();
        return !all.empty() && all.front()->reach == InventorySnapshot::Reach::Live && all.front()->guests.size() >= 40;
    };
    if (!waitFor(isLive, 30000))
        return QStringLiteral("the cluster's guests did not arrive");
    return selectGuest(QStringLiteral("jellyfin"));
}

QString Tour::openGuest()
{
    if (auto problem = selectGuest(QStringLiteral("jellyfin")); !problem.isEmpty())
        return problem;
    const bool isThere = waitFor([this] { return shown("button.guest.config.set") && shown("timeframe"); }, 10000);
    const auto takenAt = [this] { return m_application->engine().inventory.snapshots().front()->takenAtMs; };
    const auto before = takenAt();
    const bool isLive = waitFor([&] { return takenAt() > before + 2000; }, 15000);
    return isThere && isLive ? QString() : QStringLiteral("the guest's page did not open, or stands still");
}

QString Tour::changeMemory()
{
    if (auto problem = clickNamed("button.guest.config.set"); !problem.isEmpty())
        return problem;
    if (auto problem = fillIn("field.memory", QStringLiteral("6144")); !problem.isEmpty())
        return problem;
    takePicture(QStringLiteral("form"));
    if (auto problem = clickNamed("go"); !problem.isEmpty())
        return problem;
    const auto row = endedRow(QStringLiteral("guest.config.set"));
    if (!row || row->state != CallState::Done)
        return QStringLiteral("the change did not end well");
    const auto memory = readGuest(104)[QStringLiteral("config")][QStringLiteral("memory")].toVariant().toInt();
    return memory == 6144 ? QString() : QStringLiteral("memory is %1").arg(memory);
}

QString Tour::undoFromToast()
{
    if (auto problem = clickNamed("toast.undo"); !problem.isEmpty())
        return problem;
    const bool isBack = waitFor([this] {
        return readGuest(104)[QStringLiteral("config")][QStringLiteral("memory")].toVariant().toInt() == 4096;
    });
    return isBack ? QString() : QStringLiteral("the memory is not back");
}

QString Tour::takeSnapshot()
{
    if (auto problem = clickNamed("button.snapshot.create"); !problem.isEmpty())
        return problem;
    if (auto problem = fillIn("field.name", QStringLiteral("before-upgrade")); !problem.isEmpty())
        return problem;
    if (auto problem = clickNamed("go"); !problem.isEmpty())
        return problem;
    const auto row = endedRow(QStringLiteral("snapshot.create"));
    return row && row->state == CallState::Done ? QString() : QStringLiteral("the snapshot was not taken");
}

QString Tour::pairAgent()
{
    if (auto problem = choosePage("agents"); !problem.isEmpty())
        return problem;
    if (auto problem = clickNamed("connectAgent"); !problem.isEmpty())
        return problem;
    if (auto problem = fillIn("agentName", QStringLiteral("Claude Code")); !problem.isEmpty())
        return problem;
    auto *preset = qobject_cast<QRadioButton *>(shown("ask"));
    if (!preset)
        return QStringLiteral("there is no choice \"Ask for writes\"");
    preset->click();
    if (auto problem = clickNamed("makeKey"); !problem.isEmpty())
        return problem;
    if (!waitFor([this] { return shown("done") != nullptr; }))
        return QStringLiteral("no key was made");
    takePicture(QStringLiteral("agent-set-up"));
    if (auto problem = clickNamed("done"); !problem.isEmpty())
        return problem;
    for (const auto &agent : m_application->engine().agents->all())
        if (agent.name == QLatin1String("Claude Code"))
            m_agentId = agent.id;
    return m_agentId.isEmpty() ? QStringLiteral("the agent is not on the list") : QString();
}

QString Tour::listAsAgent()
{
    auto &engine = m_application->engine();
    m_agent = std::make_unique<BridgeClient>(
        QStringList{QApplication::applicationDirPath() + QStringLiteral("/labhelm-mcp"), QStringLiteral("--agent"),
                    m_agentId, QStringLiteral("--key"), engine.agents->keyFile(m_agentId), QStringLiteral("--socket"),
                    engine.mcp->path()},
        QStringLiteral("tour"));
    if (!m_agent->introduce())
        return QStringLiteral("the bridge did not answer: %1").arg(m_agent->complaints());
    const auto id = m_agent->call(QStringLiteral("guest_list"), {{QStringLiteral("state"), QStringLiteral("running")}});
    if (!m_agent->waitFor(id) || m_agent->isError(id))
        return m_agent->text(id);
    const auto guests = m_agent->result(id)[QStringLiteral("guests")].toArray();
    return guests.size() > 10 ? QString() : QStringLiteral("only %1 guests were listed").arg(guests.size());
}

QString Tour::askForRollback()
{
    const auto list = m_agent->call(QStringLiteral("snapshot_list"), {{QStringLiteral("guest"), 101}});
    if (!m_agent->waitFor(list) || m_agent->isError(list))
        return m_agent->text(list);
    const auto name = m_agent->result(list)[QStringLiteral("snapshots")][0][QStringLiteral("name")].toString();
    m_rollback = m_agent->call(QStringLiteral("snapshot_rollback"),
                               {{QStringLiteral("guest"), QStringLiteral("nextcloud")},
                                {QStringLiteral("name"), name},
                                {QStringLiteral("reason"), QStringLiteral("The update broke the file index.")}});
    if (!waitFor([this] { return m_application->approvals().count() == 1; }))
        return m_agent->text(m_rollback);
    return m_agent->isAnswered(m_rollback) ? QStringLiteral("it was answered without a person") : QString();
}

QString Tour::allowRollback()
{
    if (auto problem = clickNamed("review"); !problem.isEmpty())
        return problem;
    if (!waitFor([this] { return m_application->approvals().dialog() != nullptr; }))
        return QStringLiteral("no dialog opened");
    takePicture(QStringLiteral("approval"));
    if (auto problem = allowOpenDialog(); !problem.isEmpty())
        return problem;
    if (!m_agent->waitFor(m_rollback, 60000))
        return QStringLiteral("the task did not end");
    return m_agent->isError(m_rollback) ? m_agent->text(m_rollback) : QString();
}

QString Tour::seeRollbackOnTimeline()
{
    if (auto problem = choosePage("timeline"); !problem.isEmpty())
        return problem;
    const auto row = endedRow(QStringLiteral("snapshot.rollback"));
    if (!row || row->state != CallState::Done)
        return QStringLiteral("the row is missing or not done");
    auto *table = qobject_cast<QAbstractItemView *>(shown("entries"));
    if (!table || !waitFor([table] { return table->model()->rowCount() > 3; }))
        return QStringLiteral("the table is empty");
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, 2)).center());
    const auto detail = await(m_application->engine().query->detail(row->callId));
    const bool isWhole = detail && !detail->merged[QStringLiteral("before")].toObject().isEmpty() &&
                         !detail->merged[QStringLiteral("plan")].toObject().isEmpty();
    return isWhole ? QString() : QStringLiteral("the row has no before-state or plan");
}

QString Tour::undoSnapshotOnTimeline()
{
    auto *table = qobject_cast<QAbstractItemView *>(shown("entries"));
    const auto taken = endedRow(QStringLiteral("snapshot.create"));
    if (!table || !taken)
        return QStringLiteral("the row is missing");
    for (int i = 0; i < table->model()->rowCount(); ++i) {
        const auto words = table->model()->index(i, 2).data().toString();
        if (words.contains(QLatin1String("before-upgrade")))
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                              table->visualRect(table->model()->index(i, 2)).center());
    }
    if (auto problem = clickNamed("undo", shown("nav.timeline")->window()); !problem.isEmpty())
        return problem;
    if (!waitFor([this] { return m_application->approvals().dialog() != nullptr; }, 10000))
        return QStringLiteral("deleting the snapshot was not asked back");
    takePicture(QStringLiteral("undo-asks"));
    if (auto problem = allowOpenDialog(); !problem.isEmpty())
        return problem;
    const auto row = endedRow(QStringLiteral("snapshot.delete"));
    return row && row->state == CallState::Done ? QString() : QStringLiteral("the snapshot is still there");
}

QString Tour::denyDeletion()
{
    if (auto problem = choosePage("agents"); !problem.isEmpty())
        return problem;
    const auto id = m_agent->call(QStringLiteral("guest_delete"),
                                  {{QStringLiteral("guest"), QStringLiteral("win11-test")},
                                   {QStringLiteral("reason"), QStringLiteral("VM unused for three weeks.")}});
    if (!waitFor([this] { return m_application->approvals().count() == 1; }))
        return m_agent->text(id);
    if (auto problem = clickNamed("review"); !problem.isEmpty())
        return problem;
    if (!waitFor([this] { return m_application->approvals().dialog() != nullptr; }))
        return QStringLiteral("no dialog opened");
    takePicture(QStringLiteral("deletion-asks"));
    if (auto problem = clickNamed("deny", m_application->approvals().dialog()); !problem.isEmpty())
        return problem;
    if (!m_agent->waitFor(id))
        return QStringLiteral("the agent got no answer");
    if (!m_agent->isError(id) || readGuest(120).isEmpty())
        return QStringLiteral("the guest was deleted");
    return {};
}

QString Tour::verifyChain()
{
    if (auto problem = choosePage("timeline"); !problem.isEmpty())
        return problem;
    if (auto problem = clickNamed("verify"); !problem.isEmpty())
        return problem;
    const auto report = await(m_application->engine().query->verify());
    return report && report->isWhole ? QString() : QStringLiteral("the chain is broken");
}

QString Tour::goDark()
{
    m_theme->setAppearance(Theme::Appearance::Dark);
    if (auto problem = choosePage("inventory"); !problem.isEmpty())
        return problem;
    return selectGuest(QStringLiteral("postgres"));
}
