// The cost model: roughly what a pass takes per draw, in nanoseconds.
// Passes use it to choose a number of threads, the search (fangs.engine.cost) to choose its effort.
// O(1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "simd/block.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"

namespace fangs {

// Overlaps and matching of a draw with `n_columns` features and an allocation with `n_features`.
[[nodiscard]] inline double nanoseconds_per_draw(std::size_t n_items, double n_columns,
                                                 std::size_t n_features) noexcept {
    const double n_words = static_cast<double>(words_for(n_items));
    const double pairs = static_cast<double>(n_features) * n_columns;
    return 100.0 + n_columns * n_words * 5.0 + pairs * (0.8 + 0.3 * n_words);
}

[[nodiscard]] inline double nanoseconds_per_draw(const Draws& draws,
                                                 const Allocation& allocation) noexcept {
    const double n_draws = static_cast<double>(std::max<std::size_t>(draws.size(), 1));
    const double n_columns = static_cast<double>(draws.total_features()) / n_draws;
    return nanoseconds_per_draw(draws.n_items(), n_columns, allocation.n_features());
}

// Growing a template over one walk.
[[nodiscard]] inline double nanoseconds_to_grow(const Draws& draws,
                                                std::span<const std::size_t> walk,
                                                std::size_t n_rounds) noexcept {
    if (walk.empty()) return 0.0;
    const auto n_ones = static_cast<double>(draws.n_ones(walk[0]));
    const auto n_features = static_cast<double>(draws.n_features(walk[0]));
    const double a_draw = 200.0 + 2.5 * n_ones * (1.0 + n_features / static_cast<double>(lanes)) +
                          5.0 * n_features * n_features;
    return a_draw * static_cast<double>(walk.size() * n_rounds);
}

}  // namespace fangs
