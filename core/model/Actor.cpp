#include "model/Actor.h"
#include <array>

static constexpr std::array names{"person", "agent", "terminal", "labhelm", "outside"};

QString actorKindName(Actor::Kind kind)
{
    return QString::fromLatin1(names[static_cast<size_t>(kind)]);
}

std::optional<Actor::Kind> actorKindFromName(const QString &name)
{
    for (size_t i = 0; i < names.size(); ++i)
        if (name == QLatin1String(names[i]))
            return static_cast<Actor::Kind>(i);
    return std::nullopt;
}
