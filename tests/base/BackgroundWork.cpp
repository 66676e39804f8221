#include "base/Background.h"
#include "support/Await.h"
#include "support/TestMain.h"
#include <QSemaphore>
#include <QThread>

class BackgroundWork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void worksElsewhereAndAnswersHere()
    {
        Background background;
        const auto *here = QThread::currentThread();
        auto elsewhere =
            await(background.run<bool>([here]() -> Result<bool> { return QThread::currentThread() != here; }));
        QVERIFY(elsewhere);
        QVERIFY(*elsewhere);
    }
    void keepsTheOrder()
    {
        Background background;
        auto order = std::make_shared<QList<int>>();
        for (int i = 0; i < 99; ++i)
            Q_UNUSED(background.run<void>([order, i]() -> Result<void> {
                order->append(i);
                return {};
            }));
        const auto last = await(background.run<void>([]() -> Result<void> { return {}; }));
        QVERIFY(last);
        QCOMPARE(order->size(), 99);
        QVERIFY(std::is_sorted(order->begin(), order->end()));
    }
    void handsOnAnError()
    {
        Background background;
        const auto failed = await(background.run<int>([]() -> Result<int> {
            return Error{Error::Kind::Malformed, QStringLiteral("odd")};
        }));
        QVERIFY(!failed);
        QCOMPARE(failed.error().kind, Error::Kind::Malformed);
    }
    void endsWhatWaitsWhenItGoesAway()
    {
        auto background = std::make_unique<Background>();
        QSemaphore started, release;
        auto running = background->run<void>([&]() -> Result<void> {
            started.release();
            release.acquire();
            return {};
        });
        bool ran = false;
        auto queued = background->run<void>([&ran]() -> Result<void> {
            ran = true;
            return {};
        });
        started.acquire();
        std::unique_ptr<QThread> releaser(QThread::create([&release] { release.release(); }));
        releaser->start();
        background.reset();
        releaser->wait();
        QVERIFY(running.isReady());
        QVERIFY(queued.isReady());
        const auto outcome = queued.await_resume();
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().kind, Error::Kind::Cancelled);
        Q_UNUSED(ran); // the queued one may have been started before it could be taken back
    }
};

LABHELM_TEST(BackgroundWork)
#include "BackgroundWork.moc"
