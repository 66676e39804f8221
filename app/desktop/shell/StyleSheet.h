#pragma once
#include <QString>

struct Tones;

/// The look of Qt's own widgets in these colours. Sizes and fonts stay those of the system.
QString styleSheet(const Tones &tones);
