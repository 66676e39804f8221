#include "base/DisplayText.h"
#include "support/TestMain.h"

/// Nothing from outside can hide, move or erase what stands beside it.
class DisplayTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesOutWhatCannotBeSeen_data();
    void writesOutWhatCannotBeSeen();
    void leavesOrdinaryTextAlone_data();
    void leavesOrdinaryTextAlone();
    void keepsLineBreaksOnlyWhereAsked();
    void showsEveryControlAndBidiMark();
    void noticesMixedScripts_data();
    void noticesMixedScripts();
};

void DisplayTextTest::writesOutWhatCannotBeSeen_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::newRow("terminal escape") << QStringLiteral("\x1b[2K\x1b[1ADELETE")
                                     << QStringLiteral("\\x1b[2K\\x1b[1ADELETE");
    QTest::newRow("right-to-left override") << QStringLiteral(u"prod\u202Edbt") << QStringLiteral("prod<U+202E>dbt");
    QTest::newRow("zero-width space") << QStringLiteral(u"we\u200Bb") << QStringLiteral("we<U+200B>b");
    QTest::newRow("byte order mark") << QStringLiteral(u"\uFEFFweb") << QStringLiteral("<U+FEFF>web");
    QTest::newRow("line separator") << QStringLiteral(u"a\u2028b") << QStringLiteral("a<U+2028>b");
    QTest::newRow("tag letters") << QString::fromUcs4(U"a\U000E0041") << QStringLiteral("a<U+E0041>");
    QTest::newRow("hangul filler") << QStringLiteral(u"a\u3164") << QStringLiteral("a<U+3164>");
    QTest::newRow("blank braille") << QStringLiteral(u"a\u2800") << QStringLiteral("a<U+2800>");
    QTest::newRow("mongolian selector") << QStringLiteral(u"a\u180B") << QStringLiteral("a<U+180B>");
    QTest::newRow("soft hyphen") << QStringLiteral(u"a\u00ADb") << QStringLiteral("a<U+00AD>b");
    QTest::newRow("NUL") << (QStringLiteral("a") + QChar(u'\0')) << QStringLiteral("a\\x00");
    QTest::newRow("DEL") << QStringLiteral("a\x7f") << QStringLiteral("a\\x7f");
    QTest::newRow("C1") << QStringLiteral(u"a\u009B") << QStringLiteral("a\\x9b");
    QTest::newRow("lone high surrogate") << (QStringLiteral("a") + QChar(0xD800)) << QStringLiteral("a<U+D800>");
    QTest::newRow("lone low surrogate") << (QChar(0xDC00) + QStringLiteral("a")) << QStringLiteral("<U+DC00>a");
    QTest::newRow("private use") << QStringLiteral(u"\uE000") << QStringLiteral("<U+E000>");
}

void DisplayTextTest::writesOutWhatCannotBeSeen()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(DisplayText::visible(text), shown);
    QCOMPARE(DisplayText::visible(text, true), shown);
}

void DisplayTextTest::leavesOrdinaryTextAlone_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("latin") << QStringLiteral(u"jellyfin – März, ‘quoted’");
    QTest::newRow("arabic") << QStringLiteral(u"\u062E\u0627\u062F\u0645 \u0627\u0644\u0648\u064A\u0628");
    QTest::newRow("japanese") << QStringLiteral(u"\u30B5\u30FC\u30D0\u30FC\u672C\u756A");
    QTest::newRow("combining accent") << QStringLiteral(u"e\u0301");
    QTest::newRow("emoji") << QString::fromUcs4(U"\U0001F5A5");
    QTest::newRow("markup") << QStringLiteral("<b>web</b> & <img src=file:>");
}

void DisplayTextTest::leavesOrdinaryTextAlone()
{
    QFETCH(QString, text);
    QCOMPARE(DisplayText::visible(text), text);
}

void DisplayTextTest::keepsLineBreaksOnlyWhereAsked()
{
    const auto text = QStringLiteral("one\r\n\ttwo\nthree\rfour");
    QCOMPARE(DisplayText::visible(text), QStringLiteral("one\\x0d\\x0a\\x09two\\x0athree\\x0dfour"));
    QCOMPARE(DisplayText::visible(text, true), QStringLiteral("one\n\ttwo\nthree\\x0dfour"));
}

void DisplayTextTest::showsEveryControlAndBidiMark()
{
    QList<char16_t> marks{0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C,
                          0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069};
    for (char16_t code = 0; code < 0xA0; ++code)
        if (code < 0x20 || code >= 0x7F)
            marks.append(code);
    for (const auto mark : marks) {
        const auto shown = DisplayText::visible(QString(QChar(mark)));
        QVERIFY2(!shown.contains(QChar(mark)) && shown.size() >= 4, qPrintable(QString::number(mark, 16)));
    }
}

void DisplayTextTest::noticesMixedScripts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("mixed");
    QTest::newRow("latin") << QStringLiteral("prod-web 1") << false;
    QTest::newRow("cyrillic o") << QStringLiteral(u"pr\u043Ed") << true;
    QTest::newRow("cyrillic r in front") << QStringLiteral(u"\u0440rod") << true;
    QTest::newRow("across a digit") << QStringLiteral(u"web1\u043E") << true;
    QTest::newRow("greek") << QStringLiteral(u"w\u03B5b") << true;
    QTest::newRow("two words") << QStringLiteral(u"web-\u0441\u0435\u0440\u0432\u0435\u0440") << false;
    QTest::newRow("arabic") << QStringLiteral(u"\u062E\u0627\u062F\u0645 web") << false;
    QTest::newRow("japanese with latin") << QStringLiteral(u"web\u30B5\u30FC\u30D0\u30FC") << false;
    QTest::newRow("accent") << QStringLiteral(u"me\u0301dia") << false;
    QTest::newRow("empty") << QString() << false;
}

void DisplayTextTest::noticesMixedScripts()
{
    QFETCH(QString, text);
    QFETCH(bool, mixed);
    QCOMPARE(DisplayText::mixesScripts(text), mixed);
}

LABHELM_TEST(DisplayTextTest)
#include "DisplayTextTest.moc"
