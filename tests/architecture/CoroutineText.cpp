#include "architecture/CoroutineText.h"
#include <QRegularExpression>

namespace
{
bool isWord(QChar c)
{
    return c.isLetterOrNumber() || c == u'_';
}

qsizetype skipSpace(const QString &code, qsizetype at)
{
    while (at < code.size() && code[at].isSpace())
        ++at;
    return at;
}

/// The last character before `at` that is no space; -1 if there is none.
qsizetype before(const QString &code, qsizetype at)
{
    do
        --at;
    while (at >= 0 && code[at].isSpace());
    return at;
}

QString wordEndingAt(const QString &code, qsizetype last)
{
    auto first = last;
    while (first >= 0 && isWord(code[first]))
        --first;
    return code.mid(first + 1, last - first);
}

/// A bracket opens a lambda unless it follows a name, a value or another bracket of an attribute.
bool canOpenLambda(const QString &code, qsizetype bracket)
{
    static const QStringList words{QStringLiteral("return"), QStringLiteral("co_return"), QStringLiteral("co_await"),
                                   QStringLiteral("co_yield"), QStringLiteral("case")};
    if (bracket + 1 < code.size() && code[bracket + 1] == u'[')
        return false;
    const auto last = before(code, bracket);
    if (last < 0)
        return true;
    if (isWord(code[last]))
        return words.contains(wordEndingAt(code, last));
    return code[last] != u')' && code[last] != u']' && code[last] != u'[';
}

/// Reads the lambda whose bracket stands at `bracket`; its bodyClose is -1 if it is none.
Lambda lambdaAt(const QString &code, qsizetype bracket)
{
    Lambda lambda{bracket, {}, {}, 0, -1};
    const auto end = SourceTree::closing(code, bracket);
    if (end < 0)
        return lambda;
    lambda.captures = code.mid(bracket + 1, end - bracket - 1).trimmed();
    auto at = skipSpace(code, end + 1);
    if (at < code.size() && code[at] == u'<')
        at = skipSpace(code, SourceTree::closingAngle(code, at) + 1);
    if (at < code.size() && code[at] == u'(') {
        const auto close = SourceTree::closing(code, at);
        lambda.parameters = code.mid(at + 1, close - at - 1);
        at = close + 1;
    }
    static const QString between = QStringLiteral(" \t\n:<>,*&-");
    while (at < code.size() && code[at] != u'{' && (isWord(code[at]) || between.contains(code[at])))
        ++at;
    if (at >= code.size() || code[at] != u'{')
        return lambda;
    lambda.bodyOpen = at;
    lambda.bodyClose = SourceTree::closing(code, at);
    return lambda;
}
}

QList<Lambda> CoroutineText::lambdas(const QString &code)
{
    QList<Lambda> found;
    for (auto at = code.indexOf(u'['); at >= 0; at = code.indexOf(u'[', at + 1)) {
        if (!canOpenLambda(code, at))
            continue;
        const auto lambda = lambdaAt(code, at);
        if (lambda.bodyClose >= 0)
            found.append(lambda);
    }
    return found;
}

QString CoroutineText::withoutLambdaBodies(QString code)
{
    for (const auto &lambda : lambdas(code))
        for (auto i = lambda.bodyOpen + 1; i < lambda.bodyClose; ++i)
            if (code[i] != u'\n')
                code[i] = u' ';
    return code;
}

bool CoroutineText::isCoroutine(const QString &body)
{
    static const QRegularExpression word(QStringLiteral("\\bco_(await|return|yield)\\b"));
    return withoutLambdaBodies(body).contains(word);
}

QList<qsizetype> CoroutineText::awaits(const QString &code)
{
    static const QRegularExpression word(QStringLiteral("\\bco_await\\b"));
    QList<qsizetype> found;
    for (auto words = word.globalMatch(code); words.hasNext();)
        found.append(words.next().capturedStart());
    return found;
}

QString CoroutineText::awaited(const QString &code, qsizetype at)
{
    const auto start = at + QStringLiteral("co_await").size();
    int depth = 0;
    for (auto i = start; i < code.size(); ++i) {
        const QChar c = code[i];
        depth += c == u'(' || c == u'[' || c == u'{' ? 1 : c == u')' || c == u']' || c == u'}' ? -1 : 0;
        if (depth < 0 || (depth == 0 && c == u';'))
            return code.mid(start, i - start);
    }
    return code.mid(start);
}

bool CoroutineText::isInsideInitialiser(const QString &code, qsizetype at)
{
    int depth = 0;
    auto open = at;
    for (; open >= 0 && depth >= 0; --open)
        depth += code[open] == u'}' ? 1 : code[open] == u'{' ? -1 : 0;
    if (depth >= 0)
        return false;
    ++open;
    const auto last = before(code, open);
    if (last < 0 || code[last] == u')' || code[last] == u'{' || code[last] == u'}' || code[last] == u';' ||
        code[last] == u':' || code[last] == u']')
        return false;
    static const QStringList words{QStringLiteral("else"),  QStringLiteral("do"),       QStringLiteral("try"),
                                   QStringLiteral("const"), QStringLiteral("noexcept"), QStringLiteral("override"),
                                   QStringLiteral("final"), QStringLiteral("mutable")};
    if (words.contains(wordEndingAt(code, last)))
        return false;
    static const QRegularExpression trailing(QStringLiteral("->\\s*[\\w:<>,\\s*&]+$"));
    return !trailing.match(code.mid(std::max<qsizetype>(0, open - 200), std::min<qsizetype>(200, open))).hasMatch();
}

bool CoroutineText::isDiscarded(const QString &code, qsizetype at)
{
    const auto last = before(code, at);
    if (last < 0)
        return true;
    if (isWord(code[last])) {
        const auto word = wordEndingAt(code, last);
        return word == QLatin1String("else") || word == QLatin1String("do");
    }
    if (code[last] != u')')
        return code[last] == u';' || code[last] == u'{' || code[last] == u'}' || code[last] == u':';
    // After ")" it follows if (…), for (…) or a cast to void; a call or another cast would not stand there.
    return true;
}

QString CoroutineText::plainParameters(const QString &parameters)
{
    QString plain;
    int depth = 0;
    for (const QChar c : parameters) {
        depth -= c == u'>' && depth > 0 ? 1 : 0;
        if (depth == 0)
            plain += c;
        depth += c == u'<' ? 1 : 0;
    }
    return plain;
}
