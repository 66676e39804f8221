#pragma once
#include "widgets/Notice.h"
#include <QFrame>
#include <QTimer>

class QPushButton;

/// One notice in the corner of the window; goes by itself after a while unless it must stay or is being read.
class Toast : public QFrame
{
    Q_OBJECT
public:
    explicit Toast(const Notice &notice, QWidget *parent);
    static constexpr int shownMs = 9000;

Q_SIGNALS:
    void undoAsked(const QString &callId);
    void reviewAsked(const QString &callId);
    void closed();

public:
    const Notice &notice() const { return m_notice; }

protected:
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QPushButton *addButton(const QString &text, const QString &name);
    Notice m_notice;
    QTimer m_away;
};

/// Stacks toasts in the lower right corner of a window, over everything else.
class ToastCorner : public QObject
{
    Q_OBJECT
public:
    explicit ToastCorner(QWidget *window);
    void show(const Notice &notice);
    /// Takes away what asks for a review of this call.
    void dismissReview(const QString &callId);
    QList<Toast *> toasts() const { return m_toasts; }
    /// Room below the toasts, for the status bar.
    void setBottomMargin(int pixels) { m_bottom = pixels; }

Q_SIGNALS:
    void undoAsked(const QString &callId);
    void reviewAsked(const QString &callId);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    QWidget *m_window;
    QList<Toast *> m_toasts;
    int m_bottom = 40;
    static constexpr int most = 4;
};
