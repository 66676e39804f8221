#include "shell/MainWindow.h"
#include "shell/StatusBar.h"
#include "shell/TopBar.h"
#include "widgets/Line.h"
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

MainWindow::MainWindow(bool isDemo, QWidget *parent)
    : QWidget(parent), m_topBar(new TopBar(isDemo, this)), m_stack(new QStackedWidget(this)),
      m_statusBar(new StatusBar(this))
{
    setObjectName(QStringLiteral("canvas"));
    setWindowTitle(isDemo ? tr("Labhelm – demo cluster") : QStringLiteral("Labhelm"));
    resize(1280, 800);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_topBar);
    column->addWidget(new Line(Qt::Horizontal, this));
    column->addWidget(m_stack, 1);
    column->addWidget(new Line(Qt::Horizontal, this));
    column->addWidget(m_statusBar);
    connect(m_topBar, &TopBar::chosen, this, &MainWindow::showPage);
}

void MainWindow::addPage(const QString &id, const QString &text, QWidget *page)
{
    m_pages.insert(id, page);
    m_stack->addWidget(page);
    m_topBar->addEntry(id, text);
    auto *shortcut = new QShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + m_pages.size())), this);
    connect(shortcut, &QShortcut::activated, this, [this, id] { showPage(id); });
    if (m_pages.size() == 1)
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
