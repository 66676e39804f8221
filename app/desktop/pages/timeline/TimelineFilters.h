#pragma once
#include "audit/AuditEvent.h"
#include <QTimer>
#include <QWidget>
#include <optional>

class QHBoxLayout;
class QLineEdit;
class QMenu;
class QPushButton;

/// The row of filters over the timeline: when, who, effect, outcome, object, words.
class TimelineFilters : public QWidget
{
    Q_OBJECT
public:
    enum class Span { Hour, Today, Week, Month, Year, Ever };
    explicit TimelineFilters(QWidget *parent = nullptr);

    /// Everything chosen here but the time, which span() tells.
    CallFilter filter() const;
    Span span() const { return m_span; }
    /// When the span begins, counted from `nowMs`; nothing = it has no beginning.
    std::optional<qint64> fromMs(qint64 nowMs) const;
    /// Narrows to one object until it is removed; `label` is safe to show. An empty key removes it.
    void setTarget(const QString &key, const QString &label);
    /// Actors that may be chosen besides the person and "any agent".
    void setKnownActors(const QList<Actor> &actors);

Q_SIGNALS:
    void changed();

private:
    QPushButton *filterMenu(QHBoxLayout *row, const char *name);
    void addChoice(QPushButton *button, QMenu *menu, const QString &text, std::function<void()> choose);
    void fillSpan();
    void fillWho();
    void fillEffect();
    void fillOutcome();
    void chooseWho(std::optional<Actor::Kind> kind, const QString &id);

    CallFilter m_filter;
    Span m_span = Span::Today;
    QList<Actor> m_actors;
    QPushButton *m_when, *m_who, *m_effect, *m_outcome, *m_target;
    QLineEdit *m_text;
    QTimer m_typing;
};
