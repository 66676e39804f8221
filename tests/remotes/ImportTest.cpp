#include "remotes/import/Import.h"
#include "remotes/import/DotEnv.h"
#include "remotes/import/SealedSecrets.h"
#include "remotes/import/YamlText.h"
#include "support/TestMain.h"
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

namespace
{
const auto folder = QStringLiteral(LABHELM_TEST_DATA "/import/");
const auto master = Secret(QByteArray("correct horse ü"));

QByteArray bytesOf(const QString &name)
{
    QFile file(folder + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s can't be read", qPrintable(name));
    return file.readAll();
}

Result<Import> readText(const QByteArray &text, const QString &name = QStringLiteral("x"))
{
    return Import::read({name, text});
}

const Import::Found *find(const Import &import, const char *name)
{
    for (const auto &found : import.found)
        if (found.remote.name == QLatin1String(name))
            return &found;
    return nullptr;
}

QString why(const Import &import, const char *name)
{
    for (const auto &refused : import.refused)
        if (refused.name == QLatin1String(name))
            return refused.why;
    return {};
}
}

/// The settings of the three programs before become connections; what can't is told by name.
class ImportTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void takesTheSettingsOfProxmoxMcpPlus();
    void takesItsVariables();
    void takesTheTargetsOfProxmoxAiopsWithTheirSealedSecrets();
    void asksForTheMasterPasswordAndSaysWhenItIsWrong();
    void takesTargetsWithoutSecrets();
    void takesSecretsOfAnOlderEnvFile();
    void takesTheClustersOfMcpProxmox();
    void takesASingleOneOfMcpProxmox();
    void carriesNoCertificateCheckThatWasOff_data();
    void carriesNoCertificateCheckThatWasOff();
    void makesNamesFit();
    void refusesOtherFiles_data();
    void refusesOtherFiles();
    void survivesDamage();
    void readsEnvLines();
    void readsYaml();
    void refusesYamlThatItWouldHaveToGuess_data();
    void refusesYamlThatItWouldHaveToGuess();
    void loadsWhatBelongsTogether();
    void keepsSecretsOutOfWords();
};

void ImportTest::takesTheSettingsOfProxmoxMcpPlus()
{
    const auto import = readText(bytesOf(QStringLiteral("config.json")));
    QVERIFY2(bool(import), import ? "" : qPrintable(import.error().message));
    QCOMPARE(import->program, QStringLiteral("ProxmoxMCP-Plus"));
    QCOMPARE(import->found.size(), size_t(1));
    const auto &found = import->found[0];
    QCOMPARE(found.remote.addresses, QStringList{QStringLiteral("pve.example")});
    QCOMPARE(found.remote.user, QStringLiteral("root@pam!mcp"));
    QCOMPARE(found.secret.reveal(), QByteArray("11111111-2222-3333-4444-555555555555"));
    QVERIFY(found.remote.pins.isEmpty());
    QCOMPARE(found.notes.size(), 2); // the tunnel, and the check that was off
    const auto backup = readText(bytesOf(QStringLiteral("config.json")).replace("\"PVE\"", "\"PBS\""));
    QVERIFY(backup && backup->found.empty());
    QVERIFY(why(*backup, "pve.example").contains(QLatin1String("PBS")));
}

void ImportTest::takesItsVariables()
{
    const auto import = readText("PROXMOX_HOST=2001:db8::7\nPROXMOX_PORT=443\nPROXMOX_USER=root@pam\n"
                                 "PROXMOX_TOKEN_NAME=mcp\nPROXMOX_TOKEN_VALUE=\"s = # 1\"\n");
    QVERIFY(bool(import));
    QCOMPARE(import->program, QStringLiteral("ProxmoxMCP-Plus"));
    QCOMPARE(import->found[0].remote.addresses, QStringList{QStringLiteral("[2001:db8::7]:443")});
    QCOMPARE(import->found[0].secret.reveal(), QByteArray("s = # 1"));
}

