#include "shell/MainWindow.h"
#include "shell/Palette.h"
#include "shell/StatusBar.h"
#include "shell/TopBar.h"
#include "widgets/Line.h"
#include "widgets/Toast.h"
#include <QCloseEvent>
#include <QPushButton>
#include <QSettings>
#include <QShortcut>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>

MainWindow::MainWindow(bool isDemo, QWidget *parent)
    : QWidget(parent), m_topBar(new TopBar(isDemo, this)), m_stack(new QStackedWidget(this)),
      m_statusBar(new StatusBar(this)), m_toasts(new ToastCorner(this)), m_search(new Palette(this)),
      m_pause(new QPushButton(this))
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    setWindowTitle(isDemo ? tr("Labhelm – demo cluster") : QStringLiteral("Labhelm"));
    setMinimumSize(900, 560);
    resize(1280, 800);
    m_topBar->addControl(m_search);
    m_topBar->addControl(m_pause);
    m_pause->setObjectName(QStringLiteral("pauseAgents"));
    showPaused(false);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_topBar);
    column->addWidget(new Line(Qt::Horizontal, this));
    column->addWidget(m_stack, 1);
    column->addWidget(new Line(Qt::Horizontal, this));
    column->addWidget(m_statusBar);
    connect(m_topBar, &TopBar::chosen, this, &MainWindow::showPage);
    connect(m_pause, &QPushButton::clicked, this, [this] { Q_EMIT pauseAsked(!m_isPaused); });
    m_statusBar->set(StatusBar::Place::Hint, tr("Ctrl+K Run anything"));
}

void MainWindow::addPage(const QString &id, const QString &text, QWidget *page)
{
    m_pages.insert(id, page);
    m_order << id;
    m_stack->addWidget(page);
    m_topBar->addEntry(id, text);
    auto *shortcut = new QShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + m_order.size())), this);
    connect(shortcut, &QShortcut::activated, this, [this, id] { showPage(id); });
    if (m_order.size() == 1)
        m_topBar->setCurrent(id);
}

void MainWindow::showPage(const QString &id)
{
    auto *page = m_pages.value(id);
    if (!page)
        return;
    m_stack->setCurrentWidget(page);
    m_topBar->setCurrent(id);
    Q_EMIT pageShown(id);
}

QString MainWindow::currentPage() const
{
    return m_pages.key(m_stack->currentWidget());
}

void MainWindow::showPaused(bool paused)
{
    m_isPaused = paused;
    m_pause->setText(paused ? tr("Agents are paused · Resume") : tr("Pause agents"));
    m_pause->setToolTip(paused ? tr("Calls of agents are refused until you resume them.")
                               : tr("Refuses every call of an agent until you resume them."));
    m_pause->setProperty("role", paused ? QStringLiteral("danger") : QString());
    m_pause->style()->unpolish(m_pause);
    m_pause->style()->polish(m_pause);
}

void MainWindow::save(QSettings &settings) const
{
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/page"), currentPage());
}

void MainWindow::restore(const QSettings &settings)
{
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    showPage(settings.value(QStringLiteral("window/page")).toString());
}

void MainWindow::bringToFront()
{
    if (isMinimized())
        showNormal();
    show();
    raise();
    activateWindow();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    event->ignore();
    Q_EMIT closeAsked();
}

void MainWindow::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::ActivationChange || event->type() == QEvent::WindowStateChange)
        Q_EMIT activeChanged(isActiveWindow() && !isMinimized());
    QWidget::changeEvent(event);
}
