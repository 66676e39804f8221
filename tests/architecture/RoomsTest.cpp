#include "architecture/SourceTree.h"
#include "support/TestMain.h"
#include <QDir>
#include <QLibraryInfo>
#include <QMap>
#include <QRegularExpression>

/// Rooms include only what the table in core/README.md allows them.
class RoomsTest : public QObject
{
    Q_OBJECT

    /// room → room it may include → the only headers it may take from there (none = all)
    using Table = QMap<QString, QMap<QString, QStringList>>;

    static Table read(const QString &text)
    {
        static const QRegularExpression row(QStringLiteral("^\\| ([a-z, ]+) \\| ([^|]*) \\|$"),
                                            QRegularExpression::MultilineOption);
        static const QRegularExpression entry(QStringLiteral("([a-z]+)(?: \\(([^)]*) only\\))?"));
        Table table;
        for (auto rows = row.globalMatch(text); rows.hasNext();) {
            const auto found = rows.next();
            if (found.captured(1) == QLatin1String("room"))
                continue;
            for (const auto &room : found.captured(1).split(QStringLiteral(", "))) {
                table[room];
                for (auto entries = entry.globalMatch(found.captured(2)); entries.hasNext();) {
                    const auto allowed = entries.next();
                    auto headers = allowed.captured(2).remove(u'`').split(u' ', Qt::SkipEmptyParts);
                    table[room][allowed.captured(1)] = headers;
                }
            }
        }
        return table;
    }
    static Table table() { return read(SourceTree::read(QStringLiteral("core/README.md"))); }

    static QString wrong(const Table &rooms, const QString &from, const QString &included)
    {
        const auto room = from.section(u'/', 1, 1);
        const auto other = included.section(u'/', 0, 0);
        if (other == room || !included.contains(u'/'))
            return {};
        if (!rooms.contains(other) || !rooms.value(room).contains(other))
            return QStringLiteral("%1 may not include %2").arg(room, other);
        const auto only = rooms.value(room).value(other);
        return only.isEmpty() || only.contains(included.section(u'/', 1))
                   ? QString()
                   : QStringLiteral("%1 may take only %2 from %3").arg(room, only.join(QStringLiteral(", ")), other);
    }

    static bool mayIncludeClient(const QString &path)
    {
        return path.startsWith(QLatin1String("core/operations/")) ||
               path.startsWith(QLatin1String("core/inventory/")) || path.startsWith(QLatin1String("core/pve/")) ||
               path.startsWith(QLatin1String("tests/")) || path.startsWith(QLatin1String("app/desktop/Application"));
    }

    /// Headers of Qt's Gui and Widgets, which core must work without.
    static bool isOfTheScreen(const QString &header)
    {
        const auto include = QLibraryInfo::path(QLibraryInfo::HeadersPath);
        const auto name = header.section(u'/', -1);
        if (header.contains(u'/'))
            return header.startsWith(QLatin1String("QtGui")) || header.startsWith(QLatin1String("QtWidgets"));
        return QFile::exists(include + QLatin1String("/QtGui/") + name) ||
               QFile::exists(include + QLatin1String("/QtWidgets/") + name);
    }

    static QStringList findings(const Table &rooms, const SourceFile &file)
    {
        static const QRegularExpression include(QStringLiteral("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]"),
                                                QRegularExpression::MultilineOption);
        QStringList found;
        const auto page =
            file.path.startsWith(QLatin1String("app/desktop/pages/")) ? file.path.section(u'/', 3, 3) : QString();
        for (auto includes = include.globalMatch(file.spoken); includes.hasNext();) {
            const auto match = includes.next();
            const auto header = match.captured(1);
            QString what;
            const bool ours = QFile::exists(QStringLiteral(LABHELM_SOURCE "/core/") + header) ||
                              rooms.contains(header.section(u'/', 0, 0));
            if (file.path.startsWith(QLatin1String("core/")) && ours)
                what = wrong(rooms, file.path, header);
            if (file.path.startsWith(QLatin1String("core/")) && isOfTheScreen(header))
                what = QStringLiteral("core knows nothing of the screen, but includes %1").arg(header);
            if (file.path.startsWith(QLatin1String("core/")) && header.startsWith(QLatin1String("app/")))
                what = QStringLiteral("core may not include app");
            if (header == QLatin1String("pve/Client.h") && !mayIncludeClient(file.path))
                what = QStringLiteral("only operations, inventory and the composition root may include pve/Client.h");
            const auto other = header.section(QStringLiteral("pages/"), 1).section(u'/', 0, 0);
            if (!page.isEmpty() && header.contains(QLatin1String("pages/")) && other != page &&
                !other.endsWith(QLatin1String(".h")))
                what = QStringLiteral("pages never include each other");
            if (!what.isEmpty())
                found.append(file.at(match.capturedStart(), what));
        }
        return found;
    }
    static QStringList findingsIn(const char *path, const char *text)
    {
        return findings(table(), SourceFile::of(QString::fromLatin1(path), QString::fromLatin1(text)));
    }

private Q_SLOTS:
    void everyRoomStandsInTheTable();
    void theTableHasNoCircle();
    void theLibrariesLinkWhatTheTableSays();
    void everyIncludeIsAllowed();
    void noticesAForbiddenInclude_data();
    void noticesAForbiddenInclude();
    void acceptsAnAllowedInclude_data();
    void acceptsAnAllowedInclude();
};

