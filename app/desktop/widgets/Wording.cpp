#include "widgets/Wording.h"
#include "base/DisplayText.h"
#include "base/StrictJson.h"
#include <QCoreApplication>
#include <QLocale>

static QString tr(const char *text, int n = -1)
{
    return QCoreApplication::translate("Wording", text, nullptr, n);
}

QString Wording::effect(Effect effect)
{
    switch (effect) {
    case Effect::Reads: return tr("reads");
    case Effect::Changes: return tr("changes");
    case Effect::Disrupts: return tr("disrupts");
    case Effect::Executes: return tr("executes");
    case Effect::Destroys: return tr("destroys");
    }
    Q_UNREACHABLE();
}

Tone Wording::tone(Effect effect)
{
    switch (effect) {
    case Effect::Reads: return Tone::Neutral;
    case Effect::Changes: return Tone::Blue;
    case Effect::Disrupts:
    case Effect::Executes: return Tone::Amber;
    case Effect::Destroys: return Tone::Red;
    }
    Q_UNREACHABLE();
}

QString Wording::state(CallState state)
{
    switch (state) {
    case CallState::Waiting: return tr("waiting for you");
    case CallState::Running: return tr("running");
    case CallState::Done: return tr("done");
    case CallState::Warnings: return tr("done, with warnings");
    case CallState::Failed: return tr("failed");
    case CallState::Denied: return tr("denied");
    case CallState::Refused: return tr("refused");
    case CallState::Cancelled: return tr("cancelled");
    case CallState::Unknown: return tr("outcome unknown");
    }
    Q_UNREACHABLE();
}

Tone Wording::tone(CallState state)
{
    switch (state) {
    case CallState::Waiting:
    case CallState::Warnings:
    case CallState::Unknown: return Tone::Amber;
    case CallState::Running: return Tone::Blue;
    case CallState::Done: return Tone::Green;
    case CallState::Failed:
    case CallState::Denied:
    case CallState::Refused: return Tone::Red;
    case CallState::Cancelled: return Tone::Neutral;
    }
    Q_UNREACHABLE();
}

QString Wording::actor(const Actor &actor)
{
    const auto named = [&](const QString &otherwise) {
        return actor.name.isEmpty() ? otherwise : DisplayText::visible(actor.name);
    };
    switch (actor.kind) {
    case Actor::Kind::Person: return tr("You");
    case Actor::Kind::Agent: return named(tr("An agent"));
    case Actor::Kind::Terminal: return tr("Terminal");
    case Actor::Kind::Labhelm: return tr("Labhelm");
    case Actor::Kind::Outside: return named(tr("Somebody outside"));
    }
    Q_UNREACHABLE();
}

Tone Wording::tone(const Actor &actor)
{
    switch (actor.kind) {
    case Actor::Kind::Person: return Tone::Blue;
    case Actor::Kind::Agent:
    case Actor::Kind::Terminal: return Tone::Purple;
    case Actor::Kind::Labhelm:
    case Actor::Kind::Outside: return Tone::Neutral;
    }
    Q_UNREACHABLE();
}

QString Wording::process(const Actor &actor)
{
    QStringList parts;
    if (actor.pid > 0)
        parts << tr("pid %1").arg(actor.pid);
    if (!actor.session.isEmpty())
        parts << tr("session %1").arg(DisplayText::visible(actor.session.left(8)));
    return parts.join(QStringLiteral(" · "));
}

QString Wording::undo(const Plan &plan)
{
    const auto text = DisplayText::visible(plan.undoText);
    const auto then = [&](const QString &first) { return text.isEmpty() ? first : first + u' ' + text; };
    switch (plan.undo) {
    case Undo::Exact: return then(tr("This can be undone."));
    case Undo::Partly: return then(tr("This can be undone only in part."));
    case Undo::None: return then(tr("This cannot be undone."));
    }
    Q_UNREACHABLE();
}

Tone Wording::tone(Undo undo)
{
    switch (undo) {
    case Undo::Exact: return Tone::Green;
    case Undo::Partly: return Tone::Amber;
    case Undo::None: return Tone::Red;
    }
    Q_UNREACHABLE();
}

QString Wording::duration(qint64 milliseconds)
{
    const auto seconds = std::max<qint64>(0, milliseconds) / 1000;
    if (seconds < 60)
        return tr("%1 s").arg(seconds);
    if (seconds < 60 * 60)
        return tr("%1 min").arg(seconds / 60);
    if (seconds < 48 * 60 * 60)
        return tr("%1 h").arg(seconds / 3600);
    return tr("%n day(s)", int(seconds / 86400));
}

QString Wording::value(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Undefined: return tr("not set");
    case QJsonValue::Null: return tr("unknown");
    case QJsonValue::Bool: return value.toBool() ? tr("yes") : tr("no");
    case QJsonValue::String: return DisplayText::visible(value.toString(), true);
    default: return DisplayText::visible(QString::fromUtf8(StrictJson::write(value)));
    }
}
