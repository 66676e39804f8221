#pragma once
#include "base/Result.h"
#include <QHashFunctions>
#include <QString>
#include <compare>

/// An identifier of PVE that was checked when it was made. An empty one is "not given".
/// The rules are those of the API schemas (pve-vmid, pve-node, pve-storage-id, pve-configid).
template <class Tag>
class Identifier
{
public:
    Identifier() = default;
    static Result<Identifier> from(const QString &text)
    {
        if (!Tag::isValid(text))
            return Error{Error::Kind::Invalid, Tag::refusal(text)};
        Identifier id;
        id.m_text = text;
        return id;
    }
    const QString &text() const { return m_text; }
    bool isEmpty() const { return m_text.isEmpty(); }
    std::strong_ordering operator<=>(const Identifier &) const = default;
    bool operator==(const Identifier &) const = default;
    friend size_t qHash(const Identifier &id, size_t seed = 0) { return ::qHash(id.m_text, seed); }

private:
    QString m_text;
};

namespace identifiers
{
/// DNS label: letters, digits and hyphens, at most 63, no hyphen at either end.
struct Node {
    static bool isValid(const QString &text);
    static QString refusal(const QString &text);
};
/// A letter, then letters, digits, "-", "_", ".", ending with a letter or digit; at least 2 characters.
struct Storage {
    static bool isValid(const QString &text);
    static QString refusal(const QString &text);
};
/// A letter, then letters, digits, "_" and "-"; 2 to 40 characters; "current" is taken.
struct Snapshot {
    static bool isValid(const QString &text);
    static QString refusal(const QString &text);
};
/// "storage:path" without control characters, ".." or a leading "/" or " "; at most 512 characters.
struct Volume {
    static bool isValid(const QString &text);
    static QString refusal(const QString &text);
};
}

using NodeName = Identifier<identifiers::Node>;
using StorageName = Identifier<identifiers::Storage>;
using SnapshotName = Identifier<identifiers::Snapshot>;
using VolumeId = Identifier<identifiers::Volume>;

/// A guest's number, 100 … 999999999; 0 is "not given".
class Vmid
{
public:
    static constexpr qint64 lowest = 100;
    static constexpr qint64 highest = 999999999;
    Vmid() = default;
    static Result<Vmid> from(qint64 number);
    static Result<Vmid> from(const QString &digits);
    qint64 number() const { return m_number; }
    QString text() const { return QString::number(m_number); }
    bool isEmpty() const { return m_number == 0; }
    auto operator<=>(const Vmid &) const = default;
    friend size_t qHash(Vmid id, size_t seed = 0) { return ::qHash(id.m_number, seed); }

private:
    qint64 m_number = 0;
};
