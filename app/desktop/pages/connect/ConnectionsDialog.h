#pragma once
#include "pages/connect/ConnectAttempt.h"
#include <QDialog>

class Connections;
class Inventory;
class QLabel;
class QPushButton;
class QTreeWidget;
class QVBoxLayout;

/// What the dialog works on. All borrowed.
struct ConnectionsParts {
    RemoteList &remotes;
    SecretStore &secrets;
    AuditLog &log;
    Inventory &inventory;
    Connections &connections;
};

/// The connections that are kept: test, change, give a new token, remove, take over from another program. Changes of
/// tokens that were cut short stand above, until they are finished.
class ConnectionsDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ConnectionsDialog(const ConnectionsParts &parts, QWidget *parent = nullptr);

Q_SIGNALS:
    void connectAsked();

private:
    void build();
    QPushButton *addButton(QVBoxLayout *column, const char *name, const QString &text,
                           void (ConnectionsDialog::*does)());
    void fill();
    void fillUnfinished();
    void showButtons();
    std::optional<Remote> chosen() const;
    QString stateOf(const Remote &remote) const;
    void say(const QString &text, bool isBad = false);
    void test();
    void tested(const Result<ConnectFindings> &findings);
    void change();
    void newToken();
    void finish(const Remote &remote);
    void remove();
    void import();

    ConnectionsParts m_parts;
    ConnectAttempt m_attempt;
    std::optional<Remote> m_tested;
    QTreeWidget *m_list;
    QVBoxLayout *m_unfinished;
    QLabel *m_said;
    std::vector<QPushButton *> m_forOne; ///< those that need a chosen connection
};
