#include "pages/connect/CertificateCard.h"
#include "pages/connect/ConnectDialog.h"
#include "pages/connect/ConnectForm.h"
#include "pages/connect/SecondFactorCard.h"
#include "pages/connect/TokenOffer.h"
#include "support/ConnectStage.h"
#include "support/Pictures.h"
#include "support/TestMain.h"
#include "widgets/SegmentedControl.h"
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>

/// A person signs in with a password once: realm, code, and a token in its place.
class SignInOnceTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ConnectStage>();
        QVERIFY(m_stage->isReady);
        open();
    }
    void cleanup()
    {
        m_dialog.reset();
        m_stage.reset();
    }

    void offersTheRealmsWhenNoneIsTyped();
    void takesARealmThatIsTyped();
    void asksForTheCodeOnceAndSendsThePasswordOnce();
    void saysThatACodeIsWrongAndTakesTheNext();
    void makesATokenInPlaceOfThePassword();
    void givesItTheRoleAndPoolThatWereChosen();
    void keepsThePasswordIfThePersonWantsThat();
    void offersNoTokenToWhoMayNotGiveRights();
    void pinsEachAddressOfACluster();
    void asksBackAboutAnAddressThatLooksLikeAPort();
    void changesTheNameAndKeepsTheSecret();
    void changesTheSignIn();

private:
    void open()
    {
        m_dialog = std::make_unique<ConnectDialog>(m_stage->remotes, m_stage->secrets, m_stage->book.log());
        m_dialog->open();
        QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
    }
    template <class T>
    T *child(const char *name) const
    {
        return m_dialog->findChild<T *>(QLatin1String(name));
    }
    /// As the keyboard does it, wherever the button stands while the dialog fits itself anew.
    void click(const char *name) { child<QPushButton>(name)->click(); }
    void typePassword(const QString &user, const QString &password = Homelab::rootPassword)
    {
        m_dialog->findChild<SegmentedControl *>()->setCurrent(1);
        Q_EMIT m_dialog->findChild<SegmentedControl *>()->chosen(1);
        child<QLineEdit>("address")->setText(m_stage->address());
        child<QLineEdit>("user")->setText(user);
        child<QLineEdit>("secret")->setText(password);
    }
    void trust()
    {
        click("go");
        QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("trust")->isVisible(), 20000);
        click("trust");
    }
    /// What stands there, for a test that fails.
    QString problem() const
    {
        if (child<QLabel>("problem")->isVisible())
            return child<QLabel>("problem")->text();
        return QStringLiteral("%1 go=%2/%3 trust=%4 realm=%5 requests=%6")
            .arg(child<QLabel>("doing")->text(), child<QPushButton>("go")->text())
            .arg(child<QPushButton>("go")->isEnabled())
            .arg(child<QPushButton>("trust")->isVisible())
            .arg(child<QComboBox>("realm")->isVisible())
            .arg(m_stage->simulator.requests().size());
    }
    bool isChecked() const
    {
        return child<QPushButton>("go")->text() != QLatin1String("Continue") && child<QPushButton>("go")->isEnabled();
    }
    Remote kept() const { return m_stage->remotes.all().front(); }

    std::unique_ptr<ConnectStage> m_stage;
    std::unique_ptr<ConnectDialog> m_dialog;
};

// A03
void SignInOnceTest::offersTheRealmsWhenNoneIsTyped()
{
    typePassword(QStringLiteral("root"));
    trust();
    auto *realm = child<QComboBox>("realm");
    QTRY_VERIFY_WITH_TIMEOUT(realm->isVisible(), 20000);
    QVERIFY(realm->count() >= 2);
    QCOMPARE(m_stage->simulator.count(QStringLiteral("POST"), QStringLiteral("/access/ticket")), 0);
    Pictures::take(*m_dialog, QStringLiteral("connect-realm"));
    realm->setCurrentIndex(realm->findData(QStringLiteral("pam")));
    click("go");
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000);
    child<QCheckBox>("wantsToken")->setChecked(false);
    click("go");
    QTRY_COMPARE(m_stage->remotes.all().size(), size_t(1));
    QCOMPARE(kept().user, QStringLiteral("root@pam"));
}

void SignInOnceTest::takesARealmThatIsTyped()
{
    typePassword(QStringLiteral("root@pam"));
    trust();
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000);
    QVERIFY(!child<QComboBox>("realm")->isVisible());
}

