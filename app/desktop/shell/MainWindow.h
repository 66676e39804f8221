#pragma once
#include <QHash>
#include <QWidget>

class Palette;
class QPushButton;
class QSettings;
class QStackedWidget;
class StatusBar;
class ToastCorner;
class TopBar;

/// The window: top bar, one page at a time, status bar, and messages in the corner. It knows pages only as widgets;
/// what they show is wired by Application.
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
    QStringList pages() const { return m_order; }
    TopBar &topBar() { return *m_topBar; }
    StatusBar &statusBar() { return *m_statusBar; }
    ToastCorner &toasts() { return *m_toasts; }
    Palette &search() { return *m_search; }
    void showPaused(bool paused);
    void save(QSettings &settings) const;
    void restore(const QSettings &settings);
    /// Shows the window above the others.
    void bringToFront();

Q_SIGNALS:
    void pageShown(const QString &id);
    void pauseAsked(bool pause);
    void activeChanged(bool active);
    /// A person closes the window; it stays until whoever listens has ended everything.
    void closeAsked();

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    TopBar *m_topBar;
    QStackedWidget *m_stack;
    StatusBar *m_statusBar;
    ToastCorner *m_toasts;
    Palette *m_search;
    QPushButton *m_pause;
    QHash<QString, QWidget *> m_pages;
    QStringList m_order;
    bool m_isPaused = false;
};
