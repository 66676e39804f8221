#pragma once
#include <QStringList>

/// What labhelm-cli ends with.
enum class ExitStatus {
    Ok = 0,
    Failed = 1,       ///< it failed, or was refused or denied
    Unknown = 2,      ///< it was sent, or waits, and nobody knows yet how it ended
    NoLabhelm = 3,    ///< the desktop could not be reached
    Usage = 4,        ///< the command line cannot be understood
    Interrupted = 130 ///< Ctrl+C
};

/// One word that labhelm-cli understands.
struct Verb {
    const char *name;
    const char *summary;
    const char *help;
    /// Runs with the words after its own name.
    ExitStatus (*run)(const QStringList &words);
};

extern const Verb operationsVerb; // verbs/operations.cpp
extern const Verb callVerb;       // verbs/call.cpp
