#include "pve/RefusalWords.h"
#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(RefusalWords)
};

/// A text of PVE's schema check and what it says; %1 and %2 are what the pattern captures.
struct Saying {
    const char *pattern;
    const char *words;
};
constexpr Saying sayings[]{
    {"property is missing(?: and it is not optional)?", QT_TRANSLATE_NOOP("RefusalWords", "is needed")},
    {"property is not defined in schema and the schema does not allow additional properties",
     QT_TRANSLATE_NOOP("RefusalWords", "is not known to this Proxmox VE; it may be too old or too new for it")},
    {"missing property required by '(.+)'", QT_TRANSLATE_NOOP("RefusalWords", "is needed together with %1")},
    {"type check \\('integer'\\) failed - got '(.*)'",
     QT_TRANSLATE_NOOP("RefusalWords", "must be a whole number, not \"%1\"")},
    {"type check \\('number'\\) failed - got '(.*)'",
     QT_TRANSLATE_NOOP("RefusalWords", "must be a number, not \"%1\"")},
    {"type check \\('boolean'\\) failed - got '(.*)'",
     QT_TRANSLATE_NOOP("RefusalWords", "must be yes (1) or no (0), not \"%1\"")},
    {"value must have a minimum value of (.+)", QT_TRANSLATE_NOOP("RefusalWords", "must be at least %1")},
    {"value must have a maximum value of (.+)", QT_TRANSLATE_NOOP("RefusalWords", "must be at most %1")},
    {"value must be at least (\\d+) characters long",
     QT_TRANSLATE_NOOP("RefusalWords", "must have at least %1 characters")},
    {"value may only be (\\d+) characters long", QT_TRANSLATE_NOOP("RefusalWords", "must have at most %1 characters")},
    {"value '(.*)' does not have a value in the enumeration '(.*)'",
     QT_TRANSLATE_NOOP("RefusalWords", "can't be \"%1\"; it is one of: %2")},
    {"value does not match the regex pattern", QT_TRANSLATE_NOOP("RefusalWords", "is not written in the right form")},
    {"duplicate key in comma-separated list property: (.+)", QT_TRANSLATE_NOOP("RefusalWords", "names %1 twice")},
    {"duplicate parameter \\(already defined in URI\\) with conflicting values!",
     QT_TRANSLATE_NOOP("RefusalWords", "is given twice with different values")},
};

