// The inner loops: scans over one padded line of small integers, 16 at a time.
// Block is written twice, once for any type and machine and once with SSE2, which every x86-64 has;
// the scans below are written once, over Block. Each is O(width).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "bits.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fangs {

// Lines are padded to a multiple of this.
inline constexpr std::size_t lanes = 16;

template <class T>
struct BestTwo {
    T best, second;
};

template <class T>
struct Block {
    std::array<T, lanes> lane;

    [[nodiscard]] static Block load(const T* from) noexcept {
        Block out;
        std::copy_n(from, lanes, out.lane.begin());
        return out;
    }
    [[nodiscard]] static Block splat(T value) noexcept {
        Block out;
        out.lane.fill(value);
        return out;
    }
    template <class Wide>
    void store(Wide* to) const noexcept {
        std::copy_n(lane.begin(), lanes, to);
    }

    [[nodiscard]] Block plus(const Block& other) const noexcept {
        return zip(other, [](T x, T y) { return static_cast<T>(x + y); });
    }
    [[nodiscard]] Block minus(const Block& other) const noexcept {
        return zip(other, [](T x, T y) { return static_cast<T>(x - y); });
    }
    [[nodiscard]] Block either(const Block& other) const noexcept {
        return zip(other, [](T x, T y) { return static_cast<T>(x | y); });
    }
    [[nodiscard]] Block max(const Block& other) const noexcept {
        return zip(other, [](T x, T y) { return std::max(x, y); });
    }
    [[nodiscard]] Block min(const Block& other) const noexcept {
        return zip(other, [](T x, T y) { return std::min(x, y); });
    }
    [[nodiscard]] Word equal(const Block& other) const noexcept {
        Word bits = 0;
        for (std::size_t l = 0; l < lanes; ++l)
            bits |= static_cast<Word>(lane[l] == other.lane[l]) << l;
        return bits;
    }
    // This block's lanes and the other's in turn: of the first halves, and of the second.
    [[nodiscard]] Block zip_low(const Block& other) const noexcept { return riffle(other, 0); }
    [[nodiscard]] Block zip_high(const Block& other) const noexcept {
        return riffle(other, lanes / 2);
    }
    [[nodiscard]] Block bit(int place) const noexcept {
        Block out;
        for (std::size_t l = 0; l < lanes; ++l) out.lane[l] = static_cast<T>(lane[l] >> place & 1);
        return out;
    }
    [[nodiscard]] T largest() const noexcept { return *std::max_element(lane.begin(), lane.end()); }
    [[nodiscard]] T smallest() const noexcept {
        return *std::min_element(lane.begin(), lane.end());
    }
    // The two largest of all lanes, where each lane's second largest is given beside.
    [[nodiscard]] BestTwo<T> best_two(const Block& second) const noexcept {
        BestTwo<T> out{lane[0], second.lane[0]};
        for (std::size_t l = 1; l < lanes; ++l)
            out = {std::max(out.best, lane[l]),
                   std::max({out.second, second.lane[l], std::min(out.best, lane[l])})};
        return out;
    }

private:
    [[nodiscard]] Block riffle(const Block& other, std::size_t from) const noexcept {
        Block out;
        for (std::size_t l = 0; l < lanes; ++l)
            out.lane[l] = (l % 2 == 0 ? lane : other.lane)[from + l / 2];
        return out;
    }
    template <class Op>
    [[nodiscard]] Block zip(const Block& other, Op op) const noexcept {
        Block out;
        for (std::size_t l = 0; l < lanes; ++l) out.lane[l] = op(lane[l], other.lane[l]);
        return out;
    }
};

#if defined(__SSE2__)
template <>
struct Block<std::int16_t> {
    using T = std::int16_t;
    __m128i low, high;

