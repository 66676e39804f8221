#include "bridge/Connection.h"
#include "bridge/Sha256.h"
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace
{
using Time = std::chrono::steady_clock;
constexpr auto handshakeTime = std::chrono::seconds(10);
constexpr auto timeAfterClient = std::chrono::milliseconds(1500);
constexpr size_t longestLine = 512;
const std::string protocol = "LABHELM/1";

const Absence noKey{10002, "no_key", "The key of this agent cannot be read. Pair it anew on Labhelm's Agents page."};
const Absence openKey{
    10002, "no_key",
    "The key file of this agent is open to others or not yours, so it is not used. Set its mode to 600."};
const Absence stranger{10003, "untrusted", "The program at Labhelm's socket has not proved to be Labhelm."};
const Absence otherUser{10003, "untrusted", "Labhelm's socket belongs to another user."};
const Absence unpaired{10004, "not_paired",
                       "Labhelm does not know this agent. Pair it with “Connect an agent” on Labhelm's Agents page."};
const Absence pairing{10004, "not_paired",
                      "This program is not paired with Labhelm. It is shown on Labhelm's Agents page now: a person can "
                      "pair it there with “Connect an agent”, and then it is started with --agent and its id."};
const Absence wrongKey{10005, "wrong_key",
                       "Labhelm does not accept this agent's key. Pair it anew on the Agents page."};
const Absence locked{10006, "keyring_locked",
                     "Labhelm cannot check this agent's key because the keyring is locked. A person can unlock it."};
const Absence busy{10007, "busy", "Too many programs are connected to Labhelm."};
const Absence rejected{10008, "refused", "Labhelm refused the connection."};
const Absence silent{10009, "no_answer", "Labhelm does not answer."};

const Absence *refusal(const std::string &code)
{
    return code == "unpaired"  ? &unpaired
           : code == "pairing" ? &pairing
           : code == "proof"   ? &wrongKey
           : code == "locked"  ? &locked
           : code == "busy"    ? &busy
                               : &rejected;
}

/// Through the folder's descriptor, so that the length of the path does not matter.
int reach(const std::string &path)
{
    const auto slash = path.rfind('/');
    const auto folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    const int at = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (at < 0)
        return -1;
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    const auto name = "/proc/self/fd/" + std::to_string(at) + '/' + path.substr(slash + 1);
    std::strncpy(to.sun_path, name.c_str(), sizeof to.sun_path - 1);
    int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket >= 0 && ::connect(socket, reinterpret_cast<const sockaddr *>(&to), sizeof to) != 0) {
        ::close(socket);
        socket = -1;
    }
    ::close(at);
    return socket;
}

bool isOurs(int socket)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

const Absence *readKey(const std::string &path, std::string &key)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat found {
    };
    char text[128];
    const auto size = file < 0 ? -1 : ::read(file, text, sizeof text);
    const bool isKnown = file >= 0 && ::fstat(file, &found) == 0;
    if (file >= 0)
        ::close(file);
    if (!isKnown || size < 64)
        return &noKey;
    if (found.st_uid != ::geteuid() || (found.st_mode & 0077) != 0)
        return &openKey;
    key.assign(text, 64);
    return key.find_first_not_of("0123456789abcdef") == std::string::npos ? nullptr : &noKey;
}

/// One line; empty = none came in time. The client going away shortens the time.
std::string readLine(int socket, Time::time_point until)
{
    std::string line;
    while (line.size() < longestLine) {
        pollfd waits[2] = {{socket, POLLIN, 0}, {STDIN_FILENO, 0, 0}};
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Time::now()).count();
        if (left <= 0 || (::poll(waits, 2, int(left)) < 0 && errno != EINTR))
            return {};
        if (waits[1].revents != 0) {
            until = std::min(until, Time::now() + timeAfterClient);
            if (waits[0].revents == 0 && ::poll(waits, 1, int(timeAfterClient.count())) <= 0)
                return {};
        }
        if (waits[0].revents == 0)
            continue;
        char c = 0; // byte by byte: what follows the line is not ours
        if (::read(socket, &c, 1) != 1)
            return {};
        if (c == '\n')
            return line;
        line.push_back(c);
    }
    return {};
}

std::vector<std::string> wordsOf(const std::string &line)
{
    std::vector<std::string> words(1);
    for (const char c : line)
        if (c == ' ')
            words.emplace_back();
        else if (c != '\r')
            words.back().push_back(c);
    return words;
}

bool send(int socket, const std::string &line)
{
    return ::send(socket, line.data(), line.size(), MSG_NOSIGNAL) == ssize_t(line.size());
}

bool isSame(const std::string &one, const std::string &other)
{
    unsigned difference = one.size() != other.size();
    for (size_t i = 0; i < one.size() && i < other.size(); ++i)
        difference |= unsigned(one[i] ^ other[i]);
    return difference == 0;
}

std::string callerName()
{
    std::ifstream file("/proc/" + std::to_string(::getppid()) + "/comm");
    std::string name, encoded;
    std::getline(file, name);
    for (const char c : name)
        encoded += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.'
                       ? std::string(1, c)
                       : '%' + hexOf(reinterpret_cast<const uint8_t *>(&c), 1);
    return encoded.empty() ? "program" : encoded;
}

const Absence *expect(const std::vector<std::string> &words, const char *word, size_t count)
{
    if (words.size() == 3 && words[0] == protocol && words[1] == "refused")
        return refusal(words[2]);
    if (words.size() == 1 && words[0].empty())
        return &silent;
    return words.size() == count && words[0] == protocol && words[1] == word ? nullptr : &stranger;
}

const Absence *shakeHands(int socket, const Options &options)
{
    const auto until = Time::now() + handshakeTime;
    if (options.agent.empty()) {
        send(socket, protocol + " pair " + callerName() + '\n');
        const auto *answer = expect(wordsOf(readLine(socket, until)), "refused", 3);
        return answer ? answer : &rejected;
    }
    std::string key;
    if (const auto *absence = readKey(options.key, key))
        return absence;
    uint8_t random[32];
    if (::getrandom(random, sizeof random, 0) != ssize_t(sizeof random))
        return &rejected;
    const auto nonce = hexOf(random, sizeof random);
    send(socket, protocol + " agent " + options.agent + ' ' + nonce + '\n');
    const auto words = wordsOf(readLine(socket, until));
    if (const auto *absence = expect(words, "challenge", 4))
        return absence;
    const auto both = options.agent + '\n' + nonce + '\n' + words[2];
    if (words[2].size() != 64 || !isSame(words[3], hmacSha256Hex(key, protocol + " server\n" + both)))
        return &stranger;
    send(socket, protocol + " proof " + hmacSha256Hex(key, protocol + " program\n" + both) + '\n');
    return expect(wordsOf(readLine(socket, until)), "welcome", 3);
}
} // namespace

const Absence Connection::notRunning{10001, "not_running",
                                     "Labhelm is not running. Start it on this desktop, then try again."};

int Connection::open(const Options &options, const Absence *&absence)
{
    const int socket = reach(options.socket);
    absence = socket < 0 ? &notRunning : isOurs(socket) ? shakeHands(socket, options) : &otherUser;
    if (!absence)
        return socket;
    if (socket >= 0)
        ::close(socket);
    return -1;
}
