// An allocation, its optimal matching with every draw, and the exact support of all single flips.
// Optimal edges tell all n * K flips at once; after a flip the matchings are repaired, not solved.
// O(overlap + matching) per draw to build; about one augmentation per draw and feature to flip.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "matching/edges.hpp"
#include "passes/cost.hpp"
#include "passes/flip_support.hpp"
#include "passes/matchings.hpp"
#include "passes/tally.hpp"
#include "passes/threads.hpp"
#include "passes/workspace.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"
#include "storage/weights.hpp"

namespace fangs {

struct Flip {
    std::size_t item, feature;
};

template <class T>
class Neighbourhood {
public:
    // support // (n_items, n_features), zeros to be filled as by flip_support(), or null
    Neighbourhood(const Draws& draws, DrawWeights draw_weights, Allocation allocation,
                  std::int64_t* support, const Parallel& parallel)
        : draws_(draws),
          draw_weights_(std::move(draw_weights)),
          allocation_(std::move(allocation)),
          kept_(draws, allocation_.n_features()) {
        rematch(support, parallel, [this](Workspace<T>& workspace, std::size_t b, auto& check) {
            return workspace.solve(b, check, kept_.weights(b));
        });
    }

    [[nodiscard]] std::int64_t total_overlap() const noexcept { return total_; }
    [[nodiscard]] const Allocation& allocation() const noexcept { return allocation_; }

    // Bytes of the matchings.
    [[nodiscard]] std::size_t bytes() const noexcept { return kept_.bytes(); }

    // Flips these entries (each at most once) and repairs every matching. In the same pass the
    // support of all flips costs little more.
    void flip(std::span<const Flip> flips, std::int64_t* support, const Parallel& parallel) {
        std::vector<std::size_t> changed;
        for (const auto& [item, feature] : flips) {
            flip_bit(allocation_.feature(feature), item);
            changed.push_back(feature);
        }
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        rematch(support, parallel, [&](Workspace<T>& workspace, std::size_t b, auto& check) {
            const T* weights = current_weights(workspace, b, flips, check);
            if (changed.size() > allocation_.n_features() / 2) {
                workspace.matching.solve(weights, check);  // cheaper than that many repairs
                return weights;
            }
            kept_.load(workspace.matching, b);
            workspace.matching.repair(weights, changed, check);
            return weights;
        });
    }

    // For each entry the weight of the draws whose total overlap a flip would change: raise where
    // the entry is 0, lower where it is 1. support // (n_items, n_features), zeros to be filled
    void flip_support(std::int64_t* support, const Parallel& parallel) {
        for_each_draw(support, parallel, [this](Worker& worker, std::size_t b, auto& check) {
            auto& workspace = worker.workspace;
            workspace.resize_for(b);
            const T* weights = kept_.weights(b);
            if (weights == nullptr) {
                workspace.read(b);
                weights = workspace.compute_overlaps(check);
            }
            kept_.load(workspace.matching, b);
            return weights;
        });
    }

private:
    struct Worker {
        Workspace<T> workspace;
        OptimalEdges<T> edges;
        Tally tally;
        std::int64_t total = 0;
    };

    // Solves or repairs every draw, and adds up the overlaps.
    template <class Work>
    void rematch(std::int64_t* support, const Parallel& parallel, Work&& work) {
        total_ = for_each_draw(support, parallel, [&](Worker& worker, std::size_t b, auto& check) {
            const T* weights = work(worker.workspace, b, check);
            kept_.save(worker.workspace.matching, b);
            worker.total += draw_weights_[b] * worker.workspace.matching.total();
            return weights;
        });
    }

    // Calls match(worker, draw, check), which leaves the draw's matching in the workspace and
    // returns its overlaps; then counts the support of flips, if wanted.
    template <class Match>
    std::int64_t for_each_draw(std::int64_t* support, const Parallel& parallel, Match&& match) {
        Counts counts(support ? allocation_.n_features() : 0, allocation_.n_items(), support);
        std::atomic<std::int64_t> total{0};
        parallel_for(
            parallel, draws_.size(), nanoseconds_per_draw(draws_, allocation_),
            [&] {
                return Worker{
                    Workspace<T>(draws_, allocation_), {}, Tally(counts, draw_weights_.largest())};
            },
            [&](Worker& worker, std::size_t b, auto& check) {
                const T* weights = match(worker, b, check);
                if (!support) return;
                worker.workspace.read(b);
                worker.edges.find(worker.workspace.matching, weights, check);
                put_flip_support(worker.workspace, worker.edges, allocation_, worker.tally, check);
                worker.tally.add(draw_weights_[b]);
            },
            [&](Worker& worker) {
                worker.tally.flush();
                total += worker.total;
            });
        return total;
    }

    // The overlaps after these flips; kept ones are updated in place.
    template <class Check>
    [[nodiscard]] const T* current_weights(Workspace<T>& workspace, std::size_t b,
                                           std::span<const Flip> flips, Check& check) {
        workspace.resize_for(b);
        T* weights = kept_.weights(b);
        // Once more than a third of all words have changed, counting from scratch is cheaper.
        if (weights == nullptr ||
            3 * flips.size() > allocation_.n_features() * allocation_.n_words()) {
            workspace.read(b);
            return workspace.compute_overlaps(check, weights);
        }
        const std::size_t n_columns = workspace.matching.columns.size,
                          first = draws_.first_feature(b);
        for (const auto& [item, feature] : flips) {
            const T step = test_bit(allocation_.feature(feature), item) ? T{1} : T{-1};
            T* line = weights + feature * workspace.matching.stride();
            for (std::size_t c = 0; c < n_columns; ++c)
                line[c] = static_cast<T>(line[c] + (draws_.has(first + c, item) ? step : T{0}));
        }
        return weights;
    }

    const Draws& draws_;
    DrawWeights draw_weights_;
    Allocation allocation_;
    Matchings<T> kept_;
    std::int64_t total_ = 0;
};

}  // namespace fangs