    [[nodiscard]] static Block load(const T* from) noexcept {
        return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)),
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 8))};
    }
    [[nodiscard]] static Block splat(T value) noexcept {
        return {_mm_set1_epi16(value), _mm_set1_epi16(value)};
    }
    void store(T* to) const noexcept {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), low);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 8), high);
    }
    [[nodiscard]] Block plus(const Block& other) const noexcept {
        return {_mm_add_epi16(low, other.low), _mm_add_epi16(high, other.high)};
    }
    [[nodiscard]] Block minus(const Block& other) const noexcept {
        return {_mm_sub_epi16(low, other.low), _mm_sub_epi16(high, other.high)};
    }
    [[nodiscard]] Block either(const Block& other) const noexcept {
        return {_mm_or_si128(low, other.low), _mm_or_si128(high, other.high)};
    }
    [[nodiscard]] Block max(const Block& other) const noexcept {
        return {_mm_max_epi16(low, other.low), _mm_max_epi16(high, other.high)};
    }
    [[nodiscard]] Block min(const Block& other) const noexcept {
        return {_mm_min_epi16(low, other.low), _mm_min_epi16(high, other.high)};
    }
    [[nodiscard]] Word equal(const Block& other) const noexcept {
        const __m128i same =
            _mm_packs_epi16(_mm_cmpeq_epi16(low, other.low), _mm_cmpeq_epi16(high, other.high));
        return static_cast<Word>(_mm_movemask_epi8(same));
    }
    [[nodiscard]] T largest() const noexcept {
        __m128i most = _mm_max_epi16(low, high);
        most = _mm_max_epi16(most, _mm_srli_si128(most, 8));
        most = _mm_max_epi16(most, _mm_srli_si128(most, 4));
        most = _mm_max_epi16(most, _mm_srli_si128(most, 2));
        return static_cast<T>(_mm_extract_epi16(most, 0));
    }
    [[nodiscard]] T smallest() const noexcept {
        __m128i least = _mm_min_epi16(low, high);
        least = _mm_min_epi16(least, _mm_srli_si128(least, 8));
        least = _mm_min_epi16(least, _mm_srli_si128(least, 4));
        least = _mm_min_epi16(least, _mm_srli_si128(least, 2));
        return static_cast<T>(_mm_extract_epi16(least, 0));
    }
    [[nodiscard]] BestTwo<T> best_two(const Block& second) const noexcept {
        __m128i next =
            _mm_max_epi16(_mm_max_epi16(second.low, second.high), _mm_min_epi16(low, high));
        __m128i best = _mm_max_epi16(low, high);
        const auto fold = [&](__m128i best_half, __m128i next_half) {
            next = _mm_max_epi16(_mm_max_epi16(next, next_half), _mm_min_epi16(best, best_half));
            best = _mm_max_epi16(best, best_half);
        };
        fold(_mm_srli_si128(best, 8), _mm_srli_si128(next, 8));
        fold(_mm_srli_si128(best, 4), _mm_srli_si128(next, 4));
        fold(_mm_srli_si128(best, 2), _mm_srli_si128(next, 2));
        return {static_cast<T>(_mm_extract_epi16(best, 0)),
                static_cast<T>(_mm_extract_epi16(next, 0))};
    }
};

template <>
struct Block<std::uint8_t> {
    __m128i all;

    [[nodiscard]] static Block load(const std::uint8_t* from) noexcept {
        return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))};
    }
    [[nodiscard]] static Block splat(std::uint8_t value) noexcept {
        return {_mm_set1_epi8(static_cast<char>(value))};
    }
    [[nodiscard]] Block plus(const Block& other) const noexcept {
        return {_mm_add_epi8(all, other.all)};
    }
    [[nodiscard]] Block zip_low(const Block& other) const noexcept {
        return {_mm_unpacklo_epi8(all, other.all)};
    }
    [[nodiscard]] Block zip_high(const Block& other) const noexcept {
        return {_mm_unpackhi_epi8(all, other.all)};
    }
    [[nodiscard]] Block bit(int place) const noexcept {
        return {_mm_and_si128(_mm_srli_epi16(all, place), _mm_set1_epi8(1))};
    }
    void store(std::uint8_t* to) const noexcept {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), all);
    }
    void store(std::int16_t* to) const noexcept {
        const __m128i zero = _mm_setzero_si128();
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_unpacklo_epi8(all, zero));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 8), _mm_unpackhi_epi8(all, zero));
    }
    void store(std::int32_t* to) const noexcept {
        std::array<std::int16_t, lanes> half;
        store(half.data());
        std::copy_n(half.begin(), lanes, to);
    }
};
#endif

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
    // A byte's place among all 128 is (word, byte) in 4 + 3 bits. Zipping the first half of all
    // with the second turns these bits round by one; after four times it is (byte, word).
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

