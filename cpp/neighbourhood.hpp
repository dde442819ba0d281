// An allocation, its optimal matching with every draw, and the exact worth of all single flips.
// Switching an entry on raises a draw's total overlap by 1 iff some optimal partner of the feature
// has the item; switching it off lowers it by 1 iff every optimal partner has it (and the feature
// cannot stay unmatched). One pass of optimal edges therefore prices all n*K flips at once.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment.hpp"
#include "edges.hpp"
#include "matchings.hpp"
#include "movable.hpp"

namespace fangs {

struct Flip {
    std::size_t item, feature;
};

template <class T>
class Neighbourhood {
public:
    Neighbourhood(const Draws& draws, Allocation allocation, const Parallel& parallel)
        : draws_(draws),
          allocation_(std::move(allocation)),
          kept_(draws, allocation_.n_features()) {
        rematch(parallel, [this](Workbench<T>& bench, std::size_t b) {
            bench.turn_to(b);
            bench.read(b);
            bench.matching.solve(bench.weigh(kept_.weights(b)));
        });
    }

    [[nodiscard]] std::int64_t total_overlap() const noexcept { return total_; }
    [[nodiscard]] const Allocation& allocation() const noexcept { return allocation_; }

    // Bytes held beside the draws.
    [[nodiscard]] std::size_t bytes() const noexcept { return kept_.bytes(); }

    // Flips these entries (each at most once) and repairs every matching.
    void flip(std::span<const Flip> flips, const Parallel& parallel) {
        std::vector<std::size_t> changed;
        for (const auto& [item, feature] : flips) {
            flip_bit(allocation_.feature(feature), item);
            changed.push_back(feature);
        }
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        rematch(parallel, [&](Workbench<T>& bench, std::size_t b) {
            const T* weights = current_weights(bench, b, flips);
            if (changed.size() > allocation_.n_features() / 2) {
                bench.matching.solve(weights);  // cheaper than so many repairs
                return;
            }
            kept_.load(bench.matching, b);
            bench.matching.repair(weights, changed);
        });
    }

    // For each entry the number of draws whose total overlap a flip of it would change: gained
    // where the entry is 0, lost where it is 1 // (n_items, n_features), all 0 before
    void changes(std::int64_t* values, const Parallel& parallel) {
        struct Worker {
            Workbench<T> bench;
            OptimalEdges<T> edges;
            Tally tally;
        };
        const std::size_t n_features = allocation_.n_features();
        Counts counts(n_features, allocation_.n_items(), values);
        parallel_for(
            parallel, draws_.size(), nanoseconds_per_draw(draws_, allocation_),
            [&] { return Worker{Workbench<T>(draws_, allocation_), {}, Tally(counts)}; },
            [&](Worker& worker, std::size_t b) {
                auto& bench = worker.bench;
                bench.turn_to(b);
                bench.read(b);
                const T* weights = kept_.weights(b);
                if (weights == nullptr) weights = bench.weigh();
                kept_.load(bench.matching, b);
                worker.edges.find(bench.matching, weights);
                for (std::size_t r = 0; r < n_features; ++r)
                    find_movable(bench, worker.edges, r, allocation_.feature(r),
                                 allocation_.n_words(), worker.tally.row(r));
                worker.tally.add();
            },
            [](Worker& worker) { worker.tally.pour(); });
    }

private:
    // The overlaps after these flips, kept ones updated in place.
    [[nodiscard]] const T* current_weights(Workbench<T>& bench, std::size_t b,
                                           std::span<const Flip> flips) {
        bench.turn_to(b);
        T* weights = kept_.weights(b);
        // Where more than a third of all words of the features changed, counting anew is cheaper.
        if (weights == nullptr ||
            3 * flips.size() > allocation_.n_features() * allocation_.n_words()) {
            bench.read(b);
            return bench.weigh(weights);
        }
        const std::size_t n_columns = bench.matching.columns.size, first = draws_.first_feature(b);
        for (const auto& [item, feature] : flips) {
            const T step = test_bit(allocation_.feature(feature), item) ? T{1} : T{-1};
            T* line = weights + feature * bench.matching.stride();
            for (std::size_t c = 0; c < n_columns; ++c)
                line[c] = static_cast<T>(line[c] + (draws_.has(first + c, item) ? step : T{0}));
        }
        return weights;
    }

    // Solves or repairs every draw, and adds up the overlaps.
    template <class Work>
    void rematch(const Parallel& parallel, Work&& work) {
        struct Worker {
            Workbench<T> bench;
            std::int64_t total;
        };
        std::atomic<std::int64_t> total{0};
        parallel_for(
            parallel, draws_.size(), nanoseconds_per_draw(draws_, allocation_),
            [&] { return Worker{Workbench<T>(draws_, allocation_), 0}; },
            [&](Worker& worker, std::size_t b) {
                work(worker.bench, b);
                kept_.save(worker.bench.matching, b);
                worker.total += worker.bench.matching.total();
            },
            [&](Worker& worker) { total += worker.total; });
        total_ = total;
    }

    const Draws& draws_;
    Allocation allocation_;
    Matchings<T> kept_;
    std::int64_t total_ = 0;
};

}  // namespace fangs
