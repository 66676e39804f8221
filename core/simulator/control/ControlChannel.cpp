#include "simulator/control/ControlChannel.h"
#include "simulator/control/ControlCommands.h"
#include <QJsonDocument>
#include <cstdio>
#include <unistd.h>

ControlChannel::ControlChannel(Simulator &simulator, ManualClock *clock, bool listens)
    : m_simulator(simulator), m_clock(clock), m_listens(listens), m_notifier(STDIN_FILENO, QSocketNotifier::Read)
{
    connect(&m_notifier, &QSocketNotifier::activated, this, &ControlChannel::read);
}

void ControlChannel::read()
{
    char chunk[16384];
    const auto count = ::read(STDIN_FILENO, chunk, sizeof chunk);
    if (count <= 0) {
        m_notifier.setEnabled(false);
        Q_EMIT closed();
        return;
    }
    if (!m_listens)
        return;
    m_buffer.append(chunk, count);
    for (auto end = m_buffer.indexOf('\n'); end >= 0; end = m_buffer.indexOf('\n')) {
        obey(m_buffer.left(end));
        m_buffer.remove(0, end + 1);
    }
}

void ControlChannel::obey(const QByteArray &line)
{
    const auto command = QJsonDocument::fromJson(line).object();
    auto result = ControlCommands(m_simulator, m_clock).run(command);
    QJsonObject answer{{QLatin1String("id"), command.value(QLatin1String("id"))}, {QLatin1String("ok"), bool(result)}};
    if (result)
        answer.insert(QLatin1String("result"), *result);
    else
        answer.insert(QLatin1String("error"), result.error().message);
    const auto text = QJsonDocument(answer).toJson(QJsonDocument::Compact) + '\n';
    std::fwrite(text.constData(), 1, size_t(text.size()), stdout);
    std::fflush(stdout);
}
