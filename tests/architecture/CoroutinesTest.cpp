#include "architecture/CoroutineText.h"
#include "support/TestMain.h"
#include <QRegularExpression>
#include <QSet>

/// The seven rules for coroutines of core/README.md, as far as text can show them.
class CoroutinesTest : public QObject
{
    Q_OBJECT

    static QRegularExpression words(const char *pattern) { return QRegularExpression(QLatin1String(pattern)); }

    /// Functions whose Task carries no result, so that there is none to lose.
    static QSet<QString> silentTasks(const QList<SourceFile> &files)
    {
        static const auto task = words("QCoro::Task<\\s*(?:void)?\\s*>\\s+(?:\\w+::)*(\\w+)\\s*\\(");
        QSet<QString> names;
        for (const auto &file : files)
            for (auto tasks = task.globalMatch(file.code); tasks.hasNext();)
                names.insert(tasks.next().captured(1));
        return names;
    }

    static void lambdaFindings(const SourceFile &file, QStringList &found)
    {
        for (const auto &lambda : CoroutineText::lambdas(file.code)) {
            const auto body = file.code.mid(lambda.bodyOpen, lambda.bodyClose - lambda.bodyOpen + 1);
            if (!CoroutineText::isCoroutine(body))
                continue;
            if (!lambda.captures.isEmpty())
                found.append(
                    file.at(lambda.at, QStringLiteral("rule 1: a lambda that is a coroutine captures nothing")));
            if (CoroutineText::plainParameters(lambda.parameters).contains(u'&'))
                found.append(file.at(lambda.at, QStringLiteral("rule 2: parameters of a coroutine go by value")));
        }
    }

    static void parameterFindings(const SourceFile &file, QStringList &found)
    {
        static const auto task = words("QCoro::Task<");
        static const auto name = words("\\s*((?:\\w+::)*\\w+)\\s*\\(");
        static const auto borrowed =
            words("&|\\b(QStringView|QByteArrayView|QAnyStringView|QLatin1StringView|string_view|span)\\b");
        for (auto tasks = task.globalMatch(file.code); tasks.hasNext();) {
            const auto open = tasks.next().capturedEnd() - 1;
            const auto close = SourceTree::closingAngle(file.code, open);
            const auto match = name.match(file.code, close + 1, QRegularExpression::NormalMatch,
                                          QRegularExpression::AnchorAtOffsetMatchOption);
            if (close < 0 || !match.hasMatch())
                continue;
            const auto paren = match.capturedEnd() - 1;
            const auto parameters = file.code.mid(paren + 1, SourceTree::closing(file.code, paren) - paren - 1);
            if (CoroutineText::plainParameters(parameters).contains(borrowed))
                found.append(file.at(paren, QStringLiteral("rule 2: %1 is a coroutine and takes a reference or a view")
                                                .arg(match.captured(1))));
        }
    }

    static void awaitFindings(const SourceFile &file, const QSet<QString> &silent, QStringList &found)
    {
        static const auto callee = words("(\\w+)\\s*(?:<[^;()]*>)?\\(");
        for (const auto at : CoroutineText::awaits(file.code)) {
            const auto whole = CoroutineText::awaited(file.code, at);
            const auto expression = CoroutineText::withoutLambdaBodies(whole);
            const auto lambdas = CoroutineText::lambdas(whole);
            const bool captures = std::any_of(lambdas.begin(), lambdas.end(),
                                              [](const Lambda &lambda) { return !lambda.captures.isEmpty(); });
            if (captures)
                found.append(file.at(at, QStringLiteral("rule 1: hoist the capturing lambda out of the awaited call")));
            if (expression.count(u'{') > lambdas.size())
                found.append(file.at(at, QStringLiteral("rule 3: hoist the braces out of the awaited expression")));
            if (expression.contains(u'?'))
                found.append(file.at(at, QStringLiteral("rule 3: hoist ?: out of the awaited expression")));
            if (CoroutineText::isInsideInitialiser(file.code, at))
                found.append(file.at(at, QStringLiteral("rule 3: no co_await inside braces")));
            if (CoroutineText::isDiscarded(file.code, at) && !silent.contains(callee.match(expression).captured(1)))
                found.append(file.at(at, QStringLiteral("rule 6: the result of this co_await is lost")));
            if (expression.contains(QLatin1String(".future()")) && !expression.contains(QLatin1String(".until(")))
                found.append(file.at(at, QStringLiteral("rule 5: this wait has no .until(stop)")));
        }
    }

