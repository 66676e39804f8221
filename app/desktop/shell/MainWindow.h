#pragma once
#include <QHash>
#include <QWidget>

class QStackedWidget;
class StatusBar;
class TopBar;

/// The window: top bar, one page at a time, status bar. It knows pages only as widgets; what they show is wired by
/// Application.
class MainWindow : public QWidget
{
    Q_OBJECT
public:
    explicit MainWindow(bool isDemo, QWidget *parent = nullptr);
    /// Adds a page to the bar and the stack; the window owns it from here on.
    void addPage(const QString &id, const QString &text, QWidget *page);
    void showPage(const QString &id);
    QString currentPage() const;
    QWidget *page(const QString &id) const { return m_pages.value(id); }
    TopBar &topBar() { return *m_topBar; }
    StatusBar &statusBar() { return *m_statusBar; }

Q_SIGNALS:
    void pageShown(const QString &id);

private:
    TopBar *m_topBar;
    QStackedWidget *m_stack;
    StatusBar *m_statusBar;
    QHash<QString, QWidget *> m_pages;
};
