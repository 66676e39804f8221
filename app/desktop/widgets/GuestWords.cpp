#include "widgets/GuestWords.h"
#include "base/DisplayText.h"
#include "widgets/Quantity.h"
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

std::optional<double> diskShare(const GuestState &guest)
{
    // A virtual machine's use is known to its own system only; PVE then says 0.
    const bool isReported = guest.disk && (guest.kind == GuestKind::Lxc || *guest.disk > 0);
    if (!isReported || !guest.maxDisk || *guest.maxDisk <= 0 || guest.power != GuestState::Power::Running)
        return std::nullopt;
    return static_cast<double>(*guest.disk) / static_cast<double>(*guest.maxDisk);
}

QString disk(const GuestState &guest)
{
    if (guest.maxDisk == 0)
        return words(QT_TRANSLATE_NOOP("GuestWords", "no disk"));
    return diskShare(guest) ? Quantity::bytesOf(*guest.disk, *guest.maxDisk) : Quantity::bytes(guest.maxDisk);
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
