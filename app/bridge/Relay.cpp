#include "bridge/Relay.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace
{
constexpr long timeAfterClientMs = 1500;
constexpr size_t mostPending = 4096;
const Absence gone{10010, "went_away",
                   "Labhelm was closed while this ran. A change may have taken effect: look before you repeat it."};

long nowMs()
{
    using namespace std::chrono;
    return long(duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count());
}

/// Only pipes and sockets: a terminal's flag would reach other programs.
void doNotBlock(int descriptor)
{
    struct stat found {
    };
    if (::fstat(descriptor, &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode)))
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

void tellPerson(const char *text)
{
    std::fprintf(stderr, "labhelm-mcp: %s\n", text);
}
} // namespace

int Relay::run()
{
    doNotBlock(STDOUT_FILENO);
    const int socket = Connection::open(m_options, m_absence);
    if (socket >= 0)
        return serve(socket);
    tellPerson(m_absence->message);
    return answerAbsent();
}

void Relay::heardClient(const ScannedMessage &message)
{
    if (message.isRequest() && m_pending.size() < mostPending)
        m_pending.insert(message.id);
    else if (!message.cancels.empty())
        m_pending.erase(message.cancels);
}

/// Waits until something can move, and moves it. False once the client's end of standard output is closed.
bool Relay::moveBytes(Channel &up, Channel &down, int socket, int timeMs)
{
    pollfd waits[3] = {{up.hasRoom() ? STDIN_FILENO : -1, POLLIN, 0},
                       {STDOUT_FILENO, short(down.isEmpty() ? 0 : POLLOUT), 0},
                       {socket, short((down.hasRoom() ? POLLIN : 0) | (up.isEmpty() ? 0 : POLLOUT)), 0}};
    if (::poll(waits, 3, timeMs) < 0)
        return errno == EINTR;
    if ((waits[1].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
        return false;
    if (waits[0].revents != 0)
        m_fromClient.feed(up.read());
    up.write();
    if (down.hasRoom() && (waits[2].revents & ~POLLOUT) != 0)
        m_fromDesktop.feed(down.read());
    down.write();
    return !down.isBroken();
}

/// The client is done: nothing is owed to it, or it has been gone for too long.
bool Relay::isDone(const Channel &up, const Channel &down)
{
    if (!up.isEnded())
        return false;
    if (m_endsAtMs < 0)
        m_endsAtMs = nowMs() + timeAfterClientMs;
    return (m_pending.empty() && up.isEmpty() && down.isEmpty()) || nowMs() >= m_endsAtMs;
}

int Relay::serve(int socket)
{
    doNotBlock(socket);
    Channel up(STDIN_FILENO, socket), down(socket, STDOUT_FILENO);
    up.put(m_first);
    m_fromClient.feed(m_first);
    up.write();
    while (!isDone(up, down)) {
        const int timeMs = m_endsAtMs < 0 ? -1 : int(std::max(0L, m_endsAtMs - nowMs()));
        if (!moveBytes(up, down, socket, timeMs))
            return 0;
        if (down.isEnded()) // if only the way up is broken, its last words are still to come
            return lost(down);
    }
    return 0;
}

int Relay::lost(Channel &down)
{
    tellPerson("Labhelm has closed the connection.");
    const auto until = nowMs() + timeAfterClientMs;
    while (!down.isEmpty() && !down.isBroken() && nowMs() < until) {
        pollfd wait{STDOUT_FILENO, POLLOUT, 0};
        ::poll(&wait, 1, int(timeAfterClientMs));
        down.write();
    }
    if (!m_fromDesktop.isBetweenLines())
        return 1; // a line was cut: another one would be taken for its end
    for (const auto &id : m_pending)
        if (!say(errorFor(id, gone)))
            break;
    return 1;
}

std::string Relay::errorFor(const std::string &id, const Absence &absence) const
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + std::to_string(absence.code) +
           R"(,"message":")" + absence.message + R"(","data":{"reason":")" + absence.reason + "\"}}}\n";
}

/// Writes a whole line; false if the client does not take it.
bool Relay::say(const std::string &text) const
{
    const auto until = nowMs() + timeAfterClientMs;
    for (size_t done = 0; done < text.size();) {
        const auto count = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
        if (count > 0) {
            done += size_t(count);
            continue;
        }
        pollfd wait{STDOUT_FILENO, POLLOUT, 0};
        if (errno != EAGAIN || nowMs() >= until || ::poll(&wait, 1, int(timeAfterClientMs)) <= 0)
            return false;
    }
    return true;
}

int Relay::answerAbsent()
{
    bool isHeard = true;
    MessageScanner scanner([&](const ScannedMessage &message) {
        if (message.isRequest())
            isHeard = isHeard && say(errorFor(message.id, *m_absence));
    });
    char bytes[16 * 1024];
    while (isHeard) {
        pollfd waits[2] = {{STDIN_FILENO, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
        if ((::poll(waits, 2, -1) < 0 && errno != EINTR) || (waits[1].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
            break;
        const auto count = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (count <= 0)
            break;
        const std::string_view read(bytes, size_t(count));
        if (m_absence == &Connection::notRunning && scanner.isBetweenLines()) {
            const int socket = Connection::open(m_options, m_absence); // it may have been started meanwhile
            if (socket >= 0) {
                m_first = read;
                return serve(socket);
            }
        }
        scanner.feed(read);
    }
    return 1;
}
