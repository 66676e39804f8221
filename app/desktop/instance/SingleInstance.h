#pragma once
#include "base/Result.h"
#include <QLocalServer>
#include <QLockFile>
#include <memory>

class SocketFolder;

/// Sees to it that one Labhelm works on a folder of data; a second start brings the first one's window to the front.
class SingleInstance : public QObject
{
    Q_OBJECT
public:
    /// Nothing happens before take().
    SingleInstance(QString dataFolder, QString socketFolder, QObject *parent = nullptr);
    ~SingleInstance() override;
    /// Conflict: another instance has the data, and was asked to raise its window. Unavailable: a folder cannot be made or
    /// is not ours alone.
    Result<> take();

Q_SIGNALS:
    void raiseAsked();

private:
    void askToRaise() const;
    const QString m_dataFolder, m_socketFolder;
    std::unique_ptr<QLockFile> m_lock;
    std::unique_ptr<SocketFolder> m_place;
    QLocalServer m_server;
};
