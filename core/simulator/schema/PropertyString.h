#pragma once
#include "simulator/schema/ApiTable.h"

/// "virtio=BC:24:…,bridge=vmbr0": values with keys in one text.
namespace PropertyString
{
/// Splits by the known keys, with default key and aliases resolved. Fails with PVE's wording, without its line break.
Result<QMap<QString, QString>> parse(const ApiTable &table, const QMap<QString, int> &keys, const QString &text);
/// Value of one key of a text whose first part may stand without a key; empty when absent.
QString value(const QString &text, const QString &key);
/// The first part without a key: "local-zfs:vm-100-disk-0".
QString first(const QString &text);
/// The text with one key set, or removed when `value` is empty; order kept.
QString with(const QString &text, const QString &key, const QString &value);
} // namespace PropertyString
