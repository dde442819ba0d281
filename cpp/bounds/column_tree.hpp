// Branch and bound over all columns: proves that none earns more than a threshold, or lists them.
// A node has items inside and items undecided; docs/certificates.md, "Discounts", has the bound.
// O(items of features that can still pay) per node and sweep.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bounds/pricing_problem.hpp"
#include "storage/bits.hpp"

namespace fangs {

template <std::size_t n_words>
struct ItemSet {
    std::array<Word, n_words> words{};

    [[nodiscard]] bool has(std::size_t item) const noexcept { return test_bit(words.data(), item); }
    void add(std::size_t item) noexcept { set_bit(words.data(), item); }
    [[nodiscard]] bool empty() const noexcept { return !any(words.data(), n_words); }
    [[nodiscard]] std::int64_t size() const noexcept {
        std::int64_t count = 0;
        for (const Word word : words) count += std::popcount(word);
        return count;
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for_each_bit(words.data(), n_words, visit);
    }
    [[nodiscard]] ItemSet operator&(const ItemSet& other) const noexcept {
        ItemSet out;
        for (std::size_t w = 0; w < n_words; ++w) out.words[w] = words[w] & other.words[w];
        return out;
    }
    [[nodiscard]] ItemSet operator|(const ItemSet& other) const noexcept {
        ItemSet out;
        for (std::size_t w = 0; w < n_words; ++w) out.words[w] = words[w] | other.words[w];
        return out;
    }
    [[nodiscard]] ItemSet without(const ItemSet& other) const noexcept {
        ItemSet out;
        for (std::size_t w = 0; w < n_words; ++w) out.words[w] = words[w] & ~other.words[w];
        return out;
    }
};

// What a search over columns looks for.
struct ColumnGoal {
    std::int64_t threshold;  // columns that earn more are listed
    bool
        all;  // list all of them; otherwise some, if there are any and the threshold is not below 0
};

// Items are classes here (see ItemClasses); a class weighs as much as it has items.
template <std::size_t n_words>
class ColumnTree {
public:
    using Set = ItemSet<n_words>;

    struct Node {
        Set inside, open;
    };

    struct Found {
        Set column;
        std::int64_t profit;
    };

    ColumnTree(const PricingProblem& problem, const ItemClasses& classes)
        : problem_(problem),
          is_plain_(classes.size() == problem.n_items),
          sizes_(classes.size()),
          features_(problem.n_features()) {
        std::vector<std::size_t> class_of(problem.n_items);
        for (std::size_t c = 0; c < classes.size(); ++c) {
            sizes_[c] = static_cast<std::int64_t>(classes.members[c].size());
            class_of[classes.members[c].front()] = c;
            leaders_.push_back(classes.members[c].front());
        }
        for (std::size_t f = 0; f < problem.n_features(); ++f)
            for (std::size_t c = 0; c < classes.size(); ++c)
                if (test_bit(problem.set(f), leaders_[c])) features_[f].add(c);
    }

    [[nodiscard]] Node root() const {
        Node node;
        for (std::size_t c = 0; c < sizes_.size(); ++c) node.open.add(c);
        return node;
    }

    const PricingProblem& problem_;
    bool is_plain_;                     // every class is one item
    std::vector<std::int64_t> sizes_;   // (n_classes)
    std::vector<std::size_t> leaders_;  // (n_classes), an item of each
    std::vector<Set> features_;         // (n_features), as classes
};

// Walks through the columns below one node, depth first; owns all memory that it needs.
template <std::size_t n_words>
class ColumnWalk {
public:
    using Tree = ColumnTree<n_words>;
    using Set = typename Tree::Set;
    using Node = typename Tree::Node;
    using Found = typename Tree::Found;

    ColumnWalk(const Tree& tree, const ColumnGoal& goal)
        : tree_(tree), goal_(goal), excess_(tree.sizes_.size()), most_(tree.sizes_.size()) {}

