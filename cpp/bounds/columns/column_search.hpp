// Local search for columns that earn more than they cost, by single flips of items.
// A flip's effect is a sum over draws, and only features near a draw's best one take part in it.
// O(features * words) per step, plus the items of those features.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "bounds/columns/pricing_problem.hpp"
#include "storage/bits.hpp"

namespace fangs {

class ColumnSearch {
public:
    explicit ColumnSearch(const PricingProblem& problem)
        : problem_(problem),
          excess_(problem.n_features()),
          change_(problem.n_items),
          most_(problem.n_items),
          rest_(problem.n_words) {}

    // Flips items of the column until no flip raises its profit, which is returned.
    std::int64_t climb(Word* column) {
        load(column);
        while (true) {
            find_changes(column);
            const auto best = std::max_element(change_.begin(), change_.end());
            if (best == change_.end() || *best <= 0) return profit(problem_, column);
            const auto item = static_cast<std::size_t>(best - change_.begin());
            flip_bit(column, item);
            const std::int64_t step = test_bit(column, item) ? problem_.scale : -problem_.scale;
            for (std::size_t f = 0; f < excess_.size(); ++f)
                if (test_bit(problem_.set(f), item)) excess_[f] += step;
        }
    }

private:
    void load(const Word* column) {
        for (std::size_t f = 0; f < excess_.size(); ++f) {
            std::int64_t shared = 0;
            for (std::size_t w = 0; w < problem_.n_words; ++w)
                shared += std::popcount(column[w] & problem_.set(f)[w]);
            excess_[f] = problem_.scale * shared - problem_.prices[f];
        }
    }

    // Change of profit by the flip of each item.
    void find_changes(const Word* column) {
        for (std::size_t i = 0; i < problem_.n_items; ++i)
            change_[i] = test_bit(column, i) ? problem_.item_cost : -problem_.item_cost;
        for (std::size_t b = 0; b < problem_.n_draws(); ++b) {
            std::int64_t earned = 0;
            for (std::size_t f = problem_.first[b]; f < problem_.first[b + 1]; ++f)
                earned = std::max(earned, excess_[f]);
            add_gains(column, b, earned);
            if (earned > 0) subtract_losses(column, b, earned);
        }
    }

    // Items outside the column: the best feature that has the item may now exceed `earned`.
    void add_gains(const Word* column, std::size_t b, std::int64_t earned) {
        touched_.clear();
        for (std::size_t f = problem_.first[b]; f < problem_.first[b + 1]; ++f) {
            const std::int64_t gain = excess_[f] + problem_.scale - earned;
            if (gain <= 0) continue;
            for (std::size_t w = 0; w < problem_.n_words; ++w)
                rest_[w] = problem_.set(f)[w] & ~column[w];
            for_each_bit(rest_.data(), problem_.n_words, [&](std::size_t item) {
                if (most_[item] == 0) touched_.push_back(item);
                most_[item] = std::max(most_[item], gain);
            });
        }
        for (const std::size_t item : touched_)
            change_[item] += problem_.weights[b] * std::exchange(most_[item], 0);
    }

    // Items of the column: without one, the best feature that lacks it takes over.
    void subtract_losses(const Word* column, std::size_t b, std::int64_t earned) {
        near_.clear();
        const std::int64_t floor = std::max<std::int64_t>(0, earned - problem_.scale);
        for (std::size_t f = problem_.first[b]; f < problem_.first[b + 1]; ++f)
            if (excess_[f] > floor) near_.emplace_back(excess_[f], f);
        std::sort(near_.begin(), near_.end(), std::greater<>());
        for (std::size_t w = 0; w < problem_.n_words; ++w) rest_[w] = column[w];
        for (const auto& [excess, f] : near_) {
            for (std::size_t w = 0; w < problem_.n_words; ++w) {
                for (Word lacking = rest_[w] & ~problem_.set(f)[w]; lacking != 0;
                     lacking &= lacking - 1)
                    change_[w * word_bits + static_cast<std::size_t>(std::countr_zero(lacking))] -=
                        problem_.weights[b] * (earned - excess);
                rest_[w] &= problem_.set(f)[w];
            }
        }
        for_each_bit(rest_.data(), problem_.n_words, [&](std::size_t item) {
            change_[item] -= problem_.weights[b] * (earned - floor);
        });
    }

    const PricingProblem& problem_;
    std::vector<std::int64_t> excess_;  // (n_features), overlap less price
    std::vector<std::int64_t> change_;  // (n_items)
    std::vector<std::int64_t> most_;    // (n_items), 0 between draws
    std::vector<Word> rest_;
    std::vector<std::size_t> touched_;
    std::vector<std::pair<std::int64_t, std::size_t>> near_;
};

}  // namespace fangs
