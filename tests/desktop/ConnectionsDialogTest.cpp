#include "pages/connect/ConnectionsDialog.h"
#include "inventory/Inventory.h"
#include "pages/connect/ImportDialog.h"
#include "pages/connect/SecondFactorDialog.h"
#include "pages/connect/TokenDialog.h"
#include "pve/Client.h"
#include "pve/Connection.h"
#include "pve/Session.h"
#include "support/ConnectStage.h"
#include "support/Pictures.h"
#include "support/TestMain.h"
#include <QLabel>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTreeWidget>

/// Connections that are kept can be tested, changed, given new tokens, removed and taken over, each with a row.
class ConnectionsDialogTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void showsEveryConnection();
    void testsOne();
    void saysThatACertificateHasChanged();
    void removesOneWithItsSecret();
    void replacesATokenWithThePassword();
    void saysThatTheTokenMayNotReplaceItself();
    void makesATokenForAPassword();
    void finishesAChangeThatWasCutShort();
    void takesConnectionsOver();
    void asksARunningConnectionForItsCode();

private:
    void open();
    template <class T>
    T *child(const char *name, QWidget *of = nullptr) const
    {
        return (of ? of : static_cast<QWidget *>(m_dialog.get()))->findChild<T *>(QLatin1String(name));
    }
    void click(const char *name, QWidget *of = nullptr)
    {
        QTest::mouseClick(child<QPushButton>(name, of), Qt::LeftButton);
    }
    QString said() const { return child<QLabel>("connectionsSaid")->text(); }
    TokenDialog *tokenDialog(const char *button)
    {
        click(button);
        return m_dialog->findChild<TokenDialog *>();
    }
    Remote kept() const { return m_stage->remotes.all().front(); }

    std::unique_ptr<ConnectStage> m_stage;
    std::unique_ptr<Inventory> m_inventory;
    std::unique_ptr<Connections> m_connections;
    std::unique_ptr<ConnectionsDialog> m_dialog;
};

void ConnectionsDialogTest::init()
{
    m_stage = std::make_unique<ConnectStage>();
    QVERIFY(m_stage->isReady);
    m_inventory = std::make_unique<Inventory>();
    m_connections = std::make_unique<Connections>(m_stage->secrets);
}

void ConnectionsDialogTest::cleanup()
{
    m_dialog.reset();
    m_connections.reset();
    m_inventory.reset();
    m_stage.reset();
}

void ConnectionsDialogTest::open()
{
    m_dialog = std::make_unique<ConnectionsDialog>(
        ConnectionsParts{m_stage->remotes, m_stage->secrets, m_stage->book.log(), *m_inventory, *m_connections});
    m_dialog->open();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
}

void ConnectionsDialogTest::showsEveryConnection()
{
    m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Token, QStringLiteral("labhelm@pve!desktop"));
    m_stage->keep(QStringLiteral("office"), Remote::SignIn::Password, QStringLiteral("root@pam"));
    open();
    auto *list = child<QTreeWidget>("connectionList");
    QCOMPARE(list->topLevelItemCount(), 2);
    QCOMPARE(list->topLevelItem(1)->text(2), QStringLiteral("root@pam"));
    m_stage->keep(QStringLiteral("third"), Remote::SignIn::Token, QStringLiteral("auditor@pve!view"));
    QCOMPARE(list->topLevelItemCount(), 3);
    Pictures::take(*m_dialog, QStringLiteral("connections"));
}

void ConnectionsDialogTest::testsOne()
{
    m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Token, QStringLiteral("labhelm@pve!desktop"));
    open();
    click("testConnection");
    QTRY_VERIFY2_WITH_TIMEOUT(said().contains(QLatin1String("lab works")), qPrintable(said()), 20000);
    QTRY_COMPARE(m_stage->headlines().size(), 1);
}

void ConnectionsDialogTest::saysThatACertificateHasChanged()
{
    m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Token, QStringLiteral("labhelm@pve!desktop"));
    m_stage->simulator.renewCertificate();
    open();
    click("testConnection");
    QTRY_VERIFY2_WITH_TIMEOUT(said().contains(QLatin1String("under Change")), qPrintable(said()), 20000);
    QVERIFY(m_stage->simulator.requests().isEmpty());
}

void ConnectionsDialogTest::removesOneWithItsSecret()
{
    const auto was = m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Token, QStringLiteral("labhelm@pve!desktop"));
    open();
    click("removeConnection");
    auto *question = m_dialog->findChild<QMessageBox *>();
    QVERIFY(question && question->text().contains(QLatin1String("labhelm@pve!desktop stays valid")));
    QCOMPARE(m_stage->remotes.all().size(), size_t(1));
    click("removeYes", question);
    QTRY_VERIFY_WITH_TIMEOUT(m_stage->remotes.all().empty(), 20000);
    QTRY_VERIFY(!await(m_stage->secrets.read(was.secretKey())));
    QCOMPARE(m_stage->headlines().size(), 1);
}

void ConnectionsDialogTest::replacesATokenWithThePassword()
{
    auto &access = m_stage->simulator.world().access;
    access.grants.push_back({QStringLiteral("/"), QStringLiteral("root@pam!ci"), QStringLiteral("PVEAdmin"), true});
    const auto was = m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Token, QStringLiteral("root@pam!ci"));
    open();
    auto *dialog = tokenDialog("newToken");
    child<QLineEdit>("ownerPassword", dialog)->setText(Homelab::rootPassword);
    Pictures::take(*dialog, QStringLiteral("connections-new-token"));
    click("tokenGo", dialog);
    QTRY_VERIFY_WITH_TIMEOUT(kept().user != was.user, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(m_stage->remotes.unfinished().empty(), 20000);
    QVERIFY(!access.user(QStringLiteral("root@pam"))->token(QStringLiteral("ci")));
    QVERIFY(said().contains(QLatin1String("new token")));
}

