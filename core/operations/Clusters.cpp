#include "operations/Clusters.h"
#include "inventory/Inventory.h"
#include "inventory/PollAnswers.h"
#include "inventory/Visibility.h"
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

QCoro::Task<std::vector<Result<QJsonValue>>> askAll(OperationContext context, std::vector<Question> questions)
{
    std::vector<QCoro::Task<Result<QJsonValue>>> asked;
    for (auto &question : questions)
        asked.push_back(askOne(context, question.remote, std::move(question.request)));
    std::vector<Result<QJsonValue>> answers;
    for (auto &one : asked) {
        auto answer = co_await one;
        answers.push_back(std::move(answer));
    }
    co_return answers;
}

QCoro::Task<std::vector<AnswerOf<QJsonValue>>> askEach(OperationContext context, QStringList remotes,
                                                       ApiRequest request)
{
    std::vector<Question> questions;
    for (const auto &remote : remotes)
        questions.push_back({remote, request});
    auto all = co_await askAll(std::move(context), std::move(questions));
    std::vector<AnswerOf<QJsonValue>> answers;
    for (size_t at = 0; at < all.size(); ++at)
        answers.emplace_back(remotes[qsizetype(at)], std::move(all[at]));
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

QJsonArray Gathered::list(const QString &remote, const Result<QJsonValue> &answer)
{
    return list(remote, QString(), answer);
}

QJsonArray Gathered::list(const QString &remote, const QString &part, const Result<QJsonValue> &answer)
{
    const auto rows = asArray(answer);
    if (rows) {
        m_isAnswered = true;
        return *rows;
    }
    auto missing = missingRemote(remote, rows.error());
    if (!part.isEmpty())
        missing.insert(QStringLiteral("part"), part);
    m_missing.append(missing);
    m_last = rows.error();
    return {};
}

void Gathered::addMissingNodes(const InventorySnapshot &state)
{
    ::addMissingNodes(m_missing, state);
}

void Gathered::note(const QString &remote, const Result<InventoryPtr> &state)
{
    if (!state) {
        m_missing.append(missingRemote(remote, state.error()));
        m_last = state.error();
        return;
    }
    m_isAnswered = true;
    addMissingNodes(**state);
    if (!(*state)->hidden.isEmpty())
        m_notVisible.append(
            QJsonObject{{QStringLiteral("remote"), remote}, {QStringLiteral("what"), (*state)->hidden}});
}

void Gathered::takeGaps(const Gathered &other)
{
    for (const auto &gap : other.m_missing)
        m_missing.append(gap);
    for (const auto &gap : other.m_notVisible)
        m_notVisible.append(gap);
}

void Gathered::hide(const QString &remote, const Result<QJsonValue> &permissions, const Sight &sight)
{
    if (!permissions || Visibility::seesAll(*permissions, sight.root, sight.privileges))
        return;
    const auto text =
        words(QT_TRANSLATE_NOOP("operation", "Not everything may be visible with this sign-in: %1 (%2 on %3)."))
            .arg(sight.what.translated(), sight.privileges.join(QStringLiteral(" | ")), sight.root);
    m_notVisible.append(QJsonObject{{QStringLiteral("remote"), remote}, {QStringLiteral("what"), text}});
}

Gathered Gathered::sortedBy(const char *key) const
{
    auto sorted = *this;
    std::vector<QJsonValue> rows(m_rows.begin(), m_rows.end());
    std::stable_sort(rows.begin(), rows.end(),
                     [name = QLatin1String(key)](const QJsonValue &one, const QJsonValue &other) {
                         return one[name].toDouble() > other[name].toDouble();
                     });
    sorted.m_rows = {};
    for (const auto &row : rows)
        sorted.m_rows.append(row);
    return sorted;
}

Result<QJsonObject> Gathered::answer(const char *key, qint64 limit) const
{
    if (m_last && !m_isAnswered)
        return *m_last;
    auto rows = m_rows;
    QJsonObject all;
    if (limit > 0 && rows.size() > limit) {
        all.insert(QStringLiteral("left_out"), rows.size() - limit);
        while (rows.size() > limit)
            rows.removeLast();
    }
    all.insert(QLatin1String(key), rows);
    if (!m_missing.isEmpty())
        all.insert(QStringLiteral("missing"), m_missing);
    if (!m_notVisible.isEmpty())
        all.insert(QStringLiteral("not_visible"), m_notVisible);
    return all;
}

QCoro::Task<Result<QJsonValue>> listEach(OperationContext context, std::optional<RemoteRef> only, Listing listing)
{
    const auto remotes = remotesToAsk(context, only);
    std::vector<Question> questions;
    for (const auto &remote : remotes) {
        questions.push_back({remote, listing.request});
        if (listing.sight)
            questions.push_back({remote, permissionsRequest()});
    }
    const auto answers = co_await askAll(std::move(context), std::move(questions));
    Gathered gathered;
    size_t at = 0;
    for (const auto &remote : remotes) {
        for (const auto &entry : gathered.list(remote, answers[at++])) {
            auto row = entry.toObject();
            for (const auto &key : listing.noise)
                row.remove(key);
            row.insert(QStringLiteral("remote"), remote);
            gathered.add(row);
        }
        if (listing.sight)
            gathered.hide(remote, answers[at++], *listing.sight);
    }
    const auto answer = gathered.answer(listing.key);
    if (!answer)
        co_return answer.error();
    co_return QJsonValue(*answer);
}

ApiRequest permissionsRequest()
{
    return {Method::Get, {QStringLiteral("access"), QStringLiteral("permissions")}};
}