void ImportTest::takesTheTargetsOfProxmoxAiopsWithTheirSealedSecrets()
{
    const auto import = Import::read({QStringLiteral("config.yaml"),
                                      bytesOf(QStringLiteral("config.yaml")),
                                      bytesOf(QStringLiteral("secrets.enc")),
                                      {},
                                      master});
    QVERIFY2(bool(import), import ? "" : qPrintable(import.error().message));
    QCOMPARE(import->program, QStringLiteral("Proxmox-AIops"));
    QCOMPARE(import->found.size(), size_t(3));
    const auto *lab = find(*import, "pve-lab");
    QVERIFY(lab);
    QCOMPARE(lab->remote.user, QStringLiteral("root@pam!aiops"));
    QCOMPARE(lab->secret.reveal(), QByteArray("11111111-2222-3333-4444-555555555555"));
    QCOMPARE(lab->notes.size(), 1);
    const auto *office = find(*import, "office");
    QVERIFY(office);
    QCOMPARE(office->remote.signIn, Remote::SignIn::Password);
    QCOMPARE(office->remote.addresses, QStringList{QStringLiteral("pve.office.example:443")});
    QCOMPARE(office->secret.reveal(), QByteArray("a pässword with \"quotes\""));
    QVERIFY(office->notes.isEmpty());
    const auto *bare = find(*import, "bare");
    QVERIFY(bare);
    QCOMPARE(bare->remote.addresses, QStringList{QStringLiteral("[2001:db8::5]:8443")});
    QVERIFY(bare->secret.isEmpty());
    QVERIFY(why(*import, "odd").contains(QLatin1String("nobody")));
    QVERIFY(why(*import, "other").contains(QLatin1String("kerberos")));
}

void ImportTest::asksForTheMasterPasswordAndSaysWhenItIsWrong()
{
    Import::Source source{QStringLiteral("config.yaml"), bytesOf(QStringLiteral("config.yaml")),
                          bytesOf(QStringLiteral("secrets.enc"))};
    const auto asked = Import::read(source);
    QVERIFY(!asked);
    QCOMPARE(asked.error().kind, Error::Kind::Unauthorized);
    source.password = Secret("wrong");
    const auto wrong = Import::read(source);
    QVERIFY(!wrong);
    QCOMPARE(wrong.error().kind, Error::Kind::Unauthorized);
    QVERIFY(wrong.error().message != asked.error().message);
}

void ImportTest::takesTargetsWithoutSecrets()
{
    const auto import = readText(bytesOf(QStringLiteral("config.yaml")));
    QVERIFY(bool(import));
    QCOMPARE(import->found.size(), size_t(3));
    for (const auto &found : import->found)
        QVERIFY(found.secret.isEmpty() && !found.notes.isEmpty());
}

void ImportTest::takesSecretsOfAnOlderEnvFile()
{
    const auto import = Import::read(
        {QStringLiteral("config.yaml"), bytesOf(QStringLiteral("config.yaml")), {}, "PROXMOX_PVE_LAB_SECRET=old\n"});
    QVERIFY(bool(import));
    QCOMPARE(find(*import, "pve-lab")->secret.reveal(), QByteArray("old"));
}

// One cluster that can't be read takes none of the others with it.
void ImportTest::takesTheClustersOfMcpProxmox()
{
    const auto import = readText(bytesOf(QStringLiteral("clusters.env")));
    QVERIFY(bool(import));
    QCOMPARE(import->program, QStringLiteral("mcp-proxmox"));
    QCOMPARE(import->found.size(), size_t(3));
    const auto *production = find(*import, "production");
    QVERIFY(production);
    QCOMPARE(production->remote.addresses, QStringList{QStringLiteral("pve-prod.example")});
    QCOMPARE(production->secret.reveal(), QByteArray("11111111-2222-3333-4444-555555555555"));
    QVERIFY(production->notes.isEmpty());
    QCOMPARE(find(*import, "staging")->remote.addresses, QStringList{QStringLiteral("192.0.2.20")});
    QVERIFY(find(*import, "disaster-recovery")->secret.isEmpty());
    QVERIFY2(why(*import, "broken").contains(QLatin1String("https")), qPrintable(why(*import, "broken")));
}

void ImportTest::takesASingleOneOfMcpProxmox()
{
    const auto import = readText("PROXMOX_API_URL=https://pve.example:8006\nPROXMOX_TOKEN_ID=root@pam!mcp\n"
                                 "PROXMOX_TOKEN_SECRET=s\nPROXMOX_DEFAULT_NODE=pve1\n");
    QVERIFY(bool(import));
    QCOMPARE(import->found.size(), size_t(1));
    QCOMPARE(import->found[0].remote.name, QStringLiteral("pve.example"));
}

