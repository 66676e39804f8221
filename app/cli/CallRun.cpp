#include "cli/CallRun.h"
#include "base/StrictJson.h"
#include "cli/Console.h"
#include <QJsonDocument>
#include <csignal>
#include <sys/signalfd.h>
#include <unistd.h>

static constexpr int callId = 1;

CallRun::CallRun(Wish wish) : m_wish(std::move(wish)), m_link(m_wish.socket, m_wish.keyFile)
{
    connect(&m_link, &DesktopLink::ready, this, &CallRun::call);
    connect(&m_link, &DesktopLink::received, this, &CallRun::hear);
    connect(&m_link, &DesktopLink::failed, this, [this](const Error &error) {
        if (m_isOver)
            return;
        Console::tell(error.message);
        if (m_isCalled)
            Console::tell(tr("Whether it took effect is not known. Look at the timeline before you repeat it."));
        finish(m_isCalled ? ExitStatus::Unknown : ExitStatus::NoLabhelm);
    });
    sigset_t interrupts;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    ::sigprocmask(SIG_BLOCK, &interrupts, nullptr);
    m_signals = ::signalfd(-1, &interrupts, SFD_NONBLOCK | SFD_CLOEXEC);
    m_interrupts = std::make_unique<QSocketNotifier>(m_signals, QSocketNotifier::Read);
    connect(m_interrupts.get(), &QSocketNotifier::activated, this, &CallRun::interrupt);
}

CallRun::~CallRun()
{
    m_interrupts.reset();
    ::close(m_signals);
}

void CallRun::call()
{
    m_isCalled = true;
    // "labhelm/wait": a person at a terminal would rather wait than ask again
    m_link.request(callId, QStringLiteral("tools/call"),
                   {{QStringLiteral("name"), m_wish.tool}, {QStringLiteral("arguments"), m_wish.arguments}},
                   {{QStringLiteral("progressToken"), callId}, {QStringLiteral("labhelm/wait"), true}});
}

void CallRun::hear(const QJsonObject &message)
{
    if (message[u"method"] == QStringLiteral("notifications/progress")) {
        showProgress(message[u"params"].toObject());
        return;
    }
    if (message[u"id"].toInt() != callId)
        return;
    if (message.contains(u"result")) {
        showAnswer(message[u"result"].toObject());
        return;
    }
    Console::tell(message[u"error"].toObject()[u"message"].toString());
    finish(ExitStatus::Failed);
}

void CallRun::showProgress(const QJsonObject &params)
{
    const int percent = params[u"progress"].toInt(int(params[u"progress"].toDouble()));
    const auto text =
        params[u"message"].toString() + (percent > 0 ? QStringLiteral(" (%1 %)").arg(percent) : QString());
    if (text != m_lastProgress)
        Console::tell(text);
    m_lastProgress = text;
}

void CallRun::showAnswer(const QJsonObject &result)
{
    const auto answer = result[u"structuredContent"].toObject();
    Console::print(QString::fromUtf8(QJsonDocument(answer).toJson()).trimmed());
    const auto state = answer[u"state"].toString();
    const bool isOpen =
        state == QStringLiteral("unknown") || state == QStringLiteral("waiting") || state == QStringLiteral("running");
    if (result[u"isError"].toBool())
        Console::tell(answer[u"error"].toObject()[u"message"].toString());
    finish(isOpen && answer.contains(u"entry") ? ExitStatus::Unknown
           : result[u"isError"].toBool()       ? ExitStatus::Failed
                                               : ExitStatus::Ok);
}

void CallRun::interrupt()
{
    signalfd_siginfo ignored;
    while (::read(m_signals, &ignored, sizeof ignored) > 0) {
    }
    if (m_isCalled) {
        m_link.notify(QStringLiteral("notifications/cancelled"), {{QStringLiteral("requestId"), callId}});
        Console::tell(tr("Cancelled. What was sent to the cluster goes on; the timeline shows it."));
    }
    finish(ExitStatus::Interrupted);
}

void CallRun::finish(ExitStatus status)
{
    if (!std::exchange(m_isOver, true))
        Q_EMIT ended(status);
}
