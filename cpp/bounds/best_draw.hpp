// Bounds the overlap of a draw with all others, to find the best draw without matching every pair.
// Weak duality: M(X, Z) <= sum_k p_k + sum_j max(0, max_k(|X_j & Z_k| - p_k)), any prices p >= 0.
// O(distinct features * K) per draw; exact overlaps take a matching per pair.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bounds/feature_bound.hpp"
#include "matching/matching.hpp"
#include "passes/cost.hpp"
#include "passes/threads.hpp"
#include "passes/workspace.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"
#include "storage/distinct.hpp"
#include "storage/draws.hpp"

namespace fangs {

// A feature adds the same to the bound of every draw that has it, so each distinct feature is
// evaluated once per draw Z. Good prices are the mean duals of a few exact matchings.
//
// M counts the items that two features share or, with `agreements`, the items that both have or
// both lack: n - |X_j| - |Z_k| + 2 |X_j & Z_k|. Each draw of `members` counts `weights` times.
// Members are dealt out over n_blocks blocks, so that every block resembles the whole.
template <class T>
class DrawBounds {
public:
    template <class Check>
    DrawBounds(const Draws& draws, std::vector<std::size_t> members,
               std::vector<std::int64_t> weights, std::size_t n_blocks, bool agreements,
               Check&& check)
        : draws_(draws),
          members_(std::move(members)),
          weights_(std::move(weights)),
          n_blocks_(n_blocks),
          agreements_(agreements),
          doublings_(FeatureBounds<T>::doublings(draws.n_items()) - (agreements ? 1 : 0)) {
        if (agreements) find_absences(check);
    }

