// Aligns every draw to one allocation: the matching of each draw, and counts over all of them.
// Alignment is maximum overlap and does not depend on the penalty a.
// One pass, shared over threads; O(overlap + matching) per draw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "matching/matching.hpp"
#include "passes/cost.hpp"
#include "passes/tally.hpp"
#include "passes/threads.hpp"
#include "passes/workspace.hpp"
#include "storage/allocation.hpp"
#include "storage/draws.hpp"
#include "storage/weights.hpp"

namespace fangs {

struct AlignmentOutput {
    std::int64_t* overlaps;      // (n_draws), total overlap of each draw, or null
    std::int32_t* permutations;  // (n_draws, n_features), the draw's column or -1, or null
    Counts* counts;  // (n_items, n_features), weight of draws whose aligned feature has the item,
                     // or null
};

// Puts the feature aligned to each row of the allocation into the same row of the tally.
template <class T>
void put_aligned_features(const Workspace<T>& workspace, Tally& tally) {
    for (std::size_t r = 0; r < workspace.matching.rows.size; ++r)
        tally.put(r, workspace.aligned_to(r));
}

template <class T>
void align(const Draws& draws, const DrawWeights& weights, const Allocation& reference,
           const AlignmentOutput& out, const Parallel& parallel) {
    struct Worker {
        Workspace<T> workspace;
        Tally tally;
    };
    Counts nothing(0, 0, nullptr);
    const std::size_t n_features = reference.n_features();
    parallel_for(
        parallel, draws.size(), nanoseconds_per_draw(draws, reference),
        [&] {
            return Worker{Workspace<T>(draws, reference),
                          Tally(out.counts ? *out.counts : nothing, weights.largest())};
        },
        [&](Worker& worker, std::size_t b, auto& check) {
            worker.workspace.solve(b, check);
            const auto& matching = worker.workspace.matching;
            if (out.overlaps) out.overlaps[b] = matching.total();
            if (out.permutations)
                std::copy_n(matching.rows.mate.data(), n_features,
                            out.permutations + b * n_features);
            if (!out.counts) return;
            put_aligned_features(worker.workspace, worker.tally);
            worker.tally.add(weights[b]);
        },
        [](Worker& worker) { worker.tally.flush(); });
}

// Aligns every draw and gives each of its features a column. Features that are aligned to no column
// of the reference go into the free columns, both in their own order. counts // (n_items,
// n_columns), with at least as many columns as the reference and every draw have.
template <class T>
void place(const Draws& draws, const DrawWeights& weights, const Allocation& reference,
           Counts& counts, const Parallel& parallel) {
    struct Worker {
        Workspace<T> workspace;
        Tally tally;
    };
    parallel_for(
        parallel, draws.size(), nanoseconds_per_draw(draws, reference),
        [&] { return Worker{Workspace<T>(draws, reference), Tally(counts, weights.largest())}; },
        [&](Worker& worker, std::size_t b, auto& check) {
            auto& [workspace, tally] = worker;
            workspace.solve(b, check);
            put_aligned_features(workspace, tally);
            for (std::size_t r = reference.n_features(); r < counts.n_rows(); ++r)
                tally.put(r, nullptr);
            const auto &rows = workspace.matching.rows, &columns = workspace.matching.columns;
            std::size_t free = 0;
            for (std::size_t c = 0; c < columns.size; ++c) {
                if (columns.mate[c] != Matching<T>::none) continue;
                while (free < rows.size && rows.mate[free] != Matching<T>::none) ++free;
                tally.put(free++, workspace.feature(c));
            }
            tally.add(weights[b]);
        },
        [](Worker& worker) { worker.tally.flush(); });
}

}  // namespace fangs
