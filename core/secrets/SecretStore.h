#pragma once
#include "base/Promise.h"
#include "base/Secret.h"

/// Where secrets live. All calls on the owner's thread; none blocks. There is no plain-text fallback.
/// Keys are paths: "remote/<id>/token", "remote/<id>/password", "agent/<id>", "audit/head".
class SecretStore
{
public:
    virtual ~SecretStore() = default;
    /// NotFound: nothing stored under this key, and that is known. Unavailable: locked, missing or broken store; the
    /// message says which and what to do.
    virtual Future<Secret> read(const QString &key) = 0;
    /// Unavailable as above; the old value is kept then.
    virtual Future<void> write(const QString &key, const Secret &value) = 0;
    /// Removing what is not there succeeds.
    virtual Future<void> remove(const QString &key) = 0;
};
