#include "base/Secret.h"
#include <cstring>
#include <strings.h>

Secret::Secret(QByteArray bytes) : m_bytes(std::move(bytes)) {}

Secret &Secret::operator=(Secret other) noexcept
{
    m_bytes.swap(other.m_bytes);
    return *this;
}

Secret::~Secret()
{
    overwrite(m_bytes);
}

void Secret::overwrite(QByteArray &bytes)
{
    if (bytes.isDetached() && bytes.capacity() > 0)
        explicit_bzero(bytes.data(), static_cast<size_t>(bytes.capacity()));
}

bool Secret::equals(const Secret &other) const
{
    if (m_bytes.size() != other.m_bytes.size())
        return false;
    unsigned difference = 0;
    for (qsizetype i = 0; i < m_bytes.size(); ++i)
        difference |= static_cast<unsigned char>(m_bytes[i]) ^ static_cast<unsigned char>(other.m_bytes[i]);
    return difference == 0;
}
