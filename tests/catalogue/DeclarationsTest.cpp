#include "operations/Catalogue.h"
#include "support/TestMain.h"
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>

/// Every operation is declared once, in the file of its noun, and every projection can rely on it.
class DeclarationsTest : public QObject
{
    Q_OBJECT
    const Catalogue m_catalogue;

    static QHash<QString, QString> declaredIn()
    {
        static const QRegularExpression id(QStringLiteral("\\.id = \"([a-z._0-9]+)\""));
        QHash<QString, QString> files;
        QDirIterator walk(QStringLiteral(LABHELM_SOURCE "/core/operations"), {"*.cpp"}, QDir::Files,
                          QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            QFile file(walk.next());
            if (!file.open(QIODevice::ReadOnly))
                continue;
            const auto text = QString::fromUtf8(file.readAll());
            for (auto match = id.globalMatch(text); match.hasNext();) {
                const auto name = match.next().captured(1);
                if (files.contains(name))
                    qCritical("%s is declared twice", qPrintable(name));
                files.insert(name, walk.fileInfo().dir().dirName());
            }
        }
        return files;
    }

private Q_SLOTS:
    void everyIdIsDeclaredOnceInTheFolderOfItsNoun()
    {
        const auto files = declaredIn();
        QCOMPARE(files.size(), qsizetype(m_catalogue.all().size()));
        for (const auto &operation : m_catalogue.all())
            QCOMPARE(files.value(operation->id), operation->id.section(u'.', 0, 0));
    }
    void mcpNamesAreABijectionThatEveryClientBears()
    {
        static const QRegularExpression borne(QStringLiteral("^[a-z0-9_]{1,40}$"));
        QSet<QString> names;
        for (const auto &operation : m_catalogue.all()) {
            QVERIFY2(borne.match(operation->mcpName()).hasMatch(), qPrintable(operation->id));
            QVERIFY(!names.contains(operation->mcpName()));
            names.insert(operation->mcpName());
            QCOMPARE(m_catalogue.findByMcpName(operation->mcpName()), operation.get());
        }
    }
    void everyTextAndParameterIsDescribed()
    {
        static const QRegularExpression name(QStringLiteral("^[a-z][a-z0-9_]*$"));
        for (const auto &operation : m_catalogue.all()) {
            QVERIFY2(!operation->title.translated().isEmpty() && operation->summary.translated().endsWith(u'.'),
                     qPrintable(operation->id));
            for (const auto &parameter : operation->parameters) {
                QVERIFY2(name.match(QLatin1String(parameter.name)).hasMatch(), parameter.name);
                QVERIFY2(!parameter.help.translated().isEmpty(), parameter.name);
            }
        }
    }
    void schemasAreFlat()
    {
        static const QSet<QString> known{"string", "integer", "number", "boolean", "array"};
        for (const auto &operation : m_catalogue.all()) {
            const auto schema = operation->schema();
            QCOMPARE(schema[QStringLiteral("type")].toString(), QStringLiteral("object"));
            const auto properties = schema[QStringLiteral("properties")].toObject();
            for (const auto &property : properties) {
                QVERIFY2(known.contains(property[QLatin1String("type")].toString()), qPrintable(operation->id));
                if (property[QLatin1String("type")].toString() == QLatin1String("array"))
                    QVERIFY(property[QLatin1String("items")].isObject());
            }
        }
    }
    void onlyChangesClaimAnUndo()
    {
        for (const auto &operation : m_catalogue.all())
            if (operation->effect == Effect::Reads || operation->effect == Effect::Destroys)
                QVERIFY2(operation->undo != Undo::Exact, qPrintable(operation->id));
    }
    void effectsAreThoseOfTheCatalogueToReach()
    {
        QFile file(QStringLiteral(LABHELM_TEST_DATA "/operations.tsv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QHash<QString, QString> wanted{{QStringLiteral("plan.run"), QStringLiteral("Changes")}}; // holds others
        for (const auto &line : file.readAll().split('\n'))
            if (const auto cells = QString::fromUtf8(line).split(u'\t'); cells.size() == 3)
                wanted.insert(cells[0], cells[1]);
        for (const auto &operation : m_catalogue.all())
            QCOMPARE(effectName(operation->effect),
                     wanted.value(operation->id, QStringLiteral("not in the catalogue to reach")));
    }
};

LABHELM_TEST(DeclarationsTest)
#include "DeclarationsTest.moc"
