#pragma once
#include <QTest>
#include <functional>
#include <memory>

/// Makes a test class known to the program's main; used through LABHELM_TEST.
struct RegisteredTest {
    RegisteredTest(const char *name, std::function<std::unique_ptr<QObject>()> make);
};

/// Registers one test class. The program runs the class named by its first argument, or all.
#define LABHELM_TEST(Class)                                                                                            \
    static const RegisteredTest registered##Class(#Class, [] { return std::make_unique<Class>(); });

/// The same for a class that needs npm's packages: ctest runs it through with-npm.sh, which sets LABHELM_NODE (a node
/// of version 20 or newer) and LABHELM_NODE_MODULES, and shows it as skipped where npm cannot be reached.
#define LABHELM_NPM_TEST(Class) LABHELM_TEST(Class)
