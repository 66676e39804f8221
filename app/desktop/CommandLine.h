#pragma once
#include "base/Result.h"
#include "shell/Theme.h"
#include <QStringList>

/// What the program was asked to do when it was started.
struct CommandLine {
    bool isDemo = false;
    bool wantsHelp = false, wantsVersion = false;
    QString dataFolder; ///< empty: the usual place
    QString simulator;  ///< path of labhelm-simulator; empty: beside this program
    Theme::Appearance appearance = Theme::Appearance::System;

    /// Refuses unknown options with a sentence for the terminal.
    static Result<CommandLine> from(const QStringList &arguments);
    static QString help();
};
