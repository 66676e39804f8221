#include "operations/Clusters.h"
#include "inventory/Inventory.h"
#include "inventory/PollAnswers.h"
#include "operations/BoundedStop.h"
#include "operations/Words.h"

using namespace std::chrono_literals;

namespace
{
constexpr auto longestWait = 5s;

/// What the deadline ended is told apart from what somebody stopped.
Error lateOr(Error error, const std::stop_token &stop)
{
    if (error.kind != Error::Kind::Cancelled || stop.stop_requested())
        return error;
    return {Error::Kind::TimedOut, words(QT_TRANSLATE_NOOP("operation", "It did not answer within %1 seconds."))
                                       .arg(std::chrono::seconds(longestWait).count())};
}

QCoro::Task<Result<QJsonValue>> askOne(OperationContext context, QString remote, ApiRequest request)
{
    const auto stop = context.stop;
    const auto bound = std::make_unique<BoundedStop>(stop, longestWait);
    context.stop = bound->source.get_token();
    auto answer = co_await get(std::move(context), std::move(remote), std::move(request));
    if (!answer)
        co_return lateOr(answer.error(), stop);
    co_return answer;
}

QCoro::Task<Result<InventoryPtr>> readOne(OperationContext context, QString remote)
{
    ApiRequest statusRequest{Method::Get, {"cluster", "status"}},
        resourcesRequest{Method::Get, {"cluster", "resources"}};
    auto asksStatus = askOne(context, remote, std::move(statusRequest));
    auto asksResources = askOne(context, remote, std::move(resourcesRequest));
    auto status = co_await asksStatus;
    auto resources = co_await asksResources;
    if (!resources)
        co_return resources.error();
    if (!status && status.error().kind != Error::Kind::Forbidden)
        co_return status.error();
    const auto known = context.services->inventory.snapshot(remote);
    auto answers = std::make_shared<PollAnswers>();
    answers->remoteId = remote;
    answers->remoteName = known ? known->remoteName : remote;
    answers->takenAtMs = context.services->clock.wallMs();
    answers->resources = std::move(*resources);
    answers->status = std::move(status);
    answers->tasks = QJsonValue(QJsonArray());
    co_return co_await context.services->inventory.read(std::move(answers)).until(context.stop);
}
}

QCoro::Task<std::vector<AnswerOf<QJsonValue>>> askEach(OperationContext context, QStringList remotes,
                                                       ApiRequest request)
{
    std::vector<QCoro::Task<Result<QJsonValue>>> asked;
    for (const auto &remote : remotes)
        asked.push_back(askOne(context, remote, request));
    std::vector<AnswerOf<QJsonValue>> answers;
    for (qsizetype at = 0; at < remotes.size(); ++at) {
        auto answer = co_await asked[static_cast<size_t>(at)];
        answers.emplace_back(remotes[at], std::move(answer));
    }
    co_return answers;
}

QCoro::Task<std::vector<AnswerOf<InventoryPtr>>> readEach(OperationContext context, QStringList remotes)
{
    std::vector<QCoro::Task<Result<InventoryPtr>>> asked;
    for (const auto &remote : remotes)
        asked.push_back(readOne(context, remote));
    std::vector<AnswerOf<InventoryPtr>> answers;
    for (qsizetype at = 0; at < remotes.size(); ++at) {
        auto answer = co_await asked[static_cast<size_t>(at)];
        answers.emplace_back(remotes[at], std::move(answer));
    }
    co_return answers;
}

QJsonObject missingRemote(const QString &remote, const Error &error)
{
    return {{QStringLiteral("remote"), remote}, {QStringLiteral("problem"), error.message}};
}

void addMissingNodes(QJsonArray &missing, const InventorySnapshot &state)
{
    for (const auto *node : state.missingNodes()) {
        const auto problem = node->status == NodeState::Status::Offline
                                 ? words(QT_TRANSLATE_NOOP("operation", "This node is offline."))
                                 : words(QT_TRANSLATE_NOOP("operation", "Whether this node is online is not known."));
        QJsonObject one{{QStringLiteral("remote"), state.remoteId},
                        {QStringLiteral("node"), node->name.text()},
                        {QStringLiteral("problem"), problem}};
        if (node->lastSeenMs)
            one.insert(QStringLiteral("last_seen"), *node->lastSeenMs / 1000);
        missing.append(one);
    }
}
