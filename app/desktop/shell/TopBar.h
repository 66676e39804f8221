#pragma once
#include <QHash>
#include <QWidget>

class NavButton;
class QHBoxLayout;

/// The bar over every page: where one can go, and what stops the agents.
class TopBar : public QWidget
{
    Q_OBJECT
public:
    explicit TopBar(bool isDemo, QWidget *parent = nullptr);
    void addEntry(const QString &id, const QString &text);
    QString text(const QString &id) const;
    void setCurrent(const QString &id);
    void setBadge(const QString &id, int count, const QString &spoken);
    /// Puts a control at the right end of the bar.
    void addControl(QWidget *widget);

Q_SIGNALS:
    void chosen(const QString &id);

private:
    QHBoxLayout *m_entries;
    QHBoxLayout *m_controls;
    QHash<QString, NavButton *> m_buttons;
};
