#include "inventory/Resolver.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <algorithm>

namespace
{
constexpr int mostNamed = 5;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Resolver)
};
QString shown(const QString &text)
{
    return DisplayText::visible(text.left(80));
}
Error notFound(const QString &message)
{
    return {Error::Kind::NotFound, message};
}

/// "a, b, c and 4 more"
QString list(const QStringList &all)
{
    const auto first = QStringList(all.mid(0, mostNamed)).join(QStringLiteral(", "));
    const auto more = static_cast<int>(all.size()) - mostNamed;
    return more > 0 ? Text::tr("%1 and %n more", nullptr, more).arg(first) : first;
}

QString nameOf(const InventorySnapshot &snapshot)
{
    return shown(snapshot.remoteName.isEmpty() ? snapshot.remoteId : snapshot.remoteName);
}

QString label(const GuestState &guest)
{
    return guest.name.isEmpty() ? guest.vmid.text() : shown(guest.name) + u' ' + guest.vmid.text();
}

QString remotesOf(const std::vector<InventoryPtr> &in)
{
    QStringList names;
    for (const auto &snapshot : in)
        names << nameOf(*snapshot);
    return list(names);
}

/// Somebody may have meant one of these.
bool isNear(const GuestState &guest, const QString &what)
{
    return guest.name.contains(what, Qt::CaseInsensitive) ||
           (!guest.name.isEmpty() && what.contains(guest.name, Qt::CaseInsensitive)) ||
           guest.vmid.text().startsWith(what);
}

/// In other letters, or with its domain.
bool isNear(const NodeName &node, const QString &what)
{
    return node.text().compare(what.section(u'.', 0, 0), Qt::CaseInsensitive) == 0;
}
}

Result<QString> Resolver::split(const QString &asked, std::vector<InventoryPtr> &in) const
{
    const auto colon = asked.indexOf(u':');
    if (m_known.empty())
        return notFound(Text::tr("No cluster is connected, so that nothing can be found by name."));
    in = m_known;
    if (colon < 0)
        return asked;
    const auto remote = asked.left(colon);
    for (const auto sense : {Qt::CaseSensitive, Qt::CaseInsensitive}) {
        in.clear();
        for (const auto &snapshot : m_known)
            if (snapshot->remoteId == remote || snapshot->remoteName.compare(remote, sense) == 0)
                in.push_back(snapshot);
        if (!in.empty())
            return asked.mid(colon + 1);
    }
    return notFound(Text::tr("No connection is called \"%1\". There is: %2.").arg(shown(remote), remotesOf(m_known)));
}

std::vector<Resolver::Candidate> Resolver::guestsNamed(const QString &what, const QString &node,
                                                       const std::vector<InventoryPtr> &in) const
{
    const auto matching = [&](auto fits) {
        std::vector<Candidate> found;
        for (const auto &snapshot : in)
            for (const auto &guest : snapshot->guests)
                if (fits(guest) && (node.isEmpty() || guest.node.text() == node))
                    found.push_back({snapshot, &guest});
        return found;
    };
    std::vector<Candidate> found;
    if (const auto vmid = Vmid::from(what))
        found = matching([&](const GuestState &guest) { return guest.vmid == *vmid; });
    if (found.empty())
        found = matching([&](const GuestState &guest) { return guest.name == what; });
    if (found.empty())
        found = matching([&](const GuestState &guest) { return guest.name.compare(what, Qt::CaseInsensitive) == 0; });
    return found;
}

Result<GuestRef> Resolver::guest(const QString &asked) const
{
    std::vector<InventoryPtr> in;
    const auto rest = split(asked, in);
    if (!rest)
        return rest.error();
    const auto slash = rest->indexOf(u'/');
    const auto node = slash < 0 ? QString() : rest->left(slash);
    const auto what = rest->mid(slash + 1);
    if (what.isEmpty())
        return notFound(Text::tr("No guest was named."));
    if (slash == 0)
        return noNode(node, in);
    const auto found = guestsNamed(what, node, in);
    const auto hasNode = [&node](const InventoryPtr &each) { return each->hasNode(node); };
    if (found.empty() && slash >= 0 && std::none_of(in.begin(), in.end(), hasNode))
        return noNode(node, in);
    if (found.empty())
        return none(what, in);
    if (found.size() > 1)
        return tooMany(what, found);
    if (found.front().guest->node.isEmpty())
        return notFound(Text::tr("The cluster did not say on which node %1 is. Try again in a moment.")
                            .arg(label(*found.front().guest)));
    auto ref = found.front().in->ref(*found.front().guest);
    ref.asked = asked;
    return ref;
}

