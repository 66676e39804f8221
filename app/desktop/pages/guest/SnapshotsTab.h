#pragma once
#include "pages/guest/GuestView.h"
#include <QJsonArray>
#include <QWidget>

class OperationAction;
class PersonCalls;
class QLabel;
class QStandardItem;
class QStandardItemModel;
class RowTable;

/// The guest's snapshots as a tree: what grew from what, and where the present state stands.
class SnapshotsTab : public QWidget
{
    Q_OBJECT
public:
    explicit SnapshotsTab(PersonCalls &calls, QWidget *parent = nullptr);
    void show(const GuestView &view);
    using QWidget::show;
    /// Reads the list again.
    void load();
    QString selectedName() const;

Q_SIGNALS:
    void takeAsked();
    void listed(const QJsonArray &snapshots);

private:
    void fill(const QJsonObject &answer);
    void allow();
    void rollBack();
    void remove();
    QList<QStandardItem *> row(const QJsonObject &snapshot) const;

    PersonCalls &m_calls;
    GuestView m_view;
    QString m_shownKey;
    OperationAction *m_take, *m_rollBack, *m_delete;
    QStandardItemModel *m_model;
    RowTable *m_table;
    QLabel *m_empty;
};
