#include "pages/connect/ConnectDialog.h"
#include "pages/connect/CertificateCard.h"
#include "pages/connect/ConnectForm.h"
#include "remotes/Fingerprint.h"
#include "remotes/RemoteList.h"
#include "simulator/Simulator.h"
#include "simulator/world/Homelab.h"
#include "support/AuditBook.h"
#include "support/LockableStore.h"
#include "support/Pictures.h"
#include "support/TestMain.h"
#include "widgets/FactTable.h"
#include "widgets/SegmentedControl.h"
#include <QFile>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTcpServer>

class ConnectDialogTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void connectsWithATokenAfterTheCertificate();
    void connectsWithUserAndPassword();
    void sendsNothingBeforeTheCertificateIsTrusted();
    void forgetsTheTrustWhenTheAddressChanges();
    void refusesAnAddressThatIsNone_data();
    void refusesAnAddressThatIsNone();
    void saysThatNobodyAnswers();
    void saysThatItIsNoTls();
    void stopsWhenTheCertificateChangesMeanwhile();
    void saysThatTheSecretIsWrong();
    void saysThatAUserNeedsARealm();
    void namesTheCommandForASignInWithoutRights();
    void saysWhatASmallSignInMay();
    void keepsNothingWhileTheKeyringIsLocked();
    void keepsNothingThatCannotBeRecorded();
    void refusesANameThatIsTaken();
    void asksForWhatIsMissing();
    void canBeStoppedWhileItAsks();
    void storesNoSecretInFilesOrRows();

private:
    void open();
    void type(const char *field, const QString &text);
    void typeToken(const QString &token = QStringLiteral("labhelm@pve!desktop"));
    void go() { QTest::mouseClick(child<QPushButton>("go"), Qt::LeftButton); }
    void trust();
    void toResult();
    QString problem() const
    {
        const auto *label = child<QLabel>("problem");
        return label->isVisible() ? label->text() : QString();
    }
    QStringList findings() const;
    template <class T>
    T *child(const char *name) const
    {
        return m_dialog->findChild<T *>(QLatin1String(name));
    }
    QString address() const { return QStringLiteral("127.0.0.1:%1").arg(m_simulator->url().port()); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Simulator> m_simulator;
    std::unique_ptr<LockableStore> m_secrets;
    std::unique_ptr<RemoteList> m_remotes;
    std::unique_ptr<AuditBook> m_book;
    std::unique_ptr<ConnectDialog> m_dialog;
};

void ConnectDialogTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    Simulator::Options options;
    options.refusalDelay = std::chrono::milliseconds(0);
    m_simulator = std::make_unique<Simulator>(options);
    QVERIFY(m_simulator->listen());
    m_secrets = std::make_unique<LockableStore>();
    m_remotes = std::make_unique<RemoteList>(m_folder->filePath(QStringLiteral("connections.json")));
    QVERIFY(m_remotes->load());
    m_book = std::make_unique<AuditBook>();
    QVERIFY(m_book->open());
    open();
}

void ConnectDialogTest::cleanup()
{
    m_dialog.reset();
    m_book.reset();
    m_simulator.reset();
}

void ConnectDialogTest::open()
{
    m_dialog = std::make_unique<ConnectDialog>(*m_remotes, *m_secrets, m_book->log());
    m_dialog->open();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
}

void ConnectDialogTest::type(const char *field, const QString &text)
{
    child<QLineEdit>(field)->clear();
    QTest::keyClicks(child<QLineEdit>(field), text);
}

void ConnectDialogTest::typeToken(const QString &token)
{
    type("address", address());
    type("user", token);
    type("secret", Homelab::tokenSecret(token));
}

void ConnectDialogTest::trust()
{
    QTRY_VERIFY_WITH_TIMEOUT(m_dialog->findChild<CertificateCard *>()->isVisible(), 20000);
    QTest::mouseClick(child<QPushButton>("trust"), Qt::LeftButton);
}

