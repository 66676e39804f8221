#include "audit/ChainAnchor.h"
#include "base/StrictJson.h"
#include "secrets/SecretStore.h"
#include <QCoreApplication>

static QString key()
{
    return QStringLiteral("audit/head");
}

static Secret encoded(const ChainHead &head)
{
    return Secret(StrictJson::write(QJsonObject{{QStringLiteral("seq"), head.seq},
                                                {QStringLiteral("hash"), QString::fromLatin1(head.hash.toHex())},
                                                {QStringLiteral("count"), head.count}}));
}

static Result<ChainHead> decoded(const Secret &secret)
{
    const auto object = StrictJson::parseObject(secret.reveal());
    ChainHead head;
    if (object)
        head = {object->value(QLatin1String("seq")).toInteger(),
                QByteArray::fromHex(object->value(QLatin1String("hash")).toString().toLatin1()),
                object->value(QLatin1String("count")).toInteger()};
    if (head.seq <= 0 || head.hash.size() != 32)
        return Error{Error::Kind::Malformed,
                     QCoreApplication::translate("audit", "What the keychain holds for the audit log cannot be read.")};
    return head;
}

ChainAnchor::ChainAnchor(SecretStore &secrets) : m_secrets(secrets)
{
    m_interval.setSingleShot(true);
    m_interval.setInterval(interval);
    connect(&m_interval, &QTimer::timeout, this, [this] { writeDue(); });
}

ChainAnchor::~ChainAnchor()
{
    m_interval.stop();
    m_stop.request_stop();
}

Future<ChainHead> ChainAnchor::read()
{
    Promise<ChainHead> promise;
    auto future = promise.future();
    readInto(std::move(promise));
    return future;
}

QCoro::Task<> ChainAnchor::readInto(Promise<ChainHead> promise)
{
    auto secret = co_await m_secrets.read(key()).until(m_stop.get_token());
    promise.finish(secret ? decoded(*secret) : Result<ChainHead>(secret.error()));
}

void ChainAnchor::offer(const ChainHead &head)
{
    m_offered = head;
    if (!m_interval.isActive())
        writeDue();
}

Future<void> ChainAnchor::store()
{
    if (!m_isCompared)
        return ready<void>(Error{Error::Kind::Unavailable, m_finding});
    if (m_offered == m_stored && !m_isWriting)
        return ready<void>({});
    auto future = m_storing.emplace_back().future();
    writeDue();
    return future;
}

void ChainAnchor::settle(State state, const QString &finding)
{
    m_isCompared = state == State::Kept;
    setState(state, finding);
    if (m_isCompared)
        writeDue();
}

QCoro::Task<> ChainAnchor::writeDue()
{
    if (!m_isCompared || m_isWriting || m_offered == m_stored)
        co_return;
    m_isWriting = true;
    const auto head = m_offered;
    auto written = co_await m_secrets.write(key(), encoded(head)).until(m_stop.get_token());
    if (m_stop.stop_requested())
        co_return; // the anchor is being destroyed
    m_isWriting = false;
    m_interval.start(written ? interval : retry);
    if (written)
        m_stored = head;
    if (written && m_offered != m_stored && !m_storing.empty()) {
        writeDue();
        co_return;
    }
    if (m_isCompared)
        setState(written ? State::Kept : State::Unavailable, written ? QString() : written.error().message);
    answerStoring(written);
}

void ChainAnchor::setState(State state, const QString &finding)
{
    if (m_state == state && m_finding == finding)
        return;
    m_state = state;
    m_finding = finding;
    Q_EMIT changed();
}

void ChainAnchor::answerStoring(const Result<> &result)
{
    for (auto &promise : std::exchange(m_storing, {}))
        promise.finish(result);
}
