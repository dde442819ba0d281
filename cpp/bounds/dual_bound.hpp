// By how much any one column can exceed the prices on the draws' features: near and far tables.
// The dual bound of docs/theory-bounds.md, with the letters used there.
// O(K * K_b * (words + n)) per draw. All numbers are whole, in units of 1/scale of an item.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "passes/threads.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"
#include "storage/weights.hpp"

namespace fangs {

struct DualProblem {
    const Draws& draws;
    const DrawWeights& weights;
    const Allocation& columns;   // the labelled columns e_j
    const std::int32_t* labels;  // (n_draws, n_columns), the feature labelled j or -1
    const std::int64_t* prices;  // (total_features), y_f
    std::int64_t scale;          // units per item
    std::int64_t half_penalty;   // a / 2 in these units
};

// One draw of the problem: its features as item sets, with label and price.
class LabelledDraw {
public:
    static constexpr std::size_t unlabelled = static_cast<std::size_t>(-1);

    explicit LabelledDraw(const DualProblem& problem)
        : problem_(problem),
          sets_((problem.draws.max_features() + 1) * problem.draws.n_words()),
          label_(problem.draws.max_features() + 1) {}

    void read(std::size_t draw) {
        weight_ = problem_.weights[draw];
        const Draws& draws = problem_.draws;
        const std::size_t n_columns = problem_.columns.n_features();
        n_features_ = draws.n_features(draw);
        prices_ = problem_.prices + draws.first_feature(draw);
        draws.read(draw, sets_.data());
        std::fill_n(sets_.data() + n_features_ * draws.n_words(), draws.n_words(), Word{0});
        std::fill(label_.begin(), label_.end(), unlabelled);
        for (std::size_t j = 0; j < n_columns; ++j) {
            const std::int32_t feature = problem_.labels[draw * n_columns + j];
            if (feature >= 0) label_[static_cast<std::size_t>(feature)] = j;
        }
    }

