#include "audit/CallCondition.h"

static QString likePattern(const QString &word)
{
    QString escaped = word.left(200);
    for (const auto special : {u'\\', u'%', u'_'})
        escaped.replace(special, QStringLiteral("\\") + special);
    return u'%' + escaped + u'%';
}

QStringList CallCondition::wordsOf(const CallFilter &filter)
{
    return filter.text.simplified().split(u' ', Qt::SkipEmptyParts).mid(0, mostWords);
}

void CallCondition::add(const QString &term, const QVariantList &bound)
{
    terms.append(term);
    values += bound;
}

CallCondition CallCondition::of(const CallFilter &filter)
{
    CallCondition condition;
    if (filter.actorKind)
        condition.add(QStringLiteral("actor_kind = ?"), {actorKindName(*filter.actorKind)});
    if (!filter.actorId.isEmpty()) // the second half is what the partial index asks for
        condition.add(QStringLiteral("actor_id = ? AND actor_id <> ''"), {filter.actorId});
    if (filter.effect)
        condition.add(QStringLiteral("effect = ?"), {effectName(*filter.effect)});
    if (filter.state)
        condition.add(QStringLiteral("state = ?"), {callStateName(*filter.state)});
    if (!filter.target.isEmpty())
        condition.add(QStringLiteral("target = ?"), {filter.target});
    if (filter.onlyUndoable)
        condition.add(QStringLiteral("has_inverse = 1 AND claimed_by = '' AND undone_by = ''"));
    for (const auto &word : wordsOf(filter))
        condition.add(QStringLiteral("(headline LIKE ? ESCAPE '\\' OR target LIKE ? ESCAPE '\\' OR target_label LIKE ? "
                                     "ESCAPE '\\' OR operation LIKE ? ESCAPE '\\' OR error LIKE ? ESCAPE '\\')"),
                      QVariantList(5, likePattern(word)));
    return condition;
}
