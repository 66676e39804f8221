#pragma once
#include <QByteArray>
#include <QList>
#include <QPair>

namespace simulator
{
/// A request as it came: nothing decoded.
struct HttpRequest {
    QByteArray method;
    QByteArray path;  ///< without the query, still percent-encoded
    QByteArray query; ///< without '?'
    int minorVersion = 1;
    QList<QPair<QByteArray, QByteArray>> headers; ///< names in lower case
    QByteArray body;

    /// The first header of that lower-case name; empty when absent.
    QByteArray header(const QByteArray &name) const
    {
        for (const auto &[key, value] : headers)
            if (key == name)
                return value;
        return {};
    }
    /// -1 when not given or not a number.
    qint64 contentLength() const
    {
        bool ok = false;
        const auto length = header("content-length").toLongLong(&ok);
        return ok && length >= 0 ? length : -1;
    }
};
}
using simulator::HttpRequest; // pve or operations has one too, and tests link both
