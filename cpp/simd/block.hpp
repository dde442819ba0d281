// Sixteen small integers at a time.
// Written twice: for any type and machine, and with SSE2, which every x86-64 has.
// O(1) per operation; code built on it is written once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "simd/machine.hpp"
#include "storage/bits.hpp"

namespace fangs {

// Lines of values are padded to a multiple of this.
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
    // Interleaves the lanes of both blocks: the first halves, or the second halves.
    [[nodiscard]] Block zip_low(const Block& other) const noexcept { return interleave(other, 0); }
    [[nodiscard]] Block zip_high(const Block& other) const noexcept {
        return interleave(other, lanes / 2);
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
    // The two largest values overall; `second` holds the second largest of each lane.
    [[nodiscard]] BestTwo<T> best_two(const Block& second) const noexcept {
        BestTwo<T> out{lane[0], second.lane[0]};
        for (std::size_t l = 1; l < lanes; ++l)
            out = {std::max(out.best, lane[l]),
                   std::max({out.second, second.lane[l], std::min(out.best, lane[l])})};
        return out;
    }

private:
    [[nodiscard]] Block interleave(const Block& other, std::size_t from) const noexcept {
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

#if defined(FANGS_SSE2)
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

}  // namespace fangs
