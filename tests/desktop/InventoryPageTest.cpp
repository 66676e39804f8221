#include "pages/inventory/InventoryPage.h"
#include "inventory/Inventory.h"
#include "pages/inventory/InventoryTree.h"
#include "pages/inventory/InventoryTreeModel.h"
#include "support/InventoryMaking.h"
#include "support/TestMain.h"
#include "widgets/SegmentedControl.h"
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace InventoryMaking;

/// Notes what it is told to show.
class NotingPage : public DetailPage
{
public:
    void show(const Selection &selection) override { shown << selection.text(); }
    QStringList shown;
};

/// The tree and what it leads to, by mouse and by keyboard.
class InventoryPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void showsTheClusterAtFirst();
    void showsWhatIsClicked();
    void walksByArrowKeys();
    void filtersAsOneTypes();
    void keepsTheSelectionThroughUpdatesAndFilters();
    void groupsByPoolOnAClick();
    void staysFoldedAfterAnUpdate();
    void comesBackAsItWasLeft();
    void waitsForAThingThatIsNotThereYet();
    void clearsTheFilterToShowWhatWasAskedFor();

private:
    void publish(const char *name = "jellyfin");
    InventoryTree *tree() const { return m_page->findChild<InventoryTree *>(); }
    QModelIndex line(const char *title) const;
    void click(const char *title);
    std::unique_ptr<Inventory> m_inventory;
    std::unique_ptr<InventoryPage> m_page;
    NotingPage *m_guests = nullptr, *m_nodes = nullptr, *m_clusters = nullptr;
};

void InventoryPageTest::publish(const char *name)
{
    auto media = guest(104, name, "pve1");
    media.pool = QStringLiteral("home");
    m_inventory->publish(remote("homelab", {guest(101, "nextcloud", "pve1"), media, guest(201, "postgres", "pve2")},
                                {QStringLiteral("pve1"), QStringLiteral("pve2")}));
}

void InventoryPageTest::init()
{
    m_inventory = std::make_unique<Inventory>();
    m_page = std::make_unique<InventoryPage>(*m_inventory);
    m_page->setDetail(Selection::Kind::Guest, m_guests = new NotingPage);
    m_page->setDetail(Selection::Kind::Node, m_nodes = new NotingPage);
    m_page->setDetail(Selection::Kind::Remote, m_clusters = new NotingPage);
    m_page->resize(1000, 700);
    m_page->show();
    publish();
    QTRY_VERIFY(tree()->currentIndex().isValid());
}

void InventoryPageTest::cleanup()
{
    m_page.reset();
    m_inventory.reset();
}

QModelIndex InventoryPageTest::line(const char *title) const
{
    const auto found = tree()->model()->match(tree()->model()->index(0, 0), Qt::DisplayRole, QString::fromLatin1(title),
                                              1, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? QModelIndex() : found.first();
}

void InventoryPageTest::click(const char *title)
{
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, tree()->visualRect(line(title)).center());
}

void InventoryPageTest::showsTheClusterAtFirst()
{
    QCOMPARE(m_clusters->shown, QStringList{QStringLiteral("remote homelab-id")});
}

void InventoryPageTest::showsWhatIsClicked()
{
    const QSignalSpy selected(m_page.get(), &InventoryPage::selected);
    click("jellyfin");
    QCOMPARE(m_guests->shown, QStringList{QStringLiteral("guest homelab-id 104")});
    QVERIFY(m_guests->isVisible());
    click("pve2");
    QCOMPARE(m_nodes->shown, QStringList{QStringLiteral("node homelab-id pve2")});
    QCOMPARE(selected.size(), 2);
}

void InventoryPageTest::walksByArrowKeys()
{
    click("nextcloud");
    QTest::keyClick(tree(), Qt::Key_Down);
    QCOMPARE(m_guests->shown.last(), QStringLiteral("guest homelab-id 104"));
}

void InventoryPageTest::filtersAsOneTypes()
{
    auto *filter = m_page->findChild<QLineEdit *>();
    QTest::keyClick(m_page.get(), Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(filter->hasFocus());
    QTest::keyClicks(filter, QStringLiteral("postg"));
    QTRY_VERIFY(!line("jellyfin").isValid());
    QVERIFY(line("postgres").isValid());
    QTRY_VERIFY(tree()->isExpanded(line("pve2")));
    filter->clear();
    QTRY_VERIFY(line("jellyfin").isValid());
}

void InventoryPageTest::keepsTheSelectionThroughUpdatesAndFilters()
{
    click("jellyfin");
    publish("renamed");
    QTRY_VERIFY(line("renamed").isValid());
    QCOMPARE(tree()->currentIndex(), line("renamed"));
    auto *filter = m_page->findChild<QLineEdit *>();
    filter->setText(QStringLiteral("postgres"));
    QTRY_VERIFY(!line("renamed").isValid());
    filter->clear();
    QTRY_VERIFY(line("renamed").isValid());
    QTRY_COMPARE(tree()->currentIndex(), line("renamed"));
    QCOMPARE(m_page->selection().vmid, vmid(104));
}

void InventoryPageTest::groupsByPoolOnAClick()
{
    auto *pools = m_page->findChild<SegmentedControl *>()->findChildren<QPushButton *>().at(1);
    QTest::mouseClick(pools, Qt::LeftButton);
    QTRY_VERIFY(line("home").isValid());
    QVERIFY(!line("pve1").isValid());
    QCOMPARE(line("home").data(InventoryTreeModel::AsideRole).toString(), QStringLiteral("1"));
}

void InventoryPageTest::staysFoldedAfterAnUpdate()
{
    tree()->collapse(line("pve1"));
    publish("renamed");
    QTRY_VERIFY(line("renamed").isValid());
    QVERIFY(!tree()->isExpanded(line("pve1")));
    QVERIFY(tree()->isExpanded(line("pve2")));
}

void InventoryPageTest::comesBackAsItWasLeft()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("window.ini")), QSettings::IniFormat);
    click("postgres");
    tree()->collapse(line("pve1"));
    m_page->save(settings);
    m_page = std::make_unique<InventoryPage>(*m_inventory);
    m_page->setDetail(Selection::Kind::Guest, m_guests = new NotingPage);
    m_page->restore(settings);
    QTRY_COMPARE(m_guests->shown, QStringList{QStringLiteral("guest homelab-id 201")});
    QVERIFY(!tree()->isExpanded(line("pve1")));
}

void InventoryPageTest::waitsForAThingThatIsNotThereYet()
{
    m_page->select({.kind = Selection::Kind::Guest, .remote = QStringLiteral("homelab-id"), .vmid = vmid(300)});
    QVERIFY(m_guests->shown.isEmpty());
    m_inventory->publish(remote("homelab", {guest(300, "late", "pve1")}, {QStringLiteral("pve1")}));
    QTRY_COMPARE(m_guests->shown, QStringList{QStringLiteral("guest homelab-id 300")});
}

void InventoryPageTest::clearsTheFilterToShowWhatWasAskedFor()
{
    m_page->findChild<QLineEdit *>()->setText(QStringLiteral("nextcloud"));
    QTRY_VERIFY(!line("postgres").isValid());
    m_page->select({.kind = Selection::Kind::Guest, .remote = QStringLiteral("homelab-id"), .vmid = vmid(201)});
    QTRY_COMPARE(m_guests->shown, QStringList{QStringLiteral("guest homelab-id 201")});
    QCOMPARE(tree()->currentIndex(), line("postgres"));
}

LABHELM_TEST(InventoryPageTest)
#include "InventoryPageTest.moc"
