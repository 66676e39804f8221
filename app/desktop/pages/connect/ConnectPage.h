#pragma once
#include <QWidget>

class AuditLog;
class ConnectForm;
class RemoteList;
class SecretStore;

/// What the window shows while no cluster is known: ConnectForm in its middle.
class ConnectPage : public QWidget
{
    Q_OBJECT
public:
    /// All borrowed.
    ConnectPage(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QWidget *parent = nullptr);
    ConnectForm &form() { return *m_form; }

private:
    ConnectForm *m_form;
};