bool Resolver::isUnique(Vmid vmid) const
{
    return std::count_if(m_known.begin(), m_known.end(), [&](const InventoryPtr &each) { return each->guest(vmid); }) ==
           1;
}

QString Resolver::describe(const Candidate &candidate) const
{
    const auto &guest = *candidate.guest;
    const auto node = shown(guest.node.text());
    if (m_known.size() > 1)
        return Text::tr("%1 on %2 (%3)").arg(label(guest), node, nameOf(*candidate.in));
    return Text::tr("%1 on %2").arg(label(guest), node);
}

Error Resolver::tooMany(const QString &what, const std::vector<Candidate> &found) const
{
    QStringList candidates, exact;
    bool idsAreEnough = true;
    for (const auto &candidate : found) {
        candidates << describe(candidate);
        exact << nameOf(*candidate.in) + u':' + candidate.guest->vmid.text();
        idsAreEnough = idsAreEnough && isUnique(candidate.guest->vmid);
    }
    const auto count = static_cast<int>(found.size());
    const auto head = (count == 2 ? Text::tr("Two guests are called %1: %2.")
                                  : Text::tr("%n guests are called %1: %2.", nullptr, count))
                          .arg(shown(what), list(candidates));
    const auto tail = idsAreEnough ? Text::tr("Use the id.") : Text::tr("Write which one: %1.").arg(list(exact));
    return {Error::Kind::Ambiguous, head + u' ' + tail};
}

Error Resolver::none(const QString &what, const std::vector<InventoryPtr> &in) const
{
    QStringList near, unread, hidden;
    for (const auto &snapshot : in) {
        for (const auto &guest : snapshot->guests)
            if (isNear(guest, what))
                near << label(guest);
        if (snapshot->reach == InventorySnapshot::Reach::Never)
            unread << nameOf(*snapshot);
        if (!snapshot->hidden.isEmpty())
            hidden << nameOf(*snapshot);
    }
    auto message = (Vmid::from(what) ? Text::tr("No guest has the id %1.") : Text::tr("No guest is called \"%1\"."))
                       .arg(shown(what));
    if (!near.isEmpty())
        message += u' ' + Text::tr("There is: %1.").arg(list(near));
    if (!unread.isEmpty())
        message += u' ' + Text::tr("Not read yet: %1.").arg(list(unread));
    if (!hidden.isEmpty())
        message += u' ' + Text::tr("Not everything is visible on: %1.").arg(list(hidden));
    return notFound(message);
}

Error Resolver::noNode(const QString &name, const std::vector<InventoryPtr> &in) const
{
    QStringList nodes, near;
    for (const auto &snapshot : in)
        for (const auto &node : snapshot->nodes)
            (isNear(node.name, name) ? near : nodes) << shown(node.name.text());
    auto message = Text::tr("No node is called \"%1\".").arg(shown(name));
    if (!near.isEmpty())
        message += u' ' + Text::tr("Did you mean %1?").arg(list(near));
    else if (!nodes.isEmpty())
        message += u' ' + Text::tr("There is: %1.").arg(list(nodes));
    return notFound(message);
}

Result<NodeRef> Resolver::node(const QString &asked) const
{
    std::vector<InventoryPtr> in;
    const auto name = split(asked, in);
    if (!name)
        return name.error();
    std::vector<InventoryPtr> found;
    std::copy_if(in.begin(), in.end(), std::back_inserter(found),
                 [&](const InventoryPtr &each) { return each->hasNode(*name); });
    if (found.empty())
        return noNode(*name, in);
    if (found.size() > 1) {
        QStringList exact;
        for (const auto &snapshot : found)
            exact << nameOf(*snapshot) + u':' + shown(*name);
        return Error{
            Error::Kind::Ambiguous,
            Text::tr("Several clusters have a node called %1. Write which one: %2.").arg(shown(*name), list(exact))};
    }
    NodeRef ref;
    ref.asked = asked;
    ref.remote = found.front()->remoteId;
    if (auto valid = NodeName::from(*name))
        ref.node = *valid;
    return ref;
}

Result<QString> Resolver::remoteOfNode(const QString &name) const
{
    if (name.contains(u':'))
        return noNode(name, m_known);
    const auto found = node(name);
    return found ? Result<QString>(found->remote) : Result<QString>(found.error());
}
