#include "simulator/Simulator.h"
#include "simulator/api/Gate.h"
#include "simulator/world/Homelab.h"
#include <QRegularExpression>

/// What a simulator is made of, in the order it must die.
struct Simulator::Parts {
    Parts(const Options &options, const Clock &clock, Simulator *owner)
        : world(clock, options.seed), gate(world, faults, options), server(gate, owner)
    {
    }
    World world;
    Faults faults;
    Gate gate;
    HttpServer server;
    Certificate certificate;
};

Simulator::Simulator(const Options &options)
    : m_parts(std::make_unique<Parts>(options, options.clock ? *options.clock : Clock::system(), nullptr))
{
    qRegisterMetaType<HeardRequest>();
    m_parts->gate.onHeard = [this](const HeardRequest &request) { Q_EMIT heard(request); };
    m_parts->world.access.useRelease(Release::of(options.version));
    if (!options.empty)
        Homelab::build(m_parts->world, options.guests);
    renewCertificate();
}

Simulator::~Simulator()
{
    close();
}

void Simulator::renewCertificate()
{
    auto &world = m_parts->world;
    auto made = Certificate::make(world.localNode.isEmpty() ? QStringLiteral("pve1") : world.localNode,
                                  QDateTime::currentSecsSinceEpoch());
    if (!made)
        qFatal("%s", qPrintable(made.error().message));
    m_parts->certificate = *std::move(made);
    if (auto *local = world.node(world.localNode)) {
        local->fingerprint = fingerprint();
        local->certificates = {m_parts->certificate.describe(true), m_parts->certificate.describe(false)};
    }
    auto configuration = QSslConfiguration::defaultConfiguration();
    configuration.setLocalCertificate(m_parts->certificate.certificate);
    configuration.setPrivateKey(m_parts->certificate.key);
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    m_parts->server.setConfiguration(configuration);
}

Result<quint16> Simulator::listen(quint16 port)
{
    if (!m_parts->server.listen(QHostAddress::LocalHost, port))
        return Error{Error::Kind::Unavailable, QStringLiteral("Cannot listen on port %1").arg(port),
                     m_parts->server.errorString()};
    return m_parts->server.serverPort();
}

void Simulator::close()
{
    m_parts->server.close();
    m_parts->server.cutConnections();
}

QUrl Simulator::url() const
{
    QUrl url;
    url.setScheme(QStringLiteral("https"));
    url.setHost(QStringLiteral("127.0.0.1"));
    url.setPort(m_parts->server.serverPort());
    return url;
}

const Certificate &Simulator::certificate() const
{
    return m_parts->certificate;
}
QString Simulator::fingerprint() const
{
    return m_parts->certificate.fingerprint();
}
World &Simulator::world()
{
    return m_parts->world;
}
Faults &Simulator::faults()
{
    return m_parts->faults;
}
const QList<HeardRequest> &Simulator::requests() const
{
    return m_parts->gate.heard;
}
void Simulator::forgetRequests()
{
    m_parts->gate.heard.clear();
}
int Simulator::connections() const
{
    return m_parts->server.accepted();
}
void Simulator::cutConnections()
{
    m_parts->server.cutConnections();
}

QList<HeardRequest> Simulator::writes() const
{
    QList<HeardRequest> found;
    for (const auto &request : requests())
        if (request.isWrite() && request.path != QLatin1String("/access/ticket"))
            found.append(request);
    return found;
}

int Simulator::count(const QString &method, const QString &path) const
{
    QStringList parts;
    for (const auto &part : path.split(u'*'))
        parts.append(QRegularExpression::escape(part));
    const QRegularExpression pattern(QStringLiteral("\\A") + parts.join(QLatin1String(".*")) + QStringLiteral("\\z"));
    return int(std::count_if(requests().begin(), requests().end(), [&](const auto &request) {
        return request.method == method && pattern.match(request.path).hasMatch();
    }));
}
