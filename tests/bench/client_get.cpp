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
#include <QThread>
#include <algorithm>
#include <cstdio>
#include <ctime>

// Requests a second of Client beside a bare QNetworkAccessManager in the same run, against a simulator on another thread.

namespace
{
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
        while (port == 0)
            QThread::msleep(1);
    }
    ~Server() override
    {
        quit();
        wait();
    }
    std::atomic<quint16> port = 0;
    QByteArray pin;

protected:
    void run() override
    {
        Simulator simulator;
        const auto listening = simulator.listen();
        pin = simulator.certificate().certificate.digest(QCryptographicHash::Sha256);
        port = listening ? *listening : 0;
        exec();
    }
};

struct Figures {
    double perSecond = 0, medianUs = 0, p99Us = 0, processorUs = 0;
};

/// Keeps `atOnce` requests in flight until `count` have ended. `send` calls its argument when one has.
Figures measure(int count, int atOnce, const std::function<void(std::function<void()>)> &send)
{
    QEventLoop loop;
    std::vector<double> took;
    took.reserve(size_t(count));
    int begun = 0;
    std::function<void()> next = [&] {
        if (begun == count)
            return;
        ++begun;
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
    std::sort(took.begin(), took.end());
    return {count / seconds, took[took.size() / 2], took[took.size() * 99 / 100], (processorSeconds() - before) * 1e6 / count};
}

QCoro::Task<void> ask(Client *client, ApiRequest request, std::function<void()> done)
{
    auto answer = co_await client->send(std::move(request), {});
    if (!answer)
        qFatal("%s", qPrintable(answer.error().message));
    done();
}

void print(const char *what, const Figures &figures, const Figures &beside)
{
    std::printf("%-34s %7.0f/s  median %6.0f us  p99 %7.0f us  this thread %5.0f us each   %.2f of bare\n", what,
                figures.perSecond, figures.medianUs, figures.p99Us, figures.processorUs, figures.perSecond / beside.perSecond);
}
}

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    const int count = argc > 1 ? atoi(argv[1]) : 2000;
    Server server;
    const auto address = QStringLiteral("127.0.0.1:%1").arg(server.port);
    const auto token = QStringLiteral("labhelm@pve!desktop");

    QNetworkAccessManager manager;
    QNetworkRequest bare(QUrl(QStringLiteral("https://%1/api2/json/version").arg(address)));
    auto tls = QSslConfiguration::defaultConfiguration();
    tls.setPeerVerifyMode(QSslSocket::VerifyNone);
    bare.setSslConfiguration(tls);
    bare.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    bare.setRawHeader("Authorization", Homelab::authorization(token));
    const auto sendBare = [&](std::function<void()> done) {
        auto *reply = manager.get(bare);
        QObject::connect(reply, &QNetworkReply::finished, reply, [reply, done = std::move(done)] {
            if (reply->error() != QNetworkReply::NoError || reply->readAll().isEmpty())
                qFatal("%s", qPrintable(reply->errorString()));
            reply->deleteLater();
            done();
        });
    };

    Remote remote;
    remote.id = QStringLiteral("bench");
    remote.addresses = QStringList{address};
    remote.user = token;
    remote.pins.insert(address, server.pin);
    MemoryStore secrets;
    Q_UNUSED(secrets.write(remote.secretKey(), Secret(Homelab::tokenSecret(token).toUtf8())));
    HttpTransport transport(remote);
    Session session(remote, transport, secrets);
    Client client(transport, session);
    const ApiRequest version{Method::Get, {QStringLiteral("version")}};
    const auto sendOurs = [&](std::function<void()> done) { ask(&client, version, std::move(done)); };
    const ApiRequest write{Method::Put,
                           {QStringLiteral("nodes"), QStringLiteral("pve1"), QStringLiteral("qemu"), QStringLiteral("120"),
                            QStringLiteral("config")},
                           {{QStringLiteral("description"), QStringLiteral("x")}}};
    const auto sendWrite = [&](std::function<void()> done) { ask(&client, write, std::move(done)); };

    measure(100, 1, sendBare);
    measure(100, 1, sendOurs);
    for (const int atOnce : {1, 6, 32}) {
        const auto theirs = measure(count, atOnce, sendBare);
        const auto ours = measure(count, atOnce, sendOurs);
        std::printf("GET, %d in flight\n", atOnce);
        print("  bare QNetworkAccessManager", theirs, theirs);
        print("  Client", ours, theirs);
    }
    const auto theirs = measure(count / 4, 1, sendBare);
    std::printf("PUT beside a GET: a connection of its own each\n");
    print("  Client, PUT", measure(count / 4, 1, sendWrite), theirs);
    return 0;
}
