#include "pages/connect/ImportRun.h"
#include "audit/AuditLog.h"
#include "base/DisplayText.h"
#include "notes/AuditNote.h"
#include "remotes/RemoteList.h"
#include "secrets/SecretStore.h"

ImportRun::ImportRun(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QObject *parent)
    : QObject(parent), m_remotes(remotes), m_secrets(secrets), m_log(log)
{
}

ImportRun::~ImportRun()
{
    m_stop.request_stop();
}

void ImportRun::read(const QString &path, const Secret &password)
{
    runRead(path, password, m_stop.get_token());
}

QCoro::Task<> ImportRun::runRead(QString path, Secret password, std::stop_token stop)
{
    const std::function<Result<Import>()> work = [path, password] {
        auto source = Import::load(path);
        if (!source)
            return Result<Import>(source.error());
        source->password = password;
        return Import::read(*source);
    };
    auto import = co_await m_reader.run<Import>(work).until(stop);
    if (!stop.stop_requested())
        Q_EMIT understood(import);
}

void ImportRun::take(const QString &program, const std::vector<Import::Found> &chosen)
{
    runTake(program, chosen, m_stop.get_token());
}

QCoro::Task<> ImportRun::runTake(QString program, std::vector<Import::Found> chosen, std::stop_token stop)
{
    QStringList added, problems;
    for (const auto &found : chosen) {
        auto one = co_await takeOne(program, found, stop);
        if (stop.stop_requested())
            co_return;
        if (one)
            added << *one;
        else
            problems << tr("%1: %2", "a name, and why it was not taken over")
                            .arg(DisplayText::visible(found.remote.name), one.error().message);
    }
    Q_EMIT taken(added, problems);
}

QString ImportRun::freeName(const QString &name) const
{
    auto free = name;
    for (int i = 2; m_remotes.findByName(free); ++i)
        free = QStringLiteral("%1 %2").arg(name).arg(i);
    return free;
}

QCoro::Task<Result<QString>> ImportRun::takeOne(QString program, Import::Found found, std::stop_token stop)
{
    found.remote.name = freeName(found.remote.name);
    auto ready = m_remotes.prepare(found.remote);
    if (!ready)
        co_return ready.error();
    const bool hasSecret = !found.secret.isEmpty();
    if (hasSecret) {
        auto stored = co_await m_secrets.write(ready->secretKey(), found.secret).until(stop);
        if (!stored)
            co_return stored.error();
    }
    const auto sentence = tr("Took the connection %1 to %2 over from %3.")
                              .arg(ready->name, ready->addresses.join(QStringLiteral(", ")), program);
    auto noted = co_await m_log.append(AuditNote::of(Actor::person(), sentence, ready->name)).until(stop);
    auto added = noted ? m_remotes.addPrepared(*ready) : Result<void>(noted.error());
    if (added)
        co_return ready->name;
    if (hasSecret) {
        auto forgotten = co_await m_secrets.remove(ready->secretKey()).until(stop);
        Q_UNUSED(forgotten)
    }
    co_return added.error();
}
