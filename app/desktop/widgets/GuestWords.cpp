#include "widgets/GuestWords.h"
#include "base/DisplayText.h"
#include <QCoreApplication>

namespace GuestWords
{
static QString words(const char *text)
{
    return QCoreApplication::translate("GuestWords", text);
}

Mark mark(const GuestState &guest)
{
    switch (guest.power) {
    case GuestState::Power::Running: return Mark::Running;
    case GuestState::Power::Paused:
    case GuestState::Power::Suspended: return Mark::Paused;
    case GuestState::Power::Stopped: return guest.isTemplate ? Mark::Template : Mark::Stopped;
    case GuestState::Power::Unknown: break;
    }
    return Mark::Unknown;
}

QString state(const GuestState &guest)
{
    switch (guest.power) {
    case GuestState::Power::Running: return words(QT_TRANSLATE_NOOP("GuestWords", "running"));
    case GuestState::Power::Paused: return words(QT_TRANSLATE_NOOP("GuestWords", "paused"));
    case GuestState::Power::Suspended: return words(QT_TRANSLATE_NOOP("GuestWords", "suspended"));
    case GuestState::Power::Stopped:
        return guest.isTemplate ? words(QT_TRANSLATE_NOOP("GuestWords", "template"))
                                : words(QT_TRANSLATE_NOOP("GuestWords", "stopped"));
    case GuestState::Power::Unknown: break;
    }
    return words(QT_TRANSLATE_NOOP("GuestWords", "unknown"));
}

QString kind(const GuestState &guest)
{
    if (guest.kind == GuestKind::Qemu)
        return guest.isTemplate ? words(QT_TRANSLATE_NOOP("GuestWords", "VM template"))
                                : words(QT_TRANSLATE_NOOP("GuestWords", "VM"));
    return guest.isTemplate ? words(QT_TRANSLATE_NOOP("GuestWords", "container template"))
                            : words(QT_TRANSLATE_NOOP("GuestWords", "container"));
}

QString name(const GuestState &guest)
{
    const auto shown = DisplayText::visible(guest.name);
    // PVE makes up a name for a guest without one; there is none at all only while its node is silent.
    return shown.isEmpty() ? words(QT_TRANSLATE_NOOP("GuestWords", "name unknown")) : shown;
}

Tone tone(const GuestState &guest)
{
    switch (guest.power) {
    case GuestState::Power::Running: return Tone::Green;
    case GuestState::Power::Paused:
    case GuestState::Power::Suspended: return Tone::Amber;
    case GuestState::Power::Stopped:
    case GuestState::Power::Unknown: break;
    }
    return Tone::Neutral;
}
}
