#include "base/SealedFile.h"
#include "base/PrivateFile.h"
#include "base/StrictJson.h"
#include <QCoreApplication>
#include <QFile>

static constexpr QLatin1String sealKey{"seal"};

static QString tr(const char *text)
{
    return QCoreApplication::translate("SealedFile", text);
}

Result<std::optional<QJsonObject>> SealedFile::read() const
{
    QFile file(m_path);
    if (!file.exists())
        return std::optional<QJsonObject>();
    if (!file.open(QIODevice::ReadOnly))
        return Error{Error::Kind::Unavailable, tr("A file of Labhelm cannot be read: %1").arg(file.errorString()),
                     m_path};
    auto content = StrictJson::parseObject(file.readAll());
    if (!content)
        return Error{Error::Kind::Malformed, tr("A file of Labhelm is damaged."),
                     m_path + QLatin1String(": ") + content.error().message};
    const auto seal = content->take(sealKey).toString().toLatin1();
    if (!m_seal.fits(StrictJson::write(*content), seal))
        return Error{Error::Kind::Untrusted, tr("A file of Labhelm was changed by another program."), m_path};
    return std::optional(*std::move(content));
}

Result<> SealedFile::write(QJsonObject content) const
{
    content.remove(sealKey);
    content.insert(sealKey, QString::fromLatin1(m_seal.of(StrictJson::write(content))));
    return PrivateFile::write(m_path, StrictJson::write(content) + '\n');
}
