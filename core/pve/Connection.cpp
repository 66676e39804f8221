#include "pve/Connection.h"
#include "pve/Client.h"
#include "pve/FailoverTransport.h"
#include "pve/HttpTransport.h"
#include "pve/Session.h"
#include "pve/TaskWatcher.h"

/// Each node of a cluster has a certificate of its own, so each address is a transport with a pin of its own.
static std::unique_ptr<Transport> waysTo(const Remote &remote)
{
    return std::make_unique<FailoverTransport>(remote.addresses, [&remote](const QString &address) {
        auto one = remote;
        one.addresses = QStringList{address};
        return std::make_unique<HttpTransport>(one);
    });
}

Connection::Connection(Remote remote, SecretStore &secrets)
    : m_remote(std::move(remote)), m_transport(waysTo(m_remote)),
      m_session(std::make_unique<Session>(m_remote, *m_transport, secrets)),
      m_client(std::make_unique<Client>(*m_transport, *m_session)), m_tasks(std::make_unique<TaskWatcher>(*m_client))
{
}

Connection::~Connection() = default;

Connections::Connections(SecretStore &secrets) : m_secrets(secrets) {}

Connections::~Connections()
{
    while (!m_open.empty())
        close(m_open.back()->remote().id);
}

Connection &Connections::open(const Remote &remote)
{
    const auto id = remote.id;
    auto made = std::make_unique<Connection>(remote, m_secrets); // before close(): `remote` may be the old one's own
    close(id);
    auto &connection = *m_open.emplace_back(std::move(made));
    connect(&connection.session(), &Session::stateChanged, this, [this, id] { Q_EMIT sessionChanged(id); });
    Q_EMIT opened(id);
    return connection;
}

void Connections::close(const QString &remoteId)
{
    if (!find(remoteId))
        return;
    const auto id = remoteId; // may belong to what goes away
    Q_EMIT closing(id);
    std::erase_if(m_open, [&id](const auto &one) { return one->remote().id == id; });
}

Connection *Connections::find(const QString &remoteId) const
{
    for (const auto &one : m_open)
        if (one->remote().id == remoteId)
            return one.get();
    return nullptr;
}

std::vector<Connection *> Connections::all() const
{
    std::vector<Connection *> all;
    for (const auto &one : m_open)
        all.push_back(one.get());
    return all;
}
