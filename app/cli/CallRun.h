#pragma once
#include "cli/DesktopLink.h"
#include "cli/Verb.h"
#include <QSocketNotifier>

/// One call through the desktop, from connecting to its answer.
class CallRun : public QObject
{
    Q_OBJECT
public:
    /// What is called, and through which socket.
    struct Wish {
        QString tool;
        QJsonObject arguments;
        QString socket, keyFile;
    };
    explicit CallRun(Wish wish);
    ~CallRun() override;
    void start() { m_link.open(); }

Q_SIGNALS:
    void ended(ExitStatus status);

private:
    void call();
    void hear(const QJsonObject &message);
    void showProgress(const QJsonObject &params);
    void showAnswer(const QJsonObject &result);
    void interrupt();
    void finish(ExitStatus status);

    Wish m_wish;
    DesktopLink m_link;
    int m_signals = -1;
    std::unique_ptr<QSocketNotifier> m_interrupts;
    QString m_lastProgress;
    bool m_isCalled = false, m_isOver = false;
};
