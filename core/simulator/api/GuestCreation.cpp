#include "simulator/api/GuestCreation.h"
#include "simulator/api/ConfigRights.h"
#include "simulator/api/ConfigValues.h"
#include "simulator/api/GuestLines.h"
#include "simulator/api/GuestNics.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/GuestVolumes.h"
#include "simulator/schema/PropertyString.h"
#include <QCryptographicHash>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// All that the task needs, since the call is over by then.
struct GuestCreation::Wanted {
    Guest guest;
    GuestConfig saved; ///< of the backup that is restored
    QString storage;   ///< where restored disks go; empty = where they were
    QString pool;
    QString user;
    bool restores = false;
    bool unique = false;
    bool force = false;
    bool start = false;
    bool isHa = false;

    QString begin(World &world);
    QString place(World &world);
    QString placeRestored(World &world);
    void finish(World &world);
    QString failure(const QString &why) const
    {
        return u"unable to %1 %2 %3 - %4"_s.arg(restores ? u"restore"_s : u"create"_s, guest.word())
            .arg(guest.vmid)
            .arg(why);
    }
};

GuestCreation::GuestCreation(Call &call)
    : m_call(call), m_vmid(call.text("vmid").toLongLong()),
      m_kind(call.endpoint.path.endsWith("/lxc"_L1) ? GuestKind::Lxc : GuestKind::Qemu)
{
}

QString GuestCreation::source() const
{
    return m_call.text(m_kind == GuestKind::Qemu ? "archive" : "ostemplate");
}

bool GuestCreation::isRestore() const
{
    return m_kind == GuestKind::Qemu ? m_call.has("archive") : m_call.flag("restore");
}

bool GuestCreation::isRootfsMissing() const
{
    return m_kind == GuestKind::Lxc && !isRestore() && !m_call.has("rootfs");
}

GuestConfig GuestCreation::givenConfig() const
{
    const ConfigValues values(m_call.table, m_kind);
    GuestConfig config;
    for (const auto &name : m_call.given.names())
        if (values.knows(name))
            config[name] = m_call.given.text(name);
    if (isRootfsMissing())
        config[u"rootfs"_s] = m_call.given.text(u"storage"_s, u"local"_s) + ":4"_L1;
    return config;
}

std::optional<ApiAnswer> GuestCreation::refusedRights() const
{
    const auto pool = m_call.text("pool");
    const auto known = std::any_of(m_call.world.pools.begin(), m_call.world.pools.end(),
                                   [&](const auto &each) { return each.name == pool; });
    if (!pool.isEmpty() && !known)
        return ApiAnswer::failed(u"pool '%1' does not exist"_s.arg(pool));
    const auto path = u"/vms/%1"_s.arg(m_vmid);
    const bool over = isRestore() && m_call.flag("force") && m_call.world.guest(m_vmid);
    if (m_call.may(path, "VM.Allocate") || (!pool.isEmpty() && m_call.may(u"/pool/"_s + pool, "VM.Allocate")) ||
        (over && m_call.may(path, "VM.Backup")))
        return std::nullopt;
    return ApiAnswer::refused({});
}

std::optional<ApiAnswer> GuestCreation::refusedKeys() const
{
    if (m_call.who.isRoot())
        return std::nullopt;
    const auto path = u"/vms/%1"_s.arg(m_vmid);
    const auto pool = u"/pool/"_s + m_call.text("pool");
    const auto config = givenConfig();
    for (auto it = config.begin(); it != config.end(); ++it) {
        const auto privilege = ConfigRights::privilege(m_kind, it.key(), it.value());
        if (privilege.isEmpty())
            return ApiAnswer::failed(u"only root can set '%1' config"_s.arg(it.key()));
        const auto &access = m_call.world.access;
        if (!access.may(m_call.who, path, privilege) &&
            !(m_call.has("pool") && access.may(m_call.who, pool, privilege)))
            return ApiAnswer::refused(path + ", "_L1 + privilege);
    }
    return std::nullopt;
}

std::optional<ApiAnswer> GuestCreation::refusedSource() const
{
    const auto id = source();
    if (id.isEmpty() || id == u'-')
        return std::nullopt;
    const auto storage = GuestVolumes::storageOf(id);
    if (!m_call.world.storage(storage))
        return ApiAnswer::failed(u"storage '%1' does not exist"_s.arg(storage));
    if (!m_call.world.volume(id, m_call.node()))
        return ApiAnswer::failed(u"volume '%1' does not exist"_s.arg(id));
    return std::nullopt;
}

std::optional<ApiAnswer> GuestCreation::refusedDisks() const
{
    const auto config = givenConfig();
    for (auto it = config.begin(); it != config.end(); ++it) {
        if (Guest::isDiskKey(it.key()) && GuestVolumes::isWish(it.value())) {
            if (auto refused = GuestVolumes::refusedStorage(m_call, m_kind, GuestVolumes::storageOf(it.value())))
                return refused;
            continue;
        }
        if (auto refused = GuestLines::refused(m_call, m_kind, it.key(), it.value()))
            return refused;
    }
    return m_call.has("storage") ? GuestVolumes::refusedStorage(m_call, m_kind, m_call.text("storage")) : std::nullopt;
}

