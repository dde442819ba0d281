// Total overlap of chosen pairs of draws.
// What the pair bound is made of: docs/theory-bounds.md.
// O(overlap + matching) per pair, shared over threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "matching/matching.hpp"
#include "matching/overlap.hpp"
#include "passes/threads.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"

namespace fangs {

// out[p] is the total overlap of the draws first[p] and second[p] // (n_pairs) each
template <class T>
void overlap_pairs(const Draws& draws, const std::int64_t* first, const std::int64_t* second,
                   std::size_t n_pairs, std::int64_t* out, const Parallel& parallel) {
    struct Worker {
        Matching<T> matching;
        std::vector<Word> sets;  // (n_columns, n_words)
        std::vector<T> weights;  // (n_rows, stride)
    };
    const double features =
        static_cast<double>(draws.total_features()) / static_cast<double>(draws.size());
    const double nanoseconds =
        200.0 + features * features * (0.8 + 0.3 * static_cast<double>(draws.n_words()));
    parallel_for(
        parallel, n_pairs, nanoseconds,
        [&] { return Worker{{}, std::vector<Word>(draws.max_features() * draws.n_words()), {}}; },
        [&](Worker& worker, std::size_t p, auto& check) {
            const auto rows = static_cast<std::size_t>(first[p]);
            const auto columns = static_cast<std::size_t>(second[p]);
            Allocation allocation(draws.n_items(), draws.n_features(rows));
            draws.read(rows, allocation.feature(0));
            draws.read(columns, worker.sets.data());
            auto& matching = worker.matching;
            matching.resize(draws.n_features(rows), draws.n_features(columns));
            worker.weights.resize(matching.rows.size * matching.stride());
            Overlaps<T>(allocation)
                .compute(worker.sets.data(), matching.columns.size, matching.stride(),
                         worker.weights.data(), check);
            matching.solve(worker.weights.data(), check);
            out[p] = matching.total();
        },
        [](Worker&) {});
}

}  // namespace fangs
