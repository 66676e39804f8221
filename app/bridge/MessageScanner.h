#pragma once
#include <functional>
#include <string>
#include <string_view>

/// What a relay must know of one JSON-RPC message.
struct ScannedMessage {
    std::string id;      ///< its JSON text, exactly as it came; empty = none, or longer than 1 KiB
    std::string cancels; ///< the JSON text of params.requestId, likewise
    bool hasMethod = false;
    bool isRequest() const { return hasMethod && hasId(); }
    bool isResponse() const { return !hasMethod && hasId(); }
    /// Whether it is text or a number.
    bool hasId() const { return !id.empty() && (id[0] == '"' || id[0] == '-' || (id[0] >= '0' && id[0] <= '9')); }
};

/// Finds the messages in a stream of bytes that may be cut anywhere, without keeping them. Members of a batch are told
/// one by one. Text that is no JSON gives nothing, or a message without an id.
class MessageScanner
{
public:
    using Found = std::function<void(const ScannedMessage &)>;
    explicit MessageScanner(Found found) : m_found(std::move(found)) {}
    void feed(std::string_view bytes);
    /// Nothing of a message was seen since the last line's end.
    bool isBetweenLines() const { return m_isFresh; }

private:
    void take(char c);
    void takeInString(char c);
    void open(char c);
    void close();
    void startValue();
    void keep(char c);
    void startLine();

    Found m_found;
    ScannedMessage m_message;
    std::string m_key;              ///< of the member that is being read
    std::string *m_value = nullptr; ///< where the member's value is kept; null = nobody wants it
    int m_depth = 0, m_base = 0;    ///< m_base: depth around one message, 1 in a batch
    bool m_isFresh = true, m_inString = false, m_isEscaped = false, m_isKey = false, m_readsKey = false;
};
