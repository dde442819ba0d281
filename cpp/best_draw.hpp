// Bounds on how much a draw can overlap with the others, to find the best draw without matching
// every two of them. Prices p >= 0 on the features of a draw Z prove, for any allocation X,
//   M(X, Z) <= sum_k p_k + sum_j max(0, max_k(|X_j & Z_k| - p_k)),
// by weak duality. A feature adds the same to every X that has it, so each different feature is
// priced once per draw, not once per pair. Good prices are the mean of the duals of a few exact
// matchings. O(different features * K) per draw, beside a matching for each pair.
//
// Instead of the items that two features share, M can count those in which they agree, be it that
// both have the item or that both lack it: n - |X_j| - |Z_k| + 2 |X_j & Z_k|.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "alignment.hpp"
#include "distinct.hpp"
#include "draws.hpp"
#include "feature_worth.hpp"
#include "overlap.hpp"
#include "threads.hpp"

namespace fangs {

// `members` are the draws in question, each counting `weights` times. They are dealt out over
// n_blocks blocks, so that every block looks much like the whole.
template <class T>
class DrawBounds {
public:
    DrawBounds(const Draws& draws, std::vector<std::size_t> members,
               std::vector<std::int64_t> weights, std::size_t n_blocks, bool agreements)
        : draws_(draws),
          members_(std::move(members)),
          weights_(std::move(weights)),
          n_blocks_(n_blocks),
          agreements_(agreements),
          doublings_(FeatureWorth<T>::doublings(draws.n_items()) - (agreements ? 1 : 0)) {
        if (agreements) find_absences();
    }

