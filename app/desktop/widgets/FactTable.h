#pragma once
#include "widgets/Tones.h"
#include <QWidget>

class QGridLayout;
class QLabel;

/// Labels and values in two columns: "State now    stopped, since 21 days". Everything is plain text and wraps.
class FactTable : public QWidget
{
    Q_OBJECT
public:
    explicit FactTable(QWidget *parent = nullptr);
    /// Adds a line; `value` is shown as it is, text from outside goes through DisplayText::visible first.
    QLabel *add(const QString &label, const QString &value, Tone tone = Tone::Neutral);
    /// An id, a hash or a path in a fixed-width font.
    void addExact(const QString &label, const QString &value);
    void addWidget(const QString &label, QWidget *value);
    void clear();
    int count() const { return m_count; }

private:
    QGridLayout *m_grid;
    int m_count = 0;
};
