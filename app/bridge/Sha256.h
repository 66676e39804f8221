#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// SHA-256 of bytes that come in pieces (FIPS 180-4). Small, so that the bridge needs no library.
class Sha256
{
public:
    static constexpr size_t blockSize = 64;
    using Digest = std::array<uint8_t, 32>;

    void add(std::string_view bytes);
    /// Once; the object is used up.
    Digest finish();

private:
    void process(const uint8_t *block);
    std::array<uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<uint8_t, blockSize> m_block{};
    uint64_t m_length = 0; ///< bytes so far
};

/// HMAC-SHA-256 (RFC 2104) as 64 lower-case hexadecimal digits.
std::string hmacSha256Hex(std::string_view key, std::string_view text);
std::string hexOf(const uint8_t *bytes, size_t size);
