#pragma once
#include "simulator/Simulator.h"
#include <QSocketNotifier>

/// Steers a simulator that runs as a program of its own: one JSON object a line on standard input, one a line back.
/// {"id":1,"do":"advance","ms":5000} → {"id":1,"ok":true,"result":null}. The commands are those of ControlCommands.
class ControlChannel : public QObject
{
    Q_OBJECT
public:
    /// `clock` is nullptr when time is the machine's; without `listens` only the end of the input is waited for.
    ControlChannel(Simulator &simulator, ManualClock *clock, bool listens);

Q_SIGNALS:
    /// The other side closed standard input.
    void closed();

private:
    void read();
    void obey(const QByteArray &line);

    Simulator &m_simulator;
    ManualClock *m_clock;
    bool m_listens;
    QSocketNotifier m_notifier;
    QByteArray m_buffer;
};
