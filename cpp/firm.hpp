// How firm a matching is: by how many flips of each feature it is ahead of all others.
// Flips change the overlaps of a feature by no more than their number. Where the dual prices leave
// every other choice of a feature worse by s, and that for each feature, the matching therefore
// stays the only optimal one until one of them has had its s flips; the worth of all flips stays as
// it is, too (docs/path.md). O(K^2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "matching.hpp"

namespace fangs {

// Among more features than this, hardly any draw has only one optimal matching.
inline constexpr std::size_t max_firm_features = 16;

// Moves the prices of the rows so that matched edges are tight; after flips it may turn out that
// the matching is no longer optimal.
template <class T>
void reprice(Matching<T>& matching, const T* weights) noexcept {
    for (std::size_t r = 0; r < matching.rows.size; ++r) {
        const T mate = matching.rows.mate[r];
        if (mate == Matching<T>::none) continue;
        const auto column = static_cast<std::size_t>(mate);
        matching.rows.dual[r] =
            static_cast<T>(weights[r * matching.stride() + column] - matching.columns.dual[column]);
    }
}

// How many flips of each feature it takes until a matching may no longer be the only optimal one
// // each (n_rows), and the least of them; not above 0 if it may not be even now. Matched edges are
// tight, and the prices of columns at least 0. Unmatched features without items need no firmness:
// nothing is lost when they get a partner.
template <class T>
[[nodiscard]] T firmness(const Matching<T>& matching, const T* weights,
                         const std::vector<std::uint8_t>& has_items, T* each) noexcept {
    T least = std::numeric_limits<T>::max();
    for (std::size_t r = 0; r < matching.rows.size; ++r) {
        each[r] = std::numeric_limits<T>::max();
        if (has_items[r] != 0 || matching.rows.mate[r] != Matching<T>::none)
            each[r] = matching.slack(weights, r);
        least = std::min(least, each[r]);
    }
    return least;
}

// Moves prices between mates so that the least firm feature becomes firmer; gives what firmness()
// does.
template <class T>
[[nodiscard]] T firmed(Matching<T>& matching, const T* weights,
                       const std::vector<std::uint8_t>& has_items, T* each) noexcept {
    auto& rows = matching.rows;
    auto& columns = matching.columns;
    for (std::size_t r = 0; r < rows.size; ++r) {
        if (rows.mate[r] == Matching<T>::none) continue;
        const auto mate = static_cast<std::size_t>(rows.mate[r]);
        int others = std::numeric_limits<T>::max();
        for (std::size_t other = 0; other < rows.size; ++other)
            if (other != r && has_items[other] != 0)
                others = std::min(others, rows.dual[other] + columns.dual[mate] -
                                              weights[other * matching.stride() + mate]);
        // What this row gains in firmness, the others lose at its column.
        const int step = std::min((others - matching.slack(weights, r)) / 2,
                                  static_cast<int>(columns.dual[mate]));
        rows.dual[r] = static_cast<T>(rows.dual[r] + step);
        columns.dual[mate] = static_cast<T>(columns.dual[mate] - step);
    }
    return firmness(matching, weights, has_items, each);
}

}  // namespace fangs
