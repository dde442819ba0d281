// An allocation, its optimal matching with every draw, and the exact worth of all single flips.
// Switching an entry on raises a draw's total overlap by 1 iff some optimal partner of the feature
// has the item; switching it off lowers it by 1 iff every optimal partner has it (and the feature
// cannot stay unmatched). One pass of optimal edges therefore prices all n*K flips at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "alignment.hpp"
#include "edges.hpp"

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
          row_dual_(draws.size() * allocation_.n_features()),
          row_mate_(row_dual_.size()),
          column_dual_(draws.total_features()) {
        keep_weights_if_small();
        each_draw(parallel, [&](Workbench<T>& bench, std::size_t b) {
            bench.turn_to(b);
            bench.read();
            bench.matching.solve(bench.weigh(kept(b)));
        });
    }

    [[nodiscard]] std::int64_t total_overlap() const noexcept { return total_; }
    [[nodiscard]] const Allocation& allocation() const noexcept { return allocation_; }

    // Bytes held beside the draws.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return sizeof(T) *
                   (row_dual_.size() + row_mate_.size() + column_dual_.size() + n_weights()) +
               sizeof(std::size_t) * offset_.size();
    }

    // Flips these entries (each at most once) and repairs every draw's matching.
    void flip(std::span<const Flip> flips, const Parallel& parallel) {
        std::vector<std::size_t> changed;
        for (const auto& [item, feature] : flips) {
            flip_bit(allocation_.feature(feature), item);
            changed.push_back(feature);
        }
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        each_draw(parallel, [&](Workbench<T>& bench, std::size_t b) {
            const T* weights = current_weights(bench, b, flips);
            if (changed.size() > allocation_.n_features() / 2) {
                bench.matching.solve(weights);  // cheaper than so many repairs
                return;
            }
            load(bench.matching, b);
            bench.matching.repair(weights, changed);
        });
    }

    // For each entry the number of draws whose total overlap a flip of it would change: gained
    // where the entry is 0, lost where it is 1; added to counts // (n_items, n_features)
    void changes(Counts& counts, const Parallel& parallel) const {
        struct Worker {
            Workbench<T> bench;
            OptimalEdges<T> edges;
            Tally tally;
        };
        parallel_for(
            parallel, draws_.size(), nanoseconds_per_draw(draws_, allocation_),
            [&] { return Worker{Workbench<T>(draws_, allocation_), {}, Tally(counts)}; },
            [&](Worker& worker, std::size_t b) {
                auto& bench = worker.bench;
                bench.turn_to(b);
                bench.read();
                const T* weights = kept(b);
                if (weights == nullptr) weights = bench.weigh();
                load(bench.matching, b);
                worker.edges.find(bench.matching, weights);
                for (std::size_t r = 0; r < allocation_.n_features(); ++r)
                    find_movable(bench, worker.edges, r, worker.tally.row(r));
                worker.tally.add();
            },
            [](Worker& worker) { worker.tally.pour(); });
    }

private:
    // Keeping all overlaps saves computing them again in every pass. They are kept where that
    // takes little memory, or little beside the draws themselves.
    void keep_weights_if_small() {
        constexpr std::size_t small = std::size_t{64} << 20;
        std::vector<std::size_t> offset(draws_.size() + 1, 0);
        for (std::size_t b = 0; b < draws_.size(); ++b)
            offset[b + 1] =
                offset[b] + allocation_.n_features() * round_up(draws_.n_features(b), lanes);
        if (offset.back() * sizeof(T) > std::max(small, 2 * draws_.bytes())) return;
        // Left as it is: whoever solves a draw writes its part, and so touches the memory first.
        weights_ = std::make_unique_for_overwrite<T[]>(offset.back());
        offset_ = std::move(offset);
    }

    [[nodiscard]] std::size_t n_weights() const noexcept {
        return offset_.empty() ? 0 : offset_.back();
    }

    [[nodiscard]] T* kept(std::size_t b) noexcept {
        return offset_.empty() ? nullptr : weights_.get() + offset_[b];
    }
    [[nodiscard]] const T* kept(std::size_t b) const noexcept {
        return offset_.empty() ? nullptr : weights_.get() + offset_[b];
    }

    // The overlaps after these flips, kept ones updated in place.
    [[nodiscard]] const T* current_weights(Workbench<T>& bench, std::size_t b,
                                           std::span<const Flip> flips) {
        bench.turn_to(b);
        T* weights = kept(b);
        // Where more than a third of all words of the features changed, counting anew is cheaper.
        if (weights == nullptr ||
            3 * flips.size() > allocation_.n_features() * allocation_.n_words()) {
            bench.read();
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

    // Solves or repairs every draw, and adds up their overlaps.
    template <class Work>
    void each_draw(const Parallel& parallel, Work&& work) {
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
                save(worker.bench.matching, b);
                worker.total += worker.bench.matching.total();
            },
            [&](Worker& worker) { total += worker.total; });
        total_ = total;
    }

    void load(Matching<T>& matching, std::size_t b) const noexcept {
        const std::size_t n_rows = allocation_.n_features(), n_columns = matching.columns.size;
        std::copy_n(row_dual_.data() + b * n_rows, n_rows, matching.rows.dual.data());
        std::copy_n(row_mate_.data() + b * n_rows, n_rows, matching.rows.mate.data());
        std::copy_n(column_dual_.data() + draws_.first_feature(b), n_columns,
                    matching.columns.dual.data());
        for (std::size_t r = 0; r < n_rows; ++r)
            if (matching.rows.mate[r] != Matching<T>::none)
                matching.columns.mate[static_cast<std::size_t>(matching.rows.mate[r])] =
                    static_cast<T>(r);
    }

    void save(const Matching<T>& matching, std::size_t b) noexcept {
        const std::size_t n_rows = allocation_.n_features(), n_columns = matching.columns.size;
        std::copy_n(matching.rows.dual.data(), n_rows, row_dual_.data() + b * n_rows);
        std::copy_n(matching.rows.mate.data(), n_rows, row_mate_.data() + b * n_rows);
        std::copy_n(matching.columns.dual.data(), n_columns,
                    column_dual_.data() + draws_.first_feature(b));
    }

    // The items whose flip in feature r changes this draw's overlap: of those absent, the ones
    // that any optimal partner has; of those present, the ones that all of them have.
    void find_movable(const Workbench<T>& bench, const OptimalEdges<T>& edges, std::size_t r,
                      Word* movable) const noexcept {
        const std::size_t n_words = draws_.n_words();
        const Word* present = allocation_.feature(r);
        std::fill_n(movable, n_words, Word{0});
        bool first = true;
        for_each_bit(edges.partners(r), edges.n_words(), [&](std::size_t c) {
            const Word* partner = bench.feature(c);
            if (first)
                std::copy_n(partner, n_words, movable);
            else
                for (std::size_t w = 0; w < n_words; ++w)
                    movable[w] = ((movable[w] | partner[w]) & ~present[w]) |
                                 (movable[w] & partner[w] & present[w]);
            first = false;
        });
        if (edges.may_be_unmatched(r))
            for (std::size_t w = 0; w < n_words; ++w) movable[w] &= ~present[w];
    }

    const Draws& draws_;
    Allocation allocation_;
    std::vector<T> row_dual_, row_mate_;  // (n_draws, n_features)
    std::vector<T> column_dual_;          // (features of all draws)
    std::unique_ptr<T[]> weights_;        // overlaps of each draw from offset_[b] on, or null
    std::vector<std::size_t> offset_;     // (n_draws + 1), or empty where overlaps are not kept
    std::int64_t total_ = 0;
};

}  // namespace fangs
