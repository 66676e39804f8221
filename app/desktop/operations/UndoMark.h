#pragma once
#include "operations/Plan.h"
#include "widgets/Tones.h"
#include <QIcon>

/// Shows before the click what takes an action back: a shape and a colour, and the same in words.
namespace UndoMark
{
/// An arrow that turns back; the same with a gap; a crossed ring. Follows the palette when it is made.
QIcon icon(Undo undo, const QPalette &palette);
/// "Can be undone", "Only a snapshot or backup brings it back", "Cannot be undone"
QString words(Undo undo);
Tone tone(Undo undo);
}
