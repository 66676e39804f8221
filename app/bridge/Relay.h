#pragma once
#include "bridge/Channel.h"
#include "bridge/Connection.h"
#include "bridge/MessageScanner.h"
#include <string>
#include <unordered_set>

/// Carries MCP between the client on standard input and output and the desktop. While the desktop is not there, answers
/// each request with the reason.
class Relay
{
public:
    explicit Relay(const Options &options) : m_options(options) {}
    /// Until the client or the desktop is gone; the exit status.
    int run();

private:
    int serve(int socket);
    bool moveBytes(Channel &up, Channel &down, int socket, int timeMs);
    bool isDone(const Channel &up, const Channel &down);
    int lost(Channel &down);
    int answerAbsent();
    bool say(const std::string &text) const;
    std::string errorFor(const std::string &id, const Absence &absence) const;
    void heardClient(const ScannedMessage &message);

    const Options &m_options;
    const Absence *m_absence = nullptr;
    std::string m_first;                       ///< read from the client before there was a connection
    std::unordered_set<std::string> m_pending; ///< ids of requests without an answer
    MessageScanner m_fromClient{[this](const ScannedMessage &message) { heardClient(message); }};
    MessageScanner m_fromDesktop{[this](const ScannedMessage &message) { m_pending.erase(message.id); }};
    long m_endsAtMs = -1; ///< monotonic; set when the client is gone
};
