#pragma once
#include <QString>
#include <optional>

/// Who acts. Identity is kind and id; the rest is a hint for people.
struct Actor {
    enum class Kind {
        Person,   ///< the person at the window
        Agent,    ///< a paired agent
        Terminal, ///< labhelm-cli; an agent like any other
        Labhelm,  ///< the application itself: recovery, polling
        Outside   ///< somebody who acted on the cluster past Labhelm
    };
    Kind kind = Kind::Person;
    QString id = {};      ///< stable: agent id; empty for the person
    QString name = {};    ///< for display only, never for a decision
    QString session = {}; ///< one connection of an agent
    qint64 pid = 0;       ///< of the connected program; 0 = unknown
    QString program = {}; ///< path of the program behind the bridge, a hint

    bool operator==(const Actor &other) const { return kind == other.kind && id == other.id; }
    bool isProgram() const { return kind == Kind::Agent || kind == Kind::Terminal; }

    static Actor person() { return {}; }
    static Actor labhelm() { return {.kind = Kind::Labhelm, .name = QStringLiteral("Labhelm")}; }
};

QString actorKindName(Actor::Kind kind);
std::optional<Actor::Kind> actorKindFromName(const QString &name);
