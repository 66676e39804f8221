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
