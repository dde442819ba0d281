// The bound on all columns of a node: discounts by a primal-dual method, checked in whole numbers.
// docs/theory-bounds.md, "Discounts"; Pock and Chambolle 2011, doi:10.1109/ICCV.2011.6126441.
// O(open items * features that can still pay) per step.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bounds/columns/column_tree.hpp"

namespace fangs {

// Owns the workspace; what carries over to the children of a node is in its level.
template <std::size_t n_words>
class ColumnDiscounts {
public:
    using Tree = ColumnTree<n_words>;
    using Level = ColumnLevel<n_words>;
    using Set = typename Tree::Set;
    using Draw = typename Level::Draw;
    using Feature = typename Level::Feature;

    explicit ColumnDiscounts(const Tree& tree)
        : tree_(tree), unit_(1.0 / static_cast<double>(tree.problem_.scale)) {}

    // No column below this node that has no item of `dominated` earns more than the result. Stops
    // early at the threshold. excess() is then what each open item can add at most.
    std::int64_t bound(Level& level, const Set& dominated, std::int64_t threshold, int max_steps) {
        prepare(level, dominated);
        std::int64_t least = check(level);
        best_ = excess_;
        for (int step = 0; step < max_steps && least > threshold;) {
            for (int i = 0; i < steps_per_check; ++i, ++step) iterate(level);
            const std::int64_t most = check(level);
            if (most < least) {
                least = most;
                best_.swap(excess_);
            }
        }
        return least;
    }

    // (open items), in their order
    [[nodiscard]] const std::vector<std::int64_t>& excess() const noexcept { return best_; }

private:
    static constexpr std::size_t lanes = Level::lanes;
    static constexpr int steps_per_check = 8;
    // Steps of x and the shares over steps of the discounts.
    static constexpr float balance = 0.5F;

    // The features as rows of 0 and 1, step lengths, and how many draws can pay for an item.
    void prepare(Level& level, const Set& dominated) {
        const std::size_t width = level.width, n_open = level.items.size();
        rows_.assign(level.features.size() * width, 0.0F);
        inverse_.resize(level.features.size());
        need_.resize(level.features.size());
        steps_.assign(level.draws.size() * width, 0.0F);
        payers_.assign(width, 0.0F);
        limit_.assign(width, 0.0F);
        cost_.assign(width, 0.0F);
        const auto cost = static_cast<float>(static_cast<double>(tree_.problem_.item_cost) * unit_);
        place_.resize(tree_.sizes_.size());
        for (std::size_t i = 0; i < n_open; ++i) {
            place_[level.items[i]] = i;
            limit_[i] = static_cast<float>(tree_.sizes_[level.items[i]]);
            cost_[i] = cost * limit_[i];
        }
        for (std::size_t d = 0; d < level.draws.size(); ++d) {
            const Draw& draw = level.draws[d];
            float* step = steps_.data() + d * width;
            for (std::size_t f = draw.first; f < draw.end; ++f) {
                const Feature& feature = level.features[f];
                float* row = rows_.data() + f * width;
                float size = 0.0F;
                feature.open.without(dominated).for_each([&](std::size_t item) {
                    row[place_[item]] = 1.0F;
                    step[place_[item]] += 1.0F;
                    size += 1.0F;
                });
                inverse_[f] = balance / std::max(size, 1.0F);
                need_[f] =
                    static_cast<float>(static_cast<double>(draw.earned - feature.lead) * unit_);
            }
            for (std::size_t i = 0; i < width; ++i)
                if (step[i] > 0.0F) {
                    step[i] = 1.0F / (balance * (step[i] + 1.0F));
                    payers_[i] += static_cast<float>(draw.weight);
                } else {
                    level.discounts[d * width + i] = 0.0F;
                }
        }
        for (std::size_t i = 0; i < n_open; ++i)
            if (dominated.has(level.items[i])) level.parts[i] = 0.0F;
    }

    void iterate(Level& level) {
        const std::size_t width = level.width;
        given_.assign(width, 0.0F);
        ahead_.resize(width);
        slope_.resize(width);
        for (std::size_t d = 0; d < level.draws.size(); ++d) {
            move_discounts(level, d);
            update_shares(level, level.draws[d]);
        }
        for (std::size_t i = 0; i < level.items.size(); ++i) {
            if (payers_[i] <= 0.0F) continue;
            const float over = payers_[i] * limit_[i] - cost_[i] - given_[i];
            level.parts[i] = std::clamp(level.parts[i] + balance / payers_[i] * over, 0.0F, 1.0F);
        }
    }

