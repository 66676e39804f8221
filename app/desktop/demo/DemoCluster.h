#pragma once
#include "base/Result.h"
#include "base/Secret.h"
#include "remotes/Remote.h"
#include <QProcess>

/// The demo cluster: labhelm-simulator as a child process that ends with this one. Nothing of it is kept; every start is
/// a new cluster.
class DemoCluster : public QObject
{
    Q_OBJECT
public:
    explicit DemoCluster(QObject *parent = nullptr);
    ~DemoCluster() override;
    /// Starts the program; ready() or failed() follows, exactly one of them.
    void start(const QString &program);
    /// labhelm-simulator beside this program.
    static QString besideThisProgram();
    static const QString remoteId;

Q_SIGNALS:
    /// It listens: how to reach it, and the token made for that.
    void ready(const Remote &remote, const Secret &token);
    void failed(const QString &why);
    /// It ended by itself later.
    void ended();

private:
    void read();
    void obey(const QByteArray &line);
    void fail(const QString &why);
    QProcess m_process;
    Remote m_remote;
    bool m_isSettled = false;
};