    static void wordFindings(const SourceFile &file, QStringList &found)
    {
        struct Rule {
            QRegularExpression pattern;
            const char *why;
        };
        static const QList<Rule> rules{
            {words("\\bco_return\\s+(?:std::move\\()?\\s*(?:\\*?this->|\\*?m_\\w)"),
             "rule 6: copy the member before co_return"},
            {words("\\bqCoro\\s*\\(|\\bQCoro::(?!Task\\b)\\w+"), "rule 5: only QCoro::Task and our Future are awaited"},
            {words("\\b(?!switch\\b)[A-Z][A-Z0-9_]{2,}\\s*\\([^;{}]*\\bco_await\\b"), "rule 4: no co_await in a macro"},
            {words("\\bthrow\\b"), "rule 7: nothing throws"},
        };
        for (const auto &rule : rules)
            for (auto matches = rule.pattern.globalMatch(file.code); matches.hasNext();)
                found.append(file.at(matches.next().capturedStart(), QString::fromLatin1(rule.why)));
        static const auto header = words("(?m)^\\s*#\\s*include\\s*<(?:QCoro/|qcoro/?)(?!QCoroTask>)[^>]+>");
        for (auto matches = header.globalMatch(file.spoken); matches.hasNext();)
            found.append(
                file.at(matches.next().capturedStart(), QStringLiteral("rule 5: of QCoro only QCoroTask is used")));
    }

    static void loopFindings(const SourceFile &file, QStringList &found)
    {
        static const auto loop = words("\\bQEventLoop\\b|\\bprocessEvents\\s*\\(|\\b(?:dialog|box|menu|message)\\w*(?:"
                                       "\\.|->)exec\\s*\\(|\\bwaitFor(?:ReadyRead|BytesWritten|"
                                       "Connected|Encrypted|Disconnected|NewConnection)\\s*\\(");
        if (!file.path.startsWith(QLatin1String("tests/")))
            for (auto loops = loop.globalMatch(file.code); loops.hasNext();)
                found.append(
                    file.at(loops.next().capturedStart(), QStringLiteral("no nested event loop and no blocking wait")));
    }

    static QStringList findings(const SourceFile &file, const QSet<QString> &silent)
    {
        QStringList found;
        lambdaFindings(file, found);
        parameterFindings(file, found);
        awaitFindings(file, silent, found);
        wordFindings(file, found);
        loopFindings(file, found);
        return found;
    }
    static QStringList findingsIn(const QByteArray &text)
    {
        const auto file = SourceFile::of(QStringLiteral("core/a/X.cpp"), QString::fromUtf8(text));
        return findings(file, silentTasks({file}));
    }

private Q_SLOTS:
    void everyCoroutineKeepsTheRules();
    void noticesABrokenRule_data();
    void noticesABrokenRule();
    void acceptsWhatKeepsTheRules_data();
    void acceptsWhatKeepsTheRules();
};

void CoroutinesTest::everyCoroutineKeepsTheRules()
{
    const auto files = SourceTree::sources({QStringLiteral("core"), QStringLiteral("app"), QStringLiteral("tests")});
    const auto silent = silentTasks(files);
    QStringList found;
    for (const auto &file : files)
        found.append(findings(file, silent));
    QVERIFY(SourceTree::isClean(found));
}

