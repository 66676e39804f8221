#include "operations/OperationForm.h"
#include "operations/Catalogue.h"
#include "operations/OperationAction.h"
#include "operations/UndoMark.h"
#include "support/TestMain.h"
#include <QCheckBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>

/// Forms and menu entries made from declarations.
class OperationFormTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void offersEveryParameterThatIsNotGivenAlready();
    void leavesOutWhatIsNotGiven();
    void tellsZeroFromAbsent();
    void sendsOnlyWhatWasChanged();
    void knowsWhatWasEmptied();
    void givesBackWhatTheCatalogueAccepts();
    void refusesAWrongNumberByItsName();
    void everyFieldHasAnAccessibleName();
    void everyActionShowsWhatUndoesIt();

private:
    const Operation &operation(const char *id) const { return *m_catalogue.find(QLatin1String(id)); }
    static QLineEdit *line(const OperationForm &form, const char *name)
    {
        return qobject_cast<QLineEdit *>(form.field(QLatin1String(name)));
    }
    Catalogue m_catalogue;
    const QJsonObject m_guest{{QStringLiteral("guest"), QStringLiteral("homelab:104")}};
};

void OperationFormTest::offersEveryParameterThatIsNotGivenAlready()
{
    const OperationForm form(operation("snapshot.create"), m_guest, {QStringLiteral("include_memory")});
    QVERIFY(form.field(QStringLiteral("name")));
    QVERIFY(qobject_cast<QPlainTextEdit *>(form.field(QStringLiteral("description"))));
    QVERIFY(!form.field(QStringLiteral("guest")));
    QVERIFY(!form.field(QStringLiteral("include_memory")));
}

void OperationFormTest::leavesOutWhatIsNotGiven()
{
    const OperationForm form(operation("guest.config.set"), m_guest);
    QCOMPARE(form.arguments(), m_guest);
}

void OperationFormTest::tellsZeroFromAbsent()
{
    const OperationForm form(operation("guest.config.set"), m_guest);
    QTest::keyClicks(line(form, "balloon"), QStringLiteral("0"));
    QCOMPARE(form.arguments()[QStringLiteral("balloon")], QJsonValue(0));
    QVERIFY(!form.arguments().contains(QStringLiteral("memory")));
}

void OperationFormTest::sendsOnlyWhatWasChanged()
{
    OperationForm form(operation("guest.config.set"), m_guest);
    form.setPresent(QStringLiteral("memory"), QStringLiteral("4096")); // PVE sends it as text
    form.setPresent(QStringLiteral("cores"), 4);
    form.setPresent(QStringLiteral("onboot"), true);
    QCOMPARE(form.arguments(true), m_guest);
    QSignalSpy edited(&form, &OperationForm::edited);
    line(form, "memory")->clear();
    QTest::keyClicks(line(form, "memory"), QStringLiteral("6144"));
    QVERIFY(!edited.isEmpty());
    auto wanted = m_guest;
    wanted.insert(QStringLiteral("memory"), 6144);
    QCOMPARE(form.arguments(true), wanted);
    qobject_cast<QCheckBox *>(form.field(QStringLiteral("onboot")))->click();
    wanted.insert(QStringLiteral("onboot"), false);
    QCOMPARE(form.arguments(true), wanted);
}

void OperationFormTest::knowsWhatWasEmptied()
{
    OperationForm form(operation("guest.config.set"), m_guest);
    form.setPresent(QStringLiteral("cpulimit"), 2.5);
    QVERIFY(form.emptied().isEmpty());
    line(form, "cpulimit")->clear();
    QCOMPARE(form.emptied(), QStringList{QStringLiteral("cpulimit")});
    QCOMPARE(form.arguments(true), m_guest);
}

void OperationFormTest::givesBackWhatTheCatalogueAccepts()
{
    const OperationForm form(operation("guest.config.set"), m_guest);
    QTest::keyClicks(line(form, "memory"), QStringLiteral("2048"));
    QTest::keyClicks(line(form, "cpulimit"), QStringLiteral("1.5"));
    QTest::keyClicks(line(form, "name"), QStringLiteral("films"));
    const auto json = QJsonDocument(form.arguments()).toJson(QJsonDocument::Compact);
    QVERIFY(operation("guest.config.set").parse(json));
}

void OperationFormTest::refusesAWrongNumberByItsName()
{
    const OperationForm form(operation("guest.config.set"), m_guest);
    QTest::keyClicks(line(form, "memory"), QStringLiteral("much"));
    const auto parsed =
        operation("guest.config.set").parse(QJsonDocument(form.arguments()).toJson(QJsonDocument::Compact));
    QVERIFY(!parsed);
    QVERIFY(parsed.error().message.contains(QLatin1String("memory")));
}

void OperationFormTest::everyFieldHasAnAccessibleName()
{
    for (const auto &declared : m_catalogue.all()) {
        const OperationForm form(*declared, {});
        for (const auto &parameter : declared->parameters)
            QVERIFY2(!form.field(QLatin1String(parameter.name))->accessibleName().isEmpty(), parameter.name);
    }
}

void OperationFormTest::everyActionShowsWhatUndoesIt()
{
    for (const auto &declared : m_catalogue.all()) {
        const OperationAction action(*declared, false, nullptr);
        QVERIFY(!action.text().isEmpty());
        QVERIFY(!action.icon().isNull());
        QVERIFY(action.toolTip().contains(UndoMark::words(declared->undo)));
    }
    const auto image = [](Undo undo) {
        return UndoMark::icon(undo, {}).pixmap(16, 16).toImage().convertToFormat(QImage::Format_Alpha8);
    };
    QVERIFY2(image(Undo::Exact) != image(Undo::None), "the shapes differ, not only the colours");
    QVERIFY(image(Undo::Exact) != image(Undo::Partly));
}

LABHELM_TEST(OperationFormTest)
#include "OperationFormTest.moc"
