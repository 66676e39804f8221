#pragma once
#include "architecture/SourceTree.h"

/// A lambda as it stands in the text.
struct Lambda {
    qsizetype at = 0;
    QString captures; ///< between the brackets, trimmed
    QString parameters;
    qsizetype bodyOpen = 0, bodyClose = 0;
};

/// What the rules for coroutines need to see in C++ text whose comments and literals are blank.
namespace CoroutineText
{
QList<Lambda> lambdas(const QString &code);
/// The text with the bodies of all lambdas blank.
QString withoutLambdaBodies(QString code);
bool isCoroutine(const QString &body);
/// Where each co_await stands.
QList<qsizetype> awaits(const QString &code);
/// The expression after the co_await at `at`, up to the end of the statement or of the bracket around it.
QString awaited(const QString &code, qsizetype at);
/// Whether the innermost brace around `at` opens an initialiser instead of a block.
bool isInsideInitialiser(const QString &code, qsizetype at);
/// Whether the statement begins with the co_await at `at`, so that its result is lost.
bool isDiscarded(const QString &code, qsizetype at);
/// Parameter list without what stands in angle brackets.
QString plainParameters(const QString &parameters);
}