    [[nodiscard]] std::int64_t weight() const noexcept { return weight_; }
    // Feature n_features() stands for "none": it is empty, has no label and price 0.
    [[nodiscard]] std::size_t n_features() const noexcept { return n_features_; }
    [[nodiscard]] const Word* set(std::size_t f) const noexcept {
        return sets_.data() + f * problem_.draws.n_words();
    }
    [[nodiscard]] std::size_t label(std::size_t f) const noexcept { return label_[f]; }
    [[nodiscard]] std::int64_t price(std::size_t f) const noexcept {
        return f == n_features_ ? 0 : prices_[f];
    }
    // The feature labelled j, or n_features().
    [[nodiscard]] std::size_t labelled(std::size_t j) const noexcept {
        for (std::size_t f = 0; f < n_features_; ++f)
            if (label_[f] == j) return f;
        return n_features_;
    }

private:
    const DualProblem& problem_;
    std::vector<Word> sets_;          // (n_features + 1, n_words)
    std::vector<std::size_t> label_;  // (n_features + 1)
    const std::int64_t* prices_ = nullptr;
    std::size_t n_features_ = 0;
    std::int64_t weight_ = 1;
};

namespace detail {

struct Switch {
    std::int64_t own, other;    // items of e_j that the labelled and the other feature have
    std::int64_t helpful;       // items whose flip in e_j favours the other feature
    std::int64_t helpful_here;  // those of them where e_j and the other's column agree
};

// A draw that switches from feature `own` to `other`, at a column near `column`. `rival` is the
// labelled column of the other feature, or `column` itself.
[[nodiscard]] inline Switch compare(const Word* column, const Word* rival, const Word* own,
                                    const Word* other, std::size_t n_words) noexcept {
    Switch s{0, 0, 0, 0};
    for (std::size_t w = 0; w < n_words; ++w) {
        const Word help = (other[w] & ~own[w] & ~column[w]) | (own[w] & ~other[w] & column[w]);
        s.own += std::popcount(own[w] & column[w]);
        s.other += std::popcount(other[w] & column[w]);
        s.helpful += std::popcount(help);
        s.helpful_here += std::popcount(help & ~(column[w] ^ rival[w]));
    }
    return s;
}

[[nodiscard]] inline std::int64_t distance(const Word* x, const Word* y, std::size_t n) noexcept {
    std::int64_t sum = 0;
    for (std::size_t w = 0; w < n; ++w) sum += std::popcount(x[w] ^ y[w]);
    return sum;
}

[[nodiscard]] inline std::int64_t size(const Word* x, std::size_t n) noexcept {
    std::int64_t sum = 0;
    for (std::size_t w = 0; w < n; ++w) sum += std::popcount(x[w]);
    return sum;
}

// Calls fill for every draw, each thread with its own table, and adds up the tables.
template <class Fill>
void add_tables(const DualProblem& problem, std::size_t size, std::int64_t* out, double nanoseconds,
                const Parallel& parallel, Fill&& fill) {
    struct Worker {
        LabelledDraw draw;
        std::vector<std::int64_t> table, scratch, more_scratch;
    };
    std::mutex adding;
    parallel_for(
        parallel, problem.draws.size(), nanoseconds,
        [&] {
            return Worker{LabelledDraw(problem), std::vector<std::int64_t>(size, 0),
                          std::vector<std::int64_t>(problem.draws.n_items() + 1),
                          std::vector<std::int64_t>(problem.draws.n_items() + 1)};
        },
        [&](Worker& worker, std::size_t b) {
            worker.draw.read(b);
            fill(worker.draw, worker.table.data(), worker.scratch, worker.more_scratch);
        },
        [&](Worker& worker) {
            const std::lock_guard lock(adding);
            for (std::size_t i = 0; i < size; ++i) out[i] += worker.table[i];
        });
}

inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 4;

// Adds to out[x] the largest of 0 and scale * min(x, m) - slacks[m] over all m, `weight` times.
// best // (width), scratch
inline void add_gains(const std::vector<std::int64_t>& slacks, std::int64_t scale,
                      std::int64_t weight, std::int64_t* best, std::int64_t* out) noexcept {
    const auto width = static_cast<std::int64_t>(slacks.size());
    std::int64_t lowest = never;  // slack among m >= x, where the gain still grows at x
    for (std::int64_t x = width - 1; x >= 0; --x) {
        lowest = std::min(lowest, slacks[static_cast<std::size_t>(x)]);
        best[x] = std::max<std::int64_t>(0, scale * x - lowest);
    }
    std::int64_t peak = 0;  // gain among m < x, which grows no further
    for (std::int64_t x = 0; x < width; ++x) {
        out[x] += weight * std::max(best[x], peak);
        peak = std::max(peak, scale * x - slacks[static_cast<std::size_t>(x)]);
    }
}

[[nodiscard]] inline double feature_pairs(const DualProblem& problem) noexcept {
    return static_cast<double>(problem.columns.n_features()) *
           static_cast<double>(problem.draws.total_features()) /
           static_cast<double>(problem.draws.size());
}

}  // namespace detail

// out[j, x]: the most that all draws together can gain by switching from their feature labelled j
// to another, at a column x items away from e_j and no nearer to any other e_k. out // (n_columns,
// n_items + 1), zeros to be filled
inline void gains_near(const DualProblem& problem, std::int64_t* out, const Parallel& parallel) {
    const std::size_t n_columns = problem.columns.n_features(), n_words = problem.draws.n_words();
    const std::size_t width = problem.draws.n_items() + 1;
    std::vector<std::int64_t> apart(n_columns * n_columns);
    for (std::size_t j = 0; j < n_columns; ++j)
        for (std::size_t k = 0; k < n_columns; ++k)
            apart[j * n_columns + k] =
                detail::distance(problem.columns.feature(j), problem.columns.feature(k), n_words);
    detail::add_tables(
        problem, n_columns * width, out,
        detail::feature_pairs(problem) * 2.0 * static_cast<double>(n_words + 4), parallel,
        [&](const LabelledDraw& draw, std::int64_t* table, std::vector<std::int64_t>& slacks,
            std::vector<std::int64_t>& best) {
            for (std::size_t j = 0; j < n_columns; ++j) {
                const std::size_t own = draw.labelled(j);
                const Word* column = problem.columns.feature(j);
                bool any_gain = false;
                // The lowest slack for each number of flips that can help a feature.
                std::fill(slacks.begin(), slacks.end(), detail::never);
                for (std::size_t f = 0; f <= draw.n_features(); ++f) {
                    if (f == own) continue;
                    const std::size_t k = draw.label(f);
                    const bool is_rival = k != LabelledDraw::unlabelled;
                    const Word* rival = is_rival ? problem.columns.feature(k) : column;
                    const detail::Switch s =
                        detail::compare(column, rival, draw.set(own), draw.set(f), n_words);
                    const std::int64_t slack =
                        problem.scale * (s.own - s.other) - draw.price(own) + draw.price(f);
                    const std::int64_t most =
                        is_rival
                            ? std::min(s.helpful, apart[j * n_columns + k] / 2 + s.helpful_here)
                            : s.helpful;
                    if (problem.scale * most <= slack) continue;
                    any_gain = true;
                    auto& lowest = slacks[static_cast<std::size_t>(most)];
                    lowest = std::min(lowest, slack);
                }
                if (any_gain)
                    detail::add_gains(slacks, problem.scale, draw.weight(), best.data(),
                                      table + j * width);
            }
        });
}

// out[z]: the most by which all draws together can exceed their prices, at a column of z items that
// is at least `apart` items away from every e_j.
// out // (n_items + 1), zeros to be filled
inline void gains_far(const DualProblem& problem, std::int64_t apart, std::int64_t* out,
                      const Parallel& parallel) {
    const std::size_t n_items = problem.draws.n_items(), n_words = problem.draws.n_words();
    const std::int64_t absent = problem.half_penalty, present = problem.scale - absent;
    const double features = static_cast<double>(problem.draws.total_features()) /
                            static_cast<double>(problem.draws.size());
    detail::add_tables(
        problem, n_items + 1, out, features * static_cast<double>(n_items), parallel,
        [&](const LabelledDraw& draw, std::int64_t* table, std::vector<std::int64_t>& best,
            std::vector<std::int64_t>&) {
            std::fill(best.begin(), best.end(), 0);
            for (std::size_t f = 0; f < draw.n_features(); ++f) {
                const std::int64_t ones = detail::size(draw.set(f), n_words);
                // A column that far from e_j differs from the feature in `forced` items at least.
                std::int64_t forced = 0;
                if (draw.label(f) != LabelledDraw::unlabelled) {
                    const Word* column = problem.columns.feature(draw.label(f));
                    forced = std::max<std::int64_t>(
                        0, apart - detail::distance(draw.set(f), column, n_words));
                }
                const std::int64_t zeros = static_cast<std::int64_t>(n_items) - ones;
                const std::int64_t cheap = std::min(forced, absent < present ? zeros : ones);
                const std::int64_t fall = cheap * std::min(absent, present) +
                                          (forced - cheap) * std::max(absent, present);
                const std::int64_t peak = present * ones - fall - draw.price(f);
                for (std::size_t z = 0; z <= n_items; ++z) {
                    const auto items = static_cast<std::int64_t>(z);
                    const std::int64_t gain =
                        std::min(peak + absent * items,
                                 problem.scale * std::min(items, ones) - draw.price(f));
                    best[z] = std::max(best[z], gain);
                }
            }
            for (std::size_t z = 0; z <= n_items; ++z) table[z] += draw.weight() * best[z];
        });
}

}  // namespace fangs
