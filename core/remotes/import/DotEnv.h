#pragma once
#include <QByteArray>
#include <QMap>
#include <QString>

/// A ".env" file: KEY=value lines as shells and dotenv programs write them.
namespace DotEnv
{
/// Comments, "export" and quotes are understood; of two lines with one key the last counts, as for those programs. What
/// is no such line is left out.
QMap<QString, QString> parse(const QByteArray &text);
} // namespace DotEnv