void ConnectDialogTest::toResult()
{
    go();
    trust();
    QTRY_VERIFY2_WITH_TIMEOUT(child<FactTable>("findings")->isVisible(), qPrintable(problem()), 20000);
}

QStringList ConnectDialogTest::findings() const
{
    QStringList all;
    for (const auto *label : child<FactTable>("findings")->findChildren<QLabel *>())
        all << label->text();
    return all;
}

void ConnectDialogTest::connectsWithATokenAfterTheCertificate()
{
    typeToken();
    Pictures::take(*m_dialog, QStringLiteral("connect-typed"));
    go();
    QTRY_VERIFY_WITH_TIMEOUT(m_dialog->findChild<CertificateCard *>()->isVisible(), 20000);
    Pictures::take(*m_dialog, QStringLiteral("connect-certificate"));
    QCOMPARE(child<QLabel>("fingerprint")->text().simplified().remove(u' ').remove(QStringLiteral("SHA-256")),
             m_simulator->fingerprint());
    trust();
    QTRY_VERIFY2_WITH_TIMEOUT(child<FactTable>("findings")->isVisible(), qPrintable(problem()), 20000);
    Pictures::take(*m_dialog, QStringLiteral("connect-result"));
    const auto said = findings().join(u'|');
    QVERIFY2(said.contains(QStringLiteral("Proxmox VE 9")) &&
                 said.contains(QStringLiteral("2 of 3 nodes online, quorate")),
             qPrintable(said));
    QVERIFY(said.contains(QStringLiteral("see all guests")));
    QCOMPARE(child<QLineEdit>("name")->text(), QStringLiteral("homelab"));
    QVERIFY(m_remotes->all().empty()); // nothing is kept before the last click

    QSignalSpy added(m_remotes.get(), &RemoteList::added);
    go();
    QTRY_COMPARE(added.size(), 1);
    const auto remote = m_remotes->all().front();
    QCOMPARE(remote.user, QStringLiteral("labhelm@pve!desktop"));
    QCOMPARE(Fingerprint::text(remote.pins.value(address())), m_simulator->fingerprint());
    const auto secret = await(m_secrets->read(remote.secretKey()));
    QVERIFY(secret);
    QCOMPARE(QString::fromUtf8(secret->reveal()), Homelab::tokenSecret(remote.user));
    QTRY_VERIFY(!m_dialog->isVisible());
    QCOMPARE(m_book->page().size(), 1);
    QVERIFY(m_book->page().first().headline.contains(m_simulator->fingerprint()));
}

void ConnectDialogTest::connectsWithUserAndPassword()
{
    Q_EMIT m_dialog->findChild<SegmentedControl *>()->chosen(0); // as shown first
    m_dialog->findChild<SegmentedControl *>()->setCurrent(1);
    Q_EMIT m_dialog->findChild<SegmentedControl *>()->chosen(1);
    type("address", address());
    type("user", QStringLiteral("operator@pve"));
    type("secret", Homelab::operatorPassword);
    toResult();
    QVERIFY2(findings().contains(QStringLiteral("see all guests, start and stop guests")),
             qPrintable(findings().join(u'|')));
    go();
    QTRY_COMPARE(m_remotes->all().size(), 1u);
    QCOMPARE(m_remotes->all().front().signIn, Remote::SignIn::Password);
}

void ConnectDialogTest::sendsNothingBeforeTheCertificateIsTrusted()
{
    typeToken();
    go();
    QTRY_VERIFY_WITH_TIMEOUT(m_dialog->findChild<CertificateCard *>()->isVisible(), 20000);
    QCOMPARE(m_simulator->requests().size(), 0);
    QTest::mouseClick(child<QPushButton>("refuse"), Qt::LeftButton);
    QVERIFY(!m_dialog->findChild<CertificateCard *>()->isVisible());
    QCOMPARE(m_simulator->requests().size(), 0);
    QCOMPARE(child<QLineEdit>("secret")->text(), Homelab::tokenSecret(QStringLiteral("labhelm@pve!desktop")));
}