/// Words in a refusal and what to do then.
constexpr Saying advices[]{
    {"no quorum",
     QT_TRANSLATE_NOOP(
         "RefusalWords",
         "Too few nodes of the cluster are online to change anything. Bring more nodes back, then try again.")},
    {"unable to open file '/etc/pve/.*Permission denied",
     QT_TRANSLATE_NOOP("RefusalWords",
                       "The cluster's configuration can only be read now, as when too few nodes are online. "
                       "Bring more nodes back, then try again.")},
    {"hostname lookup '|address lookup for '|no such cluster node",
     QT_TRANSLATE_NOOP("RefusalWords",
                       "The cluster has no node of this name, or can't find it. Upper and lower case count.")},
    {"^Configuration file 'nodes/.*' does not exist",
     QT_TRANSLATE_NOOP("RefusalWords",
                       "The guest is not on this node; it was moved or deleted. Refresh, then try again.")},
    {"is locked \\(",
     QT_TRANSLATE_NOOP("RefusalWords", "Something else is being done with it. Wait until its task has ended.")},
    {"got timeout|can't lock file",
     QT_TRANSLATE_NOOP("RefusalWords", "Something else is being done with it. Try again in a moment.")},
    {"file changed? by other user|detected modified configuration",
     QT_TRANSLATE_NOOP("RefusalWords", "Somebody has changed it meanwhile. Look at it anew, then try again.")},
    {"only root can set",
     QT_TRANSLATE_NOOP("RefusalWords", "Sign in as root@pam with its password; an API token does not do for this.")},
    {"No QEMU guest agent configured",
     QT_TRANSLATE_NOOP("RefusalWords",
                       "Turn the guest agent on in the guest's options, and install qemu-guest-agent in it.")},
    {"guest agent is not running",
     QT_TRANSLATE_NOOP("RefusalWords", "Start the service qemu-guest-agent inside the guest.")},
    {"^Agent error:", QT_TRANSLATE_NOOP("RefusalWords", "This is what the agent inside the guest says.")},
    {"^storage '.*' does not exist|^No such storage",
     QT_TRANSLATE_NOOP("RefusalWords", "Choose a storage that the cluster has; upper and lower case count.")},
    {"does not support .*(content|images|directories)",
     QT_TRANSLATE_NOOP("RefusalWords", "Choose another storage, or allow this content on it.")},
    {"without --online or --restart",
     QT_TRANSLATE_NOOP("RefusalWords", "Shut the container down first, or let the migration restart it.")},
    {"without --online", QT_TRANSLATE_NOOP("RefusalWords", "Migrate it online, or shut it down first.")},
    {"(VM|CT|container) .*is running|container is running", QT_TRANSLATE_NOOP("RefusalWords", "Stop the guest first.")},
    {"not running", QT_TRANSLATE_NOOP("RefusalWords", "Start the guest first.")},
    {"is not empty", QT_TRANSLATE_NOOP("RefusalWords", "Take everything out of it first.")},
    {"already exists|already defined",
     QT_TRANSLATE_NOOP("RefusalWords", "Choose another name or number, or use the one that is there.")},
    {"Linked clone feature is not supported",
     QT_TRANSLATE_NOOP("RefusalWords", "Make a full clone instead, or turn the guest into a template first.")},
    {"failed to verify TOTP challenge",
     QT_TRANSLATE_NOOP("RefusalWords", "Type the code that the app shows now, and check that its clock is right.")},
    {"ha groups have been migrated to rules",
     QT_TRANSLATE_NOOP("RefusalWords", "This cluster uses HA rules in place of groups.")},
    {"Can't connect to",
     QT_TRANSLATE_NOOP("RefusalWords", "The node itself can't reach this address. Check it from there.")},
    {"Not a HASH reference|malformed JSON|wrong field name",
     QT_TRANSLATE_NOOP("RefusalWords",
                       "The server stumbled over the form of the request. Please report this as a fault of Labhelm.")},
    {"no spice port",
     QT_TRANSLATE_NOOP("RefusalWords", "Give the guest a SPICE display and start it anew, or use VNC.")},
    {"reserved name", QT_TRANSLATE_NOOP("RefusalWords", "Choose another name.")},
    {"pool '.*' does not exist|no such user|snapshot '.*' does not exist|role '.*' does not exist|resource '.*' does "
     "not exist|no rule at position",
     QT_TRANSLATE_NOOP("RefusalWords", "It may have been deleted meanwhile. Refresh, then try again.")},
    {"already running|already a pool member", QT_TRANSLATE_NOOP("RefusalWords", "Nothing has to be done.")},
};

/// Roles from small to large, with the privileges that they are the smallest to have. VM.Monitor is of 8, VM.GuestAgent
/// and VM.Replicate are of 9; what is not listed only Administrator has.
struct Role {
    const char *name;
    const char *privileges;
};
constexpr Role roles[]{
    {"PVEAuditor", "Datastore.Audit Mapping.Audit Pool.Audit SDN.Audit Sys.Audit VM.Audit VM.GuestAgent.Audit"},
    {"PVETemplateUser", "VM.Clone"},
    {"PVEVMUser", "VM.Backup VM.Config.CDROM VM.Config.Cloudinit VM.Console VM.GuestAgent.FileRead "
                  "VM.GuestAgent.FileSystemMgmt VM.GuestAgent.FileWrite VM.PowerMgmt"},
    {"PVEVMAdmin", "VM.Allocate VM.Config.CPU VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network "
                   "VM.Config.Options VM.GuestAgent.Unrestricted VM.Migrate VM.Monitor VM.Replicate VM.Snapshot "
                   "VM.Snapshot.Rollback"},
    {"PVEDatastoreUser", "Datastore.AllocateSpace"},
    {"PVEDatastoreAdmin", "Datastore.Allocate Datastore.AllocateTemplate"},
    {"PVEPoolAdmin", "Pool.Allocate"},
    {"PVESDNUser", "SDN.Use"},
    {"PVESDNAdmin", "SDN.Allocate"},
    {"PVEMappingUser", "Mapping.Use"},
    {"PVEMappingAdmin", "Mapping.Modify"},
    {"PVEUserAdmin", "Group.Allocate Realm.AllocateUser User.Modify"},
    {"PVESysAdmin", "Sys.Console Sys.Syslog"},
};