void RoomsTest::everyRoomStandsInTheTable()
{
    auto rooms = table().keys();
    rooms.sort();
    auto folders =
        QDir(QStringLiteral(LABHELM_SOURCE "/core")).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    for (const auto &folder : folders)
        QVERIFY2(rooms.contains(folder),
                 qPrintable(QStringLiteral("core/%1 is not in the table of core/README.md").arg(folder)));
    QVERIFY(rooms.size() >= 13);
}

void RoomsTest::theTableHasNoCircle()
{
    const auto rooms = table();
    QStringList below; // rooms whose includes are all below them
    for (bool grew = true; grew;) {
        grew = false;
        for (auto room = rooms.begin(); room != rooms.end(); ++room) {
            const auto needs = room->keys();
            if (!below.contains(room.key()) && std::all_of(needs.begin(), needs.end(), [&below](const QString &need) {
                    return below.contains(need);
                })) {
                below.append(room.key());
                grew = true;
            }
        }
    }
    QCOMPARE(below.size(), rooms.size());
}

void RoomsTest::theLibrariesLinkWhatTheTableSays()
{
    static const QRegularExpression call(QStringLiteral("^labhelm_room\\(([a-z ]+)\\)"),
                                         QRegularExpression::MultilineOption);
    const auto rooms = table();
    int seen = 0;
    for (auto calls = call.globalMatch(SourceTree::read(QStringLiteral("core/CMakeLists.txt"))); calls.hasNext();
         ++seen) {
        auto words = calls.next().captured(1).split(u' ');
        const auto room = words.takeFirst();
        for (const auto &linked : words)
            QVERIFY2(rooms.value(room).contains(linked), qPrintable(QStringLiteral("%1 links %2").arg(room, linked)));
    }
    QVERIFY(seen >= 13);
}

void RoomsTest::everyIncludeIsAllowed()
{
    QStringList found;
    const auto rooms = table();
    for (const auto &file :
         SourceTree::sources({QStringLiteral("core"), QStringLiteral("app"), QStringLiteral("tests")}))
        found.append(findings(rooms, file));
    QVERIFY(SourceTree::isClean(found));
}

void RoomsTest::noticesAForbiddenInclude_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *path, const char *text) {
        QTest::addRow("%s in %s", text, path) << QByteArray(path) << QByteArray(text);
    };
    row("core/base/X.h", "#include \"model/Ids.h\"");
    row("core/simulator/X.cpp", "#include \"pve/Transport.h\"");
    row("core/execution/X.cpp", "#include \"pve/Client.h\"");
    row("core/execution/X.cpp", "#include \"pve/Connection.h\"");
    row("core/mcp/X.cpp", "#include \"audit/AuditLog.h\"");
    row("core/mcp/X.cpp", "#include \"pve/TaskWatcher.h\"");
    row("core/policy/X.h", "#include \"execution/Executor.h\"");
    row("core/operations/guest/x.cpp", "#include \"audit/AuditQuery.h\"");
    row("core/audit/X.cpp", "  #  include \"operations/Plan.h\"");
    row("core/base/X.h", "#include <QWidget>");
    row("core/base/X.h", "#include <QtGui/QColor>");
    row("core/mcp/X.cpp", "#include \"app/desktop/Application.h\"");
    row("app/cli/X.cpp", "#include \"pve/Client.h\"");
    row("app/desktop/pages/guest/X.cpp", "#include \"pages/agents/AgentsPage.h\"");
    row("app/desktop/pages/guest/X.cpp", "#include \"pve/Client.h\"");
}

void RoomsTest::noticesAForbiddenInclude()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, text);
    QCOMPARE(findingsIn(path.constData(), text.constData()).size(), 1);
}

void RoomsTest::acceptsAnAllowedInclude_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *path, const char *text) {
        QTest::addRow("%s in %s", text, path) << QByteArray(path) << QByteArray(text);
    };
    row("core/model/X.h", "#include \"base/Result.h\"\n#include <QString>\n#include <QObject>");
    row("core/model/X.h", "// #include \"audit/AuditLog.h\"");
    row("core/execution/X.cpp", "#include \"pve/TaskWatcher.h\"");
    row("core/mcp/X.cpp", "#include \"audit/AuditQuery.h\"\n#include <QLocalServer>");
    row("core/operations/guest/x.cpp", "#include \"pve/Client.h\"");
    row("app/desktop/Application.cpp", "#include \"pve/Client.h\"");
    row("app/desktop/pages/guest/X.cpp", "#include \"pages/guest/Summary.h\"\n#include <QWidget>");
}

void RoomsTest::acceptsAnAllowedInclude()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, text);
    QCOMPARE(findingsIn(path.constData(), text.constData()), QStringList());
}

LABHELM_TEST(RoomsTest)
#include "RoomsTest.moc"
