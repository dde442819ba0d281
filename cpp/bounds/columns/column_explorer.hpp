// Shares the branch and bound over columns out over threads, with the same result for any number.
// Rounds: each takes the last few open nodes and gives every one the same budget; what a budget
// does not finish goes back to the open nodes, in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "bounds/columns/column_tree.hpp"
#include "bounds/columns/column_walk.hpp"
#include "bounds/columns/pricing_problem.hpp"
#include "passes/threads.hpp"
#include "storage/bits.hpp"

namespace fangs {

struct ExplorerLimits {
    std::int64_t max_nodes;  // about; a round shares out what is left
    std::size_t max_found;
    double seconds;
};

struct Explored {
    std::vector<Word> columns;  // (n_found, problem.n_words), of items
    std::vector<std::int64_t> profits;
    std::int64_t n_nodes = 0;
    bool is_complete = false;  // all columns above the threshold are listed, or there are none
};

template <std::size_t n_words>
[[nodiscard]] Explored explore_columns(const PricingProblem& problem, const ItemClasses& classes,
                                       const ColumnGoal& goal, const ExplorerLimits& limits,
                                       const Parallel& parallel) {
    using Tree = ColumnTree<n_words>;
    constexpr std::size_t nodes_per_round = 64;
    constexpr std::int64_t first_budget = 32, full_budget = 96;
    const Parallel in_time = limited(parallel, limits.seconds);
    const Tree tree(problem, classes);
    std::vector<typename Tree::Node> open{tree.root()};
    std::vector<typename Tree::Found> found;
    Explored out;
    double nanoseconds = 1e6;
    while (!open.empty()) {
        if (out.n_nodes >= limits.max_nodes) break;
        if (found.size() > limits.max_found || (!goal.all && !found.empty())) break;
        const std::size_t count = std::min(nodes_per_round, open.size());
        const std::int64_t share =
            (limits.max_nodes - out.n_nodes) / static_cast<std::int64_t>(count) + 1;
        const std::int64_t budget =
            std::min(count < nodes_per_round ? first_budget : full_budget, share);
        struct Part {
            std::vector<typename Tree::Found> found;
            std::vector<typename Tree::Node> open;
            std::int64_t n_nodes = 0;
        };
        std::vector<Part> parts(count);
        const std::size_t kept = open.size() - count;
        try {
            in_time.ask();
            parallel_for(
                in_time, count, nanoseconds, [&] { return ColumnWalk<n_words>(tree, goal); },
                [&](ColumnWalk<n_words>& walk, std::size_t p, auto& check) {
                    Part& part = parts[p];
                    part.n_nodes =
                        walk.explore(open[kept + p], budget, part.found, part.open, check);
                },
                [](ColumnWalk<n_words>&) {});
        } catch (const OutOfTime&) {
            break;
        }
        open.resize(kept);
        for (const Part& part : parts) {
            open.insert(open.end(), part.open.begin(), part.open.end());
            found.insert(found.end(), part.found.begin(), part.found.end());
            out.n_nodes += part.n_nodes;
        }
    }
    out.is_complete = open.empty() && found.size() <= limits.max_found;
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& x, const auto& y) { return x.profit > y.profit; });
    found.resize(std::min(found.size(), limits.max_found));
    for (const auto& one : found) {
        std::vector<Word> column(problem.n_words);
        one.column.for_each([&](std::size_t c) {
            for (const std::size_t item : classes.members[c]) set_bit(column.data(), item);
        });
        out.columns.insert(out.columns.end(), column.begin(), column.end());
        out.profits.push_back(one.profit);
    }
    return out;
}

}  // namespace fangs
