#include "simulator/api/Routes.h"
#include "simulator/world/Metrics.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace
{
QJsonArray array(const QList<QJsonObject> &rows)
{
    QJsonArray all;
    for (const auto &row : rows)
        all.append(row);
    return all;
}

ApiAnswer disks(Call &call)
{
    return ApiAnswer::ok(array(call.world.node(call.node())->disks));
}

ApiAnswer pci(Call &call)
{
    return ApiAnswer::ok(array(call.world.node(call.node())->pciDevices));
}

/// The health that the list tells of too; the drive's own words are not made up.
ApiAnswer smart(Call &call)
{
    for (const auto &disk : call.world.node(call.node())->disks)
        if (disk.value("devpath"_L1) == call.text("disk"))
            return ApiAnswer::ok(QJsonObject{{"health"_L1, disk.value("health"_L1)}});
    return ApiAnswer::failed(u"%1 is not a block device"_s.arg(call.text("disk")));
}

ApiAnswer nothing(Call &)
{
    return ApiAnswer::ok(QJsonArray());
}

/// The pools under the storages of this node.
ApiAnswer zfs(Call &call)
{
    QJsonArray rows;
    QStringList seen;
    for (const auto &storage : call.world.storages) {
        const auto pool = storage.options.value(u"pool"_s).section(u'/', 0, 0);
        if (storage.type != "zfspool"_L1 || !storage.isOn(call.node()) || seen.contains(pool))
            continue;
        seen.append(pool);
        const auto used = Metrics(call.world).storageUsed(storage, call.node(), call.world.now() / 10 * 10);
        rows.append(QJsonObject{{"name"_L1, pool},
                                {"size"_L1, storage.total},
                                {"alloc"_L1, used},
                                {"free"_L1, storage.total - used},
                                {"frag"_L1, 11},
                                {"dedup"_L1, 1},
                                {"health"_L1, u"ONLINE"_s}});
    }
    return ApiAnswer::ok(rows);
}

ApiAnswer lvm(Call &)
{
    return ApiAnswer::ok(QJsonObject{{"leaf"_L1, 0}, {"children"_L1, QJsonArray()}});
}

ApiAnswer cpuModels(Call &)
{
    static const std::pair<QString, QString> models[]{
        {u"GenuineIntel"_s,
         u"486 Broadwell Broadwell-IBRS Broadwell-noTSX Broadwell-noTSX-IBRS Cascadelake-Server "
         "Cascadelake-Server-noTSX Conroe Cooperlake GraniteRapids Haswell Haswell-IBRS Haswell-noTSX "
         "Haswell-noTSX-IBRS Icelake-Client Icelake-Server IvyBridge IvyBridge-IBRS KnightsMill Nehalem Nehalem-IBRS "
         "Penryn SandyBridge SandyBridge-IBRS SapphireRapids SierraForest Skylake-Client Skylake-Server Westmere "
         "Westmere-IBRS core2duo coreduo pentium pentium2 pentium3"_s},
        {u"AuthenticAMD"_s,
         u"EPYC EPYC-Genoa EPYC-IBPB EPYC-Milan EPYC-Rome EPYC-Turin Opteron_G1 Opteron_G2 Opteron_G3 Opteron_G4 "
         "Opteron_G5 athlon phenom"_s},
        {u"default"_s, u"host kvm32 kvm64 max qemu32 qemu64 x86-64-v2 x86-64-v2-AES x86-64-v3 x86-64-v4"_s}};
    QJsonArray rows;
    for (const auto &[vendor, names] : models)
        for (const auto &name : names.split(u' '))
            rows.append(QJsonObject{{"name"_L1, name}, {"vendor"_L1, vendor}, {"custom"_L1, 0}});
    return ApiAnswer::ok(rows);
}

ApiAnswer machines(Call &)
{
    static const QMap<QString, QString> changes{
        {u"10.0+pve1"_s, u"Set host_mtu vNIC option even with default value for migration compat."_s},
        {u"9.2+pve1"_s, u"Disables S3/S4 power states by default."_s},
        {u"4.1+pve2"_s, u"Increases the number of SCSI drives supported."_s}};
    QJsonArray rows;
    for (const auto &version : u"10.0+pve1 10.0 9.2+pve1 9.2 9.1 9.0 8.2 8.1 8.0 7.2 7.1 7.0 6.2 6.1 6.0 5.2 5.1 5.0 "
                               "4.2 4.1+pve2 4.1 4.0 3.1 3.0"_s.split(u' '))
        for (const auto &[type, prefix] :
             {std::pair(u"i440fx"_s, u"pc-i440fx-"_s), std::pair(u"q35"_s, u"pc-q35-"_s)}) {
            QJsonObject row{{"id"_L1, prefix + version}, {"type"_L1, type}, {"version"_L1, version}};
            if (changes.contains(version))
                row.insert("changes"_L1, changes.value(version));
            rows.append(row);
        }
    return ApiAnswer::ok(rows);
}
} // namespace

void calls::addNodeHardware(Routes &routes)
{
    routes.add("GET /nodes/{node}/disks/list", disks);
    routes.add("GET /nodes/{node}/disks/smart", smart);
    routes.add("GET /nodes/{node}/disks/zfs", zfs);
    routes.add("GET /nodes/{node}/disks/lvm", lvm);
    routes.add("GET /nodes/{node}/disks/lvmthin", nothing);
    routes.add("GET /nodes/{node}/disks/directory", nothing);
    routes.add("GET /nodes/{node}/hardware/pci", pci);
    routes.add("GET /nodes/{node}/hardware/usb", nothing);
    routes.add("GET /nodes/{node}/capabilities/qemu/cpu", cpuModels);
    routes.add("GET /nodes/{node}/capabilities/qemu/machines", machines);
}
