#pragma once
#include "audit/AuditEvent.h"
#include <QStringList>
#include <QVariantList>

/// Terms joined by AND for the table of calls, with the values to bind.
struct CallCondition {
    static constexpr int mostWords = 8;
    QStringList terms;
    QVariantList values;

    /// Everything that a filter says but the time.
    static CallCondition of(const CallFilter &filter);
    /// The words that a filter looks for.
    static QStringList wordsOf(const CallFilter &filter);

    void add(const QString &term, const QVariantList &bound = {});
    QString sql() const { return terms.isEmpty() ? QStringLiteral("1") : terms.join(QLatin1String(" AND ")); }
};