std::optional<ApiAnswer> GuestCreation::refusedNumber() const
{
    const auto *taken = m_call.world.guest(m_vmid);
    if (!taken)
        return std::nullopt;
    const bool same = taken->kind == m_kind && taken->node == m_call.node();
    if (isRestore() && m_call.flag("force") && same)
        return std::nullopt;
    const auto exists = u"%1 %2 already exists on node '%3'"_s.arg(taken->word()).arg(m_vmid).arg(taken->node);
    if (m_kind == GuestKind::Lxc)
        return ApiAnswer::failed(exists);
    return ApiAnswer::failed(
        u"unable to %1 VM %2 - %3"_s.arg(isRestore() ? u"restore"_s : u"create"_s).arg(m_vmid).arg(exists));
}

std::optional<ApiAnswer> GuestCreation::refusal() const
{
    if (auto refused = refusedRights())
        return refused;
    if (!m_call.world.quorate)
        return ApiAnswer::failed(u"cluster not ready - no quorum?"_s);
    for (const auto check : {&GuestCreation::refusedKeys, &GuestCreation::refusedDisks, &GuestCreation::refusedSource,
                             &GuestCreation::refusedNumber})
        if (auto refused = (this->*check)())
            return refused;
    return std::nullopt;
}

std::shared_ptr<GuestCreation::Wanted> GuestCreation::wanted() const
{
    auto wanted = std::make_shared<Wanted>();
    auto &guest = wanted->guest;
    guest.vmid = m_vmid;
    guest.kind = m_kind;
    guest.node = m_call.node();
    guest.config = givenConfig();
    guest.knownSince = m_call.world.now();
    if (const auto *node = m_call.world.node(guest.node))
        guest.hostCpus = node->cpus;
    wanted->restores = isRestore();
    if (wanted->restores)
        wanted->saved = m_call.world.volume(source(), guest.node)->saved;
    else if (m_kind == GuestKind::Lxc && !guest.config.contains(u"ostype"_s))
        guest.config[u"ostype"_s] = source().section(u'/', -1).section(u'-', 0, 0);
    wanted->storage = m_call.text("storage");
    wanted->pool = m_call.text("pool");
    wanted->user = m_call.user();
    wanted->unique = m_call.flag("unique");
    wanted->force = m_call.flag("force");
    wanted->start = m_call.flag("start");
    wanted->isHa = m_call.flag("ha-managed");
    return wanted;
}

ApiAnswer GuestCreation::answer()
{
    if (auto refused = refusal())
        return *refused;
    const auto wanted = this->wanted();
    const bool restores = wanted->restores;
    auto plan = GuestTasks::plan(m_call, wanted->guest, restores ? "qmrestore" : "qmcreate",
                                 restores ? "vzrestore" : "vzcreate",
                                 restores                    ? 38s
                                 : m_kind == GuestKind::Qemu ? 900ms
                                                             : 4s);
    auto &world = m_call.world;
    plan.begin = [&world, wanted] { return wanted->begin(world); };
    plan.finish = [&world, wanted] {
        wanted->finish(world);
        return QString();
    };
    plan.interrupted = [&world, wanted] { withdraw(world, wanted->guest.vmid); };
    return GuestTasks::run(m_call, plan);
}

QString GuestCreation::Wanted::begin(World &world)
{
    if (auto *old = world.guest(guest.vmid)) {
        if (old->isProtected())
            return failure(u"- protection mode enabled"_s);
        if (old->isRunning())
            return failure(guest.isQemu() ? u"vm is running"_s : u"container is running"_s);
        pool = pool.isEmpty() ? world.poolOf(guest.vmid) : pool;
        withdraw(world, guest.vmid);
    }
    reserve(world, guest, pool);
    const auto problem = restores ? placeRestored(world) : place(world);
    if (!problem.isEmpty()) {
        withdraw(world, guest.vmid);
        return failure(problem);
    }
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it)
        if (GuestNics::isNic(it.key()))
            *it = unique && restores ? GuestNics::readdressed(guest, it.key(), *it)
                                     : GuestNics::completed(guest, it.key(), *it);
    if (!restores)
        addDefaults(world, guest);
    else if (unique && guest.isQemu())
        giveIdentity(guest);
    return {};
}

QString GuestCreation::Wanted::place(World &world)
{
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it) {
        if (!Guest::isDiskKey(it.key()))
            continue;
        const auto line = GuestVolumes::made(world, guest, it.key(), *it);
        if (!line.problem.isEmpty())
            return line.problem;
        *it = line.text;
    }
    return {};
}