    [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
    [[nodiscard]] std::size_t n_blocks() const noexcept { return n_blocks_; }

    // Exact overlap of a member with all members of a block, weights included.
    [[nodiscard]] std::int64_t overlap(std::size_t member, std::size_t block,
                                       const Parallel& parallel) const {
        std::atomic<std::int64_t> total{0};
        match(member, block_of(block), parallel, [&](std::size_t m, const Matching<T>& matching) {
            total += weights_[m] * matching.total();
        });
        return total;
    }

    // Upper bounds of overlap(candidate, block), whole numbers, at the mean prices of the
    // references' matchings with all members: out // (n_candidates, n_blocks)
    void bounds(const std::vector<std::size_t>& references,
                const std::vector<std::size_t>& candidates, std::int64_t* out,
                const Parallel& parallel) const {
        const std::vector<T> prices = learn_from(references, parallel);
        std::vector<std::size_t> draws;
        for (const std::size_t candidate : candidates) draws.push_back(members_[candidate]);
        const DistinctFeatures features(draws_, draws);
        const double nanoseconds = static_cast<double>(features.size()) *
                                   static_cast<double>(size() / n_blocks_ + 1) * 15.0;
        parallel_for(
            parallel, n_blocks_, nanoseconds,
            [&] {
                return Room{std::vector<Word>(draws_.max_features() * draws_.n_words()),
                            std::vector<T>(draws_.max_features()),
                            std::vector<std::int64_t>(features.size())};
            },
            [&](Room& room, std::size_t block) {
                const std::int64_t base = price_features(features, prices, block_of(block), room);
                for (std::size_t c = 0; c < candidates.size(); ++c) {
                    std::int64_t bound = base;
                    features.of_member(c, [&](std::size_t id) { bound += room.worth[id]; });
                    out[c * n_blocks_ + block] = bound >> doublings_;
                }
            },
            [](Room&) {});
    }

private:
    struct Range {
        std::size_t first, step, count;
        [[nodiscard]] std::size_t at(std::size_t i) const noexcept { return first + i * step; }
    };

    struct Room {
        std::vector<Word> draw;           // (n_columns, n_words)
        std::vector<T> prices;            // (n_columns)
        std::vector<std::int64_t> worth;  // of each different feature in one block
    };

    [[nodiscard]] Range block_of(std::size_t block) const noexcept {
        return {block, n_blocks_, block < size() ? (size() - block - 1) / n_blocks_ + 1 : 0};
    }

    void find_absences() {
        std::vector<Word> sets(draws_.max_features() * draws_.n_words());
        for (std::size_t b = 0; b < draws_.size(); ++b) {
            draws_.read(b, sets.data());
            for (std::size_t k = 0; k < draws_.n_features(b); ++k)
                absences_.push_back(absences(sets.data() + k * draws_.n_words()));
        }
    }

    // How many items lack the feature.
    [[nodiscard]] T absences(const Word* set) const noexcept {
        std::size_t ones = 0;
        for (std::size_t w = 0; w < draws_.n_words(); ++w)
            ones += static_cast<std::size_t>(std::popcount(set[w]));
        return static_cast<T>(draws_.n_items() - ones);
    }

    // Turns overlaps into agreements: items that both have, and items that both lack.
    // weights // (n_rows, stride)
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

    // Calls use(m, matching) for each member m in range, matched with one allocation.
    template <class Use>
    void match(std::size_t member, Range range, const Parallel& parallel, Use&& use) const {
        Allocation reference(draws_.n_items(), draws_.n_features(members_[member]));
        if (reference.n_features() > 0) draws_.read(members_[member], reference.feature(0));
        parallel_for(
            parallel, range.count, nanoseconds_per_draw(draws_, reference),
            [&] { return Workbench<T>(draws_, reference); },
            [&](Workbench<T>& bench, std::size_t i) {
                const std::size_t m = range.at(i);
                bench.turn_to(members_[m]);
                bench.read(members_[m]);
                T* weights = bench.weigh();
                if (agreements_)
                    add_absences(members_[member], members_[m], bench.matching.stride(), weights);
                bench.matching.solve(weights);
                use(m, bench.matching);
            },
            [](Workbench<T>&) {});
    }

    // The price of each feature of every draw: its mean dual, in parts of 1 / 2^doublings.
    [[nodiscard]] std::vector<T> learn_from(const std::vector<std::size_t>& references,
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

    // What each feature may add in a block at most, into room.worth, and what is due in any case,
    // both in parts of 1 / 2^doublings. Features are taken many at a time, so that preparing a draw
    // does not count.
    [[nodiscard]] std::int64_t price_features(const DistinctFeatures& features,
                                              const std::vector<T>& prices, Range range,
                                              Room& room) const {
        constexpr std::size_t together = 1024;
        std::int64_t base = 0;
        for (std::size_t i = 0; i < range.count; ++i) {
            const std::size_t b = members_[range.at(i)];
            for (std::size_t k = 0; k < draws_.n_features(b); ++k)
                base += weights_[range.at(i)] * prices[draws_.first_feature(b) + k];
        }
        std::fill(room.worth.begin(), room.worth.end(), 0);
        std::vector<std::int64_t> own(together, 0);
        for (std::size_t begin = 0; begin < features.size(); begin += together) {
            const std::size_t count = std::min(together, features.size() - begin);
            FeatureWorth<T> some(draws_.n_items(), features.set(begin), count);
            if (agreements_)
                for (std::size_t f = 0; f < count; ++f)
                    own[f] = std::int64_t{absences(features.set(begin + f))} << doublings_;
            for (std::size_t i = 0; i < range.count; ++i) {
                const std::size_t b = members_[range.at(i)];
                const std::int64_t weight = weights_[range.at(i)];
                if (draws_.n_features(b) == 0) continue;
                draws_.read(b, room.draw.data());
                const T least = overlap_prices(b, prices, room.prices.data());
                some.against(room.draw.data(), draws_.n_features(b), room.prices.data(),
                             [&](std::size_t f, std::int64_t most) {
                                 room.worth[begin + f] +=
                                     weight * std::max<std::int64_t>(0, own[f] - least + most);
                             });
            }
        }
        return base;
    }

    // Prices to set against overlaps, and what is to come off the worth of every feature after
    // that. Agreements are what X_j lacks, twice the overlap (which the prices' unit sees to) and
    // -|Z_k|: that goes to the prices. The cheapest of them becomes 0, as FeatureWorth stops at 0.
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
