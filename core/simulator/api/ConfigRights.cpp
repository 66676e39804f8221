#include "simulator/api/ConfigRights.h"
#include "simulator/world/Guest.h"
#include <QHash>
#include <QSet>

namespace
{
QSet<QString> set(const char *words)
{
    const auto list = QString::fromLatin1(words).split(u' ');
    return {list.begin(), list.end()};
}

/// "net0" → "net".
QString stem(const QString &key)
{
    auto end = key.size();
    while (end > 0 && key[end - 1].isDigit())
        --end;
    return key.left(end);
}

QString ofQemu(const QString &key, const QString &value)
{
    static const auto cpu = set("cores sockets cpu cpulimit cpuunits numa vcpus smp affinity");
    static const auto memory = set("memory balloon shares allow-ksm");
    static const auto hardware =
        set("acpi hotplug kvm machine scsihw smbios1 tablet vga watchdog audio rng serial parallel ivshmem arch "
            "efidisk tpmstate bios");
    static const auto options =
        set("agent autostart description keyboard localtime migrate_downtime migrate_speed name onboot ostype "
            "protection reboot startdate startup tdf template tags vmgenid spice_enhancements");
    static const auto cloudInit = set("cicustom cipassword citype ciuser ciupgrade nameserver searchdomain sshkeys");
    static const auto disks = set("boot bootdisk vmstatestorage scsi virtio sata unused");
    const auto name = stem(key);
    if (cpu.contains(key) || name == QLatin1String("numa"))
        return QStringLiteral("VM.Config.CPU");
    if (memory.contains(key))
        return QStringLiteral("VM.Config.Memory");
    if (name == QLatin1String("net"))
        return QStringLiteral("VM.Config.Network");
    if (name == QLatin1String("ide") &&
        (value.contains(QLatin1String("media=cdrom")) || value == QLatin1String("none")))
        return QStringLiteral("VM.Config.CDROM");
    if (disks.contains(name) || name == QLatin1String("ide"))
        return QStringLiteral("VM.Config.Disk");
    if (hardware.contains(key) || hardware.contains(name))
        return QStringLiteral("VM.Config.HWType");
    if (options.contains(key))
        return QStringLiteral("VM.Config.Options");
    if (cloudInit.contains(key) || name == QLatin1String("ipconfig"))
        return QStringLiteral("VM.Config.Cloudinit");
    return {};
}

QString ofLxc(const QString &key)
{
    static const auto cpu = set("cores cpulimit cpuunits");
    static const auto network = set("nameserver searchdomain hostname net");
    static const auto options =
        set("arch cmode console debug description entrypoint env onboot ostype protection startup tags template "
            "timezone tty unprivileged features");
    const auto name = stem(key);
    if (cpu.contains(key))
        return QStringLiteral("VM.Config.CPU");
    if (key == QLatin1String("memory") || key == QLatin1String("swap"))
        return QStringLiteral("VM.Config.Memory");
    if (network.contains(name))
        return QStringLiteral("VM.Config.Network");
    if (key == QLatin1String("rootfs") || name == QLatin1String("mp") || name == QLatin1String("unused"))
        return QStringLiteral("VM.Config.Disk");
    return options.contains(key) ? QStringLiteral("VM.Config.Options") : QString();
}
} // namespace

QString ConfigRights::privilege(GuestKind kind, const QString &key, const QString &value)
{
    return kind == GuestKind::Qemu ? ofQemu(key, value) : ofLxc(key);
}

bool ConfigRights::appliesWhileRunning(GuestKind kind, const QString &key, const QString &value)
{
    static const auto qemu =
        set("description hookscript lock migrate_downtime migrate_speed name onboot protection shares startup tags "
            "vmstatestorage cpulimit cpuunits affinity boot cicustom cipassword citype ciuser ciupgrade nameserver "
            "searchdomain sshkeys");
    static const auto qemuStems = set("net scsi virtio usb unused ipconfig");
    static const auto lxc =
        set("description onboot startup protection hostname hookscript cores tags lock memory swap cpulimit cpuunits "
            "timezone");
    static const auto lxcStems = set("net mp unused");
    const auto name = stem(key);
    if (kind == GuestKind::Lxc)
        return lxc.contains(key) || lxcStems.contains(name);
    const bool medium = name == QLatin1String("ide") && value.contains(QLatin1String("media=cdrom"));
    return qemu.contains(key) || qemuStems.contains(name) || medium;
}
