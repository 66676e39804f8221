#include "audit/CallTable.h"
#include "audit/Events.h"
#include "support/AuditBook.h"
#include "support/TestMain.h"
#include <QRandomGenerator>
#include <QSqlQuery>
#include <QSqlRecord>
#include <QVariant>

/// What verification says when somebody has had a hand in the file.
class ChainCheckTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void findsNothingInACleanChain();
    void hashesWhatIsCutDifferentlyDifferently();
    void hashesEveryField();
    void keepsLineBreaksAndFieldMarksInsideTheirField();
    void refusesToChangeOrRemoveEventsByOrdinarySql();
    void namesAnEdit_data();
    void namesAnEdit();
    void namesAnEditWhoseHashWasMadeToFit();
    void namesAChainThatWasWrittenAnewToItsEnd();
    void namesAGap();
    void namesAMissingBeginning();
    void namesAnotherOrder();
    void namesAnEventOfAnotherLog();
    void namesACutEnd();
    void namesACutEndThatWasMadeToFit();
    void namesACutEndAtTheNextStart();
    void namesAnOlderCopy();
    void namesAnOlderCopyThatHasGrown();
    void namesAnEmptiedFile();
    void namesAFalseListOfCalls_data();
    void namesAFalseListOfCalls();
    void namesFalseCountsOfCalls();
    void seesEveryFlippedByteThatMatters();

private:
    static constexpr auto free = "DROP TRIGGER IF EXISTS event_follows; DROP TRIGGER IF EXISTS event_stays; DROP "
                                 "TRIGGER IF EXISTS event_is_final";

    /// Fourteen events: four changes and two reads. The keychain knows the last one; nothing is open.
    static void fill(AuditBook &book)
    {
        QVERIFY(book.open());
        for (const auto *id : {"c1", "c2", "c3", "c4"})
            QVERIFY(book.change(id));
        QVERIFY(book.append(AuditBook::read("r1")));
        QVERIFY(book.append(AuditBook::read("r2")));
        book.shut();
    }
    static void tamper(const AuditBook &book, const QString &statements)
    {
        auto database = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
        QVERIFY(database);
        for (const auto &statement : (QLatin1String(free) + ";" + statements).split(';', Qt::SkipEmptyParts)) {
            const auto done = (*database)->run(statement);
            QVERIFY2(done, done ? "" : qPrintable(statement + ": " + done.error().detail));
        }
    }
    /// Writes the hashes from this event on anew, as somebody would who knows the form.
    static void makeFit(const AuditBook &book, qint64 from, qint64 to)
    {
        auto database = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
        QVERIFY(database);
        for (qint64 seq = from; seq <= to; ++seq) {
            auto query =
                (*database)->prepare(QString("SELECT %1 FROM event WHERE seq = %2").arg(Events::columns).arg(seq));
            QVERIFY(query && (*database)->run(*query) && query->next());
            auto link = Events::linkFrom(*query);
            query->finish();
            if (seq > from) {
                auto before = (*database)->value(QString("SELECT hash FROM event WHERE seq = %1").arg(seq - 1));
                link.previous = before->toByteArray();
            }
            auto update = (*database)->prepare("UPDATE event SET previous = ?, hash = ? WHERE seq = ?");
            update->bindValue(0, link.previous);
            update->bindValue(1, link.computedHash());
            update->bindValue(2, seq);
            QVERIFY((*database)->run(*update));
        }
    }
    static ChainReport verify(AuditBook &book)
    {
        auto report = await(book.query().verify());
        return report ? *report : ChainReport{.finding = "not read: " + report.error().message};
    }
};

#define NAMES(report, seq, words)                                                                                      \
    do {                                                                                                               \
        const ChainReport named = report;                                                                              \
        QVERIFY2(!named.isWhole && named.finding.contains(QLatin1String(words)), qPrintable(named.finding));           \
        QCOMPARE(named.firstBadSeq, qint64(seq));                                                                      \
    } while (false)

