#include "model/Effect.h"
#include <array>

static constexpr std::array names{"Reads", "Changes", "Disrupts", "Executes", "Destroys"};

QString effectName(Effect effect)
{
    return QString::fromLatin1(names[static_cast<size_t>(effect)]);
}

std::optional<Effect> effectFromName(const QString &name)
{
    for (size_t i = 0; i < names.size(); ++i)
        if (name == QLatin1String(names[i]))
            return static_cast<Effect>(i);
    return std::nullopt;
}