    // Visits at most `budget` nodes; what is left is appended to `open`, what is found to `found`.
    std::int64_t explore(const Node& start, std::int64_t budget, std::vector<Found>& found,
                         std::vector<Node>& open) {
        nodes_ = 0;
        budget_ = budget;
        found_ = &found;
        open_ = &open;
        if (levels_.empty()) levels_.emplace_back();
        load(levels_[0], start);
        visit(0);
        return nodes_;
    }

private:
    struct Feature {
        Set open;           // its undecided items
        std::int64_t lead;  // overlap with the items inside, less the price
        std::int64_t room;  // size of open, in units
    };
    struct Draw {
        std::int64_t weight, earned;
        std::size_t first, end;  // features that can still raise `earned`
    };
    struct Level {
        Set inside, open;
        std::int64_t earned;  // by all draws together, less the cost of the items inside
        std::vector<Draw> draws;
        std::vector<Feature> features;
    };

    [[nodiscard]] std::int64_t units(const Set& set) const noexcept {
        std::int64_t size = 0;
        if (tree_.is_plain_)
            size = set.size();
        else
            set.for_each([&](std::size_t item) { size += tree_.sizes_[item]; });
        return size * tree_.problem_.scale;
    }

    void load(Level& level, const Node& node) {
        const PricingProblem& problem = tree_.problem_;
        level.inside = node.inside;
        level.open = node.open;
        level.earned = -units(node.inside) / problem.scale * problem.item_cost;
        level.draws.clear();
        level.features.clear();
        for (std::size_t b = 0; b < problem.n_draws(); ++b) {
            Draw draw{problem.weights[b], 0, level.features.size(), level.features.size()};
            for (std::size_t f = problem.first[b]; f < problem.first[b + 1]; ++f) {
                const Set& items = tree_.features_[f];
                Feature feature{items & node.open, units(items & node.inside) - problem.prices[f],
                                0};
                feature.room = units(feature.open);
                draw.earned = std::max(draw.earned, feature.lead);
                level.features.push_back(feature);
            }
            level.earned += draw.weight * draw.earned;
            keep_live(level, draw);
        }
    }

    // Drops the features from draw.first on that can never raise what the draw has earned.
    void keep_live(Level& level, Draw& draw) {
        std::size_t end = draw.first;
        for (std::size_t f = draw.first; f < level.features.size(); ++f)
            if (level.features[f].lead + level.features[f].room > draw.earned)
                level.features[end++] = level.features[f];
        level.features.resize(end);
        draw.end = end;
        if (draw.end > draw.first) level.draws.push_back(draw);
    }

    // The node that takes some open items in and leaves some out.
    void descend(const Level& from, Level& to, const Set& taken, const Set& left) {
        const Set gone = taken | left;
        const bool takes = !taken.empty();
        to.inside = from.inside | taken;
        to.open = from.open.without(gone);
        to.earned = from.earned - units(taken) / tree_.problem_.scale * tree_.problem_.item_cost;
        to.draws.clear();
        to.features.clear();
        for (const Draw& old : from.draws) {
            Draw draw{old.weight, old.earned, to.features.size(), to.features.size()};
            for (std::size_t f = old.first; f < old.end; ++f) {
                Feature feature = from.features[f];
                const Set lost = feature.open & gone;
                if (!lost.empty()) {
                    feature.room -= units(lost);
                    feature.open = feature.open.without(gone);
                    if (takes) {
                        feature.lead += units(lost & taken);
                        draw.earned = std::max(draw.earned, feature.lead);
                    }
                }
                to.features.push_back(feature);
            }
            to.earned += draw.weight * (draw.earned - old.earned);
            keep_live(to, draw);
        }
    }

