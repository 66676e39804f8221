#pragma once
#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;
class QProgressBar;

/// What is known about a thing, line by line: a muted name and its value. Values can be selected and copied.
class Facts : public QWidget
{
    Q_OBJECT
public:
    explicit Facts(QWidget *parent = nullptr);
    /// Adds the line at its first use; an empty value hides it. Text is shown as plain text.
    void set(const QString &name, const QString &value);
    /// A thin bar below the value, 0 … 1; negative hides it.
    void setBar(const QString &name, double part);

private:
    struct Line {
        QString name;
        QLabel *caption, *value;
        QProgressBar *bar;
    };
    Line &line(const QString &name);
    QGridLayout *m_grid;
    std::vector<Line> m_lines;
};
