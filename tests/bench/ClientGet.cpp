#include "pve/Client.h"
#include "pve/HttpTransport.h"
#include "pve/Session.h"
#include "secrets/MemoryStore.h"
#include "simulator/Simulator.h"
#include "simulator/world/Homelab.h"
#include <QCoreApplication>
#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QSemaphore>
#include <QStandardPaths>
#include <QThread>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <sys/resource.h>

// Requests a second of Client beside a bare QNetworkAccessManager and curl in the same run, against a simulator on
// another thread. Processor time is that of the thread that asks; of curl, that of its process.

namespace
{
const auto token = QStringLiteral("labhelm@pve!desktop");

double processorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + double(now.tv_nsec) / 1e9;
}

/// A simulator on a thread of its own.
class Server : public QThread
{
public:
    Server()
    {
        start();
        m_listening.acquire();
    }
    ~Server() override
    {
        quit();
        wait();
    }
    QString address;
    QByteArray pin;

protected:
    void run() override
    {
        Simulator simulator;
        const auto port = simulator.listen();
        address = QStringLiteral("127.0.0.1:%1").arg(port ? *port : 0);
        pin = simulator.certificate().certificate.digest(QCryptographicHash::Sha256);
        m_listening.release();
        exec();
    }

private:
    QSemaphore m_listening;
};

/// One way to send a request; `done` is called when it was answered.
using Send = std::function<void(std::function<void()> done)>;

/// What a run of requests took.
struct Figures {
    double perSecond = 0, medianUs = 0, p99Us = 0, processorUs = 0;
};

/// Keeps `atOnce` requests in flight until `count` have ended.
Figures measure(int count, int atOnce, const Send &send)
{
    QEventLoop loop;
    std::vector<double> took;
    int begun = 0;
    std::function<void()> next = [&] {
        if (begun++ >= count)
            return;
        auto timer = std::make_shared<QElapsedTimer>();
        timer->start();
        send([&, timer] {
            took.push_back(double(timer->nsecsElapsed()) / 1000);
            if (int(took.size()) == count)
                loop.quit();
            else
                QMetaObject::invokeMethod(&loop, next, Qt::QueuedConnection);
        });
    };
    QElapsedTimer all;
    const auto before = processorSeconds();
    all.start();
    for (int i = 0; i < atOnce; ++i)
        QMetaObject::invokeMethod(&loop, next, Qt::QueuedConnection);
    loop.exec();
    const auto seconds = double(all.nsecsElapsed()) / 1e9;
    const auto processor = (processorSeconds() - before) * 1e6 / count;
    std::sort(took.begin(), took.end());
    return {count / seconds, took[took.size() / 2], took[took.size() * 99 / 100], processor};
}

QCoro::Task<void> ask(Client *client, ApiRequest request, std::function<void()> done)
{
    auto answer = co_await client->send(std::move(request), std::stop_token());
    if (!answer)
        qFatal("%s", qPrintable(answer.error().message));
    done();
}

Send bare(QNetworkAccessManager &manager, const Server &server)
{
    QNetworkRequest request(QUrl(QStringLiteral("https://%1/api2/json/version").arg(server.address)));
    auto tls = QSslConfiguration::defaultConfiguration();
    tls.setPeerVerifyMode(QSslSocket::VerifyNone);
    request.setSslConfiguration(tls);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setRawHeader("Authorization", Homelab::authorization(token));
    return [&manager, request](std::function<void()> done) {
        auto *reply = manager.get(request);
        QObject::connect(reply, &QNetworkReply::finished, reply, [reply, done = std::move(done)] {
            if (reply->error() != QNetworkReply::NoError || reply->readAll().isEmpty())
                qFatal("%s", qPrintable(reply->errorString()));
            reply->deleteLater();
            done();
        });
    };
}

Send through(Client &client, const ApiRequest &request)
{
    return [&client, request](std::function<void()> done) { ask(&client, request, std::move(done)); };
}

double childSeconds()
{
    rusage use{};
    getrusage(RUSAGE_CHILDREN, &use);
    const auto seconds = [](const timeval &time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
    return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/// One curl that fetches the same `count` times over kept connections; nothing where there is no curl. It tells no time
/// of single requests.
std::optional<Figures> curl(int count, int atOnce, const Server &server)
{
    if (QStandardPaths::findExecutable(QStringLiteral("curl")).isEmpty())
        return {};
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QElapsedTimer all;
    const auto before = childSeconds();
    all.start();
    process.start(QStringLiteral("curl"),
                  {QStringLiteral("--config"), QStringLiteral("-"), QStringLiteral("--parallel"),
                   QStringLiteral("--parallel-max"), QString::number(atOnce)});
    process.write("silent\nshow-error\nfail-early\ninsecure\nhttp1.1\nheader = \"Authorization: " +
                  Homelab::authorization(token) + "\"\n");
    const auto url = "url = https://" + server.address.toUtf8() + "/api2/json/version\noutput = /dev/null\n";
    process.write(url.repeated(count));
    process.closeWriteChannel();
    if (!process.waitForFinished(-1) || process.exitCode() != 0)
        qFatal("curl failed");
    return Figures{count / (double(all.nsecsElapsed()) / 1e9), 0, 0, (childSeconds() - before) * 1e6 / count};
}

void print(const char *what, const Figures &figures, const Figures &beside)
{
    std::printf("%-28s %7.0f/s  median %6.0f us  p99 %7.0f us  this thread %5.0f us each  %.2f of bare\n", what,
                figures.perSecond, figures.medianUs, figures.p99Us, figures.processorUs,
                figures.perSecond / beside.perSecond);
}

void compare(int count, const Send &theirs, Client &client, const Server &server)
{
    const ApiRequest read{Method::Get, {QStringLiteral("version")}};
    const auto ours = through(client, read);
    measure(100, 1, theirs);
    measure(100, 1, ours);
    for (const int atOnce : {1, 6, 32}) {
        const auto beside = measure(count, atOnce, theirs);
        std::printf("GET, %d in flight\n", atOnce);
        print("  bare QNetworkAccessManager", beside, beside);
        print("  Client", measure(count, atOnce, ours), beside);
        if (const auto other = curl(count, atOnce, server))
            print("  curl", *other, beside);
    }
    const QStringList config{QStringLiteral("nodes"), QStringLiteral("pve1"), QStringLiteral("qemu"),
                             QStringLiteral("120"), QStringLiteral("config")};
    const ApiRequest write{Method::Put, config, {{QStringLiteral("description"), QStringLiteral("x")}}};
    const auto beside = measure(count / 4, 1, theirs);
    std::printf("PUT with a connection of its own each, beside a GET\n");
    print("  Client", measure(count / 4, 1, through(client, write)), beside);
}
}

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    Server server;
    Remote remote;
    remote.id = QStringLiteral("bench");
    remote.addresses = QStringList{server.address};
    remote.user = token;
    remote.pins.insert(server.address, server.pin);
    MemoryStore secrets;
    Q_UNUSED(secrets.write(remote.secretKey(), Secret(Homelab::tokenSecret(token).toUtf8())));
    HttpTransport transport(remote);
    Session session(remote, transport, secrets);
    Client client(transport, session);
    QNetworkAccessManager manager;
    compare(argc > 1 ? atoi(argv[1]) : 2000, bare(manager, server), client, server);
    return 0;
}