void ImportTest::carriesNoCertificateCheckThatWasOff_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<bool>("isTold");
    QTest::newRow("not set") << QByteArray() << false;
    QTest::newRow("true") << QByteArray("PROXMOX_VERIFY=true") << false;
    QTest::newRow("false") << QByteArray("PROXMOX_VERIFY=false") << true;
    QTest::newRow("empty") << QByteArray("PROXMOX_VERIFY=\"\"") << true;
    QTest::newRow("a file") << QByteArray("PROXMOX_VERIFY=/etc/ssl/pve-ca.pem") << true;
    QTest::newRow("a word") << QByteArray("PROXMOX_VERIFY=enabled") << true;
}

void ImportTest::carriesNoCertificateCheckThatWasOff()
{
    QFETCH(QByteArray, line);
    QFETCH(bool, isTold);
    const auto import = readText("PROXMOX_API_URL=https://pve.example\nPROXMOX_TOKEN_ID=root@pam!mcp\n"
                                 "PROXMOX_TOKEN_SECRET=s\n" +
                                 line);
    QVERIFY(bool(import));
    QVERIFY(import->found[0].remote.pins.isEmpty());
    QCOMPARE(import->found[0].notes.size(), isTold ? 1 : 0);
}

void ImportTest::makesNamesFit()
{
    const auto import =
        readText("targets:\n- {name: 'a:b/c', host: h1, user: x@pam!yy}\n"
                 "- {name: Lab, host: h2, user: x@pam!yy}\n- {name: lab, host: h3, user: x@pam!yy}\n"
                 "- {name: \"x\xE2\x80\xAEy\", host: h4, user: x@pam!yy}\n- {host: h5, user: x@pam!yy}\n");
    QVERIFY2(bool(import), import ? "" : qPrintable(import.error().message));
    QStringList names;
    for (const auto &found : import->found)
        names << found.remote.name;
    QCOMPARE(names, (QStringList{QStringLiteral("a-b-c"), QStringLiteral("Lab"), QStringLiteral("lab 2"),
                                 QStringLiteral("x<U+202E>y"), QStringLiteral("target 5")}));
    QVERIFY(import->found[2].notes.join(u' ').contains(QLatin1String("lab 2")));
}

void ImportTest::refusesOtherFiles_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("other JSON") << QByteArray(R"({"mcpServers":{}})");
    QTest::newRow("broken JSON") << QByteArray(R"({"proxmox":{"host":)");
    QTest::newRow("a list") << QByteArray("[1]");
    QTest::newRow("other YAML") << QByteArray("targets: 7\n");
    QTest::newRow("other variables") << QByteArray("PATH=/bin\n");
    QTest::newRow("prose") << QByteArray("All our targets are met.\n");
}

void ImportTest::refusesOtherFiles()
{
    QFETCH(QByteArray, text);
    const auto import = readText(text);
    QVERIFY(!import);
    QCOMPARE(import.error().kind, Error::Kind::Malformed);
}

void ImportTest::survivesDamage()
{
    const auto sealed = bytesOf(QStringLiteral("secrets.enc"));
    for (qsizetype i = 20; i < sealed.trimmed().size(); i += 23) {
        auto damaged = sealed;
        damaged[i] = damaged[i] == 'A' ? 'B' : 'A';
        QVERIFY2(!SealedSecrets::open(damaged, master), qPrintable(QString::number(i)));
        QVERIFY(!SealedSecrets::open(sealed.left(i), master));
    }
    for (const auto *name : {"config.json", "config.yaml", "clusters.env"}) {
        const auto whole = bytesOf(QLatin1String(name));
        for (qsizetype i = 0; i < whole.size(); ++i) {
            const auto import = readText(whole.left(i));
            QVERIFY(!import || import->found.size() <= 3);
        }
    }
}

void ImportTest::readsEnvLines()
{
    const auto env = DotEnv::parse("A=1\n# B=2\n export C = three four # not this\nD='x # y'\nE=\"a \\\"b\\\" \\\\\"\n"
                                   "F=\nA=5\r\nno line\nG-H=6\nI=a#b\n");
    QCOMPARE(env.value(QStringLiteral("A")), QStringLiteral("5"));
    QVERIFY(!env.contains(QStringLiteral("B")));
    QCOMPARE(env.value(QStringLiteral("C")), QStringLiteral("three four"));
    QCOMPARE(env.value(QStringLiteral("D")), QStringLiteral("x # y"));
    QVERIFY(env.contains(QStringLiteral("F")) && env.value(QStringLiteral("F")).isEmpty());
    QCOMPARE(env.value(QStringLiteral("G-H")), QStringLiteral("6"));
    QCOMPARE(env.value(QStringLiteral("I")), QStringLiteral("a#b"));
}

