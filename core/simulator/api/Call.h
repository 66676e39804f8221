#pragma once
#include "simulator/api/ApiAnswer.h"
#include "simulator/schema/ApiTable.h"
#include "simulator/world/World.h"

namespace simulator
{
/// One call of the API, already allowed and with checked parameters.
struct Call {
    World &world;
    const ApiTable &table;
    int version; ///< 8 or 9
    Identity who;
    const Endpoint &endpoint;
    Parameters given;                   ///< path, query and body
    const QByteArray *upload = nullptr; ///< the file of a multipart body

    QString text(const char *name) const { return given.text(QLatin1String(name)); }
    bool flag(const char *name, bool fallback = false) const { return given.flag(QLatin1String(name), fallback); }
    bool has(const char *name) const { return given.has(QLatin1String(name)); }
    QString node() const
    {
        const auto name = text("node");
        return name == QLatin1String("localhost") ? world.localNode : name;
    }
    GuestKind kind() const { return endpoint.path.contains(QLatin1String("/lxc")) ? GuestKind::Lxc : GuestKind::Qemu; }
    /// The guest of the path, if it is of this kind and on this node.
    Guest *guest() const
    {
        auto *found = world.guest(text("vmid").toLongLong());
        return found && found->kind == kind() && found->node == node() ? found : nullptr;
    }
    ApiAnswer noSuchGuest() const
    {
        return ApiAnswer::failed(
            QStringLiteral("Configuration file 'nodes/%1/%2/%3.conf' does not exist")
                .arg(node(), kind() == GuestKind::Qemu ? QStringLiteral("qemu-server") : QStringLiteral("lxc"),
                     text("vmid")));
    }
    /// A parameter as JSON: what the table calls a number or a flag is one, the rest is text.
    QJsonValue typed(const QString &name) const
    {
        const auto *shape = table.shape(endpoint, name);
        using Type = ParameterShape::Type;
        const auto type = shape ? shape->type : Type::String;
        if (type == Type::Number)
            return given.text(name).toDouble();
        if (type == Type::Boolean || type == Type::Integer)
            return given.integer(name).value_or(0);
        return given.text(name);
    }
    /// What PVE would say is not known here.
    ApiAnswer notAnswered() const
    {
        return ApiAnswer::failed(
            QStringLiteral("The simulator does not answer '%1 %2' yet").arg(endpoint.method, endpoint.path), 501);
    }
    /// What depends on the release.
    const Release &release() const { return Release::of(version); }
    bool may(const QString &path, const char *privilege) const
    {
        return world.access.may(who, path, QLatin1String(privilege));
    }
    QString user() const { return who.full(); }
};
}
using simulator::Call; // pve or operations has one too, and tests link both
