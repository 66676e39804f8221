#pragma once
#include <QStringList>
#include <optional>

/// A property string of a guest's configuration: "virtio=BC:24:11:82:7F:D0,bridge=vmbr0,tag=7". Keeps what it does not
/// know word for word and in order: reading and writing gives the same text, and a changed option leaves the others as
/// they were.
class ConfigLine
{
public:
    /// `defaultKey` is that of the part which may stand without one ("file" of a disk, "model" of a NIC); empty = none.
    explicit ConfigLine(const QString &text = {}, const char *defaultKey = "");
    QString text() const { return m_parts.join(u','); }
    bool isEmpty() const { return m_parts.isEmpty(); }

    /// Absent when there is no such option; an option without a value has an empty one.
    std::optional<QString> value(const QString &key) const;
    bool has(const QString &key) const { return value(key).has_value(); }
    /// The options in their order; the default key for a part that stands without one.
    QStringList keys() const;

    /// Puts a new option where PVE would write it: the rest of a line is in the order of its keys.
    void set(const QString &key, const QString &value);
    void remove(const QString &key);
    /// The option under another key, at its place; its value stays.
    void rename(const QString &key, const QString &newKey);
    bool operator==(const ConfigLine &other) const = default;

private:
    QString keyOf(const QString &part) const;
    qsizetype find(const QString &key) const;
    qsizetype placeFor(const QString &key) const;
    QString m_defaultKey;
    QStringList m_parts;
};
