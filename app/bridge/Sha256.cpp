#include "bridge/Sha256.h"
#include <algorithm>
#include <bit>
#include <cstring>

static constexpr std::array<uint32_t, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void Sha256::add(std::string_view bytes)
{
    for (const char c : bytes) {
        m_block[m_length++ % blockSize] = static_cast<uint8_t>(c);
        if (m_length % blockSize == 0)
            process(m_block.data());
    }
}

Sha256::Digest Sha256::finish()
{
    const uint64_t bits = m_length * 8;
    add(std::string_view("\x80", 1));
    while (m_length % blockSize != blockSize - sizeof bits)
        add(std::string_view("\0", 1));
    std::array<char, sizeof bits> length{};
    for (size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<char>(bits >> (56 - 8 * i));
    add({length.data(), length.size()});
    Digest digest{};
    for (size_t i = 0; i < digest.size(); ++i)
        digest[i] = static_cast<uint8_t>(m_state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

void Sha256::process(const uint8_t *block)
{
    using std::rotr;
    std::array<uint32_t, 64> w{};
    for (size_t i = 0; i < 16; ++i)
        w[i] = uint32_t(block[4 * i]) << 24 | uint32_t(block[4 * i + 1]) << 16 | uint32_t(block[4 * i + 2]) << 8 |
               block[4 * i + 3];
    for (size_t i = 16; i < w.size(); ++i)
        w[i] = w[i - 16] + (rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >> 3)) + w[i - 7] +
               (rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >> 10));
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (size_t i = 0; i < w.size(); ++i) {
        const uint32_t one = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
        const uint32_t two = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + one;
        d = c, c = b, b = a, a = one + two;
    }
    const std::array<uint32_t, 8> round{a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < m_state.size(); ++i)
        m_state[i] += round[i];
}

std::string hexOf(const uint8_t *bytes, size_t size)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * size);
    for (size_t i = 0; i < size; ++i) {
        text += digits[bytes[i] >> 4];
        text += digits[bytes[i] & 15];
    }
    return text;
}

std::string hmacSha256Hex(std::string_view key, std::string_view text)
{
    std::array<char, Sha256::blockSize> inner{}, outer{};
    if (key.size() > Sha256::blockSize) {
        Sha256 shorter;
        shorter.add(key);
        const auto digest = shorter.finish();
        std::memcpy(inner.data(), digest.data(), digest.size());
    } else {
        std::copy(key.begin(), key.end(), inner.begin());
    }
    outer = inner;
    for (size_t i = 0; i < inner.size(); ++i) {
        inner[i] = static_cast<char>(inner[i] ^ 0x36);
        outer[i] = static_cast<char>(outer[i] ^ 0x5c);
    }
    Sha256 first;
    first.add({inner.data(), inner.size()});
    first.add(text);
    const auto middle = first.finish();
    Sha256 second;
    second.add({outer.data(), outer.size()});
    second.add({reinterpret_cast<const char *>(middle.data()), middle.size()});
    const auto digest = second.finish();
    return hexOf(digest.data(), digest.size());
}
