#pragma once
#include <QAbstractButton>

/// One entry of the top bar: a page's name, with a count beside it when something waits there.
class NavButton : public QAbstractButton
{
    Q_OBJECT
public:
    explicit NavButton(const QString &text, QWidget *parent = nullptr);
    /// 0 shows none. `spoken` says in words what is counted, for screen readers.
    void setBadge(int count, const QString &spoken);
    int badge() const { return m_badge; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    QFont badgeFont() const;
    int badgeWidth() const;
    int m_badge = 0;
};
