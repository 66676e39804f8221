#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QCryptographicHash>
#include <QJsonArray>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/// Files come onto storages by upload and download, and go; backups are kept by notes, protection and pruning.
class StorageContentTest : public QObject
{
    Q_OBJECT

    RawAnswer upload(const QByteArray &where, const QList<QPair<QByteArray, QByteArray>> &fields,
                     const QByteArray &name, const QByteArray &file, const QByteArray &part = "filename");
    QString ended(const QString &upid)
    {
        m_cluster->advance(10min);
        const auto *task = m_cluster->world().task(upid);
        return task ? task->exitStatus : u"no task"_s;
    }
    QStringList content(const QByteArray &where)
    {
        QStringList ids;
        for (const auto &row : m_cluster->data("GET " + where).toArray())
            ids.append(row["volid"_L1].toString());
        return ids;
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void anUploadAppearsInTheContent();
    void aWrongChecksumFailsTheTaskAndLeavesNothing();
    void uploadsAreRefusedBeforeTheirBody();
    void whatIsNoFormGetsNoAnswer();
    void theFilePartHasOneName();
    void whatFollowsTheFileIsNotRead();
    void anUploadToAnotherNodeRunsHere();
    void aDownloadAppearsWhenItIsOver();
    void aDownloadedFileIsCheckedWhenItsBytesAreKnown();
    void nothingIsFetchedFromThisMachine();
    void aDeletedVolumeIsGoneWhenTheTaskIsOver();
    void aProtectedBackupStays();
    void onlyBackupsHaveNotes();
    void pruningKeepsWhatPveKeeps();
    void prunedBackupsAreGoneAndProtectedOnesStay();
    void aStorageIsDefinedChangedAndRemoved();
    void unknownContentTypesAreRefused();
    void aVolumeIsMadeOnce();
};

RawAnswer StorageContentTest::upload(const QByteArray &where, const QList<QPair<QByteArray, QByteArray>> &fields,
                                     const QByteArray &name, const QByteArray &file, const QByteArray &part)
{
    QByteArray body;
    for (const auto &[key, value] : fields)
        body += "--mark\r\nContent-Disposition: form-data; name=\"" + key + "\"\r\n\r\n" + value + "\r\n";
    body += "--mark\r\nContent-Disposition: form-data; name=\"" + part + "\"; filename=\"" + name + "\"\r\n\r\n" +
            file + "\r\n--mark--\r\n";
    return RawClient(m_cluster->port)
        .exchange("POST /api2/json" + where +
                  " HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + Homelab::authorization(m_cluster->token) +
                  "\r\nContent-Type: multipart/form-data; boundary=mark\r\n" +
                  "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
}

void StorageContentTest::anUploadAppearsInTheContent()
{
    const QByteArray file(700'000, 'x');
    const auto sum = QCryptographicHash::hash(file, QCryptographicHash::Sha256).toHex();
    const auto answer =
        upload("/nodes/pve1/storage/local/upload",
               {{"content", "iso"}, {"checksum-algorithm", "sha256"}, {"checksum", sum}}, "my file.iso", file);
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.all("Connection"), QList<QByteArray>{"close"});
    QVERIFY(!content("/nodes/pve1/storage/local/content").contains(u"local:iso/my_file.iso"_s));
    QCOMPARE(ended(answer.json()["data"_L1].toString()), u"OK"_s);
    QVERIFY(content("/nodes/pve1/storage/local/content?content=iso").contains(u"local:iso/my_file.iso"_s));
    const auto one = m_cluster->data("GET /nodes/pve1/storage/local/content/local%3Aiso%2Fmy_file.iso");
    QCOMPARE(one["size"_L1].toInteger(), 700'000);
    QCOMPARE(one["path"_L1].toString(), u"/var/lib/vz/template/iso/my_file.iso"_s);
}

void StorageContentTest::aWrongChecksumFailsTheTaskAndLeavesNothing()
{
    const auto answer =
        upload("/nodes/pve1/storage/local/upload",
               {{"content", "iso"}, {"checksum-algorithm", "md5"}, {"checksum", QByteArray(32, '0')}}, "a.iso", "abc");
    QCOMPARE(answer.status, 200);
    QCOMPARE(ended(answer.json()["data"_L1].toString()),
             u"checksum mismatch: got '900150983cd24fb0d6963f7d28e17f72' != expect '%1'"_s.arg(QString(32, u'0')));
    QVERIFY(!content("/nodes/pve1/storage/local/content").contains(u"local:iso/a.iso"_s));
}

// A35
void StorageContentTest::uploadsAreRefusedBeforeTheirBody()
{
    m_cluster->token = u"auditor@pve!view"_s;
    // A body is announced and never comes; the answer does not wait for it.
    const auto answer = RawClient(m_cluster->port)
                            .exchange("POST /api2/json/nodes/pve1/storage/local/upload HTTP/1.1\r\nHost: localhost\r\n"
                                      "Authorization: " +
                                      Homelab::authorization(m_cluster->token) +
                                      "\r\nContent-Type: multipart/form-data; boundary=mark\r\n"
                                      "Content-Length: 5000000000\r\n\r\n");
    QCOMPARE(answer.status, 403);
    QCOMPARE(answer.reason, QByteArray("Permission check failed (/storage/local, Datastore.AllocateTemplate)"));
    QVERIFY(answer.body.isEmpty());
    QVERIFY(answer.closed);
}

void StorageContentTest::whatIsNoFormGetsNoAnswer()
{
    const auto answer = m_cluster->call("POST /nodes/pve1/storage/local/upload", "content=iso&filename=a.iso");
    QVERIFY(answer.nothing);
    QVERIFY(answer.closed);
}

void StorageContentTest::theFilePartHasOneName()
{
    const auto answer = upload("/nodes/pve1/storage/local/upload", {{"content", "iso"}}, "a.iso", "abc", "file");
    QCOMPARE(answer.status, 500);
    QVERIFY(answer.reason.startsWith("wrong field name 'file' for file upload, expected 'filename'"));
    QCOMPARE(upload("/nodes/pve1/storage/local/upload", {{"content", "iso"}}, "a.txt", "abc")
                 .json()["errors"_L1]["filename"_L1],
             QJsonValue(u"wrong file extension"_s));
}

void StorageContentTest::whatFollowsTheFileIsNotRead()
{
    const auto answer = upload("/nodes/pve1/storage/local/upload", {}, "a.iso",
                               "abc\r\n--mark\r\nContent-Disposition: form-data; name=\"content\"\r\n\r\niso");
    QCOMPARE(answer.status, 400);
    QVERIFY(answer.json()["errors"_L1].toObject().contains("content"_L1));
}

void StorageContentTest::anUploadToAnotherNodeRunsHere()
{
    const auto answer = upload("/nodes/pve2/storage/local/upload", {{"content", "iso"}}, "b.iso", "abc");
    const auto upid = answer.json()["data"_L1].toString();
    QVERIFY(upid.startsWith(u"UPID:pve1:"_s));
    QCOMPARE(ended(upid), u"OK"_s);
    QVERIFY(content("/nodes/pve2/storage/local/content").contains(u"local:iso/b.iso"_s));
    QVERIFY(!content("/nodes/pve1/storage/local/content").contains(u"local:iso/b.iso"_s));
}

void StorageContentTest::aDownloadAppearsWhenItIsOver()
{
    const auto upid = m_cluster
                          ->data("POST /nodes/pve1/storage/local/download-url",
                                 "content=iso&filename=net.iso&url=https%3A%2F%2Fexample.test%2Fnet.iso")
                          .toString();
    m_cluster->advance(1s);
    QVERIFY(!content("/nodes/pve1/storage/local/content").contains(u"local:iso/net.iso"_s));
    QCOMPARE(ended(upid), u"OK"_s);
    QVERIFY(content("/nodes/pve1/storage/local/content").contains(u"local:iso/net.iso"_s));
}

void StorageContentTest::aDownloadedFileIsCheckedWhenItsBytesAreKnown()
{
    m_cluster->world().webFiles[u"https://example.test/known.iso"_s] = "abc";
    const QByteArray form = "content=iso&filename=known.iso&url=https%3A%2F%2Fexample.test%2Fknown.iso"
                            "&checksum-algorithm=md5&checksum=";
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/storage/local/download-url", form + QByteArray(32, '1')),
             u"checksum mismatch: got '900150983cd24fb0d6963f7d28e17f72' != expect '%1'"_s.arg(QString(32, u'1')));
    QCOMPARE(
        m_cluster->outcome("POST /nodes/pve1/storage/local/download-url", form + "900150983cd24fb0d6963f7d28e17f72"),
        u"OK"_s);
}

void StorageContentTest::nothingIsFetchedFromThisMachine()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/storage/local/download-url",
                                "content=iso&filename=x.iso&url=http%3A%2F%2F127.0.0.1%3A1%2Fx.iso"),
             u"download failed: Connecting to 127.0.0.1:1... failed: Connection refused."_s);
}

