#include "simulator/RequestFacts.h"
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

static QStringList texts(const QJsonValue &value)
{
    QStringList list;
    for (const auto &each : value.toArray())
        list.append(each.toString());
    return list;
}

QHash<QString, RequestFacts> RequestFacts::read(const QString &path)
{
    QFile file(path);
    QHash<QString, RequestFacts> all;
    if (!file.open(QIODevice::ReadOnly))
        return all;
    const auto lines = file.readAll().split('\n');
    const auto shapes = QJsonDocument::fromJson(lines.first()).object()[QLatin1String("shapes")].toArray();
    for (const auto &line : lines.mid(1)) {
        const auto row = QJsonDocument::fromJson(line).object();
        const auto call = row[QLatin1String("call")].toString();
        RequestFacts facts;
        facts.method = call.section(u' ', 0, 0);
        facts.path = call.section(u' ', 1);
        facts.takesMore = row.contains(QLatin1String("more"));
        const auto parameters = row[QLatin1String("params")].toObject();
        for (auto it = parameters.begin(); it != parameters.end(); ++it) {
            const auto told = it->toArray();
            const auto shape = shapes.at(told.at(0).toInt());
            ParameterFact fact;
            fact.name = it.key();
            fact.good = texts(shape[QLatin1String("good")]);
            for (const auto &bad : shape[QLatin1String("bad")].toArray())
                fact.bad.append({bad[0].toString(), bad[1].toString()});
            fact.isOptional = told.at(1).toString().contains(u'o');
            fact.isInPath = told.at(1).toString().contains(u'p');
            fact.isArray = told.at(1).toString().contains(u'a');
            fact.requires_ = told.at(2).toString();
            facts.parameters.append(fact);
        }
        if (!call.isEmpty())
            all.insert(call, facts);
    }
    return all;
}

const ParameterFact *RequestFacts::find(const QString &name) const
{
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const auto &p) { return p.name == name; });
    return found == parameters.end() ? nullptr : &*found;
}

bool RequestFacts::isJudged() const
{
    return std::all_of(parameters.begin(), parameters.end(),
                       [](const auto &p) { return p.isOptional || !p.good.isEmpty(); });
}

QString RequestFacts::spelled(const QString &name, int number)
{
    return name.endsWith(QLatin1String("[n]")) ? name.chopped(3) + QString::number(number) : name;
}

QStringList RequestFacts::values(const ParameterFact &fact, QRandomGenerator &random) const
{
    // The node that answers; another would have to be reached first.
    if (fact.name == QLatin1String("node") && fact.isInPath)
        return {QStringLiteral("pve1")};
    QStringList picked;
    const int count = fact.isArray ? random.bounded(1, 3) : 1;
    for (int i = 0; i < count; ++i) {
        auto value = fact.good[random.bounded(int(fact.good.size()))];
        // What stands in a path cannot be empty, a dot or a slash.
        while (fact.isInPath && (value.isEmpty() || value.contains(u'/') || value == u' '))
            value = fact.good[random.bounded(int(fact.good.size()))];
        picked.append(value);
    }
    return picked;
}

void RequestFacts::give(MadeRequest &request, const ParameterFact &fact, QRandomGenerator &random) const
{
    const auto name = spelled(fact.name);
    if (request.values.contains(name) || fact.good.isEmpty())
        return;
    const auto *needed = fact.requires_.isEmpty() ? nullptr : find(fact.requires_);
    if (!fact.requires_.isEmpty() && (!needed || needed->good.isEmpty()))
        return;
    request.values[name] = values(fact, random);
    if (needed)
        give(request, *needed, random);
}

MadeRequest RequestFacts::valid(QRandomGenerator &random) const
{
    MadeRequest request;
    for (const auto &fact : parameters)
        if (!fact.isOptional || fact.isInPath || random.bounded(4) == 0)
            give(request, fact, random);
    return request;
}

/// Only the one value is wrong: what it needs beside it is given.
QList<MadeRequest> RequestFacts::refusedValues(const ParameterFact &fact, QRandomGenerator &random) const
{
    QList<MadeRequest> all;
    const auto name = spelled(fact.name);
    for (const auto &[kind, value] : fact.bad) {
        const bool unfit = value.contains(u'/') || value.trimmed().isEmpty();
        if (fact.isInPath && (unfit || fact.name == QLatin1String("node")))
            continue;
        auto request = valid(random);
        give(request, fact, random);
        if (!fact.requires_.isEmpty() && !request.values.contains(fact.requires_))
            continue;
        request.fault = kind;
        request.wrong = name;
        request.values[name] = {value};
        all.append(request);
    }
    return all;
}

QList<MadeRequest> RequestFacts::faulty(QRandomGenerator &random) const
{
    QList<MadeRequest> all;
    const auto add = [&](const QString &fault, const QString &wrong, auto change) {
        auto request = valid(random);
        request.fault = fault;
        request.wrong = wrong;
        change(request.values);
        all.append(request);
    };
    if (!takesMore)
        add(QStringLiteral("unknown"), QStringLiteral("labhelm-unknown"),
            [](auto &values) { values[QStringLiteral("labhelm-unknown")] = {QStringLiteral("1")}; });
    for (const auto &fact : parameters) {
        const auto name = spelled(fact.name);
        if (!fact.isOptional && !fact.isInPath)
            add(QStringLiteral("missing"), name, [&](auto &values) { values.remove(name); });
        if (fact.name.endsWith(QLatin1String("[n]")) && !fact.good.isEmpty() && !takesMore)
            add(QStringLiteral("unknown"), spelled(fact.name, 999),
                [&](auto &values) { values[spelled(fact.name, 999)] = {fact.good.first()}; });
        if (!fact.requires_.isEmpty() && !fact.good.isEmpty())
            add(QStringLiteral("requires"), fact.requires_, [&](auto &values) {
                values[name] = {fact.good.first()};
                values.remove(fact.requires_);
            });
        all += refusedValues(fact, random);
    }
    return all;
}
