#pragma once
#include "operations/Plan.h"
#include "widgets/Tones.h"
#include <QWidget>

/// Before and after of one live object, line by line: "- memory: 4096" on red, "+ memory: 6144" on green. Plain text.
class DiffView : public QWidget
{
    Q_OBJECT
public:
    explicit DiffView(QWidget *parent = nullptr);
    void set(const std::vector<PlanChange> &changes);
    bool isEmpty() const { return m_lines.empty(); }
    /// What is shown, one line each.
    QString text() const;

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Line {
        QChar mark; ///< '-', '+' or ' '
        QString text;
    };
    void add(QChar mark, const QString &key, const QStringList &values);
    int heightOf(const Line &line, int width) const;
    std::vector<Line> m_lines;
};