    void visit(std::size_t depth) {
        if (levels_.size() < depth + 3) levels_.resize(depth + 3);
        while (true) {
            Level& level = levels_[depth];
            if (nodes_ >= budget_) {
                open_->push_back({level.inside, level.open});
                return;
            }
            ++nodes_;
            const std::int64_t most = bound(level);
            if (most <= goal_.threshold) return;
            // Fix the items whose other choice cannot reach the threshold.
            Set taken, left;
            std::size_t n_fixed = 0;
            level.open.for_each([&](std::size_t item) {
                // Dominated items first: `most` does not count what they could add.
                const bool leave = dominated_.has(item) ||
                                   (excess_[item] < 0 && most + excess_[item] <= goal_.threshold);
                const bool take =
                    !leave && excess_[item] > 0 && most - excess_[item] <= goal_.threshold;
                if (leave) left.add(item);
                if (take) taken.add(item);
                n_fixed += leave || take;
            });
            std::size_t pick = tree_.sizes_.size();
            level.open.without(taken | left).for_each([&](std::size_t item) {
                if (pick == tree_.sizes_.size() || excess_[item] > excess_[pick]) pick = item;
            });
            if (n_fixed > 0) {
                descend(level, levels_[depth + 1], taken, left);
                std::swap(levels_[depth], levels_[depth + 1]);
                if (!taken.empty()) record(levels_[depth]);
                if (!taken.empty() || n_fixed >= 3) continue;
            }
            if (pick == tree_.sizes_.size()) return;
            Set one;
            one.add(pick);
            descend(levels_[depth], levels_[depth + 1], one, Set{});
            record(levels_[depth + 1]);
            visit(depth + 1);
            descend(levels_[depth], levels_[depth + 1], Set{}, one);
            std::swap(levels_[depth], levels_[depth + 1]);
        }
    }

    void record(const Level& level) {
        if (level.earned > goal_.threshold) found_->push_back({level.inside, level.earned});
    }

    // No column below this node earns more than the result; excess_ is what each open item can
    // add, dominated_ the items that can be left out without loss.
    std::int64_t bound(const Level& level) {
        const PricingProblem& problem = tree_.problem_;
        level.open.for_each(
            [&](std::size_t item) { excess_[item] = -problem.item_cost * tree_.sizes_[item]; });
        dominated_ = Set{};
        total_paid_ = 0;
        if (!goal_.all) find_dominated(level);
        for (const Draw& draw : level.draws) {
            Set open;
            for (std::size_t f = draw.first; f < draw.end; ++f)
                open = open | level.features[f].open;
            open.for_each([&](std::size_t item) {
                excess_[item] += draw.weight * problem.scale * tree_.sizes_[item];
            });
        }
        std::int64_t most = total(level), before = most;
        for (int sweep = 0; sweep < max_sweeps && most > goal_.threshold; ++sweep) {
            if (sweep == 0)
                give_discounts<true>(level);
            else
                give_discounts<false>(level);
            before = most;
            most = total(level);
            if (sweep > 0 && (before - most) * patience < most - goal_.threshold) break;
        }
        return most;
    }

    [[nodiscard]] std::int64_t total(const Level& level) const {
        std::int64_t sum = level.earned + total_paid_;
        level.open.for_each([&](std::size_t item) {
            if (excess_[item] > 0 && !dominated_.has(item)) sum += excess_[item];
        });
        return sum;
    }

