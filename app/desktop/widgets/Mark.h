#pragma once
#include "widgets/Tones.h"

class QPainter;
class QRectF;

/// The mark before a name. Each has its own shape, so that it can be told without its colour.
enum class Mark { None, Running, Stopped, Paused, Unknown, Online, Strained, Offline, Template };

/// Paints a mark into a square of about ten pixels. `onAccent`: upon a filled selection, where only shape and white
/// remain.
void paintMark(QPainter &painter, const QRectF &box, Mark mark, const QPalette &palette, bool onAccent = false);
