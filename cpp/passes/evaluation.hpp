// Evaluates one allocation: aligns every draw to it and counts the support of all its flips.
// Equals an alignment and a neighbourhood's flip support, in one pass that keeps no matching.
// O(overlap + matching) per draw.
#pragma once

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
    std::int64_t* overlaps;  // (n_draws), total overlap of each draw
    Counts* counts;   // (n_items, n_features), weight of draws whose aligned feature has the item
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
    parallel_for(
        parallel, draws.size(), nanoseconds_per_draw(draws, allocation),
        [&] {
            return Worker{Workspace<T>(draws, allocation),
                          {},
                          Tally(*out.counts, weights.largest()),
                          Tally(*out.support, weights.largest())};
        },
        [&](Worker& worker, std::size_t b) {
            auto& [workspace, edges, counts, support] = worker;
            const T* shared = workspace.solve(b);
            out.overlaps[b] = workspace.matching.total();
            put_aligned_features(workspace, counts);
            counts.add(weights[b]);
            edges.find(workspace.matching, shared);
            put_flip_support(workspace, edges, allocation, support);
            support.add(weights[b]);
        },
        [](Worker& worker) {
            worker.counts.flush();
            worker.support.flush();
        });
}

}  // namespace fangs