// A04
void SignInOnceTest::asksForTheCodeOnceAndSendsThePasswordOnce()
{
    m_stage->addTotp(QStringLiteral("root@pam"));
    typePassword(QStringLiteral("root@pam"));
    trust();
    QTRY_VERIFY2_WITH_TIMEOUT(child<QLineEdit>("code")->isVisible(), qPrintable(problem()), 20000);
    Pictures::take(*m_dialog, QStringLiteral("connect-code"));
    QCOMPARE(m_stage->simulator.count(QStringLiteral("POST"), QStringLiteral("/access/ticket")), 1);
    child<QLineEdit>("code")->setText(m_stage->code());
    click("sendCode");
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000);
    QCOMPARE(m_stage->simulator.count(QStringLiteral("POST"), QStringLiteral("/access/ticket")), 2);
    QVERIFY(!child<QLineEdit>("code")->isVisible());
}

void SignInOnceTest::saysThatACodeIsWrongAndTakesTheNext()
{
    m_stage->addTotp(QStringLiteral("root@pam"));
    typePassword(QStringLiteral("root@pam"));
    trust();
    QTRY_VERIFY2_WITH_TIMEOUT(child<QLineEdit>("code")->isVisible(), qPrintable(problem()), 20000);
    child<QLineEdit>("code")->setText(QStringLiteral("000000"));
    click("sendCode");
    QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("codeProblem")->isVisible(), 20000);
    QVERIFY(child<QLineEdit>("code")->text().isEmpty());
    child<QLineEdit>("code")->setText(m_stage->code());
    click("sendCode");
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000);
}

void SignInOnceTest::makesATokenInPlaceOfThePassword()
{
    m_stage->addTotp(QStringLiteral("root@pam"));
    typePassword(QStringLiteral("root@pam"));
    trust();
    QTRY_VERIFY2_WITH_TIMEOUT(child<QLineEdit>("code")->isVisible(), qPrintable(problem()), 20000);
    child<QLineEdit>("code")->setText(m_stage->code());
    click("sendCode");
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000);
    QVERIFY(child<QCheckBox>("wantsToken")->isChecked());
    QCOMPARE(child<QComboBox>("tokenRole")->currentText(), QStringLiteral("PVEAdmin"));
    const auto privileges = child<QLabel>("tokenPrivileges")->text();
    QVERIFY2(privileges.contains(QLatin1String("VM.PowerMgmt")), qPrintable(privileges));
    Pictures::take(*m_dialog, QStringLiteral("connect-token"));
    click("go");
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->remotes.all().size(), size_t(1), 20000);
    QTRY_VERIFY(!m_dialog->isVisible());
    QCOMPARE(kept().signIn, Remote::SignIn::Token);
    QVERIFY(kept().user.startsWith(QLatin1String("root@pam!labhelm-")));
    QVERIFY(await(m_stage->secrets.read(kept().secretKey())));
    QVERIFY(!await(m_stage->secrets.read(QStringLiteral("remote/%1/password").arg(kept().id))));
    QVERIFY(m_stage->remotes.unfinished().empty());
    const auto rows = m_stage->headlines();
    QCOMPARE(rows.size(), 2);
    QVERIFY2(rows[0].contains(QLatin1String("PVEAdmin on /")), qPrintable(rows[0]));
}

void SignInOnceTest::givesItTheRoleAndPoolThatWereChosen()
{
    typePassword(QStringLiteral("root@pam"));
    trust();
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000);
    auto *role = child<QComboBox>("tokenRole");
    auto *place = child<QComboBox>("tokenPlace");
    role->setCurrentIndex(role->findText(QStringLiteral("PVEVMUser")));
    place->setCurrentIndex(place->findData(QStringLiteral("/pool/media")));
    QVERIFY(!child<QLabel>("tokenPrivileges")->text().contains(QLatin1String("VM.Allocate")));
    click("go");
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->remotes.all().size(), size_t(1), 20000);
    int found = 0;
    for (const auto &grant : m_stage->simulator.world().access.grants)
        found += grant.who == kept().user && grant.role == QLatin1String("PVEVMUser") &&
                 grant.path == QLatin1String("/pool/media");
    QCOMPARE(found, 1);
}