// Sums of rows of bytes, at most 255 of them, over `n_blocks` blocks from the first place on.
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

// The largest value, or 0 if none is positive.
template <class T>
[[nodiscard]] inline T largest(const T* values, std::size_t width) noexcept {
    auto most = Block<T>::splat(0);
    for (std::size_t c = 0; c < width; c += lanes) most = most.max(Block<T>::load(values + c));
    return most.largest();
}

// The largest weight[c] - price[c], or 0 if none is positive.
template <class T>
[[nodiscard]] inline T best_value(const T* weight, const T* price, std::size_t width) noexcept {
    auto most = Block<T>::splat(0);
    for (std::size_t c = 0; c < width; c += lanes)
        most = most.max(Block<T>::load(weight + c).minus(Block<T>::load(price + c)));
    return most.largest();
}

// The two largest of all weight[c] - price[c] and of 0 twice; equal ones count separately.
template <class T>
[[nodiscard]] inline BestTwo<T> best_two(const T* weight, const T* price,
                                         std::size_t width) noexcept {
    auto best = Block<T>::splat(0), second = Block<T>::splat(0);
    for (std::size_t c = 0; c < width; c += lanes) {
        const auto value = Block<T>::load(weight + c).minus(Block<T>::load(price + c));
        second = second.max(best.min(value));
        best = best.max(value);
    }
    return best.best_two(second);
}

// Bits where equal(c) says so for 16 places from c on // out (words_for(width))
template <class Equal>
inline void mark(std::size_t width, Word* out, Equal&& equal) noexcept {
    static_assert(word_bits == 4 * lanes);
    std::size_t c = 0;
    for (; c + word_bits <= width; c += word_bits)
        *out++ = equal(c) | (equal(c + lanes) << lanes) | (equal(c + 2 * lanes) << 2 * lanes) |
                 (equal(c + 3 * lanes) << 3 * lanes);
    if (c == width) return;
    Word word = equal(c);
    if (c + lanes < width) word |= equal(c + lanes) << lanes;
    if (c + 2 * lanes < width) word |= equal(c + 2 * lanes) << 2 * lanes;
    *out = word;
}

// Bits where values[c] == value // out (words_for(width))
template <class T>
inline void mark_value(const T* values, T value, std::size_t width, Word* out) noexcept {
    const auto wanted = Block<T>::splat(value);
    mark(width, out, [&](std::size_t c) { return Block<T>::load(values + c).equal(wanted); });
}

// Bits where weight[c] == price[c] + dual, the tight edges // out (words_for(width))
template <class T>
inline void mark_tight(const T* weight, const T* price, T dual, std::size_t width,
                       Word* out) noexcept {
    const auto more = Block<T>::splat(dual);
    mark(width, out, [&](std::size_t c) {
        return Block<T>::load(price + c).plus(more).equal(Block<T>::load(weight + c));
    });
}

// One step of a shortest-path search: lowers distances to what a node at `base` offers, whose line
// of weights is given, and returns the smallest. `shut` is the largest value at places that were
// left for good, 0 elsewhere, and so is their distance.
template <class T>
[[nodiscard]] inline T relax(const T* weight, const T* price, const T* shut, T base,
                             std::size_t width, T* distance) noexcept {
    const auto start = Block<T>::splat(base);
    auto least = Block<T>::splat(std::numeric_limits<T>::max());
    for (std::size_t c = 0; c < width; c += lanes) {
        const auto offer = start.plus(Block<T>::load(price + c))
                               .minus(Block<T>::load(weight + c))
                               .either(Block<T>::load(shut + c));
        const auto lower = offer.min(Block<T>::load(distance + c));
        lower.store(distance + c);
        least = least.min(lower);
    }
    return least.smallest();
}

}  // namespace fangs
