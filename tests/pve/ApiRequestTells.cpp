#include "pve/ApiRequest.h"
#include "support/TestMain.h"

/// A request is told to people as it is sent, but for what must stay secret.
class ApiRequestTells : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void saysMethodPathAndParameters();
    void hidesSecrets_data();
    void hidesSecrets();
    void showsWhatOnlySoundsSecret();
    void showsNoInvisibleCharacters();
    void shortensLongValues();
    void encodesWhatPveWouldSplitAt();
    void keepsRepeatedNamesInOrder();

private:
    static ApiRequest with(const QString &last, const QString &name, const QString &value)
    {
        return {Method::Post, {QStringLiteral("nodes"), QStringLiteral("pve1"), last}, {{name, value}}};
    }
};

void ApiRequestTells::saysMethodPathAndParameters()
{
    const ApiRequest request{
        Method::Put,
        {QStringLiteral("nodes"), QStringLiteral("pve1"), QStringLiteral("qemu"), QStringLiteral("104"),
         QStringLiteral("config")},
        {{QStringLiteral("memory"), QStringLiteral("6144")}, {QStringLiteral("delete"), QStringLiteral("balloon")}}};
    QCOMPARE(request.describe(), QStringLiteral("PUT /nodes/pve1/qemu/104/config  memory=6144 delete=balloon"));
    QCOMPARE(ApiRequest({Method::Get, {QStringLiteral("version")}}).describe(), QStringLiteral("GET /version"));
}

void ApiRequestTells::hidesSecrets_data()
{
    QTest::addColumn<QString>("last");
    QTest::addColumn<QString>("name");
    const auto row = [](const char *last, const char *name) {
        QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(last), QLatin1String(name))))
            << QString::fromLatin1(last) << QString::fromLatin1(name);
    };
    for (const auto *name : {"password",
                             "confirmation-password",
                             "cipassword",
                             "new-password",
                             "secret",
                             "client-secret",
                             "token",
                             "otp",
                             "totp",
                             "tfa-challenge",
                             "ticket",
                             "vncticket",
                             "keys",
                             "client-key",
                             "certkey",
                             "keyring",
                             "encryption-key",
                             "eab-hmac-key",
                             "input-data",
                             "key",
                             "CSRFPreventionToken",
                             "target-endpoint"})
        row("config", name);
    row("file-write", "content");
    row("tfa", "value");
}

void ApiRequestTells::hidesSecrets()
{
    QFETCH(QString, last);
    QFETCH(QString, name);
    const auto text = with(last, name, QStringLiteral("CANARY")).describe();
    QVERIFY2(!text.contains(QLatin1String("CANARY")), qPrintable(text));
    QVERIFY(text.contains(name + QStringLiteral("=…")));
}

void ApiRequestTells::showsWhatOnlySoundsSecret()
{
    for (const auto *name :
         {"tokenid", "sshkeys", "keyboard", "ssh-public-keys", "lock-token", "privsep", "content", "value"})
        QVERIFY2(with(QStringLiteral("config"), QLatin1String(name), QStringLiteral("shown"))
                     .describe()
                     .endsWith(QLatin1String("=shown")),
                 name);
    QVERIFY(with(QStringLiteral("sendkey"), QStringLiteral("key"), QStringLiteral("ctrl-alt-delete"))
                .describe()
                .endsWith(QLatin1String("=ctrl-alt-delete")));
}

void ApiRequestTells::showsNoInvisibleCharacters()
{
    const auto text =
        with(QStringLiteral("config"), QStringLiteral("description"), QStringLiteral("a\x1b[2K\u202E\nb")).describe();
    QVERIFY2(text.endsWith(QLatin1String("description=a\\x1b[2K<U+202E>\\x0ab")), qPrintable(text));
}

void ApiRequestTells::shortensLongValues()
{
    const auto text = with(QStringLiteral("config"), QStringLiteral("description"), QString(5000, u'x')).describe();
    QVERIFY(text.size() < 300);
    QVERIFY(text.endsWith(u'…'));
}

// A01
void ApiRequestTells::encodesWhatPveWouldSplitAt()
{
    // Keys as cloud-init wants them: encoded once by who writes the configuration, and once more for the form.
    const ApiRequest request{Method::Put,
                             {QStringLiteral("x")},
                             {{QStringLiteral("sshkeys"), QStringLiteral("ssh-ed25519%20AA%2B%2F%3D%3D")},
                              {QStringLiteral("a"), QStringLiteral("=;&+ ,:/%")}}};
    QCOMPARE(request.form(),
             QByteArray("sshkeys=ssh-ed25519%2520AA%252B%252F%253D%253D&a=%3D%3B%26%2B%20%2C%3A%2F%25"));
}

void ApiRequestTells::keepsRepeatedNamesInOrder()
{
    const ApiRequest request{
        Method::Post,
        {QStringLiteral("exec")},
        {{QStringLiteral("command"), QStringLiteral("uname")}, {QStringLiteral("command"), QStringLiteral("-a")}}};
    QCOMPARE(request.form(), QByteArray("command=uname&command=-a"));
}

LABHELM_TEST(ApiRequestTells)
#include "ApiRequestTells.moc"
