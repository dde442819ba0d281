// Spreads bits into rows of bytes, and sums such rows, a block at a time.
// A bit transpose by repeated interleaving; sums stay in bytes for at most 255 rows.
// O(16 * 64) bits per transpose; O(rows * blocks) per sum.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "simd/block.hpp"
#include "storage/bits.hpp"

namespace fangs {

// Turns 16 words into 64 rows of bytes, `stride` apart: byte c of row i is bit i of word c.
inline void spread_bits(const std::array<Word, lanes>& words, std::size_t stride,
                        std::uint8_t* out) noexcept {
    using Bytes = Block<std::uint8_t>;
    constexpr std::size_t word_bytes = word_bits / 8;
    auto bytes = std::bit_cast<std::array<std::uint8_t, lanes * word_bytes>>(words);
    if constexpr (std::endian::native == std::endian::big)
        for (std::size_t c = 0; c < lanes; ++c)
            for (std::size_t k = 0; k < word_bytes; ++k)
                bytes[c * word_bytes + k] = static_cast<std::uint8_t>(words[c] >> (8 * k));
    std::array<Bytes, word_bytes> now, next;
    for (std::size_t k = 0; k < word_bytes; ++k) now[k] = Bytes::load(bytes.data() + k * lanes);
    // The place of a byte among all 128 is (word, byte) in 4 + 3 bits. Interleaving both halves
    // rotates these bits by one; after four rotations the place is (byte, word).
    for (int turn = 0; turn < 4; ++turn) {
        for (std::size_t k = 0; k < word_bytes / 2; ++k) {
            next[2 * k] = now[k].zip_low(now[k + word_bytes / 2]);
            next[2 * k + 1] = now[k].zip_high(now[k + word_bytes / 2]);
        }
        now = next;
    }
    for (std::size_t k = 0; k < word_bytes; ++k)
        for (int place = 0; place < 8; ++place, out += stride) now[k].bit(place).store(out);
}

// Sums the first `n_blocks` blocks of at most 255 rows of the table.
template <std::size_t n_blocks>
[[nodiscard]] inline std::array<Block<std::uint8_t>, n_blocks> sum_rows(
    const std::uint8_t* table, std::size_t stride, const std::uint16_t* row,
    const std::uint16_t* end) noexcept {
    std::array<Block<std::uint8_t>, n_blocks> sum;
    sum.fill(Block<std::uint8_t>::splat(0));
    for (; row != end; ++row)
        for (std::size_t b = 0; b < n_blocks; ++b)
            sum[b] = sum[b].plus(Block<std::uint8_t>::load(table + *row * stride + b * lanes));
    return sum;
}

}  // namespace fangs