void ImportTest::readsYaml()
{
    const auto yaml = YamlText::parse("---\na: 1\nb:\n  c: 'it''s'\n  d: \"x # \\\"y\\\"\" # z\n  e:\n  - 1\n  - two\n"
                                      "f:\n  - g: h\n    i: [1, b, yes]\n  -\n    j: ~\nk: http://x:80/y\nl:\n");
    QVERIFY2(bool(yaml), yaml ? "" : qPrintable(yaml.error().message));
    const auto root = yaml->toObject();
    QCOMPARE(root[QLatin1String("a")].toInteger(), 1);
    const auto b = root[QLatin1String("b")].toObject();
    QCOMPARE(b[QLatin1String("c")].toString(), QStringLiteral("it's"));
    QCOMPARE(b[QLatin1String("d")].toString(), QStringLiteral("x # \"y\""));
    QCOMPARE(b[QLatin1String("e")].toArray().size(), 2);
    const auto f = root[QLatin1String("f")].toArray();
    QCOMPARE(f[0].toObject()[QLatin1String("i")].toArray()[2], QJsonValue(true));
    QVERIFY(f[1].toObject()[QLatin1String("j")].isNull());
    QCOMPARE(root[QLatin1String("k")].toString(), QStringLiteral("http://x:80/y"));
    QVERIFY(root[QLatin1String("l")].isNull());
}

void ImportTest::refusesYamlThatItWouldHaveToGuess_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::newRow("an anchor") << QByteArray("a: &x 1\n") << 1;
    QTest::newRow("a tag") << QByteArray("b: 1\na: !!python/object x\n") << 2;
    QTest::newRow("a block of text") << QByteArray("a: |\n  x\n") << 1;
    QTest::newRow("a tab") << QByteArray("a:\n\tb: 1\n") << 2;
    QTest::newRow("a key twice") << QByteArray("a: 1\na: 2\n") << 2;
    QTest::newRow("an open quote") << QByteArray("a: 'x\n") << 1;
    QTest::newRow("a second document") << QByteArray("a: 1\n---\nb: 2\n") << 2;
    QTest::newRow("too little indentation") << QByteArray("a:\n    b: 1\n  c: 2\n") << 3;
}

void ImportTest::refusesYamlThatItWouldHaveToGuess()
{
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    const auto yaml = YamlText::parse(text);
    QVERIFY(!yaml);
    QVERIFY2(yaml.error().message.contains(QStringLiteral("Line %1 ").arg(line)), qPrintable(yaml.error().message));
}

void ImportTest::loadsWhatBelongsTogether()
{
    const auto source = Import::load(folder + QStringLiteral("config.yaml"));
    QVERIFY(bool(source));
    QVERIFY(!source->sealed.isEmpty());
    QVERIFY(Import::load(folder + QStringLiteral("config.json"))->sealed.isEmpty());
    QCOMPARE(Import::load(folder + QStringLiteral("none.yaml")).error().kind, Error::Kind::Unavailable);
    QTemporaryDir place;
    QFile huge(place.filePath(QStringLiteral("config.json")));
    QVERIFY(huge.open(QIODevice::WriteOnly) && huge.resize(8 * 1024 * 1024));
    QCOMPARE(Import::load(huge.fileName()).error().kind, Error::Kind::Unavailable);
}

void ImportTest::keepsSecretsOutOfWords()
{
    const auto broken = readText("targets:\n- name: x\n  host: h\n  user: u\n  secret: CANARY\n\tb: CANARY\n");
    QVERIFY(!broken);
    QVERIFY(!(broken.error().message + broken.error().detail).contains(QLatin1String("CANARY")));
    const auto json = readText(R"({"proxmox":{"host":"h"},"auth":{"token_value":"CANARY","token_value":"CANARY"}})");
    QVERIFY(!json);
    QVERIFY(!(json.error().message + json.error().detail).contains(QLatin1String("CANARY")));
}

LABHELM_TEST(ImportTest)
#include "ImportTest.moc"
