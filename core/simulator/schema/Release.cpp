#include "simulator/schema/Release.h"

namespace
{
QStringList privileges(const char *onlyHere)
{
    auto all = QString::fromLatin1("Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate "
                                   "Datastore.Audit Group.Allocate Mapping.Audit Mapping.Modify Mapping.Use "
                                   "Permissions.Modify Pool.Allocate Pool.Audit Realm.Allocate Realm.AllocateUser "
                                   "SDN.Allocate SDN.Audit SDN.Use Sys.AccessNetwork Sys.Audit Sys.Console "
                                   "Sys.Incoming Sys.Modify Sys.PowerMgmt Sys.Syslog User.Modify VM.Allocate VM.Audit "
                                   "VM.Backup VM.Clone VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit "
                                   "VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network "
                                   "VM.Config.Options VM.Console VM.Migrate VM.PowerMgmt VM.Snapshot "
                                   "VM.Snapshot.Rollback ")
                   .append(QLatin1String(onlyHere))
                   .split(u' ');
    all.sort();
    return all;
}

Release eight()
{
    Release made{8, "8.4", "8.4.1", "2a5fa54a8503f96d", "6.8.12-9-pve", privileges("VM.Monitor"), false, false, false};
    return made;
}

Release nine()
{
    Release made{9,
                 "9.1",
                 "9.1.6",
                 "71482d1833ded40a",
                 "6.17.4-1-pve",
                 privileges("VM.GuestAgent.Audit VM.GuestAgent.FileRead VM.GuestAgent.FileSystemMgmt "
                            "VM.GuestAgent.FileWrite VM.GuestAgent.Unrestricted VM.Replicate"),
                 true,
                 true,
                 true};
    return made;
}
} // namespace

const ApiTable &Release::table() const
{
    return major == 8 ? ApiTable::ofVersion8() : ApiTable::ofVersion9();
}

const Release &Release::of(int major)
{
    static const Release old = eight();
    static const Release current = nine();
    return major == 8 ? old : current;
}
