#include "widgets/Tones.h"

const Tones::Shade &Tones::shade(Tone tone) const
{
    switch (tone) {
    case Tone::Blue:
        return blue;
    case Tone::Green:
        return green;
    case Tone::Amber:
        return amber;
    case Tone::Red:
        return red;
    case Tone::Purple:
        return purple;
    case Tone::Neutral:
        break;
    }
    return neutral;
}

const Tones &Tones::light()
{
    static const Tones tones{.isDark = false,
                             .canvas = 0xf5f6f8,
                             .surface = 0xffffff,
                             .sidebar = 0xfbfbfc,
                             .border = 0xd9dde3,
                             .hairline = 0xeaecf0,
                             .text = 0x1a202b,
                             .muted = 0x68707d,
                             .accent = 0x1f6feb,
                             .accentText = 0x1a5fcf,
                             .accentFill = 0xe6effd,
                             .track = 0xe8eaee,
                             .neutral = {0x4f5865, 0xebedf1, 0xaeb4be},
                             .blue = {0x1a5fcf, 0xe4eefd, 0x1f6feb},
                             .green = {0x1b7a34, 0xe4f5e8, 0x2da44e},
                             .amber = {0x8a5b00, 0xfdf0d3, 0xd29922},
                             .red = {0xb3261a, 0xfde6e4, 0xd93f2b},
                             .purple = {0x6437bd, 0xeee7fc, 0x8250df}};
    return tones;
}

const Tones &Tones::dark()
{
    static const Tones tones{.isDark = true,
                             .canvas = 0x14171c,
                             .surface = 0x1c2027,
                             .sidebar = 0x181b21,
                             .border = 0x363c47,
                             .hairline = 0x292e37,
                             .text = 0xe6e9ee,
                             .muted = 0x9aa3b0,
                             .accent = 0x1f6feb,
                             .accentText = 0x75aaff,
                             .accentFill = 0x1d2f4d,
                             .track = 0x323843,
                             .neutral = {0xb9c0cb, 0x2c323c, 0x7d8694},
                             .blue = {0x86b4ff, 0x1d2f4d, 0x4a8df8},
                             .green = {0x6fd08a, 0x18341f, 0x3fb55f},
                             .amber = {0xe6b955, 0x3a2e13, 0xd29922},
                             .red = {0xff958a, 0x46211e, 0xe5533f},
                             .purple = {0xbfa5fa, 0x2e2548, 0x9a6ef0}};
    return tones;
}

const Tones &Tones::of(const QPalette &palette)
{
    return palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness() ? dark()
                                                                                                         : light();
}

QPalette Tones::palette() const
{
    QPalette made;
    made.setColor(QPalette::Window, canvas);
    made.setColor(QPalette::WindowText, text);
    made.setColor(QPalette::Base, surface);
    made.setColor(QPalette::AlternateBase, canvas);
    made.setColor(QPalette::Text, text);
    made.setColor(QPalette::PlaceholderText, muted);
    made.setColor(QPalette::Button, surface);
    made.setColor(QPalette::ButtonText, text);
    made.setColor(QPalette::BrightText, red.strong);
    made.setColor(QPalette::ToolTipBase, surface);
    made.setColor(QPalette::ToolTipText, text);
    made.setColor(QPalette::Highlight, accent);
    made.setColor(QPalette::HighlightedText, Qt::white);
    made.setColor(QPalette::Link, accentText);
    made.setColor(QPalette::LinkVisited, accentText);
    made.setColor(QPalette::Light, isDark ? border.lighter(130) : QColor(Qt::white));
    made.setColor(QPalette::Midlight, hairline);
    made.setColor(QPalette::Mid, border);
    made.setColor(QPalette::Dark, isDark ? canvas : border.darker(120));
    made.setColor(QPalette::Shadow, isDark ? QColor(Qt::black) : border.darker(160));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        made.setColor(QPalette::Disabled, role, isDark ? neutral.strong : QColor(0x9aa1ac));
    made.setColor(QPalette::Inactive, QPalette::Highlight, accent);
    return made;
}
