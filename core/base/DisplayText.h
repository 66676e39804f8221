#pragma once
#include <QString>

/// Text from outside, made safe to look at.
namespace DisplayText
{
/// Controls, bidi marks, zero-width and other invisible characters are written out: "\x1b", "<U+202E>". Line breaks
/// (also CR LF) and tabs stay when `multiline`. The result is plain text; show it with Qt::PlainText only.
QString visible(const QString &text, bool multiline = false);
/// Letters of several scripts in one word, as in "pr\u043Ed": a name that may pose as another.
bool mixesScripts(const QString &text);
}
