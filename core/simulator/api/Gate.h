#pragma once
#include "simulator/Simulator.h"
#include "simulator/api/Call.h"
#include "simulator/http/HttpServer.h"
#include <variant>

/// From a request to an answer, in the order of PVE's server: method, sign-in, body, path, rights, node, parameters,
/// code.
class Gate : public HttpHandler
{
public:
    Gate(World &world, Faults &faults, const Simulator::Options &options);
    std::optional<HttpAnswer> refuse(const HttpRequest &head) override;
    Outcome handle(const HttpRequest &request) override;
    bool failsNow(SocketOperation operation) override { return m_faults.failsNow(operation); }
    qint64 nowMs() const override { return m_world.clock().wallMs(); }
    std::chrono::milliseconds patience() const override;

    QList<HeardRequest> heard;
    /// Told of each request after it was carried out.
    std::function<void(const HeardRequest &)> onHeard;

private:
    struct Target {
        QString format; ///< json, extjs
        QString path;   ///< decoded, "/nodes/pve1/qemu"
    };
    struct SignIn {
        std::optional<Identity> who;
        QByteArray refusal;
    };
    static std::optional<Target> target(const QByteArray &path);
    HttpAnswer answer(const HttpRequest &request, const Target &target, HeardRequest &note);
    std::optional<HttpAnswer> refusalOf(const HttpRequest &head) const;
    std::optional<HttpAnswer> refuseBody(const HttpRequest &head) const;
    SignIn signIn(const HttpRequest &request) const;
    SignIn byToken(const QString &credential) const;
    static QString cookie(const HttpRequest &request);
    HttpAnswer unauthorized(const QByteArray &reason) const;
    /// The parameters, or the answer to a body that cannot be read.
    std::variant<Parameters, HttpAnswer> parameters(const HttpRequest &request);
    std::variant<Parameters, HttpAnswer> uploaded(const HttpRequest &request);
    static bool isUpload(const HttpRequest &head);
    std::optional<HttpAnswer> refuseUpload(const HttpRequest &head, const Target &target) const;
    ApiAnswer call(const Identity &who, const ApiTable::Match &match, const Parameters &given);
    /// The answer of the way there: another node is unknown or off.
    std::optional<HttpAnswer> lostOnTheWay(const Endpoint &endpoint, const Parameters &all) const;
    /// Puts the call through: rights, node, parameters, code. `reached` = it came to the daemon that carries it out.
    std::variant<ApiAnswer, HttpAnswer> through(const Identity &who, const ApiTable::Match &match,
                                                const Parameters &given, const QString &path, bool &reached);
    HttpAnswer formatted(const ApiAnswer &answer, const Target &target, const HttpRequest &request) const;
    QByteArray upstream(const Endpoint &endpoint, const Parameters &all) const;
    void remember(const HeardRequest &request);
    Outcome afflicted(const Fault &fault, const HttpRequest &request, const std::optional<Target> &target,
                      HeardRequest &note);
    /// Makes a websocket of an answered request that asks for one.
    void upgrade(const HttpRequest &request, const HeardRequest &note, Outcome &outcome);
    static HttpAnswer insteadOf(const Fault &fault);
    bool needsNoSignIn(const QString &method, const QString &path) const;

    World &m_world;
    Faults &m_faults;
    const ApiTable &m_table;
    int m_version;
    std::chrono::milliseconds m_refusalDelay;
    QByteArray m_upload; ///< the file that the request at hand brought
};
