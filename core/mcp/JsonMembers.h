#pragma once
#include <QByteArray>
#include <QByteArrayView>
#include <vector>

/// One member of an object as it stands in the text; views into that text.
struct JsonMember {
    QByteArrayView key;   ///< between the quotes, escapes as written
    QByteArrayView value; ///< the whole value, without blanks around it
};

/// The members of one object in their own words, so that an id or an argument can be passed on exactly as it came.
/// Well-formed text is expected; of other text what could be read is given.
class JsonMembers
{
public:
    explicit JsonMembers(QByteArrayView object);
    /// The elements of a list, likewise; empty if the text is not one list from its first to its last byte.
    static std::vector<QByteArrayView> elements(QByteArrayView list);
    /// Whether the text was one object from its first to its last byte.
    bool isWhole() const { return m_isWhole; }
    const std::vector<JsonMember> &all() const { return m_members; }
    /// Empty if the key is not there, or there twice.
    QByteArrayView value(QByteArrayView key) const;

private:
    JsonMembers() = default;
    bool read();
    bool readElements(std::vector<QByteArrayView> &elements);
    QByteArrayView readString();
    QByteArrayView readValue();
    void skipBlanks();
    char current() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    QByteArrayView m_text;
    qsizetype m_at = 0;
    std::vector<JsonMember> m_members;
    bool m_isWhole = false;
};
