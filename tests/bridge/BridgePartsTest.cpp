#include "base/Folders.h"
#include "bridge/MessageScanner.h"
#include "bridge/Places.h"
#include "bridge/Sha256.h"
#include "support/TestMain.h"
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>

/// What the bridge has of its own instead of Qt's, beside Qt's.
class BridgePartsTest : public QObject
{
    Q_OBJECT

    static QByteArray noise(QRandomGenerator &random, int size)
    {
        QByteArray bytes(size, '\0');
        for (auto &c : bytes)
            c = char(random.bounded(256));
        return bytes;
    }
    static QStringList scanned(const std::string &stream, size_t cut)
    {
        QStringList found;
        MessageScanner scanner([&found](const ScannedMessage &message) {
            found << QString::fromStdString(message.id) + (message.hasMethod ? u'!' : u'.') +
                         QString::fromStdString(message.cancels);
        });
        scanner.feed(std::string_view(stream).substr(0, cut));
        scanner.feed(std::string_view(stream).substr(cut));
        return found;
    }

private Q_SLOTS:
    void hashesAsQtDoes()
    {
        QRandomGenerator random(1);
        for (int size = 0; size < 300; ++size) {
            const auto text = noise(random, size);
            const auto key = noise(random, random.bounded(200));
            Sha256 hash;
            const auto cut = size ? random.bounded(size) : 0;
            hash.add({text.constData(), size_t(cut)});
            hash.add({text.constData() + cut, size_t(size - cut)});
            const auto digest = hash.finish();
            QCOMPARE(QByteArray::fromStdString(hexOf(digest.data(), digest.size())),
                     QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex());
            QCOMPARE(QByteArray::fromStdString(
                         hmacSha256Hex({key.constData(), size_t(key.size())}, {text.constData(), size_t(text.size())})),
                     QMessageAuthenticationCode::hash(text, key, QCryptographicHash::Sha256).toHex());
        }
    }

    void knowsThePublishedHashes()
    {
        Sha256 hash;
        hash.add("abc");
        const auto digest = hash.finish();
        QCOMPARE(hexOf(digest.data(), digest.size()),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        // RFC 4231, case 2
        QCOMPARE(hmacSha256Hex("Jefe", "what do ya want for nothing?"),
                 std::string("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
    }

    void findsTheSamePlacesAsTheDesktop_data()
    {
        QTest::addColumn<QByteArray>("home");
        QTest::addColumn<QByteArray>("runtime");
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("state");
        const auto row = [](const char *name, const char *home, const char *runtime, const char *config,
                            const char *state) {
            QTest::newRow(name) << QByteArray(home) << QByteArray(runtime) << QByteArray(config) << QByteArray(state);
        };
        row("plain", "/home/a", "/run/user/1000", "", "");
        row("no runtime folder", "/home/a", "", "", "");
        row("all set", "/home/a", "/r", "/c", "/s");
        row("state only", "/home/a", "", "", "/s");
        row("relative is ignored", "/home/a", "run", "config", "state");
        row("ends with a slash", "/home/a", "/r/", "/c/", "/s//");
    }
    void findsTheSamePlacesAsTheDesktop()
    {
        const std::array names{"home", "runtime", "config", "state"};
        const std::array variables{"HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"};
        std::array<QByteArray, 4> before;
        for (size_t i = 0; i < names.size(); ++i) {
            const auto value = *static_cast<QByteArray *>(QTest::qData(names[i], QMetaType::QByteArray));
            before[i] = qgetenv(variables[i]);
            value.isEmpty() ? qunsetenv(variables[i]) : qputenv(variables[i], value);
        }
        for (const bool isDemo : {false, true}) {
            const auto folders = Folders::ofThisUser(isDemo);
            const auto places = Places::ofThisUser(isDemo);
            QCOMPARE(QString::fromStdString(places.socket), folders.mcpSocket());
            QCOMPARE(QString::fromStdString(places.keys), folders.agentKeys());
        }
        for (size_t i = 0; i < names.size(); ++i)
            before[i].isEmpty() ? qunsetenv(variables[i]) : qputenv(variables[i], before[i]);
    }

    void findsTheIdsOfAllMessagesWhereverTheBytesAreCut()
    {
        const std::string stream =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n"
            "{ \"method\" : \"a\" , \"params\" : {\"id\":9,\"x\":[{\"id\":8}],\"s\":\"\\\"id\\\":7\"} , \"id\" : "
            "\"b\\\"}\" }\r\n"
            "\n"
            "{\"id\":1152921504606846976,\"result\":{\"method\":\"x\",\"content\":[\"id\",{\"id\":2}]}}\n"
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"b\\\"}\"}}\n"
            "[{\"id\":4,\"method\":\"a\"},{\"method\":\"n\"}]\n"
            "garbage } ] : , \" {\n"
            "{\"id\":5,\"method\":\"cut";
        const QStringList wanted{
            QStringLiteral("1!"),          QStringLiteral("\"b\\\"}\"!"), QStringLiteral("1152921504606846976."),
            QStringLiteral("!\"b\\\"}\""), QStringLiteral("4!"),          QStringLiteral("!")};
        for (size_t cut = 0; cut <= stream.size(); ++cut) {
            auto found = scanned(stream, cut);
            found.removeAll(QStringLiteral("."));
            QCOMPARE(found, wanted);
        }
    }

    void keepsNothingOfAnEndlessMessage()
    {
        int messages = 0;
        std::string id = "?";
        MessageScanner scanner([&](const ScannedMessage &message) {
            ++messages;
            id = message.id;
        });
        scanner.feed("{\"" + std::string(100'000, 'k') + "\":1,\"id\":" + std::string(100'000, '1') +
                     ",\"method\":\"m\"}\n");
        QCOMPARE(messages, 1);
        QCOMPARE(id, std::string());
        scanner.feed("{\"id\":\"" + std::string(100'000, 'x') + "\",\"method\":\"m\"}\n");
        QCOMPARE(messages, 2);
        QCOMPARE(id, std::string());
    }

    void survivesNoise()
    {
        QRandomGenerator random(3);
        int messages = 0;
        MessageScanner scanner([&](const ScannedMessage &) { ++messages; });
        const QByteArray alphabet("{}[]\",:\\\n id1\xff");
        for (int i = 0; i < 500'000; ++i)
            scanner.feed({alphabet.constData() + random.bounded(int(alphabet.size())), 1});
        scanner.feed("\n{\"id\":1,\"method\":\"m\"}\n");
        QVERIFY(messages > 0);
    }
};

LABHELM_TEST(BridgePartsTest)
#include "BridgePartsTest.moc"
