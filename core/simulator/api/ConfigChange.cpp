#include "simulator/api/ConfigChange.h"
#include "simulator/api/CloudInit.h"
#include "simulator/api/ConfigRights.h"
#include "simulator/api/ConfigValues.h"
#include "simulator/api/GuestLines.h"
#include "simulator/api/GuestNics.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/GuestVolumes.h"
#include "simulator/schema/PropertyString.h"

ConfigChange::ConfigChange(Call &call, Guest &guest)
    : m_call(call), m_guest(guest), m_deletes(call.given.list(QStringLiteral("delete"))),
      m_reverts(call.given.list(QStringLiteral("revert")))
{
    const ConfigValues values(call.table, guest.kind);
    for (const auto &name : call.given.names())
        if (values.knows(name))
            m_values.insert(name, call.given.text(name));
}

std::optional<ApiAnswer> ConfigChange::refusal() const
{
    if (m_call.flag("skiplock") && !m_call.who.isRoot())
        return ApiAnswer::invalid(QStringLiteral("skiplock"), QStringLiteral("Only root may use this option."));
    if (auto refused = refusedOption())
        return refused;
    for (const auto &key : m_deletes)
        if (auto refused = refusedRight(key))
            return refused;
    for (const auto &key : m_reverts)
        if (auto refused = refusedRight(key))
            return refused;
    for (auto it = m_values.begin(); it != m_values.end(); ++it)
        if (auto refused = refusedRight(it.key()))
            return refused;
    if (m_values.isEmpty() && m_deletes.isEmpty() && m_reverts.isEmpty() && !m_call.given.hadNull())
        return ApiAnswer::failed(QStringLiteral("no options specified"));
    for (auto it = m_values.begin(); it != m_values.end(); ++it)
        if (auto refused = refusedVolume(it.key(), it.value()))
            return refused;
    if (!m_call.world.quorate)
        return ApiAnswer::failed(
            QStringLiteral("unable to open file '/etc/pve/nodes/%1/%2/%3.conf.tmp.%4' - Permission denied")
                .arg(m_guest.node, m_guest.isQemu() ? QStringLiteral("qemu-server") : QStringLiteral("lxc"))
                .arg(m_guest.vmid)
                .arg(m_call.world.nextPid()));
    if (m_call.has("digest") && m_call.text("digest") != m_guest.digest())
        return ApiAnswer::failed(QStringLiteral("checksum mismatch (file change by other user?)"));
    if (const auto locked = GuestTasks::lockedText(m_guest); !locked.isEmpty() && !m_call.flag("skiplock"))
        return ApiAnswer::failed(locked);
    if (m_guest.isProtected())
        for (const auto &key : m_deletes)
            if (Guest::isDiskKey(key))
                return ApiAnswer::failed(QStringLiteral("can't remove %1 '%2' - protection mode enabled")
                                             .arg(key.startsWith(QLatin1String("unused"))
                                                      ? QStringLiteral("unused disk")
                                                      : QStringLiteral("drive"),
                                                  key));
    return std::nullopt;
}

std::optional<ApiAnswer> ConfigChange::refusedOption() const
{
    const ConfigValues values(m_call.table, m_guest.kind);
    for (const auto &key : m_deletes) {
        if (m_values.contains(key))
            return ApiAnswer::invalid(QStringLiteral("delete"),
                                      QStringLiteral("Can't use '-%1' and -delete %1' at the same time").arg(key));
        if (!values.knows(key))
            return ApiAnswer::invalid(QStringLiteral("delete"), QStringLiteral("unknown option '%1'").arg(key));
    }
    for (const auto &key : m_reverts) {
        if (!values.knows(key))
            return ApiAnswer::invalid(QStringLiteral("revert"), QStringLiteral("unknown option '%1'").arg(key));
        if (m_values.contains(key))
            return ApiAnswer::invalid(QStringLiteral("revert"),
                                      QStringLiteral("Can't use '-%1' and '-revert %1' at the same time").arg(key));
    }
    return std::nullopt;
}