void StorageContentTest::aDeletedVolumeIsGoneWhenTheTaskIsOver()
{
    const QByteArray iso = "/nodes/pve1/storage/local/content/local%3Aiso%2Fdebian-12.7.0-amd64-netinst.iso";
    QCOMPARE(m_cluster->outcome("DELETE " + iso), u"OK"_s);
    QVERIFY(!content("/nodes/pve1/storage/local/content").contains(u"local:iso/debian-12.7.0-amd64-netinst.iso"_s));
    // The other node has its own.
    QVERIFY(content("/nodes/pve2/storage/local/content").contains(u"local:iso/debian-12.7.0-amd64-netinst.iso"_s));
}

void StorageContentTest::aProtectedBackupStays()
{
    const auto id = content("/nodes/pve1/storage/nas-backup/content?vmid=105").first();
    const auto path = "/nodes/pve1/storage/nas-backup/content/" + id.toLatin1().toPercentEncoding();
    QCOMPARE(m_cluster->call("PUT " + path, "protected=1&notes=keep").status, 200);
    QCOMPARE(m_cluster->outcome("DELETE " + path),
             u"cannot remove protected volume '%1' on 'nas-backup'"_s.arg(id.section(u':', 1)));
    QCOMPARE(m_cluster->data("GET " + path)["notes"_L1].toString(), u"keep"_s);
    QCOMPARE(m_cluster->call("PUT " + path, "protected=0").status, 200);
    QCOMPARE(m_cluster->outcome("DELETE " + path), u"OK"_s);
}

