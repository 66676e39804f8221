#pragma once
#include "base/Result.h"
#include "policy/Policy.h"

/// What each paired program may do, kept in one file across starts.
class Grants
{
public:
    /// `file` is in the folder of configuration; that folder must exist when saving.
    explicit Grants(QString file) : m_file(std::move(file)) {}

    /// Gives the policy what the file holds. No file = no grants. Malformed or Unavailable: nothing is granted, the
    /// file stays as it is and save() refuses, so that what a person once chose is not lost.
    Result<> load(Policy &policy);
    /// Writes all grants of the policy, all or nothing, mode 0600. Unavailable: the old file is kept.
    Result<> save(const Policy &policy) const;
    const QString &file() const { return m_file; }

private:
    QString m_file;
    bool m_isUnreadable = false;
};
