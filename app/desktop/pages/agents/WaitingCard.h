#pragma once
#include "base/Clock.h"
#include "widgets/Card.h"
#include <QHash>

class ApprovalQueue;
class Pill;
class QLabel;

/// The requests that wait for the person, oldest first, each with Review.
class WaitingCard : public Card
{
    Q_OBJECT
public:
    /// Both are borrowed.
    WaitingCard(ApprovalQueue &queue, const Clock &clock, QWidget *parent = nullptr);
    /// Says anew how long each has waited.
    void refreshAges();

private:
    void fill();
    QWidget *makeRow(const struct ApprovalRequest &request);

    ApprovalQueue &m_queue;
    const Clock &m_clock;
    QWidget *m_rows = nullptr;
    Pill *m_count;
    QHash<QLabel *, qint64> m_ages; ///< label → asked at
};
