// The inner loops: scans over one padded line of small integers, 16 at a time.
// Block is written twice, once for any type and machine and once with SSE2, which every x86-64 has;
// the scans below are written once, over Block. Each is O(width).
#pragma once

#include <algorithm>
#include <array>
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
    void store(T* to) const noexcept { std::copy_n(lane.begin(), lanes, to); }

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
#endif

// sum[c] += row[c], in bytes.
inline void add_bytes(const std::uint8_t* row, std::size_t width, std::uint8_t* sum) noexcept {
    for (std::size_t c = 0; c < width; c += lanes) {
#if defined(__SSE2__)
        auto* to = reinterpret_cast<__m128i*>(sum + c);
        const auto* from = reinterpret_cast<const __m128i*>(row + c);
        _mm_storeu_si128(to, _mm_add_epi8(_mm_loadu_si128(to), _mm_loadu_si128(from)));
#else
        for (std::size_t l = c; l < c + lanes; ++l)
            sum[l] = static_cast<std::uint8_t>(sum[l] + row[l]);
#endif
    }
}

// out[c] += sum[c], and sum[c] = 0.
template <class T>
inline void pour_bytes(std::uint8_t* __restrict sum, std::size_t width,
                       T* __restrict out) noexcept {
    for (std::size_t c = 0; c < width; ++c) out[c] = static_cast<T>(out[c] + sum[c]);
    std::fill_n(sum, width, std::uint8_t{0});
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
