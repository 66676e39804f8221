#include "remotes/RemoteFile.h"
#include "base/DisplayText.h"
#include "base/StrictJson.h"
#include "remotes/Address.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

namespace
{
constexpr int version = 1;
constexpr qsizetype longestName = 60;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(RemoteFile)
};
Error invalid(const QString &message)
{
    return {Error::Kind::Invalid, message};
}
QString shown(const QString &text)
{
    return DisplayText::visible(text.left(80));
}

bool fits(const char *pattern, const QString &text)
{
    const QRegularExpression expression(QRegularExpression::anchoredPattern(QLatin1String(pattern)));
    return !text.endsWith(u'\n') && expression.match(text).hasMatch();
}

Result<void> checkName(const QString &name)
{
    if (name.isEmpty() || name != name.trimmed())
        return invalid(Text::tr("Give the connection a name, without spaces around it."));
    if (name.size() > longestName)
        return invalid(Text::tr("The name \"%1…\" is too long. Use at most %2 characters.")
                           .arg(shown(name.left(20)))
                           .arg(longestName));
    if (name.contains(u':') || name.contains(u'/') || DisplayText::visible(name) != name)
        return invalid(
            Text::tr("The name \"%1\" has a character that a connection's name cannot have, such as ':' or '/'.")
                .arg(shown(name)));
    return {};
}

Result<void> checkUser(const Remote &remote)
{
    const bool isToken = remote.signIn == Remote::SignIn::Token;
    if (isToken && !fits("[^\\s:/!@]+@[A-Za-z][A-Za-z0-9._-]+![A-Za-z][A-Za-z0-9._-]+", remote.user))
        return invalid(Text::tr("\"%1\" is not a token id. It is written user@realm!name, as in root@pam!labhelm.")
                           .arg(shown(remote.user)));
    if (!isToken && !fits("[^\\s:/!]+@[A-Za-z][A-Za-z0-9._-]+", remote.user))
        return invalid(
            Text::tr("\"%1\" is not a user. It is written user@realm, as in root@pam.").arg(shown(remote.user)));
    return {};
}

Error broken(const QString &where)
{
    return {Error::Kind::Malformed, Text::tr("The file of connections cannot be understood: %1.").arg(where)};
}

QJsonObject toJson(const Remote &remote)
{
    QJsonObject pins;
    for (auto pin = remote.pins.cbegin(); pin != remote.pins.cend(); ++pin)
        pins.insert(pin.key(), QString::fromLatin1(pin.value().toHex()));
    const auto signIn = remote.signIn == Remote::SignIn::Token ? QStringLiteral("token") : QStringLiteral("password");
    QJsonObject json{{QStringLiteral("id"), remote.id},
                     {QStringLiteral("name"), remote.name},
                     {QStringLiteral("addresses"), QJsonArray::fromStringList(remote.addresses)},
                     {QStringLiteral("sign_in"), signIn},
                     {QStringLiteral("user"), remote.user},
                     {QStringLiteral("pins"), pins},
                     {QStringLiteral("demo"), remote.isDemo}};
    if (remote.secretSlot > 0)
        json.insert(QStringLiteral("secret_slot"), remote.secretSlot);
    return json;
}

QJsonObject toJson(const TokenChange &change)
{
    const bool isMaking = change.step == TokenChange::Step::Making;
    return {{QStringLiteral("next"), toJson(change.next)},
            {QStringLiteral("old_user"), change.oldUser},
            {QStringLiteral("old_secret"), change.oldSecret},
            {QStringLiteral("step"), isMaking ? QStringLiteral("making") : QStringLiteral("revoking")}};
}

/// The text under a key; an absent key and another type are errors, which are collected.
QString textOf(const QJsonObject &json, const char *key, QString &fault)
{
    const auto value = json.value(QLatin1String(key));
    if (!value.isString() && fault.isEmpty())
        fault = Text::tr("\"%1\" is missing or is no text").arg(QLatin1String(key));
    return value.toString();
}

