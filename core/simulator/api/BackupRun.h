#pragma once
#include "simulator/api/Call.h"
#include <memory>

/// One run of vzdump over some guests of a node, one after the other.
class BackupRun
{
public:
    struct Wish {
        QString storage;
        QString mode = QStringLiteral("snapshot");
        QString notes;
        QString prune; ///< property string; empty = what the storage says
        bool isProtected = false;
        bool removesOld = true;
    };
    BackupRun(World &world, const QString &node, const Wish &wish) : m_world(world), m_node(node), m_wish(wish) {}
    void add(qint64 vmid);
    TaskPlan plan(const QString &user);

    /// The guests that vmid, all, exclude and pool of a job or call speak of.
    static QList<qint64> selected(const World &world, const Parameters &given);
    /// The configuration that goes into the archive.
    static GuestConfig saved(const Guest &guest);

private:
    struct Step {
        qint64 vmid = 0;
        QString problem;
        std::chrono::milliseconds from{0};
        std::chrono::milliseconds until{0};
    };
    /// What of it outlives the call.
    struct Progress {
        QList<qint64> locked;
        bool stopped = false;
    };
    QString problemOf(qint64 vmid) const;
    void describe(const Step &step, QList<TaskPlan::Line> &lines) const;
    void describeArchive(const Step &step, const Guest &guest, QList<TaskPlan::Line> &lines) const;
    QString stamp(std::chrono::milliseconds after) const;
    bool stops(const Guest &guest) const;
    void schedule(const Step &step, const std::shared_ptr<Progress> &progress) const;
    QString firstLine() const;
    std::chrono::milliseconds paced(std::chrono::milliseconds time) const;
    static void store(World &world, const Wish &wish, qint64 vmid, qint64 startedAt);

    World &m_world;
    QString m_node;
    Wish m_wish;
    QList<Step> m_steps;
};
