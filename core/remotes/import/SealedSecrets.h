#pragma once
#include "base/Result.h"
#include "base/Secret.h"
#include <QMap>

/// The file "secrets.enc" of Proxmox-AIops: names and secrets under a master password (scrypt, then Fernet).
namespace SealedSecrets
{
/// Unauthorized: the password does not open it. Malformed: it is no such file. Takes about a tenth of a second and
/// 32 MiB; any thread.
Result<QMap<QString, Secret>> open(const QByteArray &file, const Secret &password);
} // namespace SealedSecrets
