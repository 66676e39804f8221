#pragma once
#include <QByteArray>
#include <QFile>
#include <QList>
#include <QString>
#include <QStringList>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/// A child process on two pipes, as an MCP client holds its server: without an event loop between clock and pipe.
class PipedChild
{
public:
    PipedChild(const QString &program, const QStringList &arguments)
    {
        int in[2], out[2];
        if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
            qFatal("no pipes");
        std::vector<QByteArray> words{program.toUtf8()};
        for (const auto &argument : arguments)
            words.push_back(argument.toUtf8());
        std::vector<char *> raw;
        for (auto &word : words)
            raw.push_back(word.data());
        raw.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        if (::posix_spawn(&m_pid, raw[0], &actions, nullptr, raw.data(), environ) != 0)
            qFatal("cannot start %s", raw[0]);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(in[0]);
        ::close(out[1]);
        m_in = in[1];
        m_out = out[0];
    }
    ~PipedChild()
    {
        ::close(m_in);
        ::close(m_out);
        ::waitpid(m_pid, nullptr, 0);
    }
    PipedChild(const PipedChild &) = delete;
    PipedChild &operator=(const PipedChild &) = delete;

    void say(const QByteArray &line)
    {
        if (::write(m_in, line.constData(), size_t(line.size())) != line.size())
            qFatal("the child does not listen");
    }
    /// The next line, without its end; waits for it.
    QByteArray line()
    {
        for (;;) {
            const auto end = m_buffer.indexOf('\n', m_at);
            if (end >= 0) {
                auto found = m_buffer.mid(m_at, end - m_at);
                m_at = end + 1;
                return found;
            }
            m_buffer.remove(0, m_at);
            m_at = 0;
            char bytes[64 * 1024];
            const auto count = ::read(m_out, bytes, sizeof bytes);
            if (count <= 0)
                qFatal("the child has ended");
            m_buffer.append(bytes, count);
        }
    }
    /// Resident memory in KiB.
    int memory() const
    {
        QFile status(QStringLiteral("/proc/%1/status").arg(m_pid));
        if (!status.open(QIODevice::ReadOnly))
            return 0;
        for (const auto &text : status.readAll().split('\n'))
            if (text.startsWith("VmRSS:"))
                return text.simplified().split(' ')[1].toInt();
        return 0;
    }

private:
    pid_t m_pid = 0;
    int m_in = -1, m_out = -1;
    QByteArray m_buffer;
    qsizetype m_at = 0;
};
