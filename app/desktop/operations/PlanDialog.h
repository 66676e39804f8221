#pragma once
#include <QDialog>
#include <QJsonObject>
#include <memory>

class PersonCalls;
class QLabel;
class QPushButton;
class QScrollArea;
class StepList;
struct CallResult;

/// The plan that a person puts together: each step as it would run now, with its undo, and a box that leaves it out.
/// Opens when something is added, and stays beside the window while more is collected.
class PlanDialog : public QDialog
{
    Q_OBJECT
public:
    /// `calls` is borrowed.
    explicit PlanDialog(PersonCalls &calls, QWidget *parent);

private:
    void build();
    void look();
    void showPreview(const CallResult &preview);
    void say(const QString &problem);
    void run();
    QJsonObject chosen() const;

    PersonCalls &m_calls;
    StepList *m_list = nullptr; ///< null until the plan has been looked at
    QScrollArea *m_scroll;
    QLabel *m_problem;
    QPushButton *m_run;
    std::shared_ptr<int> m_looking; ///< only the newest look is shown
};
