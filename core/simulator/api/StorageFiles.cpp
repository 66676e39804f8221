#include "simulator/api/StorageFiles.h"
#include <QCryptographicHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

QString StorageFiles::safeName(const QString &name)
{
    static const QRegularExpression strange(u"[^-a-zA-Z0-9_.]"_s);
    auto safe = name.section(u'/', -1);
    return safe.replace(strange, u"_"_s);
}

bool StorageFiles::fits(const QString &content, const QString &name)
{
    static const QMap<QString, QRegularExpression> endings{
        {u"iso"_s, QRegularExpression(u"\\.(?:iso|img)\\z"_s, QRegularExpression::CaseInsensitiveOption)},
        {u"vztmpl"_s, QRegularExpression(u"\\.(?:tar\\.(?:gz|xz|zst|bz2)|tgz|tar)\\z"_s)},
        {u"import"_s, QRegularExpression(u"\\.(?:ova|ovf|qcow2|raw|vmdk)\\z"_s)}};
    return endings.contains(content) && endings[content].match(name).hasMatch();
}

QString StorageFiles::format(const QString &name)
{
    for (const auto &[ending, format] :
         {std::pair(u".tar.gz"_s, u"tgz"_s), std::pair(u".tgz"_s, u"tgz"_s), std::pair(u".tar.xz"_s, u"txz"_s),
          std::pair(u".tar.zst"_s, u"tzst"_s), std::pair(u".tar.bz2"_s, u"tbz2"_s), std::pair(u".img"_s, u"iso"_s)})
        if (name.endsWith(ending))
            return format;
    return name.section(u'.', -1).toLower();
}

void StorageFiles::put(World &world, const QString &storage, const QString &node, const QString &content,
                       const QString &name, qint64 size)
{
    const auto *kept = world.storage(storage);
    Volume volume;
    volume.id = u"%1:%2/%3"_s.arg(storage, content, name);
    volume.storage = storage;
    volume.node = kept && kept->shared ? QString() : node;
    volume.content = content;
    volume.format = format(name);
    volume.size = volume.used = size;
    volume.created = world.now();
    world.removeVolume(volume.id, node);
    world.volumes.push_back(volume);
}

QString StorageFiles::digest(const QByteArray &bytes, const QString &algorithm)
{
    static const QMap<QString, QCryptographicHash::Algorithm> known{
        {u"md5"_s, QCryptographicHash::Md5},       {u"sha1"_s, QCryptographicHash::Sha1},
        {u"sha224"_s, QCryptographicHash::Sha224}, {u"sha256"_s, QCryptographicHash::Sha256},
        {u"sha384"_s, QCryptographicHash::Sha384}, {u"sha512"_s, QCryptographicHash::Sha512}};
    if (!known.contains(algorithm))
        return {};
    return QString::fromLatin1(QCryptographicHash::hash(bytes, known[algorithm]).toHex());
}
