// Bounds on how much a draw can overlap with the others, to find the best draw without matching
// every two of them. Prices p >= 0 on the features of a draw Z prove, for any allocation X,
//   M(X, Z) <= sum_k p_k + sum_j max(0, max_k(|X_j & Z_k| - p_k)),
// by weak duality. A feature adds the same to every X that has it, so each different feature is
// priced once per draw, not once per pair. Good prices are the mean of the duals of a few exact
// matchings. O(different features * K) per draw, beside a matching for each pair.
#pragma once

#include <algorithm>
#include <atomic>
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
               std::vector<std::int64_t> weights, std::size_t n_blocks)
        : draws_(draws),
          members_(std::move(members)),
          weights_(std::move(weights)),
          n_blocks_(n_blocks),
          features_(draws, members_),
          duals_(draws.total_features(), 0),
          doublings_(FeatureWorth<T>::doublings(draws.n_items())) {}

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

    // Lets the duals of this member's matchings with all members take part in the prices.
    void learn_from(std::size_t member, const Parallel& parallel) {
        match(member, Range{0, 1, size()}, parallel,
              [&](std::size_t m, const Matching<T>& matching) {
                  std::int32_t* sum = duals_.data() + draws_.first_feature(members_[m]);
                  for (std::size_t k = 0; k < matching.columns.size; ++k)
                      sum[k] += matching.columns.dual[k];
              });
        ++n_learnt_;
    }

    // Upper bounds of overlap(member, block), whole numbers: out // (size, n_blocks)
    void bounds(std::int64_t* out, const Parallel& parallel) const {
        std::vector<std::int64_t> worth(features_.size());  // of each feature in one block
        for (std::size_t block = 0; block < n_blocks_; ++block) {
            const std::int64_t base = price_features(block_of(block), worth, parallel);
            for (std::size_t m = 0; m < size(); ++m) {
                std::int64_t bound = base;
                features_.of_member(m, [&](std::size_t id) { bound += worth[id]; });
                out[m * n_blocks_ + block] = bound >> doublings_;
            }
        }
    }

private:
    struct Range {
        std::size_t first, step, count;
        [[nodiscard]] std::size_t at(std::size_t i) const noexcept { return first + i * step; }
    };

    [[nodiscard]] Range block_of(std::size_t block) const noexcept {
        return {block, n_blocks_, block < size() ? (size() - block - 1) / n_blocks_ + 1 : 0};
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
                bench.read();
                bench.matching.solve(bench.weigh());
                use(m, bench.matching);
            },
            [](Workbench<T>&) {});
    }

    // What each feature may add in a block at most, and what is due in any case, both in parts of
    // 1 / 2^doublings. Features are taken many at a time, so that preparing a draw does not count.
    [[nodiscard]] std::int64_t price_features(Range range, std::vector<std::int64_t>& worth,
                                              const Parallel& parallel) const {
        constexpr std::size_t together = 1024;
        std::int64_t base = 0;
        for (std::size_t i = 0; i < range.count; ++i) {
            const std::size_t b = members_[range.at(i)];
            for (std::size_t k = 0; k < draws_.n_features(b); ++k)
                base += weights_[range.at(i)] * price(draws_.first_feature(b) + k);
        }
        struct Room {
            std::vector<Word> draw;
            std::vector<T> prices;
        };
        const double nanoseconds = static_cast<double>(range.count * together) * 15.0;
        parallel_for(
            parallel, (features_.size() + together - 1) / together, nanoseconds,
            [&] {
                return Room{std::vector<Word>(draws_.max_features() * draws_.n_words()),
                            std::vector<T>(draws_.max_features())};
            },
            [&](Room& room, std::size_t chunk) {
                const std::size_t begin = chunk * together;
                const std::size_t count = std::min(together, features_.size() - begin);
                FeatureWorth<T> some(draws_.n_items(), features_.set(begin), count);
                std::int64_t* sums = worth.data() + begin;
                std::fill_n(sums, count, 0);
                for (std::size_t i = 0; i < range.count; ++i) {
                    const std::size_t m = range.at(i), b = members_[m];
                    draws_.read(b, room.draw.data());
                    for (std::size_t k = 0; k < draws_.n_features(b); ++k)
                        room.prices[k] = price(draws_.first_feature(b) + k);
                    some.against(room.draw.data(), draws_.n_features(b), room.prices.data(),
                                 [&, weight = weights_[m]](std::size_t f, std::int64_t most) {
                                     sums[f] += weight * most;
                                 });
                }
            },
            [](Room&) {});
        return base;
    }

    // A feature's price: its mean dual, in parts of 1 / 2^doublings.
    [[nodiscard]] T price(std::size_t feature) const noexcept {
        if (n_learnt_ == 0) return 0;
        const std::int64_t parts = std::int64_t{duals_[feature]} << doublings_;
        return static_cast<T>((parts + n_learnt_ / 2) / n_learnt_);
    }

    const Draws& draws_;
    std::vector<std::size_t> members_;
    std::vector<std::int64_t> weights_;
    std::size_t n_blocks_;
    DistinctFeatures features_;
    std::vector<std::int32_t> duals_;  // summed over the matchings learnt from
    std::int64_t n_learnt_ = 0;
    int doublings_;
};

}  // namespace fangs
