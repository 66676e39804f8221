#include "support/TestMain.h"
#include "support/ThreadsEnd.h"
#include <map>
#ifdef LABHELM_TESTS_WIDGETS
#include "shell/Theme.h"
#include <QApplication>
#else
#include <QCoreApplication>
#endif

static std::map<QString, std::function<std::unique_ptr<QObject>()>> &registeredTests()
{
    static std::map<QString, std::function<std::unique_ptr<QObject>()>> tests;
    return tests;
}

RegisteredTest::RegisteredTest(const char *name, std::function<std::unique_ptr<QObject>()> make)
{
    registeredTests().emplace(QString::fromLatin1(name), std::move(make));
}

int main(int argc, char *argv[])
{
#ifdef LABHELM_TESTS_WIDGETS
    const QApplication application(argc, argv);
    const Theme theme(qEnvironmentVariableIsSet("LABHELM_TEST_DARK") ? Theme::Appearance::Dark
                                                                     : Theme::Appearance::Light);
#else
    const QCoreApplication application(argc, argv);
#endif
    auto arguments = QCoreApplication::arguments();
    const auto only = arguments.size() > 1 && !arguments[1].startsWith(u'-') ? arguments.takeAt(1) : QString();
    if (!only.isEmpty() && !registeredTests().contains(only)) {
        qCritical("no test class %s", qPrintable(only));
        return 1;
    }
    if (qEnvironmentVariableIsSet("LABHELM_LONG"))
        qputenv("QTEST_FUNCTION_TIMEOUT", "3600000"); // ctest has a limit of its own
    int failed = 0;
    for (const auto &[name, make] : registeredTests())
        if (only.isEmpty() || only == name)
            failed += QTest::qExec(make().get(), arguments);
    letThreadsEnd();
    return failed;
}