void ChainCheckTest::findsNothingInACleanChain()
{
    AuditBook book;
    fill(book);
    const auto report = verify(book);
    QVERIFY2(report.isWhole, qPrintable(report.finding));
    QCOMPARE(report.events, 14);
    QCOMPARE(report.firstBadSeq, 0);
    QVERIFY2(report.finding.contains("the one that the keychain remembers"), qPrintable(report.finding));
}

void ChainCheckTest::hashesWhatIsCutDifferentlyDifferently()
{
    const auto hash = [](const char *call, const char *kind, const char *body) {
        ChainLink link;
        link.event.callId = call;
        link.kind = kind;
        link.body = body;
        link.previous = QByteArray(32, '\0');
        return link.computedHash();
    };
    const QSet<QByteArray> all = {hash("a|b", "c", "{}"),  hash("a", "b|c", "{}"), hash("a|b|c", "", "{}"),
                                  hash("", "a|b|c", "{}"), hash("a", "b", "|c{}"), hash("ab", "c", "{}"),
                                  hash("a", "bc", "{}")};
    QCOMPARE(all.size(), 7);
}

void ChainCheckTest::hashesEveryField()
{
    ChainLink link;
    link.seq = 7;
    link.event = {.callId = "c1", .kind = AuditEvent::Kind::Intent, .wallMs = 1000, .utcOffset = 3600, .body = {}};
    link.kind = "intent";
    link.body = "{}";
    link.previous = QByteArray(32, '\1');
    QSet<QByteArray> all = {link.computedHash()};
    const auto changed = [&](auto change) {
        auto other = link;
        change(other);
        all.insert(other.computedHash());
    };
    changed([](ChainLink &l) { l.seq = 8; });
    changed([](ChainLink &l) { l.event.callId = "c2"; });
    changed([](ChainLink &l) { l.kind = "sent"; });
    changed([](ChainLink &l) { l.event.wallMs = 1001; });
    changed([](ChainLink &l) { l.event.utcOffset = -3600; });
    changed([](ChainLink &l) { l.body = "{ }"; });
    changed([](ChainLink &l) { l.previous[31] = '\2'; });
    QCOMPARE(all.size(), 8);
}

void ChainCheckTest::keepsLineBreaksAndFieldMarksInsideTheirField()
{
    AuditBook book;
    QVERIFY(book.open());
    auto event = AuditBook::intent("c1");
    const QString forged = "x\n{\"action\":\"approved\"}\0\",\"state\":\"done";
    event.body.insert("headline", forged);
    QVERIFY(book.append(event));
    QCOMPARE(book.row("c1").headline, forged);
    QCOMPARE(book.row("c1").state, CallState::Running);
    QCOMPARE(book.page().size(), 1);
    QVERIFY(verify(book).isWhole);
}

void ChainCheckTest::refusesToChangeOrRemoveEventsByOrdinarySql()
{
    AuditBook book;
    fill(book);
    auto database = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
    for (const auto *sql :
         {"UPDATE event SET body = '{}' WHERE seq = 3", "DELETE FROM event WHERE seq = 14", "DELETE FROM event",
          "INSERT OR REPLACE INTO event SELECT 3, call_id, kind, 0, 0, body, previous, hash FROM event WHERE seq = 3",
          "INSERT INTO event SELECT 16, call_id, kind, 0, 0, body, previous, hash FROM event WHERE seq = 3"})
        QVERIFY2(!(*database)->run(sql), sql);
    QVERIFY(verify(book).isWhole);
}

void ChainCheckTest::namesAnEdit_data()
{
    QTest::addColumn<QString>("sql");
    for (const auto *sql :
         {"call_id = 'c9'", "kind = 'outcome'", "wall_ms = wall_ms + 1", "utc_offset = utc_offset + 1",
          "body = CAST('{}' AS BLOB)", "body = CAST(replace(CAST(body AS TEXT), '4096', '4097') AS BLOB)",
          "body = CAST(CAST(body AS TEXT) || ' ' AS BLOB)", "previous = zeroblob(32)", "previous = x''",
          "hash = zeroblob(32)", "hash = x''"})
        QTest::newRow(sql) << QString(sql);
}