void ConnectDialogTest::forgetsTheTrustWhenTheAddressChanges()
{
    typeToken();
    toResult();
    QTest::keyClick(child<QLineEdit>("address"), Qt::Key_Backspace);
    QVERIFY(!m_dialog->findChild<CertificateCard *>()->isVisible());
    QVERIFY(!child<FactTable>("findings")->isVisible());
    QCOMPARE(child<QPushButton>("go")->text(), QStringLiteral("Continue"));
    type("address", address());
    const auto heard = m_simulator->requests().size();
    go();
    QTRY_VERIFY_WITH_TIMEOUT(m_dialog->findChild<CertificateCard *>()->isVisible(), 20000);
    QCOMPARE(m_simulator->requests().size(), heard); // asked again, not taken for granted
}

void ConnectDialogTest::refusesAnAddressThatIsNone_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("http") << QStringLiteral("http://pve1");
    QTest::newRow("a user in it") << QStringLiteral("https://root@pve1");
    QTest::newRow("a port too high") << QStringLiteral("pve1:70000");
    QTest::newRow("a space") << QStringLiteral("pve 1");
}

void ConnectDialogTest::refusesAnAddressThatIsNone()
{
    QFETCH(QString, text);
    typeToken();
    type("address", text);
    go();
    QVERIFY(!problem().isEmpty());
    QCOMPARE(child<QLineEdit>("address")->text(), text);
    QVERIFY(child<QPushButton>("go")->isEnabled());
}

void ConnectDialogTest::saysThatNobodyAnswers()
{
    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    const auto port = closed.serverPort();
    closed.close();
    typeToken();
    type("address", QStringLiteral("127.0.0.1:%1").arg(port));
    go();
    QTRY_VERIFY(!problem().isEmpty());
    QVERIFY(child<QPushButton>("go")->isEnabled());
    QCOMPARE(child<QLineEdit>("user")->text(), QStringLiteral("labhelm@pve!desktop"));
}

void ConnectDialogTest::saysThatItIsNoTls()
{
    QTcpServer plain;
    QVERIFY(plain.listen(QHostAddress::LocalHost));
    connect(&plain, &QTcpServer::newConnection, this, [&plain] {
        auto *peer = plain.nextPendingConnection();
        peer->write("SSH-2.0-OpenSSH_9.2\r\n");
    });
    typeToken();
    type("address", QStringLiteral("127.0.0.1:%1").arg(plain.serverPort()));
    go();
    QTRY_VERIFY_WITH_TIMEOUT(!problem().isEmpty(), 15000);
    QVERIFY(!m_dialog->findChild<CertificateCard *>()->isVisible());
}

void ConnectDialogTest::stopsWhenTheCertificateChangesMeanwhile()
{
    typeToken();
    go();
    QTRY_VERIFY_WITH_TIMEOUT(m_dialog->findChild<CertificateCard *>()->isVisible(), 20000);
    m_simulator->renewCertificate();
    trust();
    QTRY_VERIFY(!problem().isEmpty());
    QCOMPARE(m_simulator->requests().size(), 0);
    QVERIFY(!child<FactTable>("findings")->isVisible());
}

void ConnectDialogTest::saysThatTheSecretIsWrong()
{
    typeToken();
    type("secret", QStringLiteral("11111111-2222-3333-4444-555555555555"));
    go();
    trust();
    QTRY_VERIFY(
        problem().startsWith(QStringLiteral("The server does not know this token, or the secret is not its own.")));
    QVERIFY(!problem().contains(QStringLiteral("11111111")));
    QCOMPARE(child<QLineEdit>("secret")->text(), QStringLiteral("11111111-2222-3333-4444-555555555555"));
    type("secret", Homelab::tokenSecret(QStringLiteral("labhelm@pve!desktop")));
    toResult();
}

void ConnectDialogTest::saysThatAUserNeedsARealm()
{
    typeToken();
    type("user", QStringLiteral("root"));
    go();
    trust();
    QTRY_VERIFY(problem().contains(QStringLiteral("user@realm!name")));
    QCOMPARE(m_simulator->requests().size(), 0);
}

