// Evaluates one allocation: aligns every draw to it and counts the support of all its flips.
// Equals an alignment and a neighbourhood's flip support, in one pass that keeps no matching.
// O(overlap + matching) per draw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "matching/edges.hpp"
#include "passes/alignment.hpp"
#include "passes/cost.hpp"
#include "passes/flip_support.hpp"
#include "passes/tally.hpp"
#include "passes/threads.hpp"
#include "passes/workspace.hpp"
#include "storage/allocation.hpp"
#include "storage/draws.hpp"
#include "storage/weights.hpp"

namespace fangs {

struct EvaluationOutput {
    std::int64_t* overlaps;      // (n_draws), total overlap of each draw
    std::int32_t* permutations;  // (n_draws, n_features), the draw's column or -1, or null
    Counts* counts;   // (n_items, n_features), weight of draws whose aligned feature has the item,
                      // or null
    Counts* support;  // (n_items, n_features), as Neighbourhood::flip_support
};

template <class T>
void evaluate(const Draws& draws, const DrawWeights& weights, const Allocation& allocation,
              const EvaluationOutput& out, const Parallel& parallel) {
    struct Worker {
        Workspace<T> workspace;
        OptimalEdges<T> edges;
        Tally counts, support;
    };
    Counts nothing(0, 0, nullptr);
    parallel_for(
        parallel, draws.size(), nanoseconds_per_draw(draws, allocation),
        [&] {
            return Worker{Workspace<T>(draws, allocation),
                          {},
                          Tally(out.counts ? *out.counts : nothing, weights.largest()),
                          Tally(*out.support, weights.largest())};
        },
        [&](Worker& worker, std::size_t b, auto& check) {
            auto& [workspace, edges, counts, support] = worker;
            const T* shared = workspace.solve(b, check);
            out.overlaps[b] = workspace.matching.total();
            if (out.permutations)
                std::copy_n(workspace.matching.rows.mate.data(), allocation.n_features(),
                            out.permutations + b * allocation.n_features());
            if (out.counts) {
                put_aligned_features(workspace, counts);
                counts.add(weights[b]);
            }
            edges.find(workspace.matching, shared, check);
            put_flip_support(workspace, edges, allocation, support, check);
            support.add(weights[b]);
        },
        [](Worker& worker) {
            worker.counts.flush();
            worker.support.flush();
        });
}

}  // namespace fangs
