#pragma once
#include <QByteArray>
#include <QHash>
#include <QString>
#include <QStringList>

/// A connection to one cluster or standalone node, as kept in the file of connections. Holds no secret.
struct Remote {
    enum class SignIn { Token, Password };

    QString id;            ///< stable; made by us, [a-z0-9-]
    QString name;          ///< shown and used in "name:101"; unique
    QStringList addresses; ///< "host[:port]", the first is tried first; default port 8006
    SignIn signIn = SignIn::Token;
    QString user; ///< token: "user@realm!name"; password: "user@realm"
    /// "host:port" → SHA-256 of the leaf certificate (32 bytes). An address without a pin needs a chain the system
    /// trusts.
    QHash<QString, QByteArray> pins;
    bool isDemo = false;
    /// Counts the secrets this connection has had: a new token is stored beside the old one, and one write of the file
    /// changes from one to the other.
    int secretSlot = 0;

    /// Where the token secret or password is kept in the SecretStore.
    QString secretKey() const
    {
        const auto kind = signIn == SignIn::Token ? QStringLiteral("token") : QStringLiteral("password");
        const auto key = QStringLiteral("remote/%1/%2").arg(id, kind);
        return secretSlot == 0 ? key : key + u'-' + QString::number(secretSlot);
    }
    bool operator==(const Remote &) const = default;
};
