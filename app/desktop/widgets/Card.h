#pragma once
#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

/// A rounded surface with an optional heading; content goes into body().
class Card : public QFrame
{
    Q_OBJECT
public:
    explicit Card(const QString &heading = {}, QWidget *parent = nullptr);
    void setHeading(const QString &heading);
    QVBoxLayout *body() const { return m_body; }
    /// Puts a small control at the right end of the heading's line.
    void addToHeading(QWidget *widget);

private:
    QHBoxLayout *m_top;
    QLabel *m_heading;
    QVBoxLayout *m_body;
};
