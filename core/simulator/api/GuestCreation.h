#pragma once
#include "simulator/api/Call.h"
#include <memory>

/// Makes a guest from parameters, a template or a backup: what PVE checks at once, and what only its task finds out.
class GuestCreation
{
public:
    explicit GuestCreation(Call &call);
    /// Refuses, or starts the task and answers its UPID.
    ApiAnswer answer();

    /// Puts a guest into the world that is not ready: nothing but its lock is known of it.
    static void reserve(World &world, const Guest &guest, const QString &pool);
    /// Takes back a guest that did not come about, with its volumes.
    static void withdraw(World &world, qint64 vmid);
    /// What a new guest gets by itself: identity of a virtual machine, memory and name of a container.
    static void addDefaults(World &world, Guest &guest);
    static void giveIdentity(Guest &guest);
    /// Starts it with a task of its own, as PVE does after creating.
    static void startLater(World &world, qint64 vmid, const QString &user);

private:
    struct Wanted;
    std::optional<ApiAnswer> refusal() const;
    std::optional<ApiAnswer> refusedRights() const;
    std::optional<ApiAnswer> refusedKeys() const;
    std::optional<ApiAnswer> refusedSource() const;
    std::optional<ApiAnswer> refusedDisks() const;
    std::optional<ApiAnswer> refusedNumber() const;
    GuestConfig givenConfig() const;
    std::shared_ptr<Wanted> wanted() const;
    QString source() const;
    bool isRestore() const;
    bool isRootfsMissing() const;

    Call &m_call;
    qint64 m_vmid;
    GuestKind m_kind;
};
