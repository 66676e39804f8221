#include "pages/inventory/TreeShape.h"
#include "support/InventoryMaking.h"
#include "support/TestMain.h"

/// The inventory tree as it should look for a given state.
class TreeShapeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void putsGuestsUnderTheirNodes();
    void tellsStatesByShapeAndWords_data();
    void tellsStatesByShapeAndWords();
    void callsGuestsOfAnOfflineNodeUnknown();
    void greysWhatIsOldAndSaysItsAge();
    void saysThatAClusterWasNeverReached();
    void groupsByPoolAndByTag();
    void findsOnlyWhatHasAllWordsOfTheFilter();
    void showsASharedStorageOnceAndALocalOnePerNode();
    void doesNotCallAnUnknownFillNothing();
    void keepsAGuestWhoseNodeTheClusterDidNotName();
    void makesInvisibleCharactersVisible();

private:
    static constexpr qint64 now = 1'790'000'000'000;
    static std::vector<TreeEntry> shape(InventorySnapshot state, Grouping grouping = Grouping::Nodes,
                                        const QString &filter = {})
    {
        return treeShape({std::make_shared<const InventorySnapshot>(std::move(state))}, grouping, filter, now);
    }
    static QStringList titles(const std::vector<TreeEntry> &entries)
    {
        QStringList all;
        for (const auto &entry : entries)
            all << entry.title;
        return all;
    }
};

using namespace InventoryMaking;

static InventorySnapshot homelab()
{
    auto media = guest(104, "jellyfin", "pve1");
    media.tags = QStringList{QStringLiteral("media"), QStringLiteral("gpu")};
    media.pool = QStringLiteral("home");
    media.kind = GuestKind::Lxc;
    return remote("homelab", {guest(101, "nextcloud", "pve1"), media, guest(201, "postgres", "pve2")},
                  {QStringLiteral("pve1"), QStringLiteral("pve2")});
}

void TreeShapeTest::putsGuestsUnderTheirNodes()
{
    const auto roots = shape(homelab());
    QCOMPARE(titles(roots), QStringList{QStringLiteral("homelab")});
    QCOMPARE(titles(roots[0].children), (QStringList{QStringLiteral("pve1"), QStringLiteral("pve2")}));
    QCOMPARE(titles(roots[0].children[0].children),
             (QStringList{QStringLiteral("nextcloud"), QStringLiteral("jellyfin")}));
    QCOMPARE(roots[0].children[0].children[1].aside, QStringLiteral("104"));
    QCOMPARE(roots[0].children[0].children[1].selection.vmid, vmid(104));
}

void TreeShapeTest::tellsStatesByShapeAndWords_data()
{
    QTest::addColumn<int>("power");
    QTest::addColumn<bool>("isTemplate");
    QTest::addColumn<int>("mark");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, GuestState::Power power, bool isTemplate, Mark mark) {
        QTest::newRow(name) << int(power) << isTemplate << int(mark) << QString::fromLatin1(name);
    };
    row("running", GuestState::Power::Running, false, Mark::Running);
    row("stopped", GuestState::Power::Stopped, false, Mark::Stopped);
    row("paused", GuestState::Power::Paused, false, Mark::Paused);
    row("suspended", GuestState::Power::Suspended, false, Mark::Paused);
    row("unknown", GuestState::Power::Unknown, false, Mark::Unknown);
    row("template", GuestState::Power::Stopped, true, Mark::Template);
}

void TreeShapeTest::tellsStatesByShapeAndWords()
{
    QFETCH(int, power);
    QFETCH(bool, isTemplate);
    auto state = homelab();
    state.guests[0].power = GuestState::Power(power);
    state.guests[0].isTemplate = isTemplate;
    const auto entry = shape(state)[0].children[0].children[0];
    QTEST(int(entry.mark), "mark");
    QFETCH(QString, words);
    QVERIFY2(entry.spoken.contains(words), qPrintable(entry.spoken));
    QVERIFY(entry.spoken.contains(QLatin1String("101")));
}

void TreeShapeTest::callsGuestsOfAnOfflineNodeUnknown()
{
    auto state = homelab();
    state.nodes[1].status = NodeState::Status::Offline;
    state.guests[2].power = GuestState::Power::Unknown;
    const auto node = shape(state)[0].children[1];
    QCOMPARE(node.aside, QStringLiteral("offline"));
    QCOMPARE(node.mark, Mark::Offline);
    QCOMPARE(node.children[0].mark, Mark::Unknown);
    QVERIFY(node.children[0].spoken.endsWith(QLatin1String("unknown")));
}