    [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
    [[nodiscard]] std::size_t n_blocks() const noexcept { return n_blocks_; }

    // Exact overlap of a member with all members of a block, weighted.
    [[nodiscard]] std::int64_t overlap(std::size_t member, std::size_t block,
                                       const Parallel& parallel) const {
        std::atomic<std::int64_t> total{0};
        match(member, block_of(block), parallel, [&](std::size_t m, const Matching<T>& matching) {
            total += weights_[m] * matching.total();
        });
        return total;
    }

    // Upper bounds on overlap(candidate, block), at the mean duals of the references' matchings
    // with all members. out // (n_candidates, n_blocks)
    void bounds(const std::vector<std::size_t>& references,
                const std::vector<std::size_t>& candidates, std::int64_t* out,
                const Parallel& parallel) const {
        const std::vector<T> prices = mean_duals(references, parallel);
        std::vector<std::size_t> draws;
        draws.reserve(candidates.size());
        for (const std::size_t candidate : candidates) draws.push_back(members_[candidate]);
        const DistinctFeatures features(draws_, draws, Checkpoint(parallel.ask));
        const std::size_t in_block = size() / n_blocks_ + 1;
        const double nanoseconds =
            static_cast<double>(features.size()) * static_cast<double>(in_block) * 15.0;
        parallel_for(
            parallel, n_blocks_, nanoseconds,
            [&] {
                return Worker{std::vector<Word>(draws_.max_features() * draws_.n_words()),
                              std::vector<T>(draws_.max_features()),
                              std::vector<std::int64_t>(features.size())};
            },
            [&](Worker& worker, std::size_t block, auto& check) {
                const std::int64_t base =
                    bound_features(features, prices, block_of(block), worker, check);
                for (std::size_t c = 0; c < candidates.size(); ++c) {
                    std::int64_t bound = base;
                    features.of_member(c, [&](std::size_t id) { bound += worker.bound[id]; });
                    out[c * n_blocks_ + block] = bound >> doublings_;
                }
            },
            [](Worker&) {});
    }

private:
    struct Range {
        std::size_t first, step, count;
        [[nodiscard]] std::size_t at(std::size_t i) const noexcept { return first + i * step; }
    };

    struct Worker {
        std::vector<Word> draw;           // (n_columns, n_words)
        std::vector<T> prices;            // (n_columns)
        std::vector<std::int64_t> bound;  // of each distinct feature in one block
    };

    [[nodiscard]] Range block_of(std::size_t block) const noexcept {
        return {block, n_blocks_, block < size() ? (size() - block - 1) / n_blocks_ + 1 : 0};
    }

    template <class Check>
    void find_absences(Check& check) {
        std::vector<Word> sets(draws_.max_features() * draws_.n_words());
        for (std::size_t b = 0; b < draws_.size(); ++b) {
            check();
            draws_.read(b, sets.data());
            for (std::size_t k = 0; k < draws_.n_features(b); ++k)
                absences_.push_back(absences(sets.data() + k * draws_.n_words()));
        }
    }

    // Number of items that lack the feature.
    [[nodiscard]] T absences(const Word* set) const noexcept {
        std::size_t ones = 0;
        for (std::size_t w = 0; w < draws_.n_words(); ++w)
            ones += static_cast<std::size_t>(std::popcount(set[w]));
        return static_cast<T>(draws_.n_items() - ones);
    }

    // Turns overlaps into agreements. weights // (n_rows, stride)
    void add_absences(std::size_t row_draw, std::size_t column_draw, std::size_t stride,
                      T* weights) const noexcept {
        const T* mine = absences_.data() + draws_.first_feature(row_draw);
        const T* theirs = absences_.data() + draws_.first_feature(column_draw);
        const auto n_items = static_cast<T>(draws_.n_items());
        const std::size_t n_columns = draws_.n_features(column_draw);
        for (std::size_t r = 0; r < draws_.n_features(row_draw); ++r, weights += stride)
            for (std::size_t c = 0; c < n_columns; ++c)
                weights[c] = static_cast<T>(2 * weights[c] + (mine[r] - n_items + theirs[c]));
    }

    // Matches one member with each member m of a range, and calls use(m, matching).
    template <class Use>
    void match(std::size_t member, Range range, const Parallel& parallel, Use&& use) const {
        Allocation reference(draws_.n_items(), draws_.n_features(members_[member]));
        if (reference.n_features() > 0) draws_.read(members_[member], reference.feature(0));
        parallel_for(
            parallel, range.count, nanoseconds_per_draw(draws_, reference),
            [&] { return Workspace<T>(draws_, reference); },
            [&](Workspace<T>& workspace, std::size_t i, auto& check) {
                const std::size_t m = range.at(i);
                workspace.resize_for(members_[m]);
                workspace.read(members_[m]);
                T* weights = workspace.compute_overlaps(check);
                if (agreements_)
                    add_absences(members_[member], members_[m], workspace.matching.stride(),
                                 weights);
                workspace.matching.solve(weights, check);
                use(m, workspace.matching);
            },
            [](Workspace<T>&) {});
    }

    // The mean dual of each feature of every draw, in units of 1 / 2^doublings.
    [[nodiscard]] std::vector<T> mean_duals(const std::vector<std::size_t>& references,
                                            const Parallel& parallel) const {
        std::vector<std::int64_t> sums(draws_.total_features(), 0);
        for (const std::size_t reference : references)
            match(reference, Range{0, 1, size()}, parallel,
                  [&](std::size_t m, const Matching<T>& matching) {
                      std::int64_t* sum = sums.data() + draws_.first_feature(members_[m]);
                      for (std::size_t k = 0; k < matching.columns.size; ++k)
                          sum[k] += matching.columns.dual[k];
                  });
        std::vector<T> prices(sums.size(), T{0});
        const auto n = static_cast<std::int64_t>(references.size());
        if (n > 0)
            std::transform(sums.begin(), sums.end(), prices.begin(), [&](std::int64_t sum) {
                return static_cast<T>(((sum << doublings_) + n / 2) / n);
            });
        return prices;
    }

    // Fills worker.bound with what each feature can add in a block, and returns the constant part
    // of the bounds, both in units of 1 / 2^doublings. Features go many at a time, so that
    // unpacking a draw costs little.
    template <class Check>
    [[nodiscard]] std::int64_t bound_features(const DistinctFeatures& features,
                                              const std::vector<T>& prices, Range range,
                                              Worker& worker, Check& check) const {
        constexpr std::size_t together = 1024;
        std::int64_t base = 0;
        for (std::size_t i = 0; i < range.count; ++i) {
            const std::size_t b = members_[range.at(i)];
            for (std::size_t k = 0; k < draws_.n_features(b); ++k)
                base += weights_[range.at(i)] * prices[draws_.first_feature(b) + k];
        }
        std::fill(worker.bound.begin(), worker.bound.end(), 0);
        std::vector<std::int64_t> own(together, 0);
        for (std::size_t begin = 0; begin < features.size(); begin += together) {
            const std::size_t count = std::min(together, features.size() - begin);
            FeatureBounds<T> some(draws_.n_items(), features.set(begin), count);
            if (agreements_)
                for (std::size_t f = 0; f < count; ++f)
                    own[f] = std::int64_t{absences(features.set(begin + f))} << doublings_;
            for (std::size_t i = 0; i < range.count; ++i) {
                check();
                const std::size_t b = members_[range.at(i)];
                const std::int64_t weight = weights_[range.at(i)];
                if (draws_.n_features(b) == 0) continue;
                draws_.read(b, worker.draw.data());
                const T least = overlap_prices(b, prices, worker.prices.data());
                some.compute(worker.draw.data(), draws_.n_features(b), worker.prices.data(), check,
                             [&](std::size_t f, std::int64_t most) {
                                 worker.bound[begin + f] +=
                                     weight * std::max<std::int64_t>(0, own[f] - least + most);
                             });
            }
        }
        return base;
    }

    // Prices for overlaps instead of agreements, and an amount to subtract from every feature's
    // bound afterwards. An agreement is n - |X_j|, plus twice the overlap (the prices' unit
    // accounts for that), minus |Z_k|, which is added to the price. The lowest price becomes 0,
    // because FeatureBounds stops at 0; the amount subtracted makes up for it.
    [[nodiscard]] T overlap_prices(std::size_t draw, const std::vector<T>& prices, T* out) const {
        const std::size_t first = draws_.first_feature(draw), n_features = draws_.n_features(draw);
        std::copy_n(prices.data() + first, n_features, out);
        if (!agreements_) return 0;
        const auto n_items = static_cast<T>(draws_.n_items());
        for (std::size_t k = 0; k < n_features; ++k)
            out[k] = static_cast<T>(out[k] + ((n_items - absences_[first + k]) << doublings_));
        const T least = *std::min_element(out, out + n_features);
        for (std::size_t k = 0; k < n_features; ++k) out[k] = static_cast<T>(out[k] - least);
        return least;
    }

    const Draws& draws_;
    std::vector<std::size_t> members_;
    std::vector<std::int64_t> weights_;
    std::size_t n_blocks_;
    bool agreements_;
    int doublings_;
    std::vector<T> absences_;  // (total_features) if agreements count, else empty
};

}  // namespace fangs
