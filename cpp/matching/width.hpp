// The narrowest integer type that a matching may use: the one place that decides it.
// Duals and path lengths are sums of up to three weights; mates are indices of rows or columns.
// O(1). Narrow integers pass through the vector units twice as fast as wide ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

namespace fangs {

struct MatchingSize {
    std::size_t max_weight, n_rows, n_columns;
};

// Largest weight for which a sum of three stays below the largest value, the "unreached" distance.
template <class T>
inline constexpr std::size_t max_weight =
    static_cast<std::size_t>(std::numeric_limits<T>::max()) / 3 - 1;

// Most rows or columns whose indices fit.
template <class T>
inline constexpr std::size_t max_size = static_cast<std::size_t>(std::numeric_limits<T>::max());

template <class T>
[[nodiscard]] constexpr bool fits(const MatchingSize& size) noexcept {
    return size.max_weight <= max_weight<T> && std::max(size.n_rows, size.n_columns) <= max_size<T>;
}

// Returns work(T{}) for the narrowest type T that fits.
template <class Work>
decltype(auto) with_width(const MatchingSize& size, Work&& work) {
    if (fits<std::int16_t>(size)) return std::forward<Work>(work)(std::int16_t{});
    if (fits<std::int32_t>(size)) return std::forward<Work>(work)(std::int32_t{});
    throw std::length_error("more items or features than the core can count");
}

}  // namespace fangs
