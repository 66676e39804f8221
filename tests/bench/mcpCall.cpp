#include "bench/PipedChild.h"
#include "simulator/world/Homelab.h"
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>

namespace
{
/// How long each of many calls took, in milliseconds.
struct Figures {
    std::vector<double> times;
    double seconds = 0;
    double at(double part)
    {
        std::sort(times.begin(), times.end());
        return times[std::min(times.size() - 1, size_t(double(times.size()) * part))];
    }
    void print(const char *name)
    {
        std::printf("%-34s median %7.3f ms   p99 %7.3f ms   %8.0f a second\n", name, at(0.5), at(0.99),
                    double(times.size()) / seconds);
    }
};

QByteArray call(int id, const QByteArray &tool, const QByteArray &arguments)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) +
           ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}}\n";
}

/// Keeps `flight` calls on their way until `count` are answered.
Figures measure(PipedChild &bridge, int count, int flight, const QByteArray &tool, const QByteArray &arguments)
{
    Figures figures;
    std::vector<qint64> begun(size_t(count) + 1);
    QElapsedTimer clock;
    clock.start();
    int sent = 0;
    const auto send = [&] {
        if (sent >= count)
            return;
        begun[size_t(++sent)] = clock.nsecsElapsed();
        bridge.say(tool.isEmpty()
                       ? "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(sent) + ",\"method\":\"ping\"}\n"
                       : call(sent, tool, arguments));
    };
    for (int i = 0; i < flight; ++i)
        send();
    while (int(figures.times.size()) < count) {
        const auto line = bridge.line();
        if (line.contains("isError") || line.contains("\"error\""))
            qFatal("%s", line.left(400).constData());
        const auto id = line.mid(line.indexOf("\"id\":") + 5, 12).split(',')[0].toInt();
        figures.times.push_back(double(clock.nsecsElapsed() - begun[size_t(id)]) / 1e6);
        send();
    }
    figures.seconds = double(clock.nsecsElapsed()) / 1e9;
    return figures;
}

/// The same for bare requests to the cluster.
class BareGets : public QObject
{
public:
    explicit BareGets(const QUrl &cluster) : m_request(cluster)
    {
        m_request.setUrl(QUrl(cluster.toString() + QStringLiteral("/api2/json/nodes/pve1/lxc/104/status/current")));
        m_request.setRawHeader("Authorization", Homelab::authorization(QStringLiteral("labhelm@pve!desktop")));
        m_request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
        connect(&m_network, &QNetworkAccessManager::sslErrors, this,
                [](QNetworkReply *reply) { reply->ignoreSslErrors(); });
    }
    Figures measure(int count, int flight)
    {
        m_left = count;
        m_open = 0;
        m_figures = {};
        m_clock.start();
        for (int i = 0; i < flight; ++i)
            send();
        QCoreApplication::exec();
        m_figures.seconds = double(m_clock.nsecsElapsed()) / 1e9;
        return m_figures;
    }

private:
    void send()
    {
        if (m_left == 0) {
            if (m_open == 0)
                QCoreApplication::quit();
            return;
        }
        --m_left;
        ++m_open;
        auto *reply = m_network.get(m_request);
        connect(reply, &QNetworkReply::finished, this, [this, reply, begun = m_clock.nsecsElapsed()] {
            if (reply->error() != QNetworkReply::NoError || !reply->readAll().contains("\"vmid\""))
                qFatal("%s", qPrintable(reply->errorString()));
            reply->deleteLater();
            m_figures.times.push_back(double(m_clock.nsecsElapsed() - begun) / 1e6);
            --m_open;
            send();
        });
    }
    QNetworkAccessManager m_network;
    QNetworkRequest m_request;
    QElapsedTimer m_clock;
    Figures m_figures;
    int m_left = 0, m_open = 0;
};

QByteArray initialize()
{
    return "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
           "\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}\n";
}

Figures coldStarts(const QStringList &arguments, int count)
{
    Figures figures;
    QElapsedTimer all;
    all.start();
    for (int i = 0; i < count; ++i) {
        QElapsedTimer one;
        one.start();
        PipedChild bridge(QStringLiteral(LABHELM_BIN "/labhelm-mcp"), arguments);
        bridge.say(initialize());
        (void)bridge.line();
        figures.times.push_back(double(one.nsecsElapsed()) / 1e6);
    }
    figures.seconds = double(all.nsecsElapsed()) / 1e9;
    return figures;
}
} // namespace

/// How long an agent waits for a guest, beside what one bare request to the cluster takes, in one run. The cluster, the
/// executor with its audit log and the endpoint share one process and one thread of it.
int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    const int count = argc > 1 ? QByteArray(argv[1]).toInt() : 3000;
    const QTemporaryDir folder;
    PipedChild host(QStringLiteral(LABHELM_BIN "/labhelm-test-host"),
                    {QStringLiteral("--folder"), folder.path(), QStringLiteral("--calls-per-minute"),
                     QStringLiteral("1000000000")});
    const auto places = QJsonDocument::fromJson(host.line()).object();
    host.say("{\"do\":\"pair\",\"name\":\"bench\",\"preset\":\"observe\"}\n");
    const auto agent = QJsonDocument::fromJson(host.line()).object();
    const QStringList arguments{QStringLiteral("--socket"), places[u"socket"].toString(), QStringLiteral("--agent"),
                                agent[u"agent"].toString(), QStringLiteral("--key"),      agent[u"key"].toString()};

    coldStarts(arguments, 20).print("bridge: start to initialized");
    PipedChild bridge(QStringLiteral(LABHELM_BIN "/labhelm-mcp"), arguments);
    bridge.say(initialize());
    (void)bridge.line();
    BareGets bare(QUrl(places[u"cluster"].toString()));
    const QByteArray guest("{\"guest\":\"104\"}");
    (void)bare.measure(200, 1);
    (void)measure(bridge, 200, 1, "guest_get", guest);
    for (const int flight : {1, 32}) {
        std::printf("%d in flight\n", flight);
        auto bareTimes = bare.measure(count, flight);
        auto pings = measure(bridge, count, flight, {}, {});
        auto lists = measure(bridge, count, flight, "guest_list", "{\"limit\":1}");
        auto gets = measure(bridge, count, flight, "guest_get", guest);
        bareTimes.print("  bare GET of a guest's status");
        pings.print("  ping through the bridge");
        lists.print("  guest_list, no request, one row");
        gets.print("  guest_get with its row");
        std::printf("  guest_get takes %.2f bare GETs\n", gets.at(0.5) / bareTimes.at(0.5));
    }
    std::printf("memory: bridge %.1f MiB, host with simulator %.1f MiB\n", bridge.memory() / 1024.0,
                host.memory() / 1024.0);
    return 0;
}
