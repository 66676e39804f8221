#include "bridge/Options.h"
#include "bridge/Places.h"
#include <string_view>

const char *Options::help()
{
    return "labhelm-mcp: connects an MCP client (on standard input and output) to the Labhelm that runs on this "
           "desktop.\n"
           "\n"
           "  labhelm-mcp [--agent ID] [--key FILE] [--socket PATH] [--demo]\n"
           "\n"
           "  --agent ID     who this is; \"Connect an agent\" on Labhelm's Agents page makes the id and its key\n"
           "  --key FILE     the agent's key; otherwise ID.key in the folder of keys below ~/.config/labhelm\n"
           "  --socket PATH  where Labhelm listens; otherwise mcp.sock below $XDG_RUNTIME_DIR/labhelm\n"
           "  --demo         the demo's socket and keys instead of the real ones\n"
           "  --help, --version\n"
           "\n"
           "Standard output carries MCP only; messages for people go to standard error. If Labhelm cannot be reached,\n"
           "each request is answered with an error that says why.\n"
           "Exit status: 0 the client is done; 1 Labhelm could not be reached or went away; 2 wrong usage.\n";
}

static bool isId(std::string_view text)
{
    if (text.empty() || text.size() > 64)
        return false;
    for (const char c : text)
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
    return true;
}

Options Options::from(int count, const char *const *words)
{
    Options options;
    bool isDemo = false;
    const auto wrong = [&](std::string what) {
        options.wish = Wish::Wrong;
        options.wrong = std::move(what);
        return options;
    };
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "--help" || word == "-h" || word == "--version") {
            options.wish = word == "--version" ? Wish::Version : Wish::Help;
            return options;
        }
        if (word == "--demo") {
            isDemo = true;
            continue;
        }
        auto *value = word == "--agent"    ? &options.agent
                      : word == "--key"    ? &options.key
                      : word == "--socket" ? &options.socket
                                           : nullptr;
        if (!value)
            return wrong("unknown option " + std::string(word));
        if (++i >= count)
            return wrong(std::string(word) + " needs a value");
        *value = words[i];
    }
    if (!options.agent.empty() && !isId(options.agent))
        return wrong("an agent's id has lower-case letters, digits and hyphens only");
    const auto places = Places::ofThisUser(isDemo);
    if (options.socket.empty())
        options.socket = places.socket;
    if (options.key.empty() && !options.agent.empty())
        options.key = places.keys + '/' + options.agent + ".key";
    return options;
}
