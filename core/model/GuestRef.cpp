#include "model/GuestRef.h"
#include "base/DisplayText.h"

QString guestKindName(GuestKind kind)
{
    return kind == GuestKind::Qemu ? QStringLiteral("qemu") : QStringLiteral("lxc");
}

QString GuestRef::label() const
{
    if (!isResolved())
        return DisplayText::visible(asked);
    return name.isEmpty() ? vmid.text() : DisplayText::visible(name) + u' ' + vmid.text();
}
