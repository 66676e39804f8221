#pragma once
#include "base/Result.h"
#include "base/Seal.h"
#include "policy/Policy.h"

/// What each paired program may do, preset and rules, kept in one file across starts. The file carries a seal, so that
/// a program that writes into it gains nothing.
class Grants
{
public:
    /// `file` is in the folder of configuration; that folder must exist when saving.
    explicit Grants(QString file, std::optional<Seal> seal = {}) : m_file(std::move(file)), m_seal(std::move(seal)) {}
    /// The key is in the keyring, which answers later than this is made.
    void setSeal(Seal seal) { m_seal = std::move(seal); }

    /// Gives the policy what the file holds. No file = nothing. Otherwise nothing is granted and the file stays as it
    /// is: Untrusted: it is not as it was saved; save() puts it aside. Malformed, Unavailable (no seal is known):
    /// save() refuses, so that what a person once chose is not lost.
    Result<> load(Policy &policy);
    /// Writes all grants and rules of the policy, all or nothing, mode 0600. Unavailable: the old file is kept.
    Result<> save(const Policy &policy);
    const QString &file() const { return m_file; }
    /// Whether a file of counters belongs to these grants; if it is gone then, somebody took it away. Kept by save().
    bool hasCounters() const { return m_hasCounters; }
    void setHasCounters() { m_hasCounters = true; }

private:
    Result<> read(Policy &policy);
    Result<> take(Policy &policy, const QJsonObject &content);
    QString m_file;
    std::optional<Seal> m_seal;
    bool m_hasCounters = false;
    std::optional<Error> m_problem; ///< why the file could not be taken as it is
};
