#pragma once
#include "widgets/Tones.h"
#include <QHash>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class StateDot;

/// The line under every page: connection, counts, the state of the audit chain, agents.
class StatusBar : public QWidget
{
    Q_OBJECT
public:
    enum class Place { Counts, Chain, Agents, Hint };
    explicit StatusBar(QWidget *parent = nullptr);
    /// The dot repeats what the words say.
    void setConnection(const QString &words, Tone tone, const QString &toolTip = {});
    /// Empty words hide the place.
    void set(Place place, const QString &words, const QString &toolTip = {});

private:
    QLabel *add(QHBoxLayout *row);
    StateDot *m_dot;
    QLabel *m_connection;
    QHash<Place, QLabel *> m_places;
};