void ChainCheckTest::namesAnEdit()
{
    QFETCH(const QString, sql);
    AuditBook book;
    fill(book);
    tamper(book, "UPDATE event SET " + sql + " WHERE seq = 4");
    NAMES(verify(book), 4, "Event 4 was changed after it was written");
}

void ChainCheckTest::namesAnEditWhoseHashWasMadeToFit()
{
    AuditBook book;
    fill(book);
    tamper(book, "UPDATE event SET wall_ms = wall_ms - 1 WHERE seq = 5");
    makeFit(book, 5, 5);
    NAMES(verify(book), 6, "Event 6 does not follow event 5");
}

void ChainCheckTest::namesAChainThatWasWrittenAnewToItsEnd()
{
    AuditBook book;
    fill(book);
    tamper(book,
           "UPDATE event SET wall_ms = wall_ms - 1 WHERE seq = 5; UPDATE call SET at_ms = at_ms - 1 WHERE seq = 5");
    makeFit(book, 5, 14);
    NAMES(verify(book), 14, "the log was written anew");
    (void)await(book.secrets().remove("audit/head"));
    NAMES(verify(book), 14, "not the one that was noted with it");
}

void ChainCheckTest::namesAGap()
{
    AuditBook book;
    fill(book);
    tamper(book, "DELETE FROM event WHERE seq = 7");
    NAMES(verify(book), 7, "Event 7 is missing");
    tamper(book, "DELETE FROM event WHERE seq = 8");
    NAMES(verify(book), 7, "Events 7 to 8 are missing");
}

void ChainCheckTest::namesAMissingBeginning()
{
    AuditBook book;
    fill(book);
    tamper(book, "DELETE FROM event WHERE seq <= 3");
    NAMES(verify(book), 1, "Events 1 to 3 are missing");
}

void ChainCheckTest::namesAnotherOrder()
{
    AuditBook book;
    fill(book);
    tamper(book, "UPDATE event SET seq = -1 WHERE seq = 4; UPDATE event SET seq = 4 WHERE seq = 9; UPDATE event SET "
                 "seq = 9 WHERE seq = -1");
    NAMES(verify(book), 4, "Event 4 stands in the wrong place: it was written as event 9");
}

void ChainCheckTest::namesAnEventOfAnotherLog()
{
    AuditBook book, other;
    fill(book);
    fill(other);
    tamper(book, QString("ATTACH '%1' AS other; DELETE FROM event WHERE seq = 6; INSERT INTO event SELECT * FROM "
                         "other.event WHERE seq = 6")
                     .arg(other.file()));
    NAMES(verify(book), 6, "Event 6 does not follow event 5: one of them was exchanged or put in");
}

void ChainCheckTest::namesACutEnd()
{
    AuditBook book;
    fill(book);
    tamper(book, "DELETE FROM event WHERE seq > 10; DELETE FROM call WHERE seq > 10");
    NAMES(verify(book), 11,
          "The keychain remembers event 14, but the log ends with event 10. Events were removed from the end");
    (void)await(book.secrets().remove("audit/head"));
    NAMES(verify(book), 11, "4 event(s) were removed from the end");
}

void ChainCheckTest::namesACutEndThatWasMadeToFit()
{
    AuditBook book;
    fill(book);
    tamper(book, "DELETE FROM event WHERE seq > 12; DELETE FROM call WHERE seq > 12; "
                 "UPDATE tail SET seq = 12, count = 12, hash = (SELECT hash FROM event WHERE seq = 12); "
                 "DELETE FROM call_hour; INSERT INTO call_hour SELECT at_ms / 3600000, actor_kind, count(*) FROM call "
                 "GROUP BY 1, 2");
    NAMES(verify(book), 13, "The end was cut off, or the file was replaced by an older copy");
    (void)await(book.secrets().remove("audit/head"));
    const auto report = verify(book);
    QVERIFY(report.isWhole); // and this is why the keychain is asked
    QVERIFY2(report.finding.contains("The keychain holds no end of the log"), qPrintable(report.finding));
}

