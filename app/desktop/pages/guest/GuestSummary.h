#pragma once
#include "pages/guest/GuestSeries.h"
#include "pages/guest/GuestView.h"
#include <QTimer>
#include <QWidget>

class AboutCard;
class ChartCard;
class PersonCalls;
class QPushButton;

/// The guest at a glance: four charts that go on while one watches, facts and notes.
class GuestSummary : public QWidget
{
    Q_OBJECT
public:
    explicit GuestSummary(PersonCalls &calls, QWidget *parent = nullptr);
    /// A guest other than before starts with empty charts.
    void show(const GuestView &view);
    using QWidget::show;
    AboutCard &about() { return *m_about; }

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    struct Timeframe {
        const char *id;
        qint64 seconds;
    };
    static const std::array<Timeframe, 5> timeframes;
    QString timeframeWords(int index) const;
    void makeTimeframes();
    void load();
    void draw();
    void sayFigures();

    PersonCalls &m_calls;
    ChartCard *m_cpu, *m_memory, *m_network, *m_disk;
    AboutCard *m_about;
    QPushButton *m_timeframe;
    GuestView m_view;
    GuestSeries m_series;
    QString m_shownKey;
    int m_timeframeIndex = 0;
    QTimer m_again;
};
