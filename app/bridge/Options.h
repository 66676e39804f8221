#pragma once
#include <string>

/// The command line.
struct Options {
    enum class Wish { Serve, Help, Version, Wrong };
    Wish wish = Wish::Serve;
    std::string agent;  ///< empty: not paired, asks to be
    std::string socket; ///< path
    std::string key;    ///< path of the key file; empty without an agent
    std::string wrong;  ///< what cannot be understood

    static Options from(int count, const char *const *words);
    static const char *help();
};