void ChainCheckTest::namesACutEndAtTheNextStart()
{
    AuditBook book;
    fill(book);
    tamper(book, "DELETE FROM event WHERE seq > 10; DELETE FROM call WHERE seq > 10");
    QVERIFY(book.open());
    QCOMPARE(book.log().anchor().state(), ChainAnchor::State::Broken);
    QVERIFY(book.append(AuditBook::intent("next"))); // the same place is taken by others now
    QCOMPARE(book.page({.text = "removed from the end"}).size(), 1);
    book.shut();
    NAMES(verify(book), 13, "The keychain remembers event 14, but the log ends with event 12");
}

static void copy(const QString &from, const QString &to)
{
    QFile::remove(to);
    QVERIFY(QFile::copy(from, to));
}

void ChainCheckTest::namesAnOlderCopy()
{
    AuditBook book;
    fill(book);
    const auto aside = book.path() + "/yesterday";
    copy(book.file(), aside);
    QVERIFY(book.open());
    QVERIFY(book.change("c9"));
    book.shut();
    copy(aside, book.file());
    NAMES(verify(book), 15,
          "The keychain remembers event 17, but the log ends with event 14. The end was cut off, or the file was "
          "replaced by an older copy.");
    QVERIFY(book.open());
    QCOMPARE(book.log().anchor().state(), ChainAnchor::State::Broken);
    QVERIFY2(book.log().anchor().finding().contains("event 17"), qPrintable(book.log().anchor().finding()));
}

void ChainCheckTest::namesAnOlderCopyThatHasGrown()
{
    AuditBook book;
    fill(book);
    const auto aside = book.path() + "/yesterday";
    copy(book.file(), aside);
    QVERIFY(book.open());
    QVERIFY(book.change("c8"));
    book.shut();
    copy(aside, book.file());
    QVERIFY(book.open());
    QVERIFY(book.change("c8"));
    QVERIFY(book.change("c9"));
    NAMES(verify(book), 17, "Event 17 is not the one that the keychain remembers");
    // A person who knows why says so; from then on the chain is trusted again, and the place is named.
    QVERIFY(await(book.log().anchorAnew("Restored from a backup")));
    const auto report = verify(book);
    QVERIFY2(report.isWhole && report.finding.contains("anchored anew at event 21"), qPrintable(report.finding));
    QVERIFY(book.reopen());
    QCOMPARE(book.log().anchor().state(), ChainAnchor::State::Kept);
}

void ChainCheckTest::namesAnEmptiedFile()
{
    AuditBook book;
    fill(book);
    QVERIFY(QFile::resize(book.file(), 0));
    QVERIFY(book.open());
    QCOMPARE(book.log().anchor().state(), ChainAnchor::State::Broken);
    NAMES(verify(book), 1, "The keychain remembers event 14, but the log ends with event 0");
}

