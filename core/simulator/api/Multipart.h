#pragma once
#include "simulator/schema/Parameters.h"

/// A multipart/form-data body as PVE's upload reads it: text parts first, then the file, and nothing after that.
struct Multipart {
    Parameters fields; ///< filename and tmpfilename included, once the file was seen
    QByteArray file;
    QByteArray problem; ///< why it cannot be read

    static Multipart parse(const QByteArray &contentType, const QByteArray &body);
    /// The boundary; empty when the type is another.
    static QByteArray boundary(const QByteArray &contentType);
};
