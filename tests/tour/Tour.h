#pragma once
#include "Application.h"
#include <QTemporaryDir>
#include <functional>

class BridgeClient;
class DemoCluster;
class QLineEdit;
class QPushButton;
class Theme;

/// The main job, done in the real window with mouse and keyboard. Each step is printed with its result and leaves a
/// picture.
class Tour
{
public:
    /// Pictures go to `folder`, which exists.
    explicit Tour(QString folder);
    ~Tour();
    /// Runs all steps; false if one failed. The first failure ends the tour.
    bool run();

private:
    /// A step's result: empty = done, else what went wrong.
    using Step = std::function<QString()>;
    bool step(const char *name, const char *words, const Step &does);
    void takePicture(const QString &name);

    QString start();
    QString lookAtCertificate();
    QString signIn();
    QString fillTree();
    QString openGuest();
    QString changeMemory();
    QString undoFromToast();
    QString takeSnapshot();
    QString pairAgent();
    QString listAsAgent();
    QString askForRollback();
    QString allowRollback();
    QString seeRollbackOnTimeline();
    QString undoSnapshotOnTimeline();
    QString denyDeletion();
    QString verifyChain();
    QString goDark();

    // what a person does
    QString click(QWidget *widget);
    QString clickNamed(const char *name, QWidget *in = nullptr);
    QString selectGuest(const QString &name);
    QString choosePage(const char *id);
    QString fillIn(const char *field, const QString &text);
    QString allowOpenDialog();
    QWidget *shown(const char *name, QWidget *in = nullptr) const;
    static bool waitFor(const std::function<bool()> &condition, int milliseconds = 20000);

    // what the cluster and the log say
    QJsonObject readGuest(int vmid);
    QList<CallRow> rows() const;
    /// The newest row of an operation once it has ended.
    std::optional<CallRow> endedRow(const QString &operation);

    const QString m_folder;
    QTemporaryDir m_home;
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<DemoCluster> m_cluster;
    Remote m_remote; ///< how to reach the cluster, and the certificate that it has
    Secret m_token;
    std::unique_ptr<Application> m_application;
    std::unique_ptr<BridgeClient> m_agent;
    int m_rollback = 0; ///< id of the agent's request
    QString m_agentId;
    int m_count = 0;
};
