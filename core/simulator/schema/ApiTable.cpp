#include "simulator/schema/ApiTable.h"
#include "simulator/schema/ParameterCheck.h"
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

// Q_INIT_RESOURCE must stand outside any namespace.
static void initResources()
{
    Q_INIT_RESOURCE(simulator);
}

/// A segment of the path tree.
struct ApiTable::Node {
    std::map<QString, std::unique_ptr<Node>> children;
    std::unique_ptr<Node> placeholder;
    QString placeholderName;
    QHash<QString, size_t> endpoints; ///< by method

    Node &child(const QString &segment)
    {
        if (segment.startsWith(u'{')) {
            if (!placeholder)
                placeholder = std::make_unique<Node>();
            placeholderName = segment.mid(1, segment.size() - 2);
            return *placeholder;
        }
        auto &slot = children[segment];
        if (!slot)
            slot = std::make_unique<Node>();
        return *slot;
    }
};

ApiTable::ApiTable() : m_root(std::make_unique<Node>()) {}
ApiTable::ApiTable(ApiTable &&) noexcept = default;
ApiTable::~ApiTable() = default;

static ApiTable bundled(const QString &name)
{
    initResources();
    QFile file(QStringLiteral(":/simulator/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the table %s is not part of the program", qPrintable(name));
    auto table = ApiTable::parse(file.readAll());
    if (!table)
        qFatal("%s: %s", qPrintable(name), qPrintable(table.error().message));
    return *std::move(table);
}

const ApiTable &ApiTable::ofVersion9()
{
    static const ApiTable table = bundled(QStringLiteral("api-9.tsv"));
    return table;
}

const ApiTable &ApiTable::ofVersion8()
{
    static const ApiTable table = bundled(QStringLiteral("api-8.tsv"));
    return table;
}

Result<ApiTable> ApiTable::parse(const QByteArray &text)
{
    ApiTable table;
    int number = 0;
    for (const auto &line : text.split('\n')) {
        ++number;
        if (!line.isEmpty() && !table.readLine(line.split('\t')))
            return Error{
                Error::Kind::Malformed, QStringLiteral("Line %1 of the API table is not understood").arg(number), {}};
    }
    return table;
}

bool ApiTable::readLine(const QList<QByteArray> &fields)
{
    const auto kind = fields[0];
    if (kind == "V")
        return true;
    if (kind == "N" && fields.size() == 3) {
        m_highestIndex.insert(QString::fromUtf8(fields[1]), fields[2].toInt());
        return true;
    }
    if (kind == "K")
        return readShape(fields);
    if (kind == "E" && fields.size() >= 6)
        return readEndpoint(fields);
    if (kind != "F" || fields.size() < 2 || fields[1].toUInt() != m_keys.size())
        return false;
    auto &keys = m_keys.emplace_back();
    for (const auto &field : fields.mid(2))
        keys.insert(QString::fromUtf8(field.left(field.lastIndexOf('='))),
                    field.mid(field.lastIndexOf('=') + 1).toInt());
    return true;
}

static bool readLimits(ParameterShape &shape, const QByteArray &choices, const QByteArray &pattern)
{
    for (const auto &choice : QJsonDocument::fromJson(choices).array())
        shape.choices.append(choice.toString());
    if (pattern.isEmpty())
        return true;
    shape.pattern = QRegularExpression(QStringLiteral("\\A(?:") + QString::fromUtf8(pattern) + QStringLiteral(")\\z"));
    shape.pattern->optimize();
    return shape.pattern->isValid();
}

bool ApiTable::readShape(const QList<QByteArray> &fields)
{
    using Type = ParameterShape::Type;
    static const QHash<QByteArray, Type> types{{"string", Type::String}, {"integer", Type::Integer},
                                               {"number", Type::Number}, {"boolean", Type::Boolean},
                                               {"array", Type::Array},   {"", Type::Any}};
    const auto field = [&fields](int index) { return index < fields.size() ? fields[index] : QByteArray(); };
    const auto count = [&field](int index) {
        return field(index).isEmpty() ? std::nullopt : std::optional(field(index).toLongLong());
    };
    const auto bound = [&field](int index) {
        return field(index).isEmpty() ? std::nullopt : std::optional(field(index).toDouble());
    };
    if (fields.size() < 2 || fields[1].toUInt() != m_shapes.size() || !types.contains(field(2)))
        return false;
    auto &shape = m_shapes.emplace_back();
    shape.type = types.value(field(2));
    shape.optional = field(3).contains('o');
    shape.isDefaultKey = field(3).contains('d');
    shape.minimum = bound(4);
    shape.maximum = bound(5);
    shape.minLength = count(6);
    shape.maxLength = count(7);
    if (!readLimits(shape, field(8), field(9)))
        return false;
    if (field(10).startsWith('@'))
        shape.keys = field(10).mid(1).toInt();
    else
        shape.format = QString::fromUtf8(field(10));
    shape.requiredToo = QString::fromUtf8(field(11));
    shape.alias = QString::fromUtf8(field(12));
    shape.keyAlias = QString::fromUtf8(field(13));
    shape.items = field(14).isEmpty() ? -1 : field(14).toInt();
    return true;
}

bool ApiTable::readEndpoint(const QList<QByteArray> &fields)
{
    auto &endpoint = m_endpoints.emplace_back();
    endpoint.method = QString::fromUtf8(fields[1]);
    endpoint.path = QString::fromUtf8(fields[2]);
    endpoint.isProtected = fields[3].contains('p');
    endpoint.allowsToken = fields[3].contains('t');
    endpoint.allowsMore = fields[3].contains('x');
    endpoint.proxyTo = QString::fromUtf8(fields[4]);
    if (fields[5].startsWith('['))
        endpoint.permissions = QJsonDocument::fromJson(fields[5]).array();
    else if (!fields[5].isEmpty())
        endpoint.permissions = QString::fromUtf8(fields[5].mid(1, fields[5].size() - 2));
    else
        endpoint.permissions = QJsonValue(QJsonValue::Undefined);
    for (const auto &field : fields.mid(6))
        endpoint.parameters.insert(QString::fromUtf8(field.left(field.lastIndexOf('='))),
                                   field.mid(field.lastIndexOf('=') + 1).toInt());
    auto *node = m_root.get();
    for (const auto &segment : endpoint.path.split(u'/', Qt::SkipEmptyParts))
        node = &node->child(segment);
    node->endpoints.insert(endpoint.method, m_endpoints.size() - 1);
    return true;
}

const ApiTable::Node *ApiTable::descend(const QStringList &segments, QMap<QString, QString> &values) const
{
    const auto *node = m_root.get();
    for (qsizetype i = 0; i < segments.size(); ++i) {
        const auto literal = node->children.find(segments[i]);
        if (literal != node->children.end()) {
            node = literal->second.get();
        } else if (node->placeholder) {
            // Of a volume's name and of a network a slash is part; nothing follows them in the API.
            const bool takesRest =
                node->placeholderName == QLatin1String("volume") || node->placeholderName == QLatin1String("cidr");
            values.insert(node->placeholderName, takesRest ? segments.mid(i).join(u'/') : segments[i]);
            node = node->placeholder.get();
            if (takesRest)
                break;
        } else {
            return nullptr;
        }
    }
    return node;
}

std::optional<ApiTable::Match> ApiTable::find(const QString &method, const QString &path) const
{
    Match match;
    const auto *node = descend(path.split(u'/', Qt::SkipEmptyParts), match.path);
    if (!node || !node->endpoints.contains(method))
        return std::nullopt;
    match.endpoint = &m_endpoints[node->endpoints.value(method)];
    return match;
}

bool ApiTable::knowsPath(const QString &path) const
{
    QMap<QString, QString> values;
    const auto *node = descend(path.split(u'/', Qt::SkipEmptyParts), values);
    return node && !node->endpoints.isEmpty();
}

const ParameterShape *ApiTable::shape(const Endpoint &endpoint, const QString &name) const
{
    const auto exact = endpoint.parameters.find(name);
    if (exact != endpoint.parameters.end() && !name.endsWith(u']'))
        return &shape(*exact);
    qsizetype digits = name.size();
    while (digits > 0 && name[digits - 1].isDigit())
        --digits;
    if (digits == name.size() || digits == 0)
        return nullptr;
    const auto stem = name.left(digits);
    const auto numbered = endpoint.parameters.find(stem + QLatin1String("[n]"));
    const auto number = name.mid(digits);
    const bool canonical = number == u'0' || !number.startsWith(u'0');
    if (numbered == endpoint.parameters.end() || !canonical || number.toInt() > m_highestIndex.value(stem))
        return nullptr;
    return &shape(*numbered);
}

QList<Violation> ApiTable::check(const QString &method, const QString &path, const Parameters &given) const
{
    const auto match = find(method, path);
    if (!match)
        return {{{}, QStringLiteral("Method '%1 %2' not implemented").arg(method, path)}};
    QList<Violation> violations;
    auto all = given;
    for (auto it = match->path.begin(); it != match->path.end(); ++it) {
        if (given.has(it.key()) && given.text(it.key()) != it.value())
            return {{it.key(), ParameterCheck::conflictText()}};
        all.set(it.key(), it.value());
    }
    return ParameterCheck(*this).check(*match->endpoint, all);
}
