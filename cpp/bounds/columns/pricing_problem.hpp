// The pricing problem: features of draws with prices, and what a column earns at these prices.
// docs/theory-bounds.md, "Columns": g(S) = sum_b w_b max(0, max_k(|S & Z_bk| - y_bk)) - t |S|.
// All numbers are whole, in units of 1/scale of an item; O(features * words) per column.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "storage/bits.hpp"
#include "storage/draws.hpp"

namespace fangs {

// Draws that count several times, with room for a price on each of their features.
struct PricingProblem {
    // Draw members[b] counts weights[b] times; an item of a column costs item_cost.
    template <class Check>
    PricingProblem(const Draws& draws, const std::vector<std::size_t>& members,
                   std::vector<std::int64_t> times, std::int64_t units, std::int64_t cost,
                   Check&& check)
        : n_items(draws.n_items()),
          n_words(draws.n_words()),
          weights(std::move(times)),
          scale(units),
          item_cost(cost) {
        if (scale > max_discount / static_cast<std::int64_t>(std::max<std::size_t>(n_items, 1)))
            throw std::length_error("more units than the core can count");
        first.push_back(0);
        for (const std::size_t draw : members) {
            check();
            sets.resize(sets.size() + draws.n_features(draw) * n_words);
            if (draws.n_features(draw) > 0) draws.read(draw, sets.data() + first.back() * n_words);
            first.push_back(sets.size() / n_words);
        }
        prices.assign(first.back(), 0);
    }

    [[nodiscard]] std::size_t n_draws() const noexcept { return weights.size(); }
    [[nodiscard]] std::size_t n_features() const noexcept { return first.back(); }
    [[nodiscard]] const Word* set(std::size_t f) const noexcept {
        return sets.data() + f * n_words;
    }

    // Discounts of a class of items (ColumnWalk) have 32 bits.
    static constexpr std::int64_t max_discount = std::numeric_limits<std::int32_t>::max();

    std::size_t n_items, n_words;
    std::vector<std::size_t> first;     // (n_draws + 1), into sets and prices
    std::vector<Word> sets;             // (n_features, n_words)
    std::vector<std::int64_t> weights;  // (n_draws)
    std::vector<std::int64_t> prices;   // (n_features), not negative
    std::int64_t scale, item_cost;
};

// What a column earns beyond its cost. column // (n_words)
[[nodiscard]] inline std::int64_t profit(const PricingProblem& problem,
                                         const Word* column) noexcept {
    const std::size_t n_words = problem.n_words;
    std::int64_t size = 0, total = 0;
    for (std::size_t w = 0; w < n_words; ++w) size += std::popcount(column[w]);
    for (std::size_t b = 0; b < problem.n_draws(); ++b) {
        std::int64_t most = 0;
        for (std::size_t f = problem.first[b]; f < problem.first[b + 1]; ++f) {
            std::int64_t shared = 0;
            for (std::size_t w = 0; w < n_words; ++w)
                shared += std::popcount(column[w] & problem.set(f)[w]);
            most = std::max(most, problem.scale * shared - problem.prices[f]);
        }
        total += problem.weights[b] * most;
    }
    return total - problem.item_cost * size;
}

// Items that are in exactly the same features. A best column has all items of a class or none:
// profit is convex along "more of them", so one of the two ends is at least as good.
struct ItemClasses {
    template <class Check>
    ItemClasses(const PricingProblem& problem, Check&& check) {
        const std::size_t row_words = words_for(std::max<std::size_t>(problem.n_features(), 1));
        std::vector<Word> rows(problem.n_items * row_words);
        for (std::size_t f = 0; f < problem.n_features(); ++f) {
            check(problem.n_items);
            for_each_bit(problem.set(f), problem.n_words,
                         [&](std::size_t item) { set_bit(rows.data() + item * row_words, f); });
        }
        std::unordered_map<std::string, std::size_t> known;
        for (std::size_t item = 0; item < problem.n_items; ++item) {
            check(row_words);
            std::string row(reinterpret_cast<const char*>(rows.data() + item * row_words),
                            row_words * sizeof(Word));
            const auto [found, is_new] = known.emplace(std::move(row), members.size());
            if (is_new) members.emplace_back();
            members[found->second].push_back(item);
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return members.size(); }

    std::vector<std::vector<std::size_t>> members;
};

}  // namespace fangs