std::optional<ApiAnswer> ConfigChange::refusedRight(const QString &key) const
{
    if (m_call.who.isRoot())
        return std::nullopt;
    const auto value = m_values.value(key, m_guest.config.value(key));
    const auto privilege = ConfigRights::privilege(m_guest.kind, key, value);
    if (privilege.isEmpty())
        return ApiAnswer::failed(QStringLiteral("only root can set '%1' config").arg(key));
    const auto path = QStringLiteral("/vms/") + QString::number(m_guest.vmid);
    if (m_call.world.access.may(m_call.who, path, privilege))
        return std::nullopt;
    return ApiAnswer::refused(path + QLatin1String(", ") + privilege);
}

std::optional<ApiAnswer> ConfigChange::refusedVolume(const QString &key, const QString &value) const
{
    if (auto refused = GuestLines::refused(m_call, m_guest.kind, key, value))
        return refused;
    const auto volume = PropertyString::first(value);
    if (!Guest::isDiskKey(key) || volume.startsWith(u'/') || !volume.contains(u':'))
        return std::nullopt;
    const auto *storage = m_call.world.storage(volume.section(u':', 0, 0));
    if (!storage)
        return ApiAnswer::failed(QStringLiteral("storage '%1' does not exist").arg(volume.section(u':', 0, 0)));
    const bool medium = value.contains(QLatin1String("media=cdrom"));
    const auto wanted = m_guest.isQemu() ? QStringLiteral("images") : QStringLiteral("rootdir");
    if (!medium && !storage->content.contains(wanted))
        return ApiAnswer::invalid(QStringLiteral("storage"),
                                  QStringLiteral("storage '%1' does not support %2")
                                      .arg(storage->name, m_guest.isQemu() ? QStringLiteral("vm images")
                                                                           : QStringLiteral("container directories")));
    return std::nullopt;
}

bool ConfigChange::appliesAtOnce(const QString &key) const
{
    return !m_guest.isRunning() ||
           ConfigRights::appliesWhileRunning(m_guest.kind, key, m_values.value(key, m_guest.config.value(key)));
}

void ConfigChange::apply()
{
    CloudInit::remember(m_guest);
    for (const auto &key : m_reverts) {
        m_guest.pending.remove(key);
        m_guest.pendingDeletes.removeAll(key);
    }
    for (const auto &key : m_deletes)
        removeKey(key);
    for (auto it = m_values.begin(); it != m_values.end(); ++it) {
        const auto value = completed(it.key(), it.value());
        m_guest.pendingDeletes.removeAll(it.key());
        m_guest.pending.remove(it.key());
        if (appliesAtOnce(it.key()))
            m_guest.config[it.key()] = value;
        else if (m_guest.config.value(it.key()) != value)
            m_guest.pending[it.key()] = value;
    }
}

void ConfigChange::removeKey(const QString &key)
{
    m_guest.pending.remove(key);
    if (!m_guest.config.contains(key))
        return;
    if (!appliesAtOnce(key)) {
        if (!m_guest.pendingDeletes.contains(key))
            m_guest.pendingDeletes.append(key);
        return;
    }
    const auto value = m_guest.config.take(key);
    const auto volume = PropertyString::first(value);
    const bool generated = volume.contains(QLatin1String("-cloudinit"));
    if (!Guest::isDiskKey(key) || (!generated && value.contains(QLatin1String("media=cdrom"))))
        return;
    if (generated || key.startsWith(QLatin1String("unused"))) {
        m_call.world.removeVolume(volume, m_guest.node);
        return;
    }
    m_guest.config[GuestVolumes::unusedKey(m_guest)] = volume;
}

QString ConfigChange::completed(const QString &key, const QString &value)
{
    if (GuestNics::isNic(key))
        return GuestNics::completed(m_guest, key, value);
    if (!Guest::isDiskKey(key) || !GuestVolumes::isWish(value))
        return value;
    const auto line = GuestVolumes::made(m_call.world, m_guest, key, value);
    // A disk that is replaced becomes an unused one.
    if (m_guest.config.contains(key))
        removeKey(key);
    return line.text;
}