QString line(const QString &text)
{
    for (const auto &saying : sayings) {
        const QRegularExpression pattern(QRegularExpression::anchoredPattern(QLatin1String(saying.pattern)));
        const auto match = pattern.match(text);
        if (!match.hasMatch())
            continue;
        auto words = Text::tr(saying.words);
        if (words.contains(QLatin1String("%2")))
            return words.arg(match.captured(1), match.captured(2));
        return words.contains(QLatin1String("%1")) ? words.arg(match.captured(1)) : words;
    }
    return text;
}
}

/// "invalid format - format error\nnet0.model: …" says nothing in its first line; the others name the part.
QString RefusalWords::field(const QString &text)
{
    QStringList lines;
    for (auto one : text.split(u'\n', Qt::SkipEmptyParts)) {
        one = one.trimmed();
        if (one == QLatin1String("invalid format - format error"))
            continue;
        const auto part = one.section(QLatin1String(": "), 0, 0);
        const bool namesPart = part.contains(u'.') && !part.contains(u' ') && part.size() < one.size();
        auto said = namesPart ? one.mid(part.size() + 2) : one;
        if (said.startsWith(QLatin1String("invalid format - ")))
            said = said.mid(17);
        said = line(said);
        lines << (namesPart ? part + QLatin1String(": ") + said : said);
    }
    return lines.join(u'\n');
}

QString RefusalWords::plain(const QString &text)
{
    static const QRegularExpression place(QStringLiteral(" at /usr/(share|lib)/\\S+ line \\d+\\.?"));
    auto words = text;
    return words.remove(place).trimmed();
}

QString RefusalWords::advice(int status, const QString &words)
{
    if (status == 501 && words.contains(QLatin1String("not implemented")))
        return Text::tr("This Proxmox VE does not offer this call; it may be too old or too new.");
    if (status == 501 && words.contains(QLatin1String("too large")))
        return Text::tr("Proxmox VE takes at most 512 KiB at once. Send less.");
    if (status == 501 || status == 506)
        return Text::tr("The server does not take requests of this form. Please report this as a fault of Labhelm.");
    for (const auto &advice : advices) {
        const QRegularExpression pattern(QLatin1String(advice.pattern));
        if (pattern.match(words).hasMatch())
            return Text::tr(advice.words);
    }
    return {};
}

QString RefusalWords::roleWith(const QString &privilege)
{
    for (const auto &role : roles)
        if (QString::fromLatin1(role.privileges).split(u' ').contains(privilege))
            return QString::fromLatin1(role.name);
    return {};
}

QString RefusalWords::unauthorized(const QString &words)
{
    auto why = words;
    while (why.endsWith(u'.') || why.endsWith(u'!'))
        why.chop(1);
    const bool hasRunOut =
        why.contains(QLatin1String("csrf")) || why.contains(QLatin1String("ticket"), Qt::CaseInsensitive);
    return Text::tr("The server does not accept the sign-in: %1.").arg(why) + u' ' +
           (hasRunOut ? Text::tr("It may have run out; try again, and Labhelm signs in anew.")
                      : Text::tr("Check the token or password of this connection."));
}

QString RefusalWords::forbidden(const QString &words)
{
    static const QRegularExpression lack(QStringLiteral("\\((/[^,()]*), ([^()]+)\\)"));
    static const QRegularExpression only(QStringLiteral("\\(user != ([^()]+)\\)"));
    if (const auto match = lack.match(words); match.hasMatch()) {
        const auto privileges = match.captured(2).split(u'|');
        const auto role = roleWith(privileges.first());
        const auto what = Text::tr("This sign-in lacks the privilege %1 on %2.")
                              .arg(privileges.join(Text::tr(" or ", "between privileges")), match.captured(1));
        return what + u' ' +
               (role.isEmpty() ? Text::tr("Only the role Administrator, or one of your own, has it.")
                               : Text::tr("The role %1 has it.").arg(role));
    }
    if (const auto match = only.match(words); match.hasMatch())
        return Text::tr("Only %1 may do this. Sign in as this user with its password.").arg(match.captured(1));
    if (words.contains(QLatin1String("not available with API token")))
        return Text::tr("This can't be done with an API token; it needs a sign-in with a password.");
    if (words.trimmed() == QLatin1String("Permission check failed"))
        return Text::tr(
            "This sign-in may not do this, and the server does not say which privilege is missing "
            "(Permission check failed). An administrator can see the rights of this user under Permissions.");
    return Text::tr("This sign-in may not do this: %1").arg(words);
}
