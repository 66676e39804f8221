#include "widgets/MarkdownView.h"
#include "support/TestMain.h"
#include <QTextBlock>
#include <QTextDocument>

/// Notes from outside, formatted without danger.
class MarkdownViewTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void formatsMarkdown();
    void showsHtmlAsText();
    void loadsNothing();
    void makesInvisibleCharactersVisible();
    void opensNoLinks();
};

void MarkdownViewTest::formatsMarkdown()
{
    MarkdownView view;
    view.setNotes(QStringLiteral("**Never** delete"));
    QCOMPARE(view.toPlainText(), QStringLiteral("Never delete"));
    QVERIFY(view.toHtml().contains(QLatin1String("font-weight")));
}

void MarkdownViewTest::showsHtmlAsText()
{
    MarkdownView view;
    view.setNotes(QStringLiteral("<b>bold</b> <script>x</script>"));
    QVERIFY2(view.toPlainText().contains(QLatin1String("<b>bold</b>")), qPrintable(view.toPlainText()));
}

void MarkdownViewTest::loadsNothing()
{
    MarkdownView view;
    view.setNotes(QStringLiteral("![](file:///etc/hostname) ![](https://example.org/x.png)"));
    QVERIFY(!view.loadResource(QTextDocument::ImageResource, QUrl(QStringLiteral("file:///etc/hostname"))).isValid());
}

void MarkdownViewTest::makesInvisibleCharactersVisible()
{
    MarkdownView view;
    view.setNotes(QStringLiteral("a\u202Eb"));
    QVERIFY(!view.toPlainText().contains(QChar(0x202E)));
}

void MarkdownViewTest::opensNoLinks()
{
    MarkdownView view;
    QVERIFY(!view.openLinks() && !view.openExternalLinks());
}

LABHELM_TEST(MarkdownViewTest)
#include "MarkdownViewTest.moc"
