#include "operations/PersonCalls.h"
#include "base/DisplayText.h"
#include "operations/Requests.h"

PersonCalls::PersonCalls(Executor &executor, QObject *parent) : QObject(parent), m_executor(executor)
{
    connect(&m_executor, &Executor::changed, this, [this](const ExecutionInfo &info) {
        if (info.endedMs == 0 && info.actor.kind == Actor::Kind::Person && info.effect != Effect::Reads)
            m_targets.insert(info.callId, info.target.label);
    });
}

QString PersonCalls::read(const QString &operation, const QJsonObject &arguments, QObject *context,
                          std::function<void(const Result<QJsonValue> &)> then)
{
    const QPointer<QObject> alive(context);
    return m_executor.start({.operation = operation, .arguments = ::arguments(arguments), .actor = Actor::person()},
                            [alive, then = std::move(then)](const CallResult &result) {
                                if (!alive)
                                    return;
                                if (result.outcome)
                                    then(Result<QJsonValue>(result.outcome->answer));
                                else
                                    then(Result<QJsonValue>(result.outcome.error()));
                            });
}

QString PersonCalls::change(const QString &operation, const QJsonObject &arguments, QObject *context,
                            std::function<void(const CallResult &)> then, bool isQuiet)
{
    const QPointer<PersonCalls> self(this);
    const QPointer<QObject> alive(context);
    return m_executor.start({.operation = operation, .arguments = ::arguments(arguments), .actor = Actor::person()},
                            [self, alive, then = std::move(then), isQuiet](const CallResult &result) {
                                if (self)
                                    self->tell(result, self->m_targets.take(result.callId), isQuiet);
                                if (alive && then)
                                    then(result);
                            });
}

void PersonCalls::undo(const QString &callId)
{
    change(QStringLiteral("undo.apply"), {{QStringLiteral("entry"), callId}});
}

void PersonCalls::tell(const CallResult &result, const QString &target, bool isQuiet)
{
    Notice notice;
    if (result.plan)
        notice.text = DisplayText::visible(result.outcome ? result.plan->done : result.plan->intent);
    notice.detail = target;
    if (result.outcome) {
        const bool isGreen = result.outcome->changed && result.plan && result.plan->undo == Undo::Exact;
        notice.undoes = isGreen ? result.callId : QString();
        notice.tone = result.state == CallState::Warnings ? Tone::Amber : Tone::Green;
        if (!result.outcome->warnings.isEmpty())
            notice.detail = DisplayText::visible(result.outcome->warnings.join(QStringLiteral(" · ")));
        Q_EMIT noticed(notice);
        return;
    }
    if (result.state == CallState::Denied || result.state == CallState::Cancelled)
        return; // the person said so themself a moment ago
    if (isQuiet && result.state == CallState::Refused)
        return;
    notice.tone = result.state == CallState::Unknown ? Tone::Amber : Tone::Red;
    notice.staysOpen = true;
    if (notice.text.isEmpty())
        notice.text = result.state == CallState::Refused ? tr("Not done") : tr("This did not work");
    else if (result.state == CallState::Unknown)
        notice.text = tr("It is not known whether this took effect: %1").arg(notice.text);
    else
        notice.text = tr("Failed: %1").arg(notice.text);
    notice.detail = DisplayText::visible(result.outcome.error().message, true);
    Q_EMIT noticed(notice);
}
