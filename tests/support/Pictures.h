#pragma once
#include <QDir>
#include <QTest>
#include <QWidget>

/// Pictures of what a test looks at, for people: written only when LABHELM_TEST_PICTURES names a folder.
namespace Pictures
{
inline void take(QWidget &widget, const QString &name)
{
    const auto folder = qEnvironmentVariable("LABHELM_TEST_PICTURES");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    const auto look =
        qEnvironmentVariableIsSet("LABHELM_TEST_DARK") ? QStringLiteral("-dark.png") : QStringLiteral("-light.png");
    widget.grab().save(QDir(folder).filePath(name + look));
}
}
