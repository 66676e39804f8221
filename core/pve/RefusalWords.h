#pragma once
#include <QString>

/// Puts refusals of PVE into words that say what to do. Its own words stay where they are clear.
namespace RefusalWords
{
/// What is wrong with one field, from PVE's schema check: "must be at least 1". Other texts come back as they are, in
/// lines of their own trimmed.
QString field(const QString &text);
/// PVE's sentence without what only its programmers need: "… at /usr/share/perl5/PVE/X.pm line 9.".
QString plain(const QString &text);
/// What a person can do about a refusal with these words; empty where the words say it.
QString advice(int status, const QString &words);
/// From the words of a 401, whether to try again or to look at the credential.
QString unauthorized(const QString &words);
/// "This sign-in lacks the privilege VM.Audit on /vms/100. The role PVEAuditor has it.", from the words of a 403.
QString forbidden(const QString &words);
/// The smallest built-in role with a privilege, as PVE 8.4 and 9.1 have them; empty if only Administrator has it.
QString roleWith(const QString &privilege);
} // namespace RefusalWords