void readAddresses(const QJsonValue &value, Remote &remote, QString &fault)
{
    if (!value.isArray() && fault.isEmpty())
        fault = Text::tr("\"addresses\" is missing or is no list");
    for (const auto &address : value.toArray()) {
        if (!address.isString() && fault.isEmpty())
            fault = Text::tr("an address is no text");
        remote.addresses << address.toString();
    }
}

void readPins(const QJsonValue &value, Remote &remote, QString &fault)
{
    if (!value.isObject() && fault.isEmpty())
        fault = Text::tr("\"pins\" is missing or is no object");
    const auto pins = value.toObject();
    for (auto pin = pins.begin(); pin != pins.end(); ++pin) {
        const auto hex = pin.value().toString();
        if (!fits("[0-9a-f]{64}", hex) && fault.isEmpty())
            fault = Text::tr("the pin of \"%1\" is not a SHA-256 fingerprint").arg(shown(pin.key()));
        remote.pins.insert(pin.key(), QByteArray::fromHex(hex.toLatin1()));
    }
}

Result<Remote> fromJson(const QJsonObject &json)
{
    Remote remote;
    QString fault;
    remote.id = textOf(json, "id", fault);
    remote.name = textOf(json, "name", fault);
    remote.user = textOf(json, "user", fault);
    readAddresses(json.value(QLatin1String("addresses")), remote, fault);
    readPins(json.value(QLatin1String("pins")), remote, fault);
    const auto signIn = textOf(json, "sign_in", fault);
    if (signIn != QLatin1String("token") && signIn != QLatin1String("password") && fault.isEmpty())
        fault = Text::tr("\"sign_in\" is neither \"token\" nor \"password\"");
    remote.signIn = signIn == QLatin1String("password") ? Remote::SignIn::Password : Remote::SignIn::Token;
    const auto demo = json.value(QLatin1String("demo"));
    if (!demo.isBool() && fault.isEmpty())
        fault = Text::tr("\"demo\" is missing or is neither true nor false");
    remote.isDemo = demo.toBool();
    const auto slot = json.value(QLatin1String("secret_slot"));
    remote.secretSlot = static_cast<int>(slot.toInteger(-1));
    if (slot.isUndefined())
        remote.secretSlot = 0;
    else if ((remote.secretSlot < 1 || remote.secretSlot > 1'000'000) && fault.isEmpty())
        fault = Text::tr("\"secret_slot\" is no number from 1");
    if (!fits("[a-z0-9-]{1,64}", remote.id) && fault.isEmpty())
        fault = Text::tr("\"%1\" is not the id of a connection").arg(shown(remote.id));
    if (!fault.isEmpty())
        return broken(fault);
    if (const auto fine = RemoteFile::check(remote); !fine)
        return broken(fine.error().message);
    return remote;
}

Result<TokenChange> changeFrom(const QJsonObject &json)
{
    TokenChange change;
    QString fault;
    auto next = fromJson(json.value(QLatin1String("next")).toObject());
    if (!next)
        return next.error();
    change.next = *std::move(next);
    change.oldUser = textOf(json, "old_user", fault);
    change.oldSecret = textOf(json, "old_secret", fault);
    const auto step = textOf(json, "step", fault);
    if (step != QLatin1String("making") && step != QLatin1String("revoking") && fault.isEmpty())
        fault = Text::tr("\"step\" is neither \"making\" nor \"revoking\"");
    change.step = step == QLatin1String("making") ? TokenChange::Step::Making : TokenChange::Step::Revoking;
    if (!change.oldSecret.isEmpty() && !change.oldSecret.startsWith(QStringLiteral("remote/%1/").arg(change.next.id)) &&
        fault.isEmpty())
        fault = Text::tr("\"old_secret\" is not of this connection");
    if (!fault.isEmpty())
        return broken(fault);
    return change;
}

