#pragma once
#include "base/Background.h"
#include "remotes/import/Import.h"
#include <QCoro/QCoroTask>
#include <QObject>
#include <stop_token>

class AuditLog;
class RemoteList;
class SecretStore;

/// Takes connections over from the settings of another program: each secret goes straight into the keychain, each
/// connection gets a row. Owner's thread only.
class ImportRun : public QObject
{
    Q_OBJECT
public:
    /// All borrowed.
    ImportRun(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QObject *parent = nullptr);
    ~ImportRun() override;

    /// Reads a file away from this thread. Told by understood().
    void read(const QString &path, const Secret &password);
    /// Told by taken().
    void take(const QString &program, const std::vector<Import::Found> &chosen);

Q_SIGNALS:
    void understood(const Result<Import> &import);
    /// The names that were added, and a sentence for each that was not.
    void taken(const QStringList &added, const QStringList &problems);

private:
    QCoro::Task<> runRead(QString path, Secret password, std::stop_token stop);
    QCoro::Task<> runTake(QString program, std::vector<Import::Found> chosen, std::stop_token stop);
    QCoro::Task<Result<QString>> takeOne(QString program, Import::Found found, std::stop_token stop);
    QString freeName(const QString &name) const;

    RemoteList &m_remotes;
    SecretStore &m_secrets;
    AuditLog &m_log;
    Background m_reader;
    std::stop_source m_stop;
};
