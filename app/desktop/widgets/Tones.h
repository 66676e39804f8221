#pragma once
#include <QColor>
#include <QPalette>

/// A meaning that has a colour. It never stands alone: words or a shape say the same.
enum class Tone { Neutral, Blue, Green, Amber, Red, Purple };

/// The colours of the application, one set for light and one for dark. Ask with the widget's own palette when painting,
/// so that a change of the system's appearance is followed.
struct Tones {
    /// Text on a tinted ground, the ground, and a full colour for dots, bars and lines.
    struct Shade {
        QColor text, fill, strong;
    };
    bool isDark = false;
    QColor canvas;   ///< behind cards
    QColor surface;  ///< cards, bars, tables
    QColor sidebar;  ///< behind the tree
    QColor border;   ///< around cards and fields
    QColor hairline; ///< between rows
    QColor text, muted;
    QColor accent, accentText, accentFill; ///< filled buttons and selection; links; soft selection
    QColor track;                          ///< the empty part of a bar
    Shade neutral, blue, green, amber, red, purple;

    const Shade &shade(Tone tone) const;
    static const Tones &light();
    static const Tones &dark();
    /// The set that fits this palette.
    static const Tones &of(const QPalette &palette);
    /// The palette that this set makes.
    QPalette palette() const;
};
