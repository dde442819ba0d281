// Branch and bound over all columns: proves that none earns more than a threshold, or lists them.
// Depth first; docs/theory-bounds.md, "Discounts", has the bound and the items that it decides.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bounds/columns/column_discounts.hpp"
#include "bounds/columns/column_tree.hpp"

namespace fangs {

// What a search over columns looks for.
struct ColumnGoal {
    std::int64_t threshold;  // columns that earn more are listed
    // List all of them; otherwise some, if there are any and the threshold is not below 0.
    bool all;
};

// Walks through the columns below one node; owns all memory that it needs.
template <std::size_t n_words>
class ColumnWalk {
public:
    using Tree = ColumnTree<n_words>;
    using Level = ColumnLevel<n_words>;
    using Set = typename Tree::Set;
    using Node = typename Tree::Node;
    using Found = typename Tree::Found;
    using Draw = typename Level::Draw;
    using Feature = typename Level::Feature;

    ColumnWalk(const Tree& tree, const ColumnGoal& goal)
        : tree_(tree), goal_(goal), relaxed_(tree), most_(tree.sizes_.size()) {}

    // Visits at most `budget` nodes; what is left is appended to `open`, what is found to `found`.
    // Calls check() at each node.
    template <class Check>
    std::int64_t explore(const Node& start, std::int64_t budget, std::vector<Found>& found,
                         std::vector<Node>& open, Check&& check) {
        nodes_ = 0;
        budget_ = budget;
        found_ = &found;
        open_ = &open;
        if (levels_.empty()) levels_.emplace_back();
        levels_[0].load(tree_, start);
        visit(0, check);
        return nodes_;
    }

private:
    template <class Check>
    void visit(std::size_t depth, Check&& check) {
        if (levels_.size() < depth + 3) levels_.resize(depth + 3);
        while (true) {
            Level& level = levels_[depth];
            if (nodes_ >= budget_) {
                open_->push_back({level.inside, level.open});
                return;
            }
            check();
            ++nodes_;
            if (!goal_.all) find_dominated(level);
            // The first node knows no discounts yet.
            const int steps = nodes_ == 1 ? first_steps : next_steps;
            const std::int64_t most = relaxed_.bound(level, dominated_, goal_.threshold, steps);
            if (most <= goal_.threshold) return;
            // Decide the items whose other choice cannot reach the threshold.
            const std::vector<std::int64_t>& excess = relaxed_.excess();
            Set taken, left;
            std::size_t n_decided = 0, pick = level.items.size();
            for (std::size_t i = 0; i < level.items.size(); ++i) {
                // Dominated items first: `most` does not count what they could add.
                const bool leave = dominated_.has(level.items[i]) ||
                                   (excess[i] < 0 && most + excess[i] <= goal_.threshold);
                const bool take = !leave && excess[i] > 0 && most - excess[i] <= goal_.threshold;
                if (leave) left.add(level.items[i]);
                if (take) taken.add(level.items[i]);
                n_decided += leave || take;
                if (!leave && !take &&
                    (pick == level.items.size() || doubt(level, i) < doubt(level, pick)))
                    pick = i;
            }
            Set one;
            if (pick < level.items.size()) one.add(level.items[pick]);
            if (n_decided > 0) {
                levels_[depth + 1].descend(tree_, level, taken, left);
                std::swap(levels_[depth], levels_[depth + 1]);
                if (!taken.empty()) record(levels_[depth]);
                if (!taken.empty() || n_decided >= 3) continue;
            }
            if (one.empty()) return;
            levels_[depth + 1].descend(tree_, levels_[depth], one, Set{});
            record(levels_[depth + 1]);
            visit(depth + 1, check);
            levels_[depth + 1].descend(tree_, levels_[depth], Set{}, one);
            std::swap(levels_[depth], levels_[depth + 1]);
        }
    }

    // The relaxation has a part of each item; the branch is on the one that is nearest to a half.
    [[nodiscard]] static float doubt(const Level& level, std::size_t i) noexcept {
        return std::abs(level.parts[i] - 0.5F);
    }

    void record(const Level& level) {
        if (level.earned > goal_.threshold) found_->push_back({level.inside, level.earned});
    }

    // An item is dominated if all draws together can never pay for it.
    void find_dominated(const Level& level) {
        dominated_ = Set{};
        for (const Draw& draw : level.draws) {
            if (draw.end == draw.first + 1) {
                const Feature& feature = level.features[draw.first];
                const std::int64_t pay = feature.lead + feature.room - draw.earned;
                feature.open.for_each([&](std::size_t item) {
                    most_[item] +=
                        draw.weight * std::min(pay, tree_.problem_.scale * tree_.sizes_[item]);
                });
                continue;
            }
            Set seen;
            order_.clear();
            for (std::size_t f = draw.first; f < draw.end; ++f) order_.push_back(f);
            std::sort(order_.begin(), order_.end(), [&](std::size_t x, std::size_t y) {
                return level.features[x].lead + level.features[x].room >
                       level.features[y].lead + level.features[y].room;
            });
            for (const std::size_t f : order_) {
                const Feature& feature = level.features[f];
                const std::int64_t pay = feature.lead + feature.room - draw.earned;
                feature.open.without(seen).for_each([&](std::size_t item) {
                    most_[item] +=
                        draw.weight * std::min(pay, tree_.problem_.scale * tree_.sizes_[item]);
                });
                seen = seen | feature.open;
            }
        }
        level.open.for_each([&](std::size_t item) {
            if (most_[item] <= tree_.problem_.item_cost * tree_.sizes_[item]) dominated_.add(item);
            most_[item] = 0;
        });
    }

    static constexpr int first_steps = 48, next_steps = 16;

    const Tree& tree_;
    ColumnGoal goal_;
    ColumnDiscounts<n_words> relaxed_;
    std::int64_t nodes_ = 0, budget_ = 0;
    std::vector<Found>* found_ = nullptr;
    std::vector<Node>* open_ = nullptr;
    std::vector<Level> levels_;
    Set dominated_;
    std::vector<std::int64_t> most_;  // (n_classes)
    std::vector<std::size_t> order_;
};

}  // namespace fangs
