// The inner loops: scans over one padded line of small integers.
// Each works on whole blocks (simd/block.hpp), so lines must be padded to a multiple of 16.
// O(width / 16) blocks each.
#pragma once

#include <cstddef>
#include <limits>

#include "simd/block.hpp"
#include "storage/bits.hpp"

namespace fangs {

// The largest value, or 0 if none is positive.
template <class T>
[[nodiscard]] inline T largest(const T* values, std::size_t width) noexcept {
    auto most = Block<T>::splat(0);
    for (std::size_t c = 0; c < width; c += lanes) most = most.max(Block<T>::load(values + c));
    return most.largest();
}

// The largest weight[c] - dual[c], or 0 if none is positive.
template <class T>
[[nodiscard]] inline T best_value(const T* weight, const T* dual, std::size_t width) noexcept {
    auto most = Block<T>::splat(0);
    for (std::size_t c = 0; c < width; c += lanes)
        most = most.max(Block<T>::load(weight + c).minus(Block<T>::load(dual + c)));
    return most.largest();
}

// The two largest among all weight[c] - dual[c] and two zeros; equal values count separately.
template <class T>
[[nodiscard]] inline BestTwo<T> best_two(const T* weight, const T* dual,
                                         std::size_t width) noexcept {
    auto best = Block<T>::splat(0), second = Block<T>::splat(0);
    for (std::size_t c = 0; c < width; c += lanes) {
        const auto value = Block<T>::load(weight + c).minus(Block<T>::load(dual + c));
        second = second.max(best.min(value));
        best = best.max(value);
    }
    return best.best_two(second);
}

// Joins the bits of equal(c), which compares 16 places from c on // out (words_for(width))
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

// Bits where weight[c] == row_dual + dual[c]: the tight edges // out (words_for(width))
template <class T>
inline void mark_tight(const T* weight, const T* dual, T row_dual, std::size_t width,
                       Word* out) noexcept {
    const auto more = Block<T>::splat(row_dual);
    mark(width, out, [&](std::size_t c) {
        return Block<T>::load(dual + c).plus(more).equal(Block<T>::load(weight + c));
    });
}

// One step of Dijkstra's algorithm: lowers the distances by way of a node with these weights, and
// returns the smallest. `closed` is 0 at open places and the largest value at closed ones; the
// distance of a closed place is the largest value too.
template <class T>
[[nodiscard]] inline T relax(const T* weight, const T* dual, const T* closed, T base,
                             std::size_t width, T* distance) noexcept {
    const auto start = Block<T>::splat(base);
    auto least = Block<T>::splat(std::numeric_limits<T>::max());
    for (std::size_t c = 0; c < width; c += lanes) {
        const auto offer = start.plus(Block<T>::load(dual + c))
                               .minus(Block<T>::load(weight + c))
                               .either(Block<T>::load(closed + c));
        const auto lower = offer.min(Block<T>::load(distance + c));
        lower.store(distance + c);
        least = least.min(lower);
    }
    return least.smallest();
}

}  // namespace fangs
