#pragma once
#include <QByteArray>
#include <QString>

/// A certificate's SHA-256 as people compare it.
namespace Fingerprint
{
/// "AB:CD:…", upper-case pairs; 32 bytes give 95 characters.
QString text(const QByteArray &sha256);
/// Reads what text() writes, also in lower case and without colons; empty if it is not 32 bytes.
QByteArray fromText(const QString &text);
}
