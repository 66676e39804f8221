#pragma once
#include "base/Result.h"
#include "simulator/schema/Parameters.h"
#include <QHash>
#include <QJsonValue>
#include <QRegularExpression>
#include <memory>
#include <vector>

/// What one parameter, or one key of a property string, may hold. Absent bounds are nullopt.
struct ParameterShape {
    enum class Type { Any, String, Integer, Number, Boolean, Array };
    Type type = Type::Any;
    bool optional = false;
    bool isDefaultKey = false;
    std::optional<double> minimum;
    std::optional<double> maximum;
    std::optional<qint64> minLength;
    std::optional<qint64> maxLength;
    QStringList choices;
    std::optional<QRegularExpression> pattern;
    QString format;      ///< a name, or empty
    int keys = -1;       ///< index of the property string's keys
    QString requiredToo; ///< another parameter that must be given with it
    QString alias;
    QString keyAlias;
    int items = -1; ///< shape of an array's items
};

/// One call of the API: where it is, who may use it and which parameters it knows.
struct Endpoint {
    QString method;
    QString path; ///< with {placeholders}
    bool isProtected = false;
    bool allowsToken = false;
    bool allowsMore = false; ///< parameters beyond the listed ones are accepted
    QString proxyTo;         ///< parameter that names the answering node
    QJsonValue permissions;  ///< "all", "world", a check expression, undefined for root@pam only
    QHash<QString, int> parameters;
};

/// One thing wrong with a request; `text` is PVE's wording.
struct Violation {
    QString parameter;
    QString text;
};

/// The API as PVE publishes it, read from a table that tests/data/make_api_table.py makes. Immutable; any thread.
class ApiTable
{
public:
    struct Match {
        const Endpoint *endpoint = nullptr;
        QMap<QString, QString> path; ///< the {placeholders} with their values
    };
    /// The tables of PVE 9 and 8 that come with the program.
    static const ApiTable &ofVersion9();
    static const ApiTable &ofVersion8();
    static Result<ApiTable> parse(const QByteArray &text);

    ApiTable(ApiTable &&) noexcept;
    ~ApiTable();

    /// `path` is decoded and without "/api2/json"; empty segments are skipped as PVE does. A literal segment wins over
    /// a placeholder.
    std::optional<Match> find(const QString &method, const QString &path) const;
    /// True when any method is known for the path.
    bool knowsPath(const QString &path) const;
    /// Everything wrong with a call, path parameters included; empty = PVE would pass it on to its code. An unknown
    /// call is one violation without a parameter.
    QList<Violation> check(const QString &method, const QString &path, const Parameters &given) const;
    /// The shape of a parameter by name ("net0" finds net[n]); nullptr when the endpoint does not know it.
    const ParameterShape *shape(const Endpoint &endpoint, const QString &name) const;
    const ParameterShape &shape(int index) const { return m_shapes[size_t(index)]; }
    /// Keys of a property string with the index of their shape.
    const QMap<QString, int> &keys(int index) const { return m_keys[size_t(index)]; }
    const std::vector<Endpoint> &endpoints() const { return m_endpoints; }

private:
    struct Node;
    ApiTable();
    bool readLine(const QList<QByteArray> &fields);
    bool readShape(const QList<QByteArray> &fields);
    bool readEndpoint(const QList<QByteArray> &fields);
    const Node *descend(const QStringList &segments, QMap<QString, QString> &values) const;

    std::vector<ParameterShape> m_shapes;
    std::vector<QMap<QString, int>> m_keys;
    std::vector<Endpoint> m_endpoints;
    QHash<QString, int> m_highestIndex;
    std::unique_ptr<Node> m_root;
};
