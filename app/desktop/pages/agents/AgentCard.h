#pragma once
#include "pages/agents/AgentView.h"
#include "widgets/Card.h"

class Pill;
class QLabel;
class QProgressBar;

/// One paired program: name, whether it is connected, what it may do, its process, its calls of this minute. Can be
/// chosen by mouse and keyboard.
class AgentCard : public Card
{
    Q_OBJECT
public:
    explicit AgentCard(QWidget *parent = nullptr);
    void set(const AgentView &agent, qint64 nowMs);
    void setChosen(bool chosen);

Q_SIGNALS:
    void chosen();

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QLabel *m_name, *m_process, *m_calls;
    Pill *m_state, *m_preset;
    QProgressBar *m_bar;
};
