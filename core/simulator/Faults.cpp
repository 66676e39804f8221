#include "simulator/Faults.h"
#include <QHash>
#include <QRegularExpression>

static bool fits(const Fault &fault, const QString &method, const QString &path)
{
    if (!fault.method.isEmpty() && fault.method != method)
        return false;
    if (fault.path.isEmpty())
        return true;
    QStringList parts;
    for (const auto &part : fault.path.split(u'*'))
        parts.append(QRegularExpression::escape(part));
    return QRegularExpression(QStringLiteral("\\A") + parts.join(QLatin1String(".*")) + QStringLiteral("\\z"))
        .match(path)
        .hasMatch();
}

std::optional<Fault> Faults::next(const QString &method, const QString &path)
{
    std::optional<Fault> hit;
    for (auto &set : m_faults) {
        if (set.spent || !fits(set.fault, method, path))
            continue;
        ++set.seen;
        if (hit || set.seen < set.fault.nth)
            continue;
        hit = set.fault;
        set.spent = !set.fault.always;
    }
    return hit;
}

std::optional<Fault::Kind> Faults::kindFromName(const QString &name)
{
    using Kind = Fault::Kind;
    static const QHash<QString, Kind> kinds{{QStringLiteral("drop_unheard"), Kind::DropUnheard},
                                            {QStringLiteral("cut_before"), Kind::CutBefore},
                                            {QStringLiteral("cut_during"), Kind::CutDuring},
                                            {QStringLiteral("cut_after"), Kind::CutAfter},
                                            {QStringLiteral("hang"), Kind::Hang},
                                            {QStringLiteral("delay"), Kind::Delay},
                                            {QStringLiteral("answer"), Kind::Answer},
                                            {QStringLiteral("garbage"), Kind::Garbage},
                                            {QStringLiteral("slow"), Kind::Slow},
                                            {QStringLiteral("huge"), Kind::Huge},
                                            {QStringLiteral("proxy_page"), Kind::ProxyPage}};
    const auto found = kinds.find(name);
    return found == kinds.end() ? std::nullopt : std::optional(*found);
}

void Faults::failSocket(int nth)
{
    m_failAt = nth;
    m_operations = 0;
    m_failed.reset();
}

bool Faults::failsNow(SocketOperation operation)
{
    if (++m_operations != m_failAt)
        return false;
    m_failed = operation;
    return true;
}

QString Faults::nameOf(SocketOperation operation)
{
    static const char *names[] = {"accept", "tls", "read", "write"};
    return QLatin1String(names[int(operation)]);
}
