#pragma once
#include <QHash>
#include <QList>
#include <QMap>
#include <QRandomGenerator>
#include <QString>
#include <QStringList>

/// What one parameter takes and refuses, as the schema says.
struct ParameterFact {
    QString name; ///< "net[n]" is numbered
    QStringList good;
    QList<QPair<QString, QString>> bad; ///< kind and value
    bool isOptional = false;
    bool isInPath = false;
    bool isArray = false;
    QString requires_;
};

/// A request that was made up, and what the schema says of it.
struct MadeRequest {
    QString fault; ///< kind of the one thing that is wrong; empty = nothing is
    QString wrong; ///< parameter that must be named in the answer
    QMap<QString, QStringList> values;
};

/// A call of the API as tests/data/make_request_facts.py reads it, and requests made from that.
class RequestFacts
{
public:
    QString method;
    QString path;
    QList<ParameterFact> parameters;
    bool takesMore = false;

    /// By "METHOD /path"; empty when the table cannot be read.
    static QHash<QString, RequestFacts> read(const QString &file);
    /// False when something is required whose values nobody wrote down.
    bool isJudged() const;
    MadeRequest valid(QRandomGenerator &random) const;
    /// All single faults that can be made, each once, on top of a valid request.
    QList<MadeRequest> faulty(QRandomGenerator &random) const;

private:
    const ParameterFact *find(const QString &name) const;
    QList<MadeRequest> refusedValues(const ParameterFact &fact, QRandomGenerator &random) const;
    QStringList values(const ParameterFact &fact, QRandomGenerator &random) const;
    void give(MadeRequest &request, const ParameterFact &fact, QRandomGenerator &random) const;
    static QString spelled(const QString &name, int number = 0);
};
