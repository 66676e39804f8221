#pragma once
#include "pve/SecondFactor.h"
#include <QCoro/QCoroTask>
#include <QDialog>
#include <QPointer>

class Connections;
class SecondFactorCard;

/// Asks for the code that the sign-in of an open connection waits for. Closes when it was right, or when the connection
/// goes away.
class SecondFactorDialog : public QDialog
{
    Q_OBJECT
public:
    /// `connections` is borrowed; the connection is open and its session needs a second factor.
    SecondFactorDialog(Connections &connections, const QString &remoteId, QWidget *parent = nullptr);
    QString remoteId() const { return m_remoteId; }

Q_SIGNALS:
    void answered(const QString &remoteId);

private:
    void send(SecondFactor::Kind kind, const Secret &code);
    QCoro::Task<> run(QPointer<SecondFactorDialog> self, SecondFactor::Kind kind, Secret code);

    Connections &m_connections;
    const QString m_remoteId;
    SecondFactorCard *m_card;
};