void StorageContentTest::onlyBackupsHaveNotes()
{
    QCOMPARE(
        m_cluster
            ->call("PUT /nodes/pve1/storage/local/content/local%3Aiso%2Fdebian-12.7.0-amd64-netinst.iso", "notes=x")
            .reason,
        QByteArray("only backups can have notes"));
}

void StorageContentTest::pruningKeepsWhatPveKeeps()
{
    const auto rows =
        m_cluster
            ->data("GET /nodes/pve1/storage/nas-backup/prunebackups?vmid=105&prune-backups=keep-last%3D2%2C"
                   "keep-weekly%3D1")
            .toArray();
    QMap<QString, int> marks;
    qint64 newestGone = 0;
    qint64 oldestLast = std::numeric_limits<qint64>::max();
    for (const auto &row : rows) {
        const auto mark = row["mark"_L1].toString();
        ++marks[mark];
        if (mark == "remove"_L1)
            newestGone = std::max(newestGone, row["ctime"_L1].toInteger());
        if (mark == "keep"_L1)
            oldestLast = std::min(oldestLast, row["ctime"_L1].toInteger());
    }
    QVERIFY(rows.size() >= 6);
    QCOMPARE(marks.value(u"protected"_s), 1);
    QVERIFY(marks.value(u"keep"_s) >= 2 && marks.value(u"keep"_s) <= 3);
    QCOMPARE(marks.value(u"remove"_s), rows.size() - 1 - marks.value(u"keep"_s));
    QVERIFY(newestGone > 0);
    QVERIFY(marks.value(u"keep"_s) == 3 || newestGone < oldestLast);
}

void StorageContentTest::prunedBackupsAreGoneAndProtectedOnesStay()
{
    QCOMPARE(
        m_cluster->outcome("DELETE /nodes/pve1/storage/nas-backup/prunebackups?vmid=105&prune-backups=keep-last%3D1"),
        u"OK"_s);
    QCOMPARE(content("/nodes/pve1/storage/nas-backup/content?vmid=105").size(), 2);
    QVERIFY(content("/nodes/pve1/storage/nas-backup/content?vmid=101").size() > 5);
}

void StorageContentTest::aStorageIsDefinedChangedAndRemoved()
{
    QCOMPARE(m_cluster->call("POST /storage", "storage=new1&type=dir&path=%2Fsrv%2Fx&content=iso").status, 200);
    QCOMPARE(m_cluster->call("POST /storage", "storage=new1&type=dir&path=%2Fsrv%2Fx").reason,
             QByteArray("create storage failed: storage ID 'new1' already defined"));
    QCOMPARE(m_cluster->call("PUT /storage/new1", "content=iso%2Cbackup&disable=1").status, 200);
    const auto one = m_cluster->data("GET /storage/new1");
    QCOMPARE(one["content"_L1].toString(), u"iso,backup"_s);
    QCOMPARE(one["disable"_L1].toInt(), 1);
    QCOMPARE(m_cluster->call("DELETE /storage/new1").status, 200);
    QCOMPARE(m_cluster->call("GET /storage/new1").status, 500);
    QCOMPARE(m_cluster->call("POST /storage", "storage=new2&type=nfs&server=nas.test").reason,
             QByteArray("missing value for required option 'export'"));
}

void StorageContentTest::unknownContentTypesAreRefused()
{
    QCOMPARE(m_cluster->call("PUT /storage/local", "content=cows").json()["errors"_L1]["content"_L1],
             QJsonValue(u"invalid format - invalid content type 'cows'\n"_s));
}

void StorageContentTest::aVolumeIsMadeOnce()
{
    const QByteArray form = "vmid=110&filename=vm-110-extra&size=2G";
    QCOMPARE(m_cluster->data("POST /nodes/pve1/storage/local-zfs/content", form).toString(),
             u"local-zfs:vm-110-extra"_s);
    QCOMPARE(m_cluster->call("POST /nodes/pve1/storage/local-zfs/content", form).reason,
             QByteArray("disk image '/dev/zvol/rpool/data/vm-110-extra' already exists"));
}

LABHELM_TEST(StorageContentTest)
#include "StorageContentTest.moc"
