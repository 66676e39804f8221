#pragma once
#include <QString>
#include <optional>

/// What an operation does to the world, in rising order of harm.
enum class Effect {
    Reads,
    Changes,  ///< an inverse is recorded
    Disrupts, ///< interrupts service or is hard to reverse
    Executes, ///< runs code in a guest or on a node
    Destroys  ///< loses data or widens access
};

/// "Reads", "Changes" …: the word of the catalogue.
QString effectName(Effect effect);
std::optional<Effect> effectFromName(const QString &name);