    // Loops over neighbours without sums across them: compilers vectorise them, with the same bits.
    void move_discounts(Level& level, std::size_t d) noexcept {
        const std::size_t width = level.width;
        const Draw& draw = level.draws[d];
        const float *step = steps_.data() + d * width, *limit = limit_.data();
        float *discounts = level.discounts.data() + d * width, *slope = slope_.data();
        float *ahead = ahead_.data(), *given = given_.data();
        for (std::size_t i = 0; i < width; ++i) slope[i] = -level.parts[i];
        for (std::size_t f = draw.first; f < draw.end; ++f) {
            const float share = level.features[f].share;
            if (share <= 0.0F) continue;
            const float* row = rows_.data() + f * width;
            for (std::size_t i = 0; i < width; ++i) slope[i] += share * row[i];
        }
        for (std::size_t i = 0; i < width; ++i) {
            const float there = discounts[i] - step[i] * slope[i];
            const float positive = there > 0.0F ? there : 0.0F;
            const float moved = positive < limit[i] ? positive : limit[i];
            ahead[i] = 2.0F * moved - discounts[i];
            discounts[i] = moved;
        }
        const auto weight = static_cast<float>(draw.weight);
        for (std::size_t i = 0; i < width; ++i) given[i] += weight * ahead[i];
    }

    // The sum of what is ahead over the items of a feature.
    [[nodiscard]] float sum_ahead(std::size_t width, const float* row) const noexcept {
        const float* ahead = ahead_.data();
        std::array<float, lanes> sums{};
        for (std::size_t i = 0; i < width; i += lanes)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                sums[lane] += row[i + lane] * ahead[i + lane];
        for (std::size_t lane = 0; lane < lanes / 2; ++lane) sums[lane] += sums[lanes / 2 + lane];
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }

    // The shares of a draw's features are not negative and at most 1 together.
    void update_shares(Level& level, const Draw& draw) {
        const std::size_t width = level.width;
        float sum = 0.0F, lengths = 0.0F;
        for (std::size_t f = draw.first; f < draw.end; ++f) {
            const float total = sum_ahead(width, rows_.data() + f * width);
            float& share = level.features[f].share;
            share = std::max(share + inverse_[f] * (total - need_[f]), 0.0F);
            sum += share;
            lengths += inverse_[f];
        }
        if (sum <= 1.0F) return;
        // Projection on the simplex in the metric of the step lengths (Michelot 1986).
        float cut = (sum - 1.0F) / lengths;
        for (std::size_t active = draw.end - draw.first;;) {
            std::size_t count = 0;
            sum = lengths = 0.0F;
            for (std::size_t f = draw.first; f < draw.end; ++f)
                if (level.features[f].share > cut * inverse_[f]) {
                    ++count;
                    sum += level.features[f].share;
                    lengths += inverse_[f];
                }
            if (count >= active || count == 0) break;
            cut = (sum - 1.0F) / lengths;
            active = count;
        }
        for (std::size_t f = draw.first; f < draw.end; ++f) {
            float& share = level.features[f].share;
            share = std::max(share - cut * inverse_[f], 0.0F);
        }
    }

    // The bound that the discounts give after rounding to units; nothing here is floating point.
    std::int64_t check(const Level& level) {
        const PricingProblem& problem = tree_.problem_;
        const std::size_t width = level.width, n_open = level.items.size();
        const auto scale = static_cast<float>(problem.scale);
        excess_.assign(n_open, 0);
        whole_.assign(width, 0);
        most_discount_.resize(n_open);
        for (std::size_t i = 0; i < n_open; ++i) {
            excess_[i] = -problem.item_cost * tree_.sizes_[level.items[i]];
            most_discount_[i] = problem.scale * tree_.sizes_[level.items[i]];
        }
        std::int64_t most = level.earned;
        for (std::size_t d = 0; d < level.draws.size(); ++d) {
            const Draw& draw = level.draws[d];
            const float* step = steps_.data() + d * width;
            const float* discounts = level.discounts.data() + d * width;
            for (std::size_t i = 0; i < n_open; ++i) {
                const auto limit = static_cast<std::int32_t>(most_discount_[i]);
                whole_[i] = std::min(static_cast<std::int32_t>(discounts[i] * scale), limit);
                excess_[i] += step[i] > 0.0F ? draw.weight * (limit - whole_[i]) : 0;
            }
            std::int64_t paid = 0;
            for (std::size_t f = draw.first; f < draw.end; ++f) {
                const float* row = rows_.data() + f * width;
                const std::int32_t* whole = whole_.data();
                std::int32_t total = 0;
                for (std::size_t i = 0; i < width; ++i)
                    total += whole[i] & -static_cast<std::int32_t>(row[i] > 0.0F);
                paid = std::max(paid, total - (draw.earned - level.features[f].lead));
            }
            most += draw.weight * paid;
        }
        for (const std::int64_t excess : excess_) most += std::max<std::int64_t>(excess, 0);
        return most;
    }

    const Tree& tree_;
    double unit_;
    std::vector<float> rows_;            // (features, width)
    std::vector<float> inverse_, need_;  // (features): step length; overlap until it pays
    std::vector<float> steps_;           // (draws, width), 0 where the draw has no feature
    std::vector<float> payers_, limit_;  // (width): draws that can pay; largest discount
    std::vector<float> cost_, given_, ahead_, slope_;          // (width)
    std::vector<std::size_t> place_;                           // (n_classes), of open items
    std::vector<std::int32_t> whole_;                          // (width), discounts in units
    std::vector<std::int64_t> excess_, best_, most_discount_;  // (open items)
};

}  // namespace fangs