void ConnectDialogTest::namesTheCommandForASignInWithoutRights()
{
    typeToken(QStringLiteral("labhelm@pve!bare"));
    toResult();
    QVERIFY(findings().contains(QStringLiteral("do nothing at all")));
    QCOMPARE(child<QPlainTextEdit>("command")->toPlainText(),
             PermissionWords::commandThatGrants(QStringLiteral("labhelm@pve!bare")));
    Pictures::take(*m_dialog, QStringLiteral("connect-no-rights"));
}

void ConnectDialogTest::saysWhatASmallSignInMay()
{
    typeToken(QStringLiteral("media@pve!pool"));
    toResult();
    const auto said = findings().join(u'|');
    QVERIFY2(said.contains(QStringLiteral("see some guests")), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("delete guests")), qPrintable(said));
}

void ConnectDialogTest::keepsNothingWhileTheKeyringIsLocked()
{
    typeToken();
    toResult();
    m_secrets->isLocked = true;
    go();
    QTRY_VERIFY(problem().contains(QStringLiteral("locked")));
    QVERIFY(m_remotes->all().empty());
    QVERIFY(m_book->page().isEmpty());
    QVERIFY(m_dialog->isVisible());
    m_secrets->isLocked = false; // unlocked: the same click does it now
    go();
    QTRY_COMPARE(m_remotes->all().size(), 1u);
}

void ConnectDialogTest::keepsNothingThatCannotBeRecorded()
{
    typeToken();
    toResult();
    QVERIFY(await(m_book->log().close()));
    go();
    QTRY_VERIFY(!problem().isEmpty());
    QVERIFY(m_remotes->all().empty());
}

void ConnectDialogTest::refusesANameThatIsTaken()
{
    typeToken();
    toResult();
    go();
    QTRY_COMPARE(m_remotes->all().size(), 1u);
    open();
    typeToken();
    toResult();
    go();
    QTRY_VERIFY(!problem().isEmpty());
    QCOMPARE(m_remotes->all().size(), 1u);
    type("name", QStringLiteral("homelab-2"));
    go();
    QTRY_COMPARE(m_remotes->all().size(), 2u);
}

void ConnectDialogTest::asksForWhatIsMissing()
{
    typeToken();
    type("secret", {});
    go();
    QCOMPARE(problem(), QStringLiteral("Type the token’s id and its secret."));
    QCOMPARE(m_dialog->focusWidget(), child<QLineEdit>("secret"));
    QCOMPARE(m_simulator->connections(), 0);
}

void ConnectDialogTest::canBeStoppedWhileItAsks()
{
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    typeToken();
    type("address", QStringLiteral("127.0.0.1:%1").arg(silent.serverPort()));
    go();
    auto *back = child<QPushButton>("back");
    QCOMPARE(back->text(), QStringLiteral("Stop"));
    QTest::mouseClick(back, Qt::LeftButton);
    QVERIFY(m_dialog->isVisible());
    QVERIFY(child<QPushButton>("go")->isEnabled());
    QTest::mouseClick(back, Qt::LeftButton);
    QVERIFY(!m_dialog->isVisible());
}

void ConnectDialogTest::storesNoSecretInFilesOrRows()
{
    typeToken();
    toResult();
    go();
    QTRY_COMPARE(m_remotes->all().size(), 1u);
    const auto secret = Homelab::tokenSecret(QStringLiteral("labhelm@pve!desktop")).toUtf8();
    QFile list(m_folder->filePath(QStringLiteral("connections.json")));
    QVERIFY(list.open(QIODevice::ReadOnly));
    QVERIFY(!list.readAll().contains(secret));
    for (const auto &row : m_book->page()) {
        const auto detail = await(m_book->query().detail(row.callId));
        QVERIFY(detail && !QJsonDocument(detail->merged).toJson().contains(secret));
    }
    QVERIFY(child<QLineEdit>("secret")->text().isEmpty());
}

LABHELM_TEST(ConnectDialogTest)
#include "ConnectDialogTest.moc"
