#include "bridge/Relay.h"
#include <csignal>
#include <cstdio>

int main(int count, char **words)
{
    std::signal(SIGPIPE, SIG_IGN);
    const auto options = Options::from(count, words);
    switch (options.wish) {
    case Options::Wish::Help: std::fputs(Options::help(), stdout); return 0;
    case Options::Wish::Version: std::puts("labhelm-mcp " LABHELM_VERSION); return 0;
    case Options::Wish::Wrong:
        std::fprintf(stderr, "labhelm-mcp: %s\nTry labhelm-mcp --help.\n", options.wrong.c_str());
        return 2;
    case Options::Wish::Serve: break;
    }
    Relay relay(options);
    return relay.run();
}
