#include "widgets/Toast.h"
#include "widgets/Words.h"
#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

Toast::Toast(const Notice &notice, QWidget *parent) : QFrame(parent), m_notice(notice)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(18, 10, 8, 10);
    row->setSpacing(10);
    auto *lines = new QVBoxLayout;
    lines->setSpacing(2);
    auto *text = Words::plain(notice.text, this);
    text->setFont(Words::scaled(text->font(), 1.0, QFont::DemiBold));
    text->setWordWrap(true);
    lines->addWidget(text);
    if (!notice.detail.isEmpty()) {
        auto *detail = Words::muted(notice.detail, this);
        detail->setWordWrap(true);
        lines->addWidget(detail);
    }
    row->addLayout(lines, 1);
    if (!notice.undoes.isEmpty())
        connect(addButton(tr("Undo"), QStringLiteral("toast.undo")), &QPushButton::clicked, this,
                [this] { Q_EMIT undoAsked(m_notice.undoes); });
    if (!notice.reviews.isEmpty())
        connect(addButton(tr("Review"), QStringLiteral("toast.review")), &QPushButton::clicked, this,
                [this] { Q_EMIT reviewAsked(m_notice.reviews); });
    auto *close = new QPushButton(QStringLiteral("×"), this);
    close->setProperty("role", QStringLiteral("link"));
    close->setAccessibleName(tr("Close this message"));
    row->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QPushButton::clicked, this, &Toast::closed);
    m_away.setSingleShot(true);
    m_away.setInterval(shownMs);
    connect(&m_away, &QTimer::timeout, this, &Toast::closed);
    if (!notice.staysOpen)
        m_away.start();
    setAccessibleName(notice.text + QStringLiteral(". ") + notice.detail);
    setFixedWidth(400);
}

/// A button that does its work once and takes the message away.
QPushButton *Toast::addButton(const QString &text, const QString &name)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setAccessibleDescription(m_notice.text);
    static_cast<QHBoxLayout *>(layout())->addWidget(button);
    connect(button, &QPushButton::clicked, this, &Toast::closed, Qt::QueuedConnection);
    return button;
}

void Toast::enterEvent(QEnterEvent *)
{
    m_away.stop();
}

void Toast::leaveEvent(QEvent *)
{
    if (!m_notice.staysOpen)
        m_away.start();
}

void Toast::paintEvent(QPaintEvent *)
{
    const auto &tones = Tones::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath outline;
    outline.addRoundedRect(box, 8, 8);
    painter.fillPath(outline, tones.surface);
    painter.save();
    painter.setClipPath(outline);
    painter.fillRect(QRectF(0, 0, 5, height()), tones.shade(m_notice.tone).strong);
    painter.restore();
    painter.setPen(tones.isDark ? tones.border.lighter(120) : tones.border.darker(108));
    painter.drawPath(outline);
}

ToastCorner::ToastCorner(QWidget *window) : QObject(window), m_window(window)
{
    window->installEventFilter(this);
}

void ToastCorner::dismissReview(const QString &callId)
{
    const auto now = m_toasts;
    for (auto *toast : now)
        if (toast->notice().reviews == callId)
            Q_EMIT toast->closed();
}

void ToastCorner::show(const Notice &notice)
{
    auto *toast = new Toast(notice, m_window);
    m_toasts.append(toast);
    connect(toast, &Toast::undoAsked, this, &ToastCorner::undoAsked);
    connect(toast, &Toast::reviewAsked, this, &ToastCorner::reviewAsked);
    connect(toast, &Toast::closed, this, [this, toast] {
        m_toasts.removeAll(toast);
        toast->hide();
        toast->deleteLater();
        place();
    });
    if (m_toasts.size() > most)
        Q_EMIT m_toasts.first()->closed();
    place();
    toast->show();
    QAccessibleEvent alert(toast, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void ToastCorner::place()
{
    auto bottom = m_window->height() - m_bottom;
    for (auto it = m_toasts.rbegin(); it != m_toasts.rend(); ++it) {
        auto *toast = *it;
        const auto height = toast->heightForWidth(toast->width());
        toast->resize(toast->width(), height > 0 ? height : toast->sizeHint().height());
        bottom -= toast->height();
        toast->move(m_window->width() - toast->width() - 16, bottom);
        toast->raise();
        bottom -= 8;
    }
}

bool ToastCorner::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize)
        place();
    return QObject::eventFilter(watched, event);
}
