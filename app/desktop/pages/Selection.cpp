#include "pages/Selection.h"
#include <QStringList>

static const QStringList kinds{QStringLiteral("nothing"), QStringLiteral("remote"), QStringLiteral("node"),
                               QStringLiteral("guest"), QStringLiteral("storage")};

QString Selection::text() const
{
    QStringList parts{kinds[static_cast<int>(kind)], remote};
    if (kind == Kind::Node)
        parts << node.text();
    else if (kind == Kind::Guest)
        parts << vmid.text();
    else if (kind == Kind::Storage)
        parts << storage.text() << node.text();
    return parts.join(u' ');
}

Selection Selection::fromText(const QString &text)
{
    const auto parts = text.split(u' ');
    const auto kind = kinds.indexOf(parts.value(0));
    if (kind <= 0 || parts.size() < 2)
        return {};
    Selection selection{.kind = static_cast<Kind>(kind), .remote = parts[1]};
    if (selection.kind == Kind::Node)
        selection.node = NodeName::from(parts.value(2)).valueOr({});
    else if (selection.kind == Kind::Guest)
        selection.vmid = Vmid::from(parts.value(2)).valueOr({});
    else if (selection.kind == Kind::Storage) {
        selection.storage = StorageName::from(parts.value(2)).valueOr({});
        selection.node = NodeName::from(parts.value(3)).valueOr({});
    }
    return selection;
}
