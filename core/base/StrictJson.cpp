#include "base/StrictJson.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <cmath>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <vector>

namespace
{
constexpr qint64 maxExact = (qint64(1) << 53) - 1;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(StrictJson)
};

/// The reader lets an escaped low surrogate through, as three bytes that are no UTF-8.
bool holdsLoneSurrogate(QByteArrayView utf8)
{
    for (qsizetype at = utf8.indexOf('\xed'); at >= 0; at = utf8.indexOf('\xed', at + 1))
        if (at + 1 < utf8.size() && static_cast<uchar>(utf8[at + 1]) >= 0xA0)
            return true;
    return false;
}

/// QString::fromUtf8 would drop a leading byte-order mark, and two keys could become one.
QString exactString(QByteArrayView bytes)
{
    constexpr QByteArrayView mark("\xef\xbb\xbf");
    return bytes.startsWith(mark) ? QChar(0xFEFF) + QString::fromUtf8(bytes.sliced(mark.size()))
                                  : QString::fromUtf8(bytes);
}

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
        bool ok = false;
        const double value = number.toDouble(&ok);
        if (!ok || !qIsFinite(value))
            return refuse(Text::tr("the number %1 is out of range"), number);
        if (m_limits.exactIntegers && value == std::trunc(value)) {
            const bool plain = !number.contains('.') && !number.contains('e') && !number.contains('E');
            return refuse(plain ? Text::tr("the integer %1 is out of range")
                                : Text::tr("the integer %1 is not written in plain digits"),
                          number);
        }
        return put(value);
    }
    bool String(const char *text, rapidjson::SizeType length, bool)
    {
        QString string;
        return read(text, length, string) && put(std::move(string));
    }
    bool StartObject() { return open(false); }
    bool StartArray() { return open(true); }
    bool Key(const char *text, rapidjson::SizeType length, bool)
    {
        QString key;
        if (!read(text, length, key))
            return false;
        if (m_open.back().object.contains(key))
            return refuse(Text::tr("\"%1\" is given twice"), key);
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
    bool refuse(const QString &why, const QString &what)
    {
        refused = why.arg(DisplayText::visible(what.left(80)));
        return false;
    }
    bool refuse(const QString &why, const QByteArray &number) { return refuse(why, QString::fromLatin1(number)); }
    bool read(const char *text, rapidjson::SizeType length, QString &string)
    {
        const QByteArrayView bytes(text, qsizetype(length));
        if (holdsLoneSurrogate(bytes)) {
            refused = Text::tr("it holds half of a surrogate pair");
            return false;
        }
        string = exactString(bytes);
        return true;
    }
    bool open(bool isArray)
    {
        if (int(m_open.size()) >= m_limits.depth)
            return refuse(Text::tr("it is nested deeper than %1 levels"), QByteArray::number(m_limits.depth));
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

/// The text itself is never repeated: an answer that broke in the middle may hold a ticket.
Error invalid(const QString &why, const QByteArray &text)
{
    return {Error::Kind::Invalid, Text::tr("This is not valid JSON: %1.").arg(why),
            QStringLiteral("%1 bytes").arg(text.size())};
}
}

Result<QJsonValue> StrictJson::parse(const QByteArray &text, const Limits &limits)
{
    if (text.size() > limits.bytes)
        return invalid(Text::tr("it is longer than %1 bytes").arg(limits.bytes), text);
    if (text.contains('\0')) // the reader takes it for the end of the text
        return invalid(Text::tr("it holds a NUL byte"), text);
    Builder builder(limits);
    rapidjson::Reader reader;
    rapidjson::MemoryStream bytes(text.constData(), size_t(text.size()));
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
    constexpr auto flags =
        rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;
    const auto parsed = reader.Parse<flags>(stream, builder);
    if (!builder.refused.isEmpty())
        return invalid(builder.refused, text);
    if (parsed.IsError())
        return invalid(Text::tr("%1 at byte %2")
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
        return invalid(Text::tr("an object was expected"), text);
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
