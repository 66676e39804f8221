#pragma once
#include "simulator/api/Call.h"

/// Users and tokens as lists and single answers show them.
namespace UserRows
{
QJsonObject token(const AccessUser::Token &token);
QJsonArray tokens(const AccessUser &user);
/// What is known of a person: comment, email … ; empty fields are absent.
void insertPerson(QJsonObject &row, const AccessUser &user);
ApiAnswer noSuchUser(const QString &id);
/// Users that a caller with one of the privileges on a group may see; the caller's own is not looked at.
bool mayOn(const Call &call, const AccessUser &user, const QStringList &privileges);
/// Who changes an account must show the own password again, unless it is root@pam.
std::optional<ApiAnswer> refusedWithoutPassword(const Call &call, const QString &userid, const char *parameter);
} // namespace UserRows
