#pragma once
#include <string>

/// Where the desktop keeps its socket and the agents' keys: the same rules as Folders in core/base.
struct Places {
    std::string socket;
    std::string keys; ///< folder
    static Places ofThisUser(bool isDemo);
};
