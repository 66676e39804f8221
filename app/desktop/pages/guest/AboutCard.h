#pragma once
#include "pages/guest/GuestView.h"
#include "widgets/Card.h"

class Facts;
class MarkdownView;
class QPushButton;

/// The guest's facts and its notes.
class AboutCard : public Card
{
    Q_OBJECT
public:
    explicit AboutCard(QWidget *parent = nullptr);
    void show(const GuestView &view);
    /// Of snapshot.list.
    void showSnapshots(const QJsonArray &snapshots, qint64 nowMs);
    using Card::show;

Q_SIGNALS:
    void editNotesAsked();

private:
    void showResources(const GuestView &view);
    void showRules(const GuestView &view);
    Facts *m_facts;
    MarkdownView *m_notes;
    QLabel *m_noNotes;
    QPushButton *m_edit;
};