void TreeShapeTest::greysWhatIsOldAndSaysItsAge()
{
    auto state = homelab();
    state.reach = InventorySnapshot::Reach::Stale;
    state.takenAtMs = now - 6 * 60 * 1000;
    state.problem = QStringLiteral("No route to host");
    const auto root = shape(state)[0];
    QVERIFY(root.isFaded && root.children[0].isFaded && root.children[0].children[0].isFaded);
    QCOMPARE(root.aside, QStringLiteral("as of 6 min ago"));
    QVERIFY(root.toolTip.contains(QLatin1String("No route to host")));
    QVERIFY(!shape(homelab())[0].isFaded);
}

void TreeShapeTest::saysThatAClusterWasNeverReached()
{
    InventorySnapshot state;
    state.remoteId = QStringLiteral("new");
    state.remoteName = QStringLiteral("new");
    QCOMPARE(shape(state)[0].aside, QStringLiteral("not reached yet"));
}

void TreeShapeTest::groupsByPoolAndByTag()
{
    const auto pools = shape(homelab(), Grouping::Pools)[0].children;
    QCOMPARE(titles(pools), (QStringList{QStringLiteral("home"), QStringLiteral("No pool")}));
    QCOMPARE(titles(pools[1].children), (QStringList{QStringLiteral("nextcloud"), QStringLiteral("postgres")}));
    const auto tags = shape(homelab(), Grouping::Tags)[0].children;
    QCOMPARE(titles(tags), (QStringList{QStringLiteral("gpu"), QStringLiteral("media"), QStringLiteral("No tag")}));
    QCOMPARE(titles(tags[0].children), QStringList{QStringLiteral("jellyfin")});
}

void TreeShapeTest::findsOnlyWhatHasAllWordsOfTheFilter()
{
    const auto found = [](const char *filter) {
        QStringList names;
        for (const auto &root : shape(homelab(), Grouping::Nodes, QString::fromLatin1(filter)))
            for (const auto &node : root.children)
                names << titles(node.children);
        return names;
    };
    QCOMPARE(found("JELLY"), QStringList{QStringLiteral("jellyfin")});
    QCOMPARE(found("104"), QStringList{QStringLiteral("jellyfin")});
    QCOMPARE(found("media gpu"), QStringList{QStringLiteral("jellyfin")});
    QCOMPARE(found("media prod"), QStringList());
    QCOMPARE(found("pve2"), QStringList{QStringLiteral("postgres")});
    QVERIFY(shape(homelab(), Grouping::Nodes, QStringLiteral("nothing has this")).empty());
}

void TreeShapeTest::showsASharedStorageOnceAndALocalOnePerNode()
{
    auto state = homelab();
    for (const auto *name : {"pve1", "pve2"}) {
        StorageState shared{.name = *StorageName::from(QStringLiteral("nas")),
                            .node = node(name),
                            .isShared = true,
                            .isAvailable = true,
                            .type = {},
                            .content = {},
                            .used = 38,
                            .size = 100};
        auto local = shared;
        local.name = *StorageName::from(QStringLiteral("local"));
        local.isShared = false;
        state.storages.push_back(shared);
        state.storages.push_back(local);
    }
    const auto heading = shape(state)[0].children.back();
    QVERIFY(heading.isHeading);
    QCOMPARE(titles(heading.children),
             (QStringList{QStringLiteral("local · pve1"), QStringLiteral("local · pve2"), QStringLiteral("nas")}));
    QCOMPARE(heading.children[2].aside, QStringLiteral("38\u00a0%"));
}

void TreeShapeTest::doesNotCallAnUnknownFillNothing()
{
    auto state = homelab();
    StorageState storage;
    storage.name = *StorageName::from(QStringLiteral("nas"));
    storage.node = node("pve1");
    storage.isShared = storage.isAvailable = true;
    state.storages.push_back(storage);
    QCOMPARE(shape(state)[0].children.back().children[0].aside, QStringLiteral("unknown"));
    state.storages[0].isAvailable = false;
    QCOMPARE(shape(state)[0].children.back().children[0].aside, QStringLiteral("not available"));
}

void TreeShapeTest::keepsAGuestWhoseNodeTheClusterDidNotName()
{
    auto state = homelab();
    state.nodes.pop_back();
    const auto nodes = shape(state)[0].children;
    QCOMPARE(titles(nodes), (QStringList{QStringLiteral("pve1"), QStringLiteral("pve2")}));
    QCOMPARE(nodes[1].aside, QStringLiteral("unknown"));
}

void TreeShapeTest::makesInvisibleCharactersVisible()
{
    auto state = homelab();
    state.guests[0].name = QStringLiteral("prod\u202Edbt");
    const auto entry = shape(state)[0].children[0].children[0];
    QCOMPARE(entry.title, QStringLiteral("prod<U+202E>dbt"));
    QVERIFY(!entry.toolTip.contains(QChar(0x202E)));
}

LABHELM_TEST(TreeShapeTest)
#include "TreeShapeTest.moc"
