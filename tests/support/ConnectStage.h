#pragma once
#include "remotes/RemoteList.h"
#include "simulator/Simulator.h"
#include "simulator/world/Homelab.h"
#include "support/AuditBook.h"
#include "support/LockableStore.h"
#include <QApplication>
#include <QCryptographicHash>
#include <QLineEdit>
#include <QPushButton>

/// A cluster, a keyring, a log and a file of connections, for the dialogs that deal with them.
struct ConnectStage {
    QTemporaryDir folder;
    Simulator simulator;
    LockableStore secrets;
    RemoteList remotes;
    AuditBook book;

    ConnectStage() : simulator(options()), remotes(folder.filePath(QStringLiteral("connections.json")))
    {
        isReady = simulator.listen() && remotes.load() && book.open();
    }
    static Simulator::Options options()
    {
        Simulator::Options made;
        made.refusalDelay = std::chrono::milliseconds(0);
        return made;
    }
    QString address() const { return QStringLiteral("127.0.0.1:%1").arg(simulator.url().port()); }
    QByteArray pin() const { return simulator.certificate().certificate.digest(QCryptographicHash::Sha256); }
    /// A connection that is kept and works.
    Remote keep(const QString &name, Remote::SignIn kind, const QString &user)
    {
        Remote remote;
        remote.name = name;
        remote.addresses = QStringList{address()};
        remote.pins = {{address(), pin()}};
        remote.signIn = kind;
        remote.user = user;
        const auto kept = remotes.add(remote);
        const auto secret = kind == Remote::SignIn::Token ? Homelab::tokenSecret(user) : Homelab::rootPassword;
        const auto stored = secrets.write(kept->secretKey(), Secret(secret.toUtf8()));
        Q_UNUSED(stored)
        return *kept;
    }
    QStringList headlines()
    {
        QStringList all;
        for (const auto &row : book.page())
            all.prepend(row.headline);
        return all;
    }
    /// An app's second factor for this user; code() is what it shows.
    void addTotp(const QString &user)
    {
        totp = *Totp::fromUri(QStringLiteral("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"));
        SecondFactors::Entry entry;
        entry.id = QStringLiteral("phone");
        entry.type = QStringLiteral("totp");
        entry.totp = totp;
        simulator.world().access.user(user)->factors.entries.push_back(entry);
    }
    QString code() { return totp.code(simulator.world().now()); }

    Totp totp;
    bool isReady = false;
};
