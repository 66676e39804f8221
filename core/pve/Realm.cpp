#include "pve/Realm.h"
#include "model/PveValue.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonObject>

Result<std::vector<Realm>> Realm::listFrom(const QJsonValue &data)
{
    if (!data.isArray())
        return Error{Error::Kind::Malformed,
                     QCoreApplication::translate("Realm", "The server's list of realms can't be read.")};
    std::vector<Realm> realms;
    for (const auto &entry : data.toArray()) {
        const auto object = entry.toObject();
        Realm realm;
        realm.id = object[QLatin1String("realm")].toString();
        realm.type = object[QLatin1String("type")].toString();
        realm.comment = object[QLatin1String("comment")].toString();
        realm.isDefault = PveValue::boolean(object, "default").value_or(false);
        realm.wantsCode = !object[QLatin1String("tfa")].toString().isEmpty();
        if (!realm.id.isEmpty() && realm.type != QLatin1String("openid"))
            realms.push_back(std::move(realm));
    }
    std::stable_partition(realms.begin(), realms.end(), [](const Realm &realm) { return realm.isDefault; });
    return realms;
}

QString Realm::fullUser(const QString &typed, const QString &realm, const QStringList &known)
{
    const auto user = typed.trimmed();
    const auto end = user.lastIndexOf(u'@');
    const bool isWhole = end > 0 && (known.isEmpty() || known.contains(user.mid(end + 1)));
    return isWhole || realm.isEmpty() || user.isEmpty() ? user : user + u'@' + realm;
}
