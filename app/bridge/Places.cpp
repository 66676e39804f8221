#include "bridge/Places.h"
#include <cstdlib>

static std::string fromVariable(const char *variable, const std::string &otherwise)
{
    const char *given = std::getenv(variable);
    if (!given || given[0] != '/')
        return otherwise;
    std::string path(given);
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    return path;
}

Places Places::ofThisUser(bool isDemo)
{
    const auto home = fromVariable("HOME", "/");
    const std::string name = isDemo ? "/labhelm-demo" : "/labhelm";
    const auto runtime = fromVariable("XDG_RUNTIME_DIR", {});
    const auto folder =
        runtime.empty() ? fromVariable("XDG_STATE_HOME", home + "/.local/state") + name + "/run" : runtime + name;
    return {folder + "/mcp.sock", fromVariable("XDG_CONFIG_HOME", home + "/.config") + name + "/agents"};
}
