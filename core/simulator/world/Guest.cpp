#include "simulator/world/Guest.h"
#include "simulator/schema/PropertyString.h"
#include <QCryptographicHash>
#include <QRegularExpression>
#include <algorithm>

QString Guest::name() const
{
    const auto given = config.value(isQemu() ? QStringLiteral("name") : QStringLiteral("hostname"));
    return given.isEmpty() ? word() + u' ' + QString::number(vmid) : given;
}

double Guest::cpus() const
{
    if (isQemu())
        return config.value(QStringLiteral("cores"), QStringLiteral("1")).toInt() *
               config.value(QStringLiteral("sockets"), QStringLiteral("1")).toInt();
    return config.contains(QStringLiteral("cores")) ? config.value(QStringLiteral("cores")).toInt() : hostCpus;
}

qint64 Guest::memoryBytes() const
{
    return config.value(QStringLiteral("memory"), QStringLiteral("512")).toLongLong() << 20;
}

qint64 Guest::swapBytes() const
{
    return config.value(QStringLiteral("swap"), QStringLiteral("0")).toLongLong() << 20;
}

qint64 Guest::diskBytes() const
{
    if (!isQemu())
        return bytesOfSize(PropertyString::value(config.value(QStringLiteral("rootfs")), QStringLiteral("size")));
    const auto keys = diskKeys();
    return keys.isEmpty() ? 0 : bytesOfSize(PropertyString::value(config.value(keys.first()), QStringLiteral("size")));
}

bool Guest::ranAt(qint64 time) const
{
    return std::none_of(stops.begin(), stops.end(), [time](const auto &stop) {
        return time >= stop.first && (stop.second == 0 || time < stop.second);
    });
}

GuestSnapshot *Guest::snapshot(const QString &wanted)
{
    for (auto &snapshot : snapshots)
        if (snapshot.name == wanted)
            return &snapshot;
    return nullptr;
}

const GuestSnapshot *Guest::snapshot(const QString &wanted) const
{
    return const_cast<Guest *>(this)->snapshot(wanted);
}

QStringList Guest::diskKeys() const
{
    QStringList keys;
    for (auto it = config.begin(); it != config.end(); ++it)
        if (isDiskKey(it.key()) && !it.value().contains(QLatin1String("media=cdrom")))
            keys.append(it.key());
    return keys;
}

bool Guest::isDiskKey(const QString &key)
{
    static const QRegularExpression pattern(
        QStringLiteral("\\A(?:scsi\\d+|virtio\\d+|sata\\d+|ide\\d+|efidisk0|tpmstate0|rootfs|mp\\d+|unused\\d+)\\z"));
    return pattern.match(key).hasMatch();
}

qint64 Guest::bytesOfSize(const QString &size)
{
    if (size.isEmpty())
        return 0;
    const auto unit = size.back().toUpper();
    const int shift = unit == u'K' ? 10 : unit == u'M' ? 20 : unit == u'G' ? 30 : unit == u'T' ? 40 : 0;
    return qint64((shift ? size.chopped(1) : size).toDouble() * double(1LL << shift));
}

QString Guest::digest() const
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    const auto section = [&hash](const QString &title, const GuestConfig &lines) {
        hash.addData(QByteArray("[" + title.toUtf8() + "]\n"));
        for (auto it = lines.begin(); it != lines.end(); ++it)
            hash.addData((it.key() + QLatin1String(": ") + it.value() + u'\n').toUtf8());
    };
    section({}, config);
    section(QStringLiteral("PENDING"), pending);
    hash.addData(pendingDeletes.join(u',').toUtf8());
    for (const auto &snapshot : snapshots)
        section(snapshot.name, snapshot.config);
    return QString::fromLatin1(hash.result().toHex());
}

QString Guest::sizeOfBytes(qint64 bytes)
{
    for (const auto &[shift, unit] :
         {std::pair(40, u'T'), std::pair(30, u'G'), std::pair(20, u'M'), std::pair(10, u'K')})
        if (bytes > 0 && bytes % (1LL << shift) == 0)
            return QString::number(bytes >> shift) + unit;
    return QString::number(bytes);
}
