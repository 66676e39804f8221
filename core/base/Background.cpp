#include "base/Background.h"

Background::Background()
{
    m_pool.setMaxThreadCount(1);
}

Background::~Background()
{
    m_pool.clear();
    m_pool.waitForDone();
    // Taken out first: ending a promise may resume somebody who looks at nothing of this any more.
    const auto waiting = std::move(m_waiting);
}

void Background::start(std::function<void()> away, std::function<void()> home)
{
    const auto id = ++m_last;
    m_waiting.emplace(id, std::move(home));
    m_pool.start([this, id, away = std::move(away)] {
        away();
        QMetaObject::invokeMethod(
            this, [this, id] { deliver(id); }, Qt::QueuedConnection);
    });
}

void Background::deliver(quint64 id)
{
    if (auto found = m_waiting.extract(id))
        found.mapped()();
}
