#include "simulator/schema/ApiTable.h"
#include "support/TestMain.h"

/// The table of the API and the check of parameters against it, as contract tests use them.
class ApiTableTest : public QObject
{
    Q_OBJECT

    static QString wrong(const char *method, const char *path, const Parameters &given)
    {
        QStringList found;
        for (const auto &violation :
             ApiTable::ofVersion9().check(QLatin1String(method), QString::fromLatin1(path), given))
            found.append(violation.parameter + QLatin1String(": ") + violation.text.trimmed());
        found.sort();
        return found.join(QLatin1String(" | "));
    }

private Q_SLOTS:
    void knowsBothVersions();
    void findsAnEndpointAndItsPathParameters();
    void prefersALiteralSegmentToAPlaceholder();
    void takesSlashesIntoAVolumesName();
    void acceptsACallThatIsRight();
    void namesEverythingThatIsWrong_data();
    void namesEverythingThatIsWrong();
    void saysThatACallIsUnknown();
    void refusesATableItDoesNotUnderstand();
};

void ApiTableTest::knowsBothVersions()
{
    QCOMPARE(ApiTable::ofVersion9().endpoints().size(), size_t(649));
    QCOMPARE(ApiTable::ofVersion8().endpoints().size(), size_t(605));
    QVERIFY(ApiTable::ofVersion9().find(QStringLiteral("GET"), QStringLiteral("/cluster/ha/rules")));
    QVERIFY(!ApiTable::ofVersion8().find(QStringLiteral("GET"), QStringLiteral("/cluster/ha/rules")));
}

void ApiTableTest::findsAnEndpointAndItsPathParameters()
{
    const auto match =
        ApiTable::ofVersion9().find(QStringLiteral("GET"), QStringLiteral("/nodes/pve1/qemu/101/config"));
    QVERIFY(match);
    QCOMPARE(match->endpoint->path, QStringLiteral("/nodes/{node}/qemu/{vmid}/config"));
    QCOMPARE(match->path[QStringLiteral("node")], QStringLiteral("pve1"));
    QCOMPARE(match->path[QStringLiteral("vmid")], QStringLiteral("101"));
    QVERIFY(!match->endpoint->isProtected);
    QVERIFY(match->endpoint->allowsToken);
    QCOMPARE(match->endpoint->proxyTo, QStringLiteral("node"));
}

void ApiTableTest::prefersALiteralSegmentToAPlaceholder()
{
    const auto match = ApiTable::ofVersion9().find(QStringLiteral("GET"), QStringLiteral("/cluster/ha/status/current"));
    QVERIFY(match);
    QCOMPARE(match->endpoint->path, QStringLiteral("/cluster/ha/status/current"));
}

void ApiTableTest::takesSlashesIntoAVolumesName()
{
    const auto match = ApiTable::ofVersion9().find(QStringLiteral("DELETE"),
                                                   QStringLiteral("/nodes/pve1/storage/local/content/local:iso/a.iso"));
    QVERIFY(match);
    QCOMPARE(match->path[QStringLiteral("volume")], QStringLiteral("local:iso/a.iso"));
}

void ApiTableTest::acceptsACallThatIsRight()
{
    QCOMPARE(wrong("PUT", "/nodes/pve1/qemu/101/config",
                   {{"cores", "4"}, {"net31", "virtio,bridge=vmbr0,firewall=1"}, {"memory", "2048"}, {"onboot", "1"}}),
             QString());
    QCOMPARE(wrong("POST", "/nodes/pve1/lxc/104/snapshot", {{"snapname", "before_42"}}), QString());
    QCOMPARE(wrong("PUT", "/nodes/pve1/qemu/101/config", {{"scsi0", "local-zfs:vm-101-disk-0,size=32G,discard=on"}}),
             QString());
}

void ApiTableTest::namesEverythingThatIsWrong_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const char *value, const char *text) {
        QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(value) << QString::fromLatin1(text);
    };
    row("cores", "0", "cores: value must have a minimum value of 1");
    row("onboot", "true", "onboot: type check ('boolean') failed - got 'true'");
    row("cpuunits", "many", "cpuunits: type check ('integer') failed - got 'many'");
    row("net32", "virtio",
        "net32: property is not defined in schema and the schema does not allow additional properties");
    row("net01", "virtio",
        "net01: property is not defined in schema and the schema does not allow additional properties");
    row("net0", "virtio,bridge", "net0: invalid format - duplicate key in comma-separated list property: model");
    row("net1", "virtio,colour=red", "net1: invalid format - invalid key in comma-separated list property: colour");
    row("name", "-web", "name: invalid format - value does not look like a valid DNS name");
    row("tags", "a;b c!", "tags: invalid format - invalid characters in tag");
    row("vmid", "102", "vmid: duplicate parameter (already defined in URI) with conflicting values!");
}

void ApiTableTest::namesEverythingThatIsWrong()
{
    QFETCH(QString, name);
    QFETCH(QString, value);
    QFETCH(QString, text);
    QCOMPARE(wrong("PUT", "/nodes/pve1/qemu/101/config", {{name, value}}), text);
}

void ApiTableTest::saysThatACallIsUnknown()
{
    QCOMPARE(wrong("PUT", "/nodes/pve1/qemu/101/colour", {}),
             QStringLiteral(": Method 'PUT /nodes/pve1/qemu/101/colour' not implemented"));
    QCOMPARE(wrong("POST", "/nodes/pve1/lxc/104/snapshot", {}),
             QStringLiteral("snapname: property is missing and it is not optional"));
}

void ApiTableTest::refusesATableItDoesNotUnderstand()
{
    QVERIFY(!ApiTable::parse("V\t9\nX\tsomething\n"));
    QVERIFY(!ApiTable::parse("K\t0\tcolour\n"));
    const auto table = ApiTable::parse("X\n");
    QCOMPARE(table.error().message, QStringLiteral("Line 1 of the API table is not understood"));
}

LABHELM_TEST(ApiTableTest)
#include "ApiTableTest.moc"