Result<std::vector<Remote>> remotesFrom(const QJsonArray &entries)
{
    std::vector<Remote> remotes;
    for (const auto &entry : entries) {
        auto remote = fromJson(entry.toObject());
        if (!remote)
            return remote.error();
        for (const auto &other : remotes)
            if (other.id == remote->id || RemoteFile::isSameName(other.name, remote->name))
                return broken(Text::tr("\"%1\" stands in it twice").arg(shown(remote->name)));
        remotes.push_back(std::move(*remote));
    }
    return remotes;
}

Result<std::vector<TokenChange>> changesFrom(const QJsonArray &entries)
{
    std::vector<TokenChange> changes;
    for (const auto &entry : entries) {
        auto change = changeFrom(entry.toObject());
        if (!change)
            return change.error();
        for (const auto &other : changes)
            if (other.next.id == change->next.id)
                return broken(Text::tr("two token changes of \"%1\" stand in it").arg(shown(change->next.name)));
        changes.push_back(std::move(*change));
    }
    return changes;
}
}

Remote RemoteFile::normal(Remote remote)
{
    for (auto &text : remote.addresses)
        if (const auto address = Address::from(text))
            text = address->text();
    QHash<QString, QByteArray> pins;
    for (auto pin = remote.pins.cbegin(); pin != remote.pins.cend(); ++pin) {
        const auto address = Address::from(pin.key());
        pins.insert(address ? address->key() : pin.key(), pin.value());
    }
    remote.pins = std::move(pins);
    return remote;
}

bool RemoteFile::isSameName(const QString &one, const QString &other)
{
    return one.compare(other, Qt::CaseInsensitive) == 0;
}

Result<void> RemoteFile::check(const Remote &remote)
{
    if (auto fine = checkName(remote.name); !fine)
        return fine;
    if (remote.addresses.isEmpty())
        return invalid(Text::tr("Give at least one address, such as pve1.lan or 192.168.1.10:8006."));
    for (const auto &text : remote.addresses)
        if (auto address = Address::from(text); !address)
            return address.error();
    for (auto pin = remote.pins.cbegin(); pin != remote.pins.cend(); ++pin)
        if (!Address::from(pin.key()) || pin.value().size() != 32)
            return invalid(
                Text::tr("The pinned certificate of \"%1\" is not a SHA-256 fingerprint.").arg(shown(pin.key())));
    return checkUser(remote);
}

Result<RemoteFile::Content> RemoteFile::parse(const QByteArray &text)
{
    const auto json = StrictJson::parseObject(text);
    if (!json)
        return broken(json.error().message);
    const auto found = json->value(QLatin1String("version")).toInteger();
    if (found > version)
        return Error{Error::Kind::Unavailable,
                     Text::tr("The file of connections was written by a newer Labhelm. It is left as it is.")};
    if (found != version || !json->value(QLatin1String("remotes")).isArray())
        return broken(Text::tr("\"version\" or \"remotes\" is missing"));
    const auto open = json->value(QLatin1String("unfinished"));
    if (!open.isUndefined() && !open.isArray())
        return broken(Text::tr("\"unfinished\" is no list"));
    auto remotes = remotesFrom(json->value(QLatin1String("remotes")).toArray());
    if (!remotes)
        return remotes.error();
    auto changes = changesFrom(open.toArray());
    if (!changes)
        return changes.error();
    return Content{*std::move(remotes), *std::move(changes)};
}

QByteArray RemoteFile::write(const std::vector<Remote> &remotes, const std::vector<TokenChange> &unfinished)
{
    QJsonArray entries, changes;
    for (const auto &remote : remotes)
        entries.append(toJson(remote));
    for (const auto &change : unfinished)
        changes.append(toJson(change));
    QJsonObject file{{QStringLiteral("version"), version}, {QStringLiteral("remotes"), entries}};
    if (!changes.isEmpty())
        file.insert(QStringLiteral("unfinished"), changes);
    return QJsonDocument(file).toJson(QJsonDocument::Indented);
}
