#pragma once
#include <QFrame>

class QButtonGroup;

/// A few choices side by side, one of them chosen.
class SegmentedControl : public QFrame
{
    Q_OBJECT
public:
    explicit SegmentedControl(const QStringList &choices, QWidget *parent = nullptr);
    int current() const;
    /// Does not emit chosen().
    void setCurrent(int index);

Q_SIGNALS:
    void chosen(int index);

private:
    QButtonGroup *m_group;
};
