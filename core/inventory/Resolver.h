#pragma once
#include "base/Result.h"
#include "inventory/InventorySnapshot.h"

/// Finds what a caller means among the last known states, and says what there is when that is nothing or too much.
class Resolver
{
public:
    explicit Resolver(std::vector<InventoryPtr> known) : m_known(std::move(known)) {}
    // As Inventory documents them.
    Result<GuestRef> guest(const QString &asked) const;
    Result<NodeRef> node(const QString &asked) const;
    Result<QString> remoteOfNode(const QString &name) const;

private:
    /// A guest together with the state in which it was found.
    struct Candidate {
        InventoryPtr in;
        const GuestState *guest;
    };
    /// "homelab:rest" → the states of that connection and the rest; without a prefix all states.
    Result<QString> split(const QString &asked, std::vector<InventoryPtr> &in) const;
    std::vector<Candidate> guestsNamed(const QString &what, const QString &node,
                                       const std::vector<InventoryPtr> &in) const;
    bool isUnique(Vmid vmid) const;
    QString describe(const Candidate &candidate) const;
    Error tooMany(const QString &what, const std::vector<Candidate> &found) const;
    Error none(const QString &what, const std::vector<InventoryPtr> &in) const;
    Error noNode(const QString &name, const std::vector<InventoryPtr> &in) const;

    std::vector<InventoryPtr> m_known;
};
