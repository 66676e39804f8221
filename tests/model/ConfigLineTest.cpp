#include "model/ConfigLine.h"
#include "support/TestMain.h"
#include <QFile>

/// Property strings are read and written word for word; a changed option leaves the others as they were.
class ConfigLineTest : public QObject
{
    Q_OBJECT

    struct Recorded {
        QString kind, key, value;
    };
    /// Every property string of the recorded exchanges, and forms that people write.
    static QList<Recorded> lines()
    {
        QList<Recorded> all;
        QFile file(QStringLiteral(LABHELM_TEST_DATA "/property-strings.tsv"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("no recorded property strings");
        const auto rows = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
        for (const auto &row : rows)
            if (const auto cells = row.split(u'\t'); cells.size() == 3)
                all.append({cells[0], cells[1], cells[2]});
        for (const auto *more :
             {"virtio=BC:24:11:82:7F:D0,bridge=vmbr0,link_down=1,rate=12.5,trunks=1;2;3-5",
              "model=virtio,macaddr=BC:24:11:82:7F:D0,bridge=vmbr0", "x86-64-v2-AES,flags=+aes;-pcid",
              "cputype=host,hidden=1", "order=scsi0;ide2;net0", "cdn", "/mnt/a=b,mp=/data,ro=1",
              "local-zfs:subvol-1-disk-0,mp=/srv,,backup=1", "uuid=1,manufacturer=QUJD,base64=1", ",", "a", "=",
              "ip=192.168.1.2/24,gw=192.168.1.1,ip6=auto", "none,media=cdrom", "new_option=1,zz=\xC3\xA4 b"})
            all.append({QStringLiteral("made up"), QString::fromUtf8(more), QString::fromUtf8(more)});
        return all;
    }
    static const char *defaultKey(const QString &key)
    {
        return key.startsWith(QLatin1String("net"))                                    ? "model"
               : key.startsWith(QLatin1String("mp")) || key == QLatin1String("rootfs") ? "volume"
               : key == QLatin1String("cpu")                                           ? "cputype"
               : key == QLatin1String("agent")                                         ? "enabled"
               : key == QLatin1String("memory")                                        ? "current"
                                                                                       : "file";
    }

private Q_SLOTS:
    void writesEveryLineAsItWasRead()
    {
        const auto all = lines();
        QVERIFY(all.size() > 50);
        for (const auto &line : all)
            QCOMPARE(ConfigLine(line.value, defaultKey(line.key)).text(), line.value);
        qInfo("%lld lines", static_cast<long long>(all.size()));
    }
    void settingOneOptionLeavesTheOthers()
    {
        int changes = 0;
        for (const auto &line : lines()) {
            const ConfigLine before(line.value, defaultKey(line.key));
            const auto keys = before.keys();
            for (const auto &key : keys + QStringList{QStringLiteral("aa_new"), QStringLiteral("zz_new")}) {
                if (key.isEmpty() || keys.count(key) > 1)
                    continue;
                auto after = before;
                after.set(key, QStringLiteral("7"));
                QCOMPARE(after.value(key), std::optional(QStringLiteral("7")));
                for (const auto &other : keys)
                    if (other != key)
                        QCOMPARE(after.value(other), before.value(other));
                if (const auto old = before.value(key))
                    after.set(key, *old);
                else
                    after.remove(key);
                QCOMPARE(after.text(), before.text());
                ++changes;
            }
        }
        qInfo("%d changes", changes);
    }
    void readsTheDefaultKeyWithItsNameAndWithout()
    {
        QCOMPARE(ConfigLine(QStringLiteral("local:1,size=2G"), "file").value(QStringLiteral("file")),
                 std::optional(QStringLiteral("local:1")));
        QCOMPARE(ConfigLine(QStringLiteral("size=2G,file=local:1"), "file").value(QStringLiteral("file")),
                 std::optional(QStringLiteral("local:1")));
        QCOMPARE(ConfigLine(QStringLiteral("1,fstrim_cloned_disks=1"), "enabled").value(QStringLiteral("enabled")),
                 std::optional(QStringLiteral("1")));
        QVERIFY(!ConfigLine(QStringLiteral("size=2G"), "file").has(QStringLiteral("file")));
        QVERIFY(!ConfigLine(QStringLiteral("local:1")).has(QStringLiteral("file")));
    }
    void tellsEmptyFromAbsent()
    {
        const ConfigLine line(QStringLiteral("a=,b=1"));
        QCOMPARE(line.value(QStringLiteral("a")), std::optional(QString()));
        QVERIFY(!line.has(QStringLiteral("c")));
    }
    void putsANewOptionWhereTheServerWould()
    {
        const auto with = [](const char *text, const char *defaultKey, const char *key) {
            ConfigLine line(QLatin1String(text), defaultKey);
            line.set(QLatin1String(key), QStringLiteral("1"));
            return line.text();
        };
        QCOMPARE(with("virtio=AA,bridge=vmbr0,tag=5", "model", "firewall"),
                 QStringLiteral("virtio=AA,bridge=vmbr0,firewall=1,tag=5"));
        QCOMPARE(with("e1000=AA,tag=5", "model", "bridge"), QStringLiteral("e1000=AA,bridge=1,tag=5"));
        QCOMPARE(with("local:1,mp=/data,size=1G", "volume", "backup"),
                 QStringLiteral("local:1,mp=/data,backup=1,size=1G"));
        QCOMPARE(with("name=eth0,bridge=vmbr0,type=veth", "", "tag"),
                 QStringLiteral("name=eth0,bridge=vmbr0,tag=1,type=veth"));
        QCOMPARE(with("local:1", "file", "ssd"), QStringLiteral("local:1,ssd=1"));
        QCOMPARE(with("", "file", "ssd"), QStringLiteral("ssd=1"));
        QCOMPARE(with("ssd=1", "file", "file"), QStringLiteral("1,ssd=1"));
    }
};

LABHELM_TEST(ConfigLineTest)
#include "ConfigLineTest.moc"
