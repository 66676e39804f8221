#include "audit/Events.h"
#include "base/StrictJson.h"
#include <QCryptographicHash>
#include <QVariant>
#include <QtEndian>

static void addNumber(QCryptographicHash &hash, qint64 number)
{
    const auto bytes = qToBigEndian(number);
    hash.addData(QByteArray::fromRawData(reinterpret_cast<const char *>(&bytes), sizeof bytes));
}

static void addBytes(QCryptographicHash &hash, const QByteArray &bytes)
{
    addNumber(hash, bytes.size());
    hash.addData(bytes);
}

QByteArray ChainLink::computedHash() const
{
    QCryptographicHash sum(QCryptographicHash::Sha256);
    addBytes(sum, QByteArrayLiteral("labhelm audit 1"));
    addNumber(sum, seq);
    addBytes(sum, previous);
    addBytes(sum, event.callId.toUtf8());
    addBytes(sum, kind.toUtf8());
    addNumber(sum, event.wallMs);
    addNumber(sum, event.utcOffset);
    addBytes(sum, body);
    return sum.result();
}

Result<Events> Events::on(Database &database)
{
    Events events(database);
    const std::pair<QSqlQuery *, QString> statements[] = {
        {&events.m_insert,
         QStringLiteral("INSERT INTO event (%1) VALUES (?, ?, ?, ?, ?, ?, ?, ?)").arg(QLatin1String(columns))},
        {&events.m_last, QStringLiteral("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1")},
        {&events.m_keepTail, QStringLiteral("INSERT OR REPLACE INTO tail (one, seq, hash, count) VALUES (1, ?, ?, ?)")},
        {&events.m_tail, QStringLiteral("SELECT seq, hash, count FROM tail")},
        {&events.m_hashAt, QStringLiteral("SELECT hash FROM event WHERE seq = ?")},
    };
    for (const auto &[query, sql] : statements) {
        auto prepared = database.prepare(sql);
        if (!prepared)
            return prepared.error();
        *query = *std::move(prepared);
    }
    return Result<Events>(std::move(events));
}

Result<ChainHead> Events::end()
{
    auto head = tail();
    if (!head)
        return head;
    if (auto ran = m_database->run(m_last); !ran)
        return ran.error();
    const bool isEmpty = !m_last.next();
    if (auto ended = m_database->ended(m_last); !ended)
        return ended.error();
    head->seq = isEmpty ? 0 : m_last.value(0).toLongLong();
    head->hash = isEmpty ? QByteArray(32, '\0') : m_last.value(1).toByteArray();
    m_last.finish();
    return head;
}

Result<> Events::append(const AuditEvent &event, const QByteArray &body, ChainHead &head)
{
    ChainLink link{head.seq + 1, event, body, auditKindName(event.kind), head.hash, {}};
    link.hash = link.computedHash();
    m_insert.bindValue(0, link.seq);
    m_insert.bindValue(1, event.callId);
    m_insert.bindValue(2, link.kind);
    m_insert.bindValue(3, event.wallMs);
    m_insert.bindValue(4, event.utcOffset);
    m_insert.bindValue(5, body);
    m_insert.bindValue(6, link.previous);
    m_insert.bindValue(7, link.hash);
    if (auto ran = m_database->run(m_insert); !ran)
        return ran;
    head = {link.seq, link.hash, head.count + 1};
    return {};
}

Result<> Events::keepTail(const ChainHead &head)
{
    m_keepTail.bindValue(0, head.seq);
    m_keepTail.bindValue(1, head.hash);
    m_keepTail.bindValue(2, head.count);
    return m_database->run(m_keepTail);
}

Result<ChainHead> Events::tail()
{
    if (auto ran = m_database->run(m_tail); !ran)
        return ran.error();
    ChainHead head;
    if (m_tail.next())
        head = {m_tail.value(0).toLongLong(), m_tail.value(1).toByteArray(), m_tail.value(2).toLongLong()};
    auto ended = m_database->ended(m_tail);
    m_tail.finish();
    return ended ? Result<ChainHead>(head) : ended.error();
}

Result<QByteArray> Events::hashAt(qint64 seq)
{
    m_hashAt.bindValue(0, seq);
    if (auto ran = m_database->run(m_hashAt); !ran)
        return ran.error();
    const bool isThere = m_hashAt.next();
    const auto hash = isThere ? m_hashAt.value(0).toByteArray() : QByteArray();
    auto ended = m_database->ended(m_hashAt);
    m_hashAt.finish();
    if (!ended)
        return ended.error();
    if (!isThere)
        return Error{Error::Kind::NotFound, QStringLiteral("There is no event %1.").arg(seq)};
    return hash;
}

QByteArray Events::canonical(const QJsonObject &body)
{
    return StrictJson::write(body);
}

ChainLink Events::linkFrom(const QSqlQuery &row)
{
    ChainLink link;
    link.seq = row.value(0).toLongLong();
    link.event.callId = row.value(1).toString();
    link.kind = row.value(2).toString();
    link.event.kind = auditKindFromName(link.kind).value_or(AuditEvent::Kind::Note);
    link.event.wallMs = row.value(3).toLongLong();
    link.event.utcOffset = row.value(4).toInt();
    link.body = row.value(5).toByteArray();
    link.previous = row.value(6).toByteArray();
    link.hash = row.value(7).toByteArray();
    const auto body =
        StrictJson::parseObject(link.body, {.depth = 512, .bytes = Events::largestBody, .exactIntegers = false});
    if (body)
        link.event.body = *body;
    return link;
}