void ConnectionsDialogTest::saysThatTheTokenMayNotReplaceItself()
{
    const auto was = m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Token, QStringLiteral("auditor@pve!view"));
    open();
    auto *dialog = tokenDialog("newToken");
    click("tokenGo", dialog);
    QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("tokenProblem", dialog)->isVisible(), 20000);
    QCOMPARE(kept().user, was.user);
    QVERIFY(m_stage->remotes.unfinished().empty());
}

void ConnectionsDialogTest::makesATokenForAPassword()
{
    const auto was = m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Password, QStringLiteral("root@pam"));
    open();
    auto *dialog = tokenDialog("newToken");
    click("tokenGo", dialog);
    QTRY_COMPARE_WITH_TIMEOUT(child<QPushButton>("tokenGo", dialog)->text(), QStringLiteral("Make the token"), 20000);
    click("tokenGo", dialog);
    QTRY_COMPARE_WITH_TIMEOUT(kept().signIn, Remote::SignIn::Token, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(m_stage->remotes.unfinished().empty(), 20000);
    QVERIFY(!await(m_stage->secrets.read(was.secretKey())));
}

void ConnectionsDialogTest::finishesAChangeThatWasCutShort()
{
    const auto was = m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Token, QStringLiteral("root@pam!ci"));
    TokenChange change{was, was.user, was.secretKey()};
    change.next.user = QStringLiteral("root@pam!labhelm-000001");
    change.next.secretSlot = 1;
    QVERIFY(m_stage->remotes.begin(change));
    AccessUser::Token left;
    left.name = QStringLiteral("labhelm-000001");
    auto *root = m_stage->simulator.world().access.user(QStringLiteral("root@pam"));
    root->tokens.push_back(left);
    open();
    Pictures::take(*m_dialog, QStringLiteral("connections-unfinished"));
    auto *dialog = tokenDialog("finishChange");
    child<QLineEdit>("ownerPassword", dialog)->setText(Homelab::rootPassword);
    click("tokenGo", dialog);
    QTRY_VERIFY_WITH_TIMEOUT(m_stage->remotes.unfinished().empty(), 20000);
    QVERIFY(!root->token(QStringLiteral("labhelm-000001")));
    QVERIFY(root->token(QStringLiteral("ci")));
    QTRY_VERIFY(!child<QPushButton>("finishChange"));
}

void ConnectionsDialogTest::takesConnectionsOver()
{
    m_stage->keep(QStringLiteral("office"), Remote::SignIn::Token, QStringLiteral("labhelm@pve!desktop"));
    ImportDialog dialog(m_stage->remotes, m_stage->secrets, m_stage->book.log());
    dialog.open();
    dialog.choose(QStringLiteral(LABHELM_TEST_DATA "/import/config.yaml"));
    auto *list = child<QTreeWidget>("importList", &dialog);
    QTRY_VERIFY_WITH_TIMEOUT(child<QLineEdit>("masterPassword", &dialog)->isVisible(), 20000);
    child<QLineEdit>("masterPassword", &dialog)->setText(QStringLiteral("correct horse ü"));
    click("unseal", &dialog);
    QTRY_COMPARE_WITH_TIMEOUT(list->topLevelItemCount(), 5, 20000);
    Pictures::take(dialog, QStringLiteral("connections-import"));
    list->topLevelItem(2)->setCheckState(0, Qt::Unchecked);
    click("takeOver", &dialog);
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->remotes.all().size(), size_t(3), 20000);
    const auto lab = m_stage->remotes.findByName(QStringLiteral("pve-lab"));
    QVERIFY(lab && m_stage->remotes.findByName(QStringLiteral("office 2")));
    const auto secret = await(m_stage->secrets.read(lab->secretKey()));
    QVERIFY(secret);
    QCOMPARE(secret->reveal(), QByteArray("11111111-2222-3333-4444-555555555555"));
    QFile file(m_stage->folder.filePath(QStringLiteral("connections.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(!file.readAll().contains("11111111"));
    QCOMPARE(m_stage->headlines().size(), 2);
}

// A04: a saved login that worked, and then the account got a second factor
void ConnectionsDialogTest::asksARunningConnectionForItsCode()
{
    const auto remote = m_stage->keep(QStringLiteral("lab"), Remote::SignIn::Password, QStringLiteral("root@pam"));
    m_stage->addTotp(QStringLiteral("root@pam"));
    auto &open = m_connections->open(remote);
    QSignalSpy changed(m_connections.get(), &Connections::sessionChanged);
    const ApiRequest version{Method::Get, {QStringLiteral("version")}};
    QVERIFY(!await(open.client().send(version, {})));
    QCOMPARE(changed.count(), 1);
    SecondFactorDialog dialog(*m_connections, remote.id);
    dialog.open();
    child<QLineEdit>("code", &dialog)->setText(m_stage->code());
    click("sendCode", &dialog);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.isVisible(), 20000);
    QVERIFY(await(open.client().send(version, {})));
    QVERIFY(await(m_stage->secrets.read(remote.secretKey()))); // the password is kept
}

LABHELM_TEST(ConnectionsDialogTest)
#include "ConnectionsDialogTest.moc"
