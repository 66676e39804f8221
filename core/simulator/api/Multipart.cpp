#include "simulator/api/Multipart.h"
#include <QCryptographicHash>

using namespace Qt::StringLiterals;

QByteArray Multipart::boundary(const QByteArray &contentType)
{
    if (!contentType.toLower().startsWith("multipart/form-data"))
        return {};
    const auto at = contentType.indexOf("boundary=");
    if (at < 0)
        return {};
    auto value = contentType.mid(at + 9);
    value = value.left(value.indexOf(';') < 0 ? value.size() : value.indexOf(';')).trimmed();
    return value.startsWith('"') ? value.mid(1, value.size() - 2) : value;
}

static QByteArray attribute(const QByteArray &head, const QByteArray &name)
{
    const auto at = head.indexOf(' ' + name + "=\"");
    if (at < 0)
        return {};
    const auto from = at + name.size() + 3;
    return head.mid(from, head.indexOf('"', from) - from);
}

Multipart Multipart::parse(const QByteArray &contentType, const QByteArray &body)
{
    Multipart result;
    const auto mark = "--" + boundary(contentType);
    auto at = body.indexOf(mark);
    while (at >= 0) {
        const auto head = at + mark.size() + 2;
        const auto content = body.indexOf("\r\n\r\n", head);
        if (body.mid(at + mark.size(), 2) == "--" || content < 0)
            break;
        const auto end = body.indexOf("\r\n" + mark, content + 4);
        const auto name = attribute(body.mid(head, content - head), "name");
        const auto fileName = attribute(body.mid(head, content - head), "filename");
        const auto value = body.mid(content + 4, (end < 0 ? body.size() : end) - content - 4);
        if (fileName.isEmpty()) {
            result.fields.add(QString::fromUtf8(name), QString::fromUtf8(value));
        } else if (name != "filename") {
            result.problem = "wrong field name '" + name +
                             "' for file upload, expected 'filename' at /usr/share/perl5/PVE/APIServer/AnyEvent.pm "
                             "line 1325.\n";
            break;
        } else {
            result.file = value;
            result.fields.add(u"filename"_s, QString::fromUtf8(fileName));
            const auto hash = QCryptographicHash::hash(value.left(4096) + fileName, QCryptographicHash::Md5).toHex();
            result.fields.add(u"tmpfilename"_s, "/var/tmp/pveupload-"_L1 + QString::fromLatin1(hash));
            break;
        }
        at = end < 0 ? -1 : end + 2;
    }
    return result;
}
