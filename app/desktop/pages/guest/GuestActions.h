#pragma once
#include "pages/guest/GuestView.h"
#include <QWidget>

class OperationAction;
class QAction;
class OperationDialog;
class PersonCalls;

/// What a person can do with the guest, as buttons; each says before the click what takes it back.
class GuestActions : public QWidget
{
    Q_OBJECT
public:
    /// `calls` is borrowed.
    explicit GuestActions(PersonCalls &calls, QWidget *parent = nullptr);
    void show(const GuestView &view);
    using QWidget::show;
    QList<QAction *> actionsNow() const;
    void editNotes();
    void takeSnapshot();

private:
    OperationAction *add(const char *operation, bool asksFirst, void (GuestActions::*run)());
    void runAtOnce(const char *operation);
    OperationDialog *ask(const char *operation, QJsonObject fixed = {}, const QStringList &hidden = {});
    void start();
    void shutDown();
    void stop();
    void configure();
    void remove();

    PersonCalls &m_calls;
    GuestView m_view;
    OperationAction *m_start, *m_shutDown, *m_stop, *m_snapshot, *m_configure, *m_delete;
};