    // An item is dominated if all draws together can never pay for it.
    void find_dominated(const Level& level) {
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

    // Each draw takes its discounts back and gives them to the items with the largest excess.
    // The open items of a feature get at most draw.earned - feature.lead together, and more if the
    // draw pays: one unit paid is one unit for each of its features. Stops when the node is closed.
    template <bool is_first>
    void give_discounts(const Level& level) {
        const std::size_t n_classes = tree_.sizes_.size();
        if (is_first) {
            discounts_.assign(level.draws.size() * n_classes, 0);
            paid_.assign(level.draws.size(), 0);
            total_paid_ = 0;
        }
        ranked_.clear();
        level.open.without(dominated_).for_each([&](std::size_t item) { ranked_.push_back(item); });
        for (std::size_t d = 0; d < level.draws.size(); ++d) {
            if (d % rank_every == 0) {
                if (total(level) <= goal_.threshold) return;
                rank();
            }
            const Draw& draw = level.draws[d];
            const std::span features{level.features.data() + draw.first, draw.end - draw.first};
            std::int32_t* row = discounts_.data() + d * n_classes;
            Set open;
            budget_left_.clear();
            for (const Feature& feature : features) {
                open = open | feature.open;
                budget_left_.push_back(draw.earned - feature.lead);
            }
            if (!is_first) {
                open.for_each([&](std::size_t item) {
                    excess_[item] += draw.weight * row[item];
                    row[item] = 0;
                });
                total_paid_ -= draw.weight * paid_[d];
                paid_[d] = 0;
            }
            const Set wanted = open & positive_;
            spend(draw, features, wanted, row);
            if (!is_first && features.size() > 1) pay(draw, features, wanted, row, paid_[d]);
        }
    }

    // Largest excess first; rank and positive_ are a little out of date between two calls.
    void rank() {
        std::sort(ranked_.begin(), ranked_.end(), [&](std::size_t x, std::size_t y) {
            return excess_[x] != excess_[y] ? excess_[x] > excess_[y] : x < y;
        });
        positive_ = Set{};
        for (const std::size_t item : ranked_)
            if (excess_[item] > 0) positive_.add(item);
    }

    // Gives what is left of a draw's budgets to the wanted items; returns how much.
    std::int64_t spend(const Draw& draw, std::span<const Feature> features, Set wanted,
                       std::int32_t* row) {
        std::int64_t given = 0;
        last_.clear();
        for (std::size_t f = 0; f < features.size(); ++f)
            if (budget_left_[f] == 0) wanted = wanted.without(features[f].open);
        for (const std::size_t item : ranked_) {
            if (wanted.empty()) break;
            if (!wanted.has(item)) continue;
            std::int64_t discount = tree_.problem_.scale * tree_.sizes_[item] - row[item];
            if (excess_[item] <= 0 || discount == 0) continue;
            if (excess_[item] < draw.weight * discount)
                discount = (excess_[item] + draw.weight - 1) / draw.weight;
            for (std::size_t f = 0; f < features.size(); ++f)
                if (features[f].open.has(item)) discount = std::min(discount, budget_left_[f]);
            for (std::size_t f = 0; f < features.size(); ++f)
                if (features[f].open.has(item) && (budget_left_[f] -= discount) == 0)
                    wanted = wanted.without(features[f].open);
            row[item] = static_cast<std::int32_t>(row[item] + discount);
            excess_[item] -= draw.weight * discount;
            given += discount;
            last_.emplace_back(item, discount);
        }
        return given;
    }

    // Pays unit after unit for all features of a draw, as long as more than that is given.
    void pay(const Draw& draw, std::span<const Feature> features, const Set& wanted,
             std::int32_t* row, std::int64_t& paid) {
        const std::int64_t unit = tree_.problem_.scale;
        while (true) {
            for (std::int64_t& left : budget_left_) left += unit;
            if (spend(draw, features, wanted, row) <= unit) break;
            paid += unit;
            total_paid_ += draw.weight * unit;
        }
        for (const auto& [item, discount] : last_) {
            row[item] = static_cast<std::int32_t>(row[item] - discount);
            excess_[item] += draw.weight * discount;
        }
    }

    static constexpr int max_sweeps = 2;
    static constexpr std::size_t rank_every = 16;
    static constexpr std::int64_t patience = 4;

    const Tree& tree_;
    ColumnGoal goal_;
    std::int64_t nodes_ = 0, budget_ = 0;
    std::vector<Found>* found_ = nullptr;
    std::vector<Node>* open_ = nullptr;
    std::vector<Level> levels_;
    Set dominated_;
    std::vector<std::int64_t> excess_, most_;  // (n_classes)
    std::vector<std::int32_t> discounts_;      // (draws, n_classes)
    std::vector<std::int64_t> budget_left_;    // of each feature of a draw
    std::vector<std::size_t> ranked_;          // open items, largest excess first
    Set positive_;                             // those with an excess
    std::vector<std::int64_t> paid_;           // (draws)
    std::int64_t total_paid_ = 0;
    std::vector<std::pair<std::size_t, std::int64_t>> last_;
    std::vector<std::size_t> order_;
};

}  // namespace fangs