void SignInOnceTest::keepsThePasswordIfThePersonWantsThat()
{
    typePassword(QStringLiteral("root@pam"));
    trust();
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000);
    child<QCheckBox>("wantsToken")->setChecked(false);
    click("go");
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->remotes.all().size(), size_t(1), 20000);
    QCOMPARE(kept().signIn, Remote::SignIn::Password);
    QVERIFY(m_stage->simulator.writes().isEmpty());
}

void SignInOnceTest::offersNoTokenToWhoMayNotGiveRights()
{
    typePassword(QStringLiteral("operator@pve"), Homelab::operatorPassword);
    trust();
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000);
    QVERIFY(!m_dialog->findChild<TokenOffer *>()->isVisible());
}

void SignInOnceTest::pinsEachAddressOfACluster()
{
    Simulator other{ConnectStage::options()};
    other.renewCertificate();
    QVERIFY(other.listen());
    const auto second = QStringLiteral("127.0.0.1:%1").arg(other.url().port());
    child<QLineEdit>("address")->setText(m_stage->address() + QStringLiteral(", ") + second);
    child<QLineEdit>("user")->setText(QStringLiteral("labhelm@pve!desktop"));
    child<QLineEdit>("secret")->setText(Homelab::tokenSecret(QStringLiteral("labhelm@pve!desktop")));
    trust();
    QVERIFY(child<QPushButton>("trust")->isVisible()); // now about the second one
    QVERIFY(m_stage->simulator.requests().isEmpty() && other.requests().isEmpty());
    click("trust");
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000);
    click("go");
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->remotes.all().size(), size_t(1), 20000);
    QCOMPARE(kept().addresses.size(), 2);
    QCOMPARE(kept().pins.size(), 2);
    QCOMPARE(kept().pins.value(second), other.certificate().certificate.digest(QCryptographicHash::Sha256));
}

// A02
void SignInOnceTest::asksBackAboutAnAddressThatLooksLikeAPort()
{
    child<QLineEdit>("address")->setText(QStringLiteral("2001:db8::1:8006"));
    child<QLineEdit>("user")->setText(QStringLiteral("root@pam!xx"));
    child<QLineEdit>("secret")->setText(QStringLiteral("s"));
    click("go");
    QVERIFY2(problem().contains(QLatin1String("[2001:db8::1]:8006")), qPrintable(problem()));
    QVERIFY(child<QPushButton>("go")->isEnabled());
    click("go"); // taken as it stands: it is looked for
    QVERIFY(!problem().contains(QLatin1String("[2001:db8::1]:8006")));
}

void SignInOnceTest::changesTheNameAndKeepsTheSecret()
{
    const auto was = m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Token, QStringLiteral("labhelm@pve!desktop"));
    open();
    m_dialog->form().edit(was);
    click("go");
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000); // its certificate is known
    child<QLineEdit>("name")->setText(QStringLiteral("home"));
    QCOMPARE(child<QPushButton>("go")->text(), QStringLiteral("Save"));
    click("go");
    QTRY_COMPARE_WITH_TIMEOUT(kept().name, QStringLiteral("home"), 20000);
    QCOMPARE(kept().id, was.id);
    QCOMPARE(kept().secretKey(), was.secretKey());
    QCOMPARE(m_stage->headlines().size(), 1);
}

void SignInOnceTest::changesTheSignIn()
{
    const auto was = m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Token, QStringLiteral("labhelm@pve!desktop"));
    open();
    m_dialog->form().edit(was);
    child<QLineEdit>("user")->setText(QStringLiteral("auditor@pve!view"));
    click("go");
    QVERIFY(!problem().isEmpty()); // another token has another secret
    child<QLineEdit>("secret")->setText(Homelab::tokenSecret(QStringLiteral("auditor@pve!view")));
    click("go");
    QTRY_VERIFY2_WITH_TIMEOUT(isChecked(), qPrintable(problem()), 20000);
    click("go");
    QTRY_COMPARE_WITH_TIMEOUT(kept().user, QStringLiteral("auditor@pve!view"), 20000);
    QVERIFY(await(m_stage->secrets.read(kept().secretKey())));
    QTRY_VERIFY(!await(m_stage->secrets.read(was.secretKey())));
}

LABHELM_TEST(SignInOnceTest)
#include "SignInOnceTest.moc"
