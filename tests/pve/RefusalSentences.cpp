#include "pve/AnswerReader.h"
#include "support/TestMain.h"

namespace
{
struct Row {
    QByteArray method, reason, body;
    int status = 0;
};

QList<QByteArray> linesOf(const char *name)
{
    QFile file(QStringLiteral(LABHELM_TEST_DATA "/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s can't be read", name);
    auto lines = file.readAll().split('\n');
    lines.removeIf([](const QByteArray &line) { return line.isEmpty() || line.startsWith('#'); });
    return lines;
}

Error errorFor(const Row &row)
{
    const auto method = row.method == "GET"    ? Method::Get
                        : row.method == "PUT"  ? Method::Put
                        : row.method == "POST" ? Method::Post
                                               : Method::Delete;
    const ApiRequest request{method, {QStringLiteral("nodes"), QStringLiteral("pve1")}};
    const HttpAnswer answer{row.status, QString::fromUtf8(row.reason), row.body, "", QStringLiteral("pve1:8006")};
    const auto told = AnswerReader::read(request, answer);
    return told ? Error{Error::Kind::Internal, QStringLiteral("no refusal")} : told.error();
}

QByteArray sentence(const Error &error)
{
    auto text = error.message;
    return error.code().toUtf8() + '\t' + text.replace(u'\n', QLatin1String("\\n")).toUtf8();
}
}

/// Each refusal that a live cluster was heard to give, and the sentence that a person reads then. The sentences were
/// read one by one; when words change, they are read again: LABHELM_SENTENCES=FILE writes what is said now.
class RefusalSentences : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sayWhatWasAgreed_data();
    void sayWhatWasAgreed();
    void showNoInsides_data() { sayWhatWasAgreed_data(); }
    void showNoInsides();
};

void RefusalSentences::sayWhatWasAgreed_data()
{
    QTest::addColumn<Row>("row");
    QTest::addColumn<QByteArray>("expected");
    const auto recorded = linesOf("recorded-refusals.tsv");
    const auto agreed = linesOf("refusal-sentences.tsv");
    QFile out(qEnvironmentVariable("LABHELM_SENTENCES"));
    const bool isWriting = !out.fileName().isEmpty() && out.open(QIODevice::WriteOnly);
    for (qsizetype i = 0; i < recorded.size(); ++i) {
        const auto cells = recorded[i].split('\t');
        const Row row{cells.value(0), cells.value(2), cells.value(3), cells.value(1).toInt()};
        if (isWriting)
            out.write(sentence(errorFor(row)) + '\n');
        QTest::addRow("%d: %s %d %s", int(i + 1), row.method.constData(), row.status, row.reason.left(60).constData())
            << row << agreed.value(i);
    }
}

void RefusalSentences::sayWhatWasAgreed()
{
    QFETCH(Row, row);
    QTEST(sentence(errorFor(row)), "expected");
}

/// No file and line of the server's code, no empty end, no status number where words are.
void RefusalSentences::showNoInsides()
{
    QFETCH(Row, row);
    const auto error = errorFor(row);
    QVERIFY2(!error.message.contains(QLatin1String("/usr/share")), qPrintable(error.message));
    QVERIFY2(!error.message.contains(QLatin1String("in schema")), qPrintable(error.message));
    QVERIFY2(!error.message.contains(QLatin1String("enumeration")), qPrintable(error.message));
    QVERIFY2(error.message == error.message.trimmed() && error.message.size() > 12, qPrintable(error.message));
    QVERIFY2(error.detail.contains(QString::number(row.status)), qPrintable(error.detail));
}

Q_DECLARE_METATYPE(Row)
LABHELM_TEST(RefusalSentences)
#include "RefusalSentences.moc"
