#include "operations/Plan.h"
#include <QJsonArray>

QString undoName(Undo undo)
{
    switch (undo) {
    case Undo::Exact: return QStringLiteral("exact");
    case Undo::Partly: return QStringLiteral("partly");
    case Undo::None: return QStringLiteral("none");
    }
    Q_UNREACHABLE();
}

static QJsonArray changesJson(const std::vector<PlanChange> &changes)
{
    QJsonArray all;
    for (const auto &change : changes) {
        QJsonObject one{{QStringLiteral("key"), change.key}};
        if (!change.before.isUndefined())
            one.insert(QStringLiteral("before"), change.before);
        if (!change.after.isUndefined())
            one.insert(QStringLiteral("after"), change.after);
        all.append(one);
    }
    return all;
}

static QJsonArray stepsJson(const std::vector<PlanStep> &steps)
{
    QJsonArray all;
    for (const auto &step : steps) {
        QJsonObject one{{QStringLiteral("what"), step.headline},
                        {QStringLiteral("target"), step.targetKey},
                        {QStringLiteral("effect"), effectName(step.effect)},
                        {QStringLiteral("undo"), undoName(step.undo)},
                        {QStringLiteral("changes"), changesJson(step.changes)}};
        if (!step.losses.isEmpty())
            one.insert(QStringLiteral("losses"), QJsonArray::fromStringList(step.losses));
        if (step.later)
            one.insert(QStringLiteral("later"), step.later->message);
        if (!step.isChosen)
            one.insert(QStringLiteral("left_out"), true);
        all.append(one);
    }
    return all;
}

QJsonObject Plan::json() const
{
    QJsonArray shownFacts;
    for (const auto &fact : facts)
        shownFacts.append(QJsonObject{{QStringLiteral("label"), fact.label}, {QStringLiteral("value"), fact.value}});
    QJsonArray shownRequests;
    for (const auto &request : requests)
        shownRequests.append(request.describe());
    QJsonObject plan{{QStringLiteral("intent"), intent},       {QStringLiteral("changes"), changesJson(changes)},
                     {QStringLiteral("facts"), shownFacts},    {QStringLiteral("requests"), shownRequests},
                     {QStringLiteral("undo"), undoName(undo)}, {QStringLiteral("undo_text"), undoText}};
    if (!losses.isEmpty())
        plan.insert(QStringLiteral("losses"), QJsonArray::fromStringList(losses));
    if (!steps.empty())
        plan.insert(QStringLiteral("steps"), stepsJson(steps));
    if (raised)
        plan.insert(QStringLiteral("effect"), effectName(*raised));
    return plan;
}
