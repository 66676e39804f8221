#include "simulator/api/GuestNics.h"
#include "simulator/schema/PropertyString.h"
#include <QCryptographicHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

bool GuestNics::isNic(const QString &key)
{
    static const QRegularExpression nic(u"\\Anet\\d+\\z"_s);
    return nic.match(key).hasMatch();
}

QString GuestNics::newMac(const Guest &guest, const QString &key)
{
    const auto seed = guest.digest() + QString::number(guest.vmid) + key;
    const auto hash = QCryptographicHash::hash(seed.toUtf8(), QCryptographicHash::Md5).toHex().toUpper();
    return u"BC:24:11:%1:%2:%3"_s.arg(QString::fromLatin1(hash.mid(0, 2)), QString::fromLatin1(hash.mid(2, 2)),
                                      QString::fromLatin1(hash.mid(4, 2)));
}

static QString completedOfContainer(const Guest &guest, const QString &key, const QString &line)
{
    auto whole = line;
    if (PropertyString::value(line, u"hwaddr"_s).isEmpty())
        whole = PropertyString::with(whole, u"hwaddr"_s, GuestNics::newMac(guest, key));
    return PropertyString::value(whole, u"type"_s).isEmpty() ? whole + ",type=veth"_L1 : whole;
}

QString GuestNics::completed(const Guest &guest, const QString &key, const QString &line)
{
    if (!guest.isQemu())
        return completedOfContainer(guest, key, line);
    // The model may stand alone, as model=, or carry the address: it becomes virtio=MAC.
    auto rest = line.split(u',');
    QString model;
    QString mac;
    for (auto it = rest.begin(); it != rest.end();) {
        const auto name = it->section(u'=', 0, 0);
        const auto text = it->section(u'=', 1);
        const bool isModel = name == "model"_L1 || !it->contains(u'=');
        const bool carries = it->contains(u'=') && text.count(u':') == 5 && name != "macaddr"_L1;
        if (isModel)
            model = it->contains(u'=') ? text : name;
        else if (carries)
            model = name;
        if (carries || name == "macaddr"_L1)
            mac = text;
        it = isModel || carries || name == "macaddr"_L1 ? rest.erase(it) : std::next(it);
    }
    rest.prepend(model + u'=' + (mac.isEmpty() ? newMac(guest, key) : mac.toUpper()));
    return rest.join(u',');
}

QString GuestNics::readdressed(const Guest &guest, const QString &key, const QString &line)
{
    static const QRegularExpression address(u"([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}"_s);
    auto changed = line;
    return changed.replace(address, newMac(guest, key));
}
