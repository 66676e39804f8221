#pragma once
#include "operations/Operation.h"

/// All operations, in the order of their ids. Immutable after construction.
class Catalogue
{
public:
    /// The whole catalogue: every family of every noun.
    Catalogue();
    explicit Catalogue(std::vector<OperationPtr> operations);
    /// Null if there is none.
    const Operation *find(const QString &id) const;
    const Operation *findByMcpName(const QString &name) const;
    const std::vector<OperationPtr> &all() const { return m_operations; }

private:
    std::vector<OperationPtr> m_operations;
};

using Operations = std::vector<OperationPtr>;

/// The operations of one file.
template <class... Each>
Operations list(Each... each)
{
    Operations all;
    (all.push_back(std::move(each)), ...);
    return all;
}