void CoroutinesTest::noticesABrokenRule_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char *rule, const char *text) {
        QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(rule);
    };
    row("rule 1", "auto f = [this](int x) -> QCoro::Task<int> { co_return x; };");
    row("rule 1", "run([&] { co_return; });");
    row("rule 1", "auto r = co_await send(request, [this](int) { done(); });");
    row("rule 2", "QCoro::Task<int> f(const QString &text) { co_return 1; }");
    row("rule 2", "QCoro::Task<Result<QList<int>>> A::f(int x, QStringView text);");
    row("rule 2", "auto f = [](A &a) -> QCoro::Task<int> { co_return 1; };");
    row("rule 3", "auto r = co_await send(Request{1, 2});");
    row("rule 3", "auto r = co_await send({1, 2}, stop);");
    row("rule 3", "auto r = co_await send(a ? b : c);");
    row("rule 3", "auto r = Pair{co_await one(), 2};");
    row("rule 3", "auto f() { co_return {co_await one()}; }");
    row("rule 4", "auto f() { QVERIFY(co_await one()); }");
    row("rule 5", "auto r = co_await qCoro(reply);");
    row("rule 5", "auto r = co_await QCoro::sleepFor(1s);");
    row("rule 5", "auto r = co_await promise.future();");
    row("rule 5", "#include <QCoro/QCoroSignal>\n");
    row("rule 6", "auto f() { a(); co_await one(); }");
    row("rule 6", "auto f() { if (a) co_await one(); }");
    row("rule 6", "auto f() { (void)co_await one(); }");
    row("rule 6", "auto f() { co_return m_value; }");
    row("rule 6", "auto f() { co_return std::move(m_value); }");
    row("rule 7", "void f() { throw 1; }");
    row("no nested", "void f() { QEventLoop loop; }");
    row("no nested", "void f() { dialog.exec(); }");
    row("no nested", "void f() { socket->waitForReadyRead(5); }");
}

void CoroutinesTest::noticesABrokenRule()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, rule);
    const auto found = findingsIn(text);
    QVERIFY2(!found.isEmpty(), "nothing was noticed");
    QVERIFY2(found.join(u'\n').contains(rule), qPrintable(found.join(u'\n')));
}

void CoroutinesTest::acceptsWhatKeepsTheRules_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *text) { QTest::newRow(text) << QByteArray(text); };
    row("auto f = [](int x) -> QCoro::Task<int> { co_return x; };");
    row("void f() { run([this] { done(); }); }");
    row("QCoro::Task<int> f(std::function<void(const int &)> report, std::shared_ptr<A> a) { co_return 1; }");
    row("QCoro::Task<int> f(A *a) { auto r = co_await a->send(1, stop); if (!r) { co_return 0; } co_return 1; }");
    row("auto f() const noexcept -> QCoro::Task<int> { const auto r = co_await one(); co_return r; }");
    row("auto f() { while (more) { auto r = co_await promise.future().until(stop).within(5s); } }");
    row("auto f() { auto r = co_await one(); const auto x = r ? 1 : 2; auto y = Pair{x, 2}; }");
    row("auto f() { if (auto r = co_await one(); !r) { x(); } else { auto s = co_await two(); } }");
    row("auto f() { auto r = co_await one([](int x) { return x; }); }");
    row("QCoro::Task<> quiet(int x);\nauto f() { co_await quiet(1); }");
    row("auto f() { co_return (co_await one()).valueOr(3); }");
    row("#include <QCoro/QCoroTask>\n");
    row("int f(int a[3]) { auto [x, y] = g(); return a[x] ? 1 : 2; }");
    row("void f() { query.exec(); application.exec(); }");
    row("// co_await one();\nauto text = \"throw co_await one()\";");
}

void CoroutinesTest::acceptsWhatKeepsTheRules()
{
    QFETCH(QByteArray, text);
    const auto found = findingsIn(text);
    QVERIFY(SourceTree::isClean(found));
}

LABHELM_TEST(CoroutinesTest)
#include "CoroutinesTest.moc"
