#pragma once
#include <QDialog>

class AuditLog;
class ConnectForm;
class Connections;
class RemoteList;
class SecretStore;
struct Remote;

/// ConnectForm as a dialog. Closes when the connection is kept; not while it is being stored.
class ConnectDialog : public QDialog
{
    Q_OBJECT
public:
    /// All borrowed. Who listens to RemoteList::added() opens the connection.
    ConnectDialog(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QWidget *parent = nullptr);
    ConnectForm &form() { return *m_form; }

public Q_SLOTS:
    void reject() override;

Q_SIGNALS:
    void connected(const Remote &remote);
    void demoAsked();

private:
    ConnectForm *m_form;
};
