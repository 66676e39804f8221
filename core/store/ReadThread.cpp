#include "store/ReadThread.h"

ReadThread::ReadThread(QString file, QString migrations)
    : m_file(std::move(file)), m_migrations(std::move(migrations)),
      m_thread([this](const std::stop_token &stop) { run(stop); })
{
}

ReadThread::~ReadThread()
{
    m_thread.request_stop();
    m_thread.join();
    m_isClosed = true;
    std::exchange(m_waiting, {}).clear(); // who is told may ask again
}

void ReadThread::post(Work work)
{
    {
        const std::lock_guard lock(m_mutex);
        m_queue.push_back(std::move(work));
    }
    m_wake.notify_one();
}

void ReadThread::run(const std::stop_token &stop)
{
    std::unique_ptr<Database> database;
    for (;;) {
        Work work;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return !m_queue.empty(); });
            if (stop.stop_requested())
                return;
            work = std::move(m_queue.front());
            m_queue.pop_front();
        }
        if (database && !database->isInPlace())
            database.reset();
        Result<Database *> ready(database.get());
        if (!database) {
            auto opened = Database::open(m_file, m_migrations, Database::Access::Read);
            if (opened)
                database = *std::move(opened);
            ready = opened ? Result<Database *>(database.get()) : Result<Database *>(opened.error());
        }
        work(ready, stop);
    }
}
