#include "mcp/LineFraming.h"
#include "support/TestMain.h"
#include <QRandomGenerator>

/// Lines out of bytes that come cut anywhere.
class LineFramingTest : public QObject
{
    Q_OBJECT

    static QByteArrayList linesOf(LineFraming &framing)
    {
        QByteArrayList lines;
        while (const auto line = framing.next())
            lines << *line;
        return lines;
    }

private Q_SLOTS:
    void givesTheSameLinesWhereverTheBytesAreCut()
    {
        const QByteArray stream("{\"a\":\"\xe2\x80\xa8\"}\n\r\n  \n{\"b\":\"\xf0\x9f\x98\x80\"}\r\n\n[1]\nrest");
        const QByteArrayList wanted{"{\"a\":\"\xe2\x80\xa8\"}", "{\"b\":\"\xf0\x9f\x98\x80\"}", "[1]"};
        for (qsizetype first = 0; first <= stream.size(); ++first) {
            for (qsizetype second = first; second <= stream.size(); ++second) {
                LineFraming framing;
                QByteArrayList lines;
                for (const auto &piece : {stream.left(first), stream.mid(first, second - first), stream.mid(second)}) {
                    framing.feed(piece);
                    lines << linesOf(framing);
                }
                QCOMPARE(lines, wanted);
                QCOMPARE(framing.size(), 4);
            }
        }
    }

    void survivesRandomPiecesOfRandomLines()
    {
        QRandomGenerator random(20261130);
        for (int round = 0; round < 200; ++round) {
            QByteArrayList wanted;
            QByteArray stream;
            for (int line = 0; line < 20; ++line) {
                QByteArray text(random.bounded(1, 300), 'x');
                for (auto &c : text)
                    c = char(random.bounded(33, 256));
                wanted << text;
                stream += text + (random.bounded(2) ? "\n" : "\r\n");
            }
            LineFraming framing;
            QByteArrayList lines;
            for (qsizetype at = 0; at < stream.size();) {
                const auto size = random.bounded(1, 700);
                framing.feed(stream.mid(at, size));
                at += size;
                lines << linesOf(framing);
            }
            QCOMPARE(lines, wanted);
        }
    }

    void splitsAtNothingButALineFeed()
    {
        LineFraming framing;
        const QByteArray line("a\xe2\x80\xa8"
                              "b\xe2\x80\xa9"
                              "c\x0b"
                              "d\x0c"
                              "e\xc2\x85"
                              "f\rg");
        framing.feed(line + '\n');
        QCOMPARE(linesOf(framing), QByteArrayList{line});
    }

    void takesALineOfExactlyTheCapAndRefusesOneMore()
    {
        LineFraming exact(100);
        exact.feed(QByteArray(100, 'x') + '\n');
        QCOMPARE(linesOf(exact).size(), 1);
        QVERIFY(!exact.overflowed());
        LineFraming beyond(100);
        beyond.feed(QByteArray(101, 'x') + '\n');
        QVERIFY(!beyond.next());
        QVERIFY(beyond.overflowed());
    }

    void holdsNoMoreThanTheCapOfALineWithoutEnd()
    {
        LineFraming framing(4096);
        for (int i = 0; i < 1000; ++i) {
            framing.feed(QByteArray(512, 'x'));
            QVERIFY(!framing.next());
            QVERIFY(framing.size() <= 4096 + 512 || framing.overflowed());
            if (framing.overflowed())
                break;
        }
        QVERIFY(framing.overflowed());
        QCOMPARE(framing.size(), 0);
    }
};

LABHELM_TEST(LineFramingTest)
#include "LineFramingTest.moc"
