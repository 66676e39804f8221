#pragma once
#include "pages/guest/GuestView.h"
#include <QWidget>

class Pill;
class QHBoxLayout;
class QLabel;

/// Name, kind, id, node, state and tags of the guest, and how old all that is.
class GuestHeader : public QWidget
{
    Q_OBJECT
public:
    explicit GuestHeader(QWidget *parent = nullptr);
    void show(const GuestView &view, qint64 nowMs);
    using QWidget::show;

private:
    void showPills(const GuestView &view);
    QLabel *m_name, *m_aside, *m_age;
    Pill *m_state;
    QHBoxLayout *m_pills;
    QStringList m_shownPills;
};
