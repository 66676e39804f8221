#pragma once
#include "operations/Operation.h"

// Small pieces of the sentences in plans.

/// Translates a text marked QT_TRANSLATE_NOOP("operation", …).
QString words(const char *text);
/// "96 GiB", "4.5 GiB", "512 MiB"; 1024-based as PVE shows sizes.
QString sizeText(qint64 bytes);
/// "30 Nov 2026 09:43" in the local zone.
QString timeText(qint64 secondsSinceEpoch);
/// A value of a configuration as a person reads it; "not set" for Undefined. Text from outside is made visible.
QString valueText(const QJsonValue &value);
/// A list for a sentence, made visible: "a, b and 3 more".
QString listText(const QStringList &names, qsizetype most = 5);