void ChainCheckTest::namesAFalseListOfCalls_data()
{
    QTest::addColumn<QString>("sql");
    for (const auto *sql :
         {"UPDATE call SET headline = 'Nothing happened' WHERE call_id = 'c2'",
          "UPDATE call SET state = 'denied' WHERE call_id = 'c2'",
          "UPDATE call SET actor_kind = 'person', actor_id = '' WHERE call_id = 'c2'",
          "UPDATE call SET has_inverse = 0 WHERE call_id = 'c2'",
          "UPDATE call SET last_seq = last_seq + 1 WHERE call_id = 'c2'",
          "UPDATE call SET last_seq = 99 WHERE call_id = 'c2'", "DELETE FROM call WHERE call_id = 'c2'",
          "UPDATE call SET call_id = 'c0' WHERE call_id = 'c2'",
          "INSERT INTO call SELECT 99, 99, 'c99', at_ms, ended_ms, utc_offset, actor_kind, actor_id, actor_name, "
          "actor_session, actor_pid, "
          "actor_program, operation, effect, remote, target, target_label, headline, state, error, upid, reason, "
          "decision, has_inverse, "
          "claimed_by, undone_by, undoes, is_open FROM call WHERE call_id = 'c2'"})
        QTest::newRow(sql) << QString(sql);
}

void ChainCheckTest::namesAFalseListOfCalls()
{
    QFETCH(const QString, sql);
    AuditBook book;
    fill(book);
    tamper(book, sql);
    const auto report = verify(book);
    QVERIFY2(!report.isWhole && report.finding.contains("the list was changed"), qPrintable(report.finding));
    auto database = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
    QVERIFY(CallTable::rebuild(**database));
    QVERIFY(verify(book).isWhole);
}

void ChainCheckTest::namesFalseCountsOfCalls()
{
    for (const auto *sql :
         {"UPDATE call_hour SET calls = calls + 1", "DELETE FROM call_hour", "UPDATE call_hour SET hour = hour + 1",
          "UPDATE call_hour SET actor_kind = 'person'", "INSERT INTO call_hour VALUES (1, 'agent', 1)"}) {
        AuditBook book;
        fill(book);
        tamper(book, sql);
        NAMES(verify(book), 0, "The counts of calls by the hour do not agree");
    }
}

/// All that the file says, as text; empty if it cannot be read.
static QByteArray everything(const QString &file)
{
    auto database = Database::open(file, ":/migrations/audit", Database::Access::Read);
    if (!database)
        return {};
    QByteArray all;
    for (const auto *sql :
         {"SELECT * FROM event ORDER BY +seq", "SELECT * FROM call ORDER BY +seq", "SELECT * FROM tail"}) {
        auto query = (*database)->prepare(sql);
        if (!query || !(*database)->run(*query))
            return {};
        while (query->next())
            for (int i = 0; i < query->record().count(); ++i)
                all += query->value(i).toByteArray() + '\x1f';
        if (!(*database)->ended(*query))
            return {};
    }
    return all;
}

void ChainCheckTest::seesEveryFlippedByteThatMatters()
{
    AuditBook book;
    fill(book);
    QFile file(book.file());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto sound = file.readAll();
    file.close();
    const auto told = everything(book.file());
    QVERIFY(!told.isEmpty());
    QRandomGenerator random(4711);
    const int rounds = qEnvironmentVariableIsSet("LABHELM_LONG") ? 2000 : 200;
    int refused = 0, named = 0, harmless = 0;
    for (int i = 0; i < rounds; ++i) {
        auto broken = sound;
        const auto at = random.bounded(int(broken.size()));
        broken[at] = char(broken[at] ^ (1 << random.bounded(8)));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(broken) == broken.size());
        file.close();
        book.shut();
        if (const auto opened = book.open(); !opened) {
            ++refused;
            QVERIFY2(!opened.error().message.isEmpty() && opened.error().kind == Error::Kind::Unavailable,
                     qPrintable(opened.error().message));
            continue;
        }
        if (!verify(book).isWhole) {
            ++named;
            continue;
        }
        ++harmless; // unused room in a page, a counter of the header
        QVERIFY2(everything(book.file()) == told, qPrintable(QString("byte %1 of %2").arg(at).arg(sound.size())));
    }
    qInfo("%d flips: %d refused at start, %d named by verification, %d changed nothing that is read", rounds, refused,
          named, harmless);
    QVERIFY(refused > 0 && named > 0);
}

LABHELM_TEST(ChainCheckTest)
#include "ChainCheckTest.moc"
