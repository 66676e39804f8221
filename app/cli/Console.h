#pragma once
#include <QString>

/// Text for a terminal. Where a person looks, invisible and control characters from outside are written out.
namespace Console
{
/// On standard output, with a line end.
void print(const QString &text);
/// On standard error, with the program's name before it and a line end.
void tell(const QString &text);
}
