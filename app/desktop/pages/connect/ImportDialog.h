#pragma once
#include "pages/connect/ImportRun.h"
#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

/// Shows what the settings of another program hold, and takes over what the person chooses.
class ImportDialog : public QDialog
{
    Q_OBJECT
public:
    /// All borrowed.
    ImportDialog(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QWidget *parent = nullptr);
    /// What "Choose a file…" does with the file that was chosen.
    void choose(const QString &path);

private:
    void build();
    void buildUnlock();
    void buildList();
    void chooseFile();
    void read();
    void understand(const Result<Import> &import);
    void list(const Import &import);
    void take();
    void taken(const QStringList &added, const QStringList &problems);
    void say(const QString &text, bool isBad);

    ImportRun m_run;
    QString m_path;
    Import m_import;
    QTreeWidget *m_list;
    QWidget *m_unlock;
    QLineEdit *m_password;
    QLabel *m_said;
    QPushButton *m_take, *m_choose;
};
