#include "base/StrictJson.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <vector>

namespace
{
constexpr qint64 maxExact = (qint64(1) << 53) - 1;

/// Builds QJson values from SAX events and notices what QJson would let pass.
class Builder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Builder>
{
public:
    explicit Builder(const StrictJson::Limits &limits) : m_limits(limits) {}
    QJsonValue root;
    QString refused;

    bool Null() { return put(QJsonValue::Null); }
    bool Bool(bool value) { return put(value); }
    bool RawNumber(const char *text, rapidjson::SizeType length, bool)
    {
        const QByteArray number(text, int(length));
        bool exact = false;
        const qint64 integer = number.toLongLong(&exact);
        if (exact && (!m_limits.exactIntegers || (integer >= -maxExact && integer <= maxExact)))
            return put(integer);
        const bool written = number.contains('.') || number.contains('e') || number.contains('E');
        bool ok = false;
        const double value = number.toDouble(&ok);
        if (!ok || !qIsFinite(value))
            return refuse(QStringLiteral("the number %1 is out of range").arg(QLatin1String(number.left(40))));
        if (!written && m_limits.exactIntegers)
            return refuse(QStringLiteral("the integer %1 is out of range").arg(QLatin1String(number.left(40))));
        return put(value);
    }
    bool String(const char *text, rapidjson::SizeType length, bool)
    {
        return put(QString::fromUtf8(text, qsizetype(length)));
    }
    bool StartObject() { return open(false); }
    bool StartArray() { return open(true); }
    bool Key(const char *text, rapidjson::SizeType length, bool)
    {
        auto key = QString::fromUtf8(text, qsizetype(length));
        if (m_open.back().object.contains(key))
            return refuse(QStringLiteral("\"%1\" is given twice").arg(key));
        m_open.back().key = std::move(key);
        return true;
    }
    bool EndObject(rapidjson::SizeType) { return close(); }
    bool EndArray(rapidjson::SizeType) { return close(); }

private:
    struct Container {
        bool isArray = false;
        QString key;
        QJsonObject object;
        QJsonArray array;
    };
    bool refuse(QString why)
    {
        refused = std::move(why);
        return false;
    }
    bool open(bool isArray)
    {
        if (int(m_open.size()) >= m_limits.depth)
            return refuse(QStringLiteral("it is nested deeper than %1 levels").arg(m_limits.depth));
        m_open.emplace_back().isArray = isArray;
        return true;
    }
    bool close()
    {
        auto done = std::move(m_open.back());
        m_open.pop_back();
        return done.isArray ? put(std::move(done.array)) : put(std::move(done.object));
    }
    bool put(QJsonValue value)
    {
        if (m_open.empty())
            root = std::move(value);
        else if (m_open.back().isArray)
            m_open.back().array.append(std::move(value));
        else
            m_open.back().object.insert(m_open.back().key, std::move(value));
        return true;
    }
    StrictJson::Limits m_limits;
    std::vector<Container> m_open;
};

Error invalid(const QString &why, const QByteArray &text)
{
    return {Error::Kind::Invalid, QStringLiteral("This is not valid JSON: %1.").arg(why), QString::fromLatin1(text.left(200))};
}
}

Result<QJsonValue> StrictJson::parse(const QByteArray &text, const Limits &limits)
{
    if (text.size() > limits.bytes)
        return invalid(QStringLiteral("it is longer than %1 bytes").arg(limits.bytes), {});
    Builder builder(limits);
    rapidjson::Reader reader;
    rapidjson::MemoryStream bytes(text.constData(), size_t(text.size()));
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
    constexpr auto flags = rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNumbersAsStringsFlag
                           | rapidjson::kParseIterativeFlag;
    const auto parsed = reader.Parse<flags>(stream, builder);
    if (!builder.refused.isEmpty())
        return invalid(builder.refused, text);
    if (parsed.IsError())
        return invalid(QStringLiteral("%1 at byte %2")
                           .arg(QString::fromLatin1(rapidjson::GetParseError_En(parsed.Code())).chopped(1))
                           .arg(parsed.Offset()),
                       text);
    return builder.root;
}

Result<QJsonObject> StrictJson::parseObject(const QByteArray &text, const Limits &limits)
{
    auto value = parse(text, limits);
    if (!value)
        return value.error();
    if (!value->isObject())
        return invalid(QStringLiteral("an object was expected"), text);
    return value->toObject();
}

QByteArray StrictJson::write(const QJsonValue &value)
{
    if (value.isObject())
        return QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
    if (value.isArray())
        return QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact);
    const auto wrapped = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return wrapped.mid(1, wrapped.size() - 2);
}