/// Disks come back where they were, or where the caller wants them; what was given beside wins over what was saved.
QString GuestCreation::Wanted::placeRestored(World &world)
{
    const auto given = guest.config;
    guest.config = saved;
    for (auto it = given.begin(); it != given.end(); ++it)
        if (!Guest::isDiskKey(it.key()))
            guest.config[it.key()] = *it;
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it) {
        const auto volume = GuestVolumes::in(*it);
        if (!Guest::isDiskKey(it.key()) || volume.isEmpty() ||
            (it->contains("media=cdrom"_L1) && !volume.contains("cloudinit"_L1)))
            continue;
        const auto place = !storage.isEmpty() ? storage : GuestVolumes::storageOf(volume);
        if (!world.storage(place))
            return u"storage '%1' does not exist"_s.arg(place);
        if (volume.contains("cloudinit"_L1))
            *it = GuestVolumes::made(world, guest, it.key(), place + ":cloudinit,media=cdrom"_L1).text;
        else
            *it = GuestVolumes::copied(world, guest, *it, guest, place, {});
    }
    return {};
}

void GuestCreation::Wanted::finish(World &world)
{
    auto *made = world.guest(guest.vmid);
    if (!made)
        return;
    made->config = guest.config;
    made->config.remove(u"lock"_s);
    if (isHa)
        world.ha.push_back({(guest.isQemu() ? u"vm:%1"_s : u"ct:%1"_s).arg(guest.vmid), u"started"_s, {}, 1, 1});
    if (start)
        startLater(world, guest.vmid, user);
}

void GuestCreation::reserve(World &world, const Guest &guest, const QString &poolName)
{
    auto shell = guest;
    shell.config = {{u"lock"_s, u"create"_s}};
    shell.run = Guest::Run::Stopped;
    shell.stops = {{world.now(), 0}};
    world.add(shell);
    for (auto &pool : world.pools)
        if (pool.name == poolName && !pool.guests.contains(QString::number(guest.vmid)))
            pool.guests.append(QString::number(guest.vmid));
    world.poolsChanged();
}

void GuestCreation::withdraw(World &world, qint64 vmid)
{
    std::erase_if(world.volumes,
                  [vmid](const Volume &volume) { return volume.vmid == vmid && volume.content != "backup"_L1; });
    world.remove(vmid);
}

void GuestCreation::giveIdentity(Guest &guest)
{
    const auto uuid = [&](const char *what) {
        const auto hash = QString::fromLatin1(
            QCryptographicHash::hash(QByteArray::number(guest.vmid) + guest.digest().toLatin1() + what,
                                     QCryptographicHash::Md5)
                .toHex());
        return u"%1-%2-4%3-a%4-%5"_s.arg(hash.mid(0, 8), hash.mid(8, 4), hash.mid(13, 3), hash.mid(17, 3),
                                         hash.mid(20, 12));
    };
    guest.config[u"smbios1"_s] = "uuid="_L1 + uuid("smbios");
    guest.config[u"vmgenid"_s] = uuid("generation");
}

static QString bootOrder(const Guest &guest)
{
    QStringList order;
    for (const auto &key : guest.diskKeys())
        if (!key.startsWith("efidisk"_L1) && !key.startsWith("tpmstate"_L1) && order.isEmpty())
            order.append(key);
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it)
        if (it->contains("media=cdrom"_L1) && !it->contains("cloudinit"_L1))
            order.append(it.key());
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it)
        if (GuestNics::isNic(it.key()))
            order.append(it.key());
    return order.join(u';');
}

void GuestCreation::addDefaults(World &world, Guest &guest)
{
    auto &config = guest.config;
    const auto unless = [&config](const QString &key, const QString &value) {
        if (!config.contains(key) && !value.isEmpty())
            config[key] = value;
    };
    if (guest.isQemu()) {
        const auto order = bootOrder(guest);
        unless(u"boot"_s, order.isEmpty() ? QString() : "order="_L1 + order);
        config[u"meta"_s] = u"creation-qemu=10.1.2,ctime=%1"_s.arg(world.now());
        giveIdentity(guest);
        return;
    }
    unless(u"hostname"_s, u"CT%1"_s.arg(guest.vmid));
    unless(u"arch"_s, u"amd64"_s);
    unless(u"memory"_s, u"512"_s);
    unless(u"swap"_s, u"512"_s);
}

void GuestCreation::startLater(World &world, qint64 vmid, const QString &user)
{
    const auto *guest = world.guest(vmid);
    if (!guest || guest->isRunning())
        return;
    TaskPlan plan;
    plan.node = guest->node;
    plan.type = guest->isQemu() ? u"qmstart"_s : u"vzstart"_s;
    plan.id = QString::number(vmid);
    plan.user = user;
    plan.duration = 2s;
    plan.finish = GuestTasks::later(world, vmid, [&world](Guest &starting) {
        if (!starting.isRunning())
            world.start(starting);
        return QString();
    });
    world.run(plan);
}
