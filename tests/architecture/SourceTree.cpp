#include "architecture/SourceTree.h"
#include <QDirIterator>
#include <QFile>

namespace
{
/// Walks over C++ text once and blanks what is not code.
class Blanker
{
public:
    explicit Blanker(const QString &text) : m_text(text), spoken(text), code(text) {}
    void run()
    {
        while (m_at < m_text.size()) {
            if (startsWith("//"))
                blankComment(QStringLiteral("\n"), 0);
            else if (startsWith("/*"))
                blankComment(QStringLiteral("*/"), 2);
            else if (startsWith("R\"") && !isWord(m_at - 1))
                blankRawString();
            else if (m_text[m_at] == u'"' || (m_text[m_at] == u'\'' && !isDigitSeparator()))
                blankLiteral();
            else
                ++m_at;
        }
    }

private:
    const QString &m_text;
    qsizetype m_at = 0;

public:
    QString spoken, code;

private:
    bool startsWith(const char *what) const { return QStringView(m_text).sliced(m_at).startsWith(QLatin1String(what)); }
    bool isDigitSeparator() const
    {
        auto start = m_at;
        while (isWord(start - 1) || (start > 0 && m_text[start - 1] == u'\''))
            --start;
        return start < m_at && m_text[start].isDigit();
    }
    bool isWord(qsizetype at) const { return at >= 0 && (m_text[at].isLetterOrNumber() || m_text[at] == u'_'); }
    static void blank(QString &where, qsizetype from, qsizetype to)
    {
        for (qsizetype i = from; i < to; ++i)
            if (where[i] != u'\n')
                where[i] = u' ';
    }
    void blankComment(const QString &end, qsizetype kept)
    {
        auto until = m_text.indexOf(end, m_at + 2);
        until = until < 0 ? m_text.size() : until + kept;
        blank(spoken, m_at, until);
        blank(code, m_at, until);
        m_at = until;
    }
    void blankRawString()
    {
        const auto paren = m_text.indexOf(u'(', m_at);
        const auto end = u')' + m_text.mid(m_at + 2, paren - m_at - 2) + u'"';
        auto until = m_text.indexOf(end, paren);
        until = until < 0 ? m_text.size() : until + end.size() - 1;
        blank(code, m_at + 2, until);
        m_at = until + 1;
    }
    void blankLiteral()
    {
        const QChar quote = m_text[m_at];
        const auto start = ++m_at;
        while (m_at < m_text.size() && m_text[m_at] != quote && m_text[m_at] != u'\n')
            m_at += m_text[m_at] == u'\\' ? 2 : 1;
        blank(code, start, std::min(m_at, m_text.size()));
        ++m_at;
    }
};

bool isBuilt(const QString &path)
{
    return path.startsWith(QLatin1String("build/")) || path == QLatin1String(".git") ||
           path.startsWith(QLatin1String(".git/")) || path.startsWith(QLatin1String(".cache/")) ||
           path.contains(QLatin1String("node_modules/"));
}
}

SourceFile SourceFile::of(QString path, QString text)
{
    Blanker blanker(text);
    blanker.run();
    return {std::move(path), text, blanker.spoken, blanker.code};
}

QString SourceFile::at(qsizetype offset, const QString &what) const
{
    return QStringLiteral("%1:%2: %3").arg(path).arg(QStringView(text).first(offset).count(u'\n') + 1).arg(what);
}

QList<SourceFile> SourceTree::sources(const QStringList &folders)
{
    QList<SourceFile> found;
    for (const auto &path : paths()) {
        const bool isSource = path.endsWith(QLatin1String(".h")) || path.endsWith(QLatin1String(".cpp"));
        for (const auto &folder : folders)
            if (isSource && path.startsWith(folder + u'/'))
                found.append(SourceFile::of(path, read(path)));
    }
    return found;
}

QStringList SourceTree::paths()
{
    const QString root = QStringLiteral(LABHELM_SOURCE "/");
    QStringList found;
    QDirIterator files(root, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const auto path = files.next().sliced(root.size());
        if (!isBuilt(path))
            found.append(path);
    }
    found.sort();
    return found;
}

QString SourceTree::read(const QString &path)
{
    QFile file(QStringLiteral(LABHELM_SOURCE "/") + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

bool SourceTree::isClean(const QStringList &findings)
{
    for (const auto &finding : findings)
        qWarning("%s", qUtf8Printable(finding));
    return findings.isEmpty();
}

qsizetype SourceTree::closing(const QString &code, qsizetype open)
{
    int depth = 0;
    for (qsizetype i = open; i < code.size(); ++i) {
        const QChar c = code[i];
        depth += c == u'(' || c == u'[' || c == u'{' ? 1 : c == u')' || c == u']' || c == u'}' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return -1;
}

qsizetype SourceTree::closingAngle(const QString &code, qsizetype open)
{
    int depth = 0;
    for (qsizetype i = open; i < code.size(); ++i) {
        if (code[i] == u'(') {
            i = closing(code, i);
            if (i < 0)
                return -1;
            continue;
        }
        if (code[i] == u';' || code[i] == u'{')
            return -1;
        depth += code[i] == u'<' ? 1 : code[i] == u'>' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return -1;
}
