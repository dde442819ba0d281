// The tree of all columns: a node has items inside, items left out, and items that are open.
// What a node knows is kept level by level, and follows from its parent's in one pass.
// O(features that can still pay) per node.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bounds/columns/pricing_problem.hpp"
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

    [[nodiscard]] std::int64_t units(const Set& set) const noexcept {
        std::int64_t size = 0;
        if (is_plain_)
            size = set.size();
        else
            set.for_each([&](std::size_t item) { size += sizes_[item]; });
        return size * problem_.scale;
    }

    const PricingProblem& problem_;
    bool is_plain_;                     // every class is one item
    std::vector<std::int64_t> sizes_;   // (n_classes)
    std::vector<std::size_t> leaders_;  // (n_classes), an item of each
    std::vector<Set> features_;         // (n_features), as classes
};

// One node: what its draws earn, and the features that can still raise that.
template <std::size_t n_words>
struct ColumnLevel {
    using Tree = ColumnTree<n_words>;
    using Set = typename Tree::Set;

    struct Feature {
        Set open;           // its open items
        std::int64_t lead;  // overlap with the items inside, less the price
        std::int64_t room;  // size of open, in units
        float share;        // lambda of docs/theory-bounds.md: how much of its draw uses it
    };
    struct Draw {
        std::int64_t weight, earned;
        std::size_t first, end;  // features that can still raise `earned`
    };

    void load(const Tree& tree, const typename Tree::Node& node) {
        const PricingProblem& problem = tree.problem_;
        inside = node.inside;
        set_open(node.open);
        earned = -tree.units(inside) / problem.scale * problem.item_cost;
        draws.clear();
        features.clear();
        discounts.clear();
        for (std::size_t b = 0; b < problem.n_draws(); ++b) {
            Draw draw{problem.weights[b], 0, features.size(), features.size()};
            for (std::size_t f = problem.first[b]; f < problem.first[b + 1]; ++f) {
                const Set& set = tree.features_[f];
                Feature feature{set & open, tree.units(set & inside) - problem.prices[f], 0, 0.0F};
                feature.room = tree.units(feature.open);
                draw.earned = std::max(draw.earned, feature.lead);
                features.push_back(feature);
            }
            earned += draw.weight * draw.earned;
            if (keep_live(draw)) discounts.resize(discounts.size() + width, 0.5F);
            for (std::size_t f = draw.first; f < features.size(); ++f)
                features[f].share = 1.0F / static_cast<float>(features.size() - draw.first);
        }
        parts.assign(width, 0.5F);
    }

    // The node that takes some open items in and leaves some out.
    void descend(const Tree& tree, const ColumnLevel& from, const Set& taken, const Set& left) {
        const Set gone = taken | left;
        const bool takes = !taken.empty();
        inside = from.inside | taken;
        set_open(from.open.without(gone));
        earned = from.earned - tree.units(taken) / tree.problem_.scale * tree.problem_.item_cost;
        kept.clear();
        for (std::size_t i = 0; i < from.items.size(); ++i)
            if (!gone.has(from.items[i])) kept.push_back(i);
        parts.assign(width, 0.0F);
        for (std::size_t i = 0; i < kept.size(); ++i) parts[i] = from.parts[kept[i]];
        draws.clear();
        features.clear();
        discounts.clear();
        for (std::size_t d = 0; d < from.draws.size(); ++d) {
            const Draw& old = from.draws[d];
            Draw draw{old.weight, old.earned, features.size(), features.size()};
            for (std::size_t f = old.first; f < old.end; ++f) {
                Feature feature = from.features[f];
                const Set lost = feature.open & gone;
                if (!lost.empty()) {
                    feature.room -= tree.units(lost);
                    feature.open = feature.open.without(gone);
                    if (takes) {
                        feature.lead += tree.units(lost & taken);
                        draw.earned = std::max(draw.earned, feature.lead);
                    }
                }
                features.push_back(feature);
            }
            earned += draw.weight * (draw.earned - old.earned);
            if (!keep_live(draw)) continue;
            const float* row = from.discounts.data() + d * from.width;
            discounts.resize(discounts.size() + width, 0.0F);
            float* copy = discounts.data() + discounts.size() - width;
            for (std::size_t i = 0; i < kept.size(); ++i) copy[i] = row[kept[i]];
        }
    }

    static constexpr std::size_t lanes = 8;

    Set inside, open;
    std::int64_t earned;  // by all draws together, less the cost of the items inside
    std::vector<Draw> draws;
    std::vector<Feature> features;
    std::vector<std::size_t> items;  // the open ones
    std::size_t width;               // their number, rounded up to whole lanes
    std::vector<float> parts;        // (width), x of docs/theory-bounds.md
    std::vector<float> discounts;    // (draws, width), delta of docs/theory-bounds.md
    std::vector<std::size_t> kept;   // workspace of descend

private:
    void set_open(const Set& set) {
        open = set;
        items.clear();
        open.for_each([&](std::size_t item) { items.push_back(item); });
        width = (items.size() + lanes - 1) / lanes * lanes;
    }

    // Drops the features from draw.first on that can never raise what the draw has earned, and the
    // draw if none is left.
    bool keep_live(Draw& draw) {
        std::size_t end = draw.first;
        for (std::size_t f = draw.first; f < features.size(); ++f)
            if (features[f].lead + features[f].room > draw.earned) features[end++] = features[f];
        features.resize(end);
        draw.end = end;
        if (draw.end == draw.first) return false;
        draws.push_back(draw);
        return true;
    }
};

}  // namespace fangs
