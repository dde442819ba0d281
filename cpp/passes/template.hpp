// Templates: starts made of mean columns, grown along a walk through some draws.
// Each draw is matched to the running means; matched features are averaged in, others open columns.
// O(draws walked * (ones * columns + matching)).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "matching/matching.hpp"
#include "matching/width.hpp"
#include "simd/block.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"

namespace fangs {

// The weight of an item that all draws share: 128, or as much as lets a feature of all items fit 16
// bits, unless that is too coarse. It depends on the number of items alone, so that templates do
// not depend on the type of their weights.
[[nodiscard]] inline std::size_t template_scale(std::size_t n_items) noexcept {
    constexpr std::size_t fine = 128, coarse = 16;
    const std::size_t n = std::max<std::size_t>(n_items, 1);
    const std::size_t narrow = max_weight<std::int16_t> / n;
    // Half of what fits, because weights of more than 24 bits are rounded.
    return std::min(fine, narrow >= coarse ? narrow : max_weight<std::int32_t> / 2 / n);
}

// The largest matching on a walk. A column is opened by a feature of a draw walked, so there are at
// most as many columns as such features.
[[nodiscard]] inline MatchingSize template_size(const Draws& draws,
                                                std::span<const std::size_t> walk) noexcept {
    std::size_t n_columns = 0;
    for (const std::size_t draw : walk) n_columns += draws.n_features(draw);
    return {draws.n_items() * template_scale(draws.n_items()), draws.max_features(), n_columns};
}

template <class T>
class Template {
public:
    // template_size() of every walk must fit T.
    explicit Template(const Draws& draws)
        : draws_(draws),
          scale_(static_cast<float>(template_scale(draws.n_items()))),
          sets_(draws.max_features() * draws.n_words()) {}

    // Grows along a walk (draw indices). Every further round matches the same draws to the means of
    // the round before. check() is called before each draw.
    template <class Check>
    void grow(std::span<const std::size_t> walk, std::size_t n_rounds, Check&& check) {
        // Counts of items are added up in 32 bits.
        if (draws_.n_items() * walk.size() > max_size<std::int32_t>)
            throw std::length_error("more items and draws than a template can count");
        means_ = Means(draws_.n_items());
        for (std::size_t step = 0; step < walk.size(); ++step) {
            check();
            match(walk[step], check);
            add_matched(means_, true);
            if ((step + 1) % prune_every == 0) prune();
        }
        prune();
        for (std::size_t round = 1; round < n_rounds; ++round) {
            Means fresh(draws_.n_items());
            fresh.open(means_.size());
            for (const std::size_t draw : walk) {
                check();
                match(draw, check);
                add_matched(fresh, false);
            }
            means_ = std::move(fresh);
            prune();
        }
    }

    [[nodiscard]] std::size_t n_features() const noexcept { return means_.size(); }
    // Number of draws walked whose feature matched to this column has the item.
    [[nodiscard]] std::int32_t count(std::size_t item, std::size_t feature) const noexcept {
        return means_.row(item)[feature];
    }

private:
    // Running sums of the columns, with capacity to open more.
    class Means {
    public:
        explicit Means(std::size_t n_items = 0) : n_items_(n_items) {}

        [[nodiscard]] std::size_t size() const noexcept { return age.size(); }
        // Columns including those that fill the last block, which hold zeros.
        [[nodiscard]] std::size_t padded() const noexcept { return round_up(size(), lanes); }
        [[nodiscard]] std::int32_t* row(std::size_t item) noexcept {
            return counts_.data() + item * capacity_;
        }
        [[nodiscard]] const std::int32_t* row(std::size_t item) const noexcept {
            return counts_.data() + item * capacity_;
        }

        // Sums over these items of one block of columns, in registers.
        [[nodiscard]] std::array<std::int32_t, lanes> sum_block(
            std::size_t first, const Word* items, std::size_t n_words) const noexcept {
            std::array<std::int32_t, lanes> sums{};
            for_each_bit(items, n_words, [&](std::size_t item) {
                const std::int32_t* from = row(item) + first;
                for (std::size_t l = 0; l < lanes; ++l) sums[l] += from[l];
            });
            return sums;
        }

        void open(std::size_t n_more) {
            if (size() + n_more > capacity_) {
                const std::size_t capacity = round_up(2 * (size() + n_more), lanes);
                std::vector<std::int32_t> counts(n_items_ * capacity, 0);
                for (std::size_t i = 0; i < n_items_; ++i)
                    std::copy_n(row(i), size(), counts.data() + i * capacity);
                counts_ = std::move(counts);
                capacity_ = capacity;
            }
            age.resize(size() + n_more, 0);
        }

        template <class Keep>
        void keep_if(Keep&& keep) {
            std::size_t kept = 0;
            for (std::size_t j = 0; j < size(); ++j) {
                if (!keep(j)) continue;
                for (std::size_t i = 0; i < n_items_ && kept != j; ++i) row(i)[kept] = row(i)[j];
                age[kept++] = age[j];
            }
            for (std::size_t i = 0; i < n_items_; ++i) std::fill(row(i) + kept, row(i) + size(), 0);
            age.resize(kept);
        }

        std::vector<std::int32_t> age;  // (columns), draws since each was opened

    private:
        std::size_t n_items_, capacity_ = 0;
        std::vector<std::int32_t> counts_;  // (n_items, capacity)
    };

    static constexpr std::size_t prune_every = 16;

    // Matches the features of a draw (rows) to the means (columns); weights are sums of shares.
    template <class Check>
    void match(std::size_t draw, Check&& check) {
        const std::size_t n_words = draws_.n_words(), n_features = draws_.n_features(draw);
        draws_.read(draw, sets_.data());
        matching_.resize(n_features, means_.size());
        const std::size_t stride = matching_.stride();
        weights_.resize(n_features * stride);
        item_weight_.assign(means_.padded(), 0.0F);
        for (std::size_t j = 0; j < means_.size(); ++j)
            item_weight_[j] = scale_ / static_cast<float>(std::max(means_.age[j], 1));
        for (std::size_t k = 0; k < n_features; ++k) {
            check();
            T* weights = weights_.data() + k * stride;
            for (std::size_t j = 0; j < means_.padded(); j += lanes) {
                const auto sums = means_.sum_block(j, sets_.data() + k * n_words, n_words);
                for (std::size_t l = 0; l < lanes; ++l)
                    weights[j + l] =
                        static_cast<T>(static_cast<float>(sums[l]) * item_weight_[j + l]);
            }
            std::fill(weights + means_.size(), weights + stride, T{-1});
        }
        matching_.solve(weights_.data(), check);
    }

    void add_matched(Means& means, bool open_new) {
        const std::size_t n_words = draws_.n_words();
        for (std::int32_t& age : means.age) ++age;
        for (std::size_t k = 0; k < matching_.rows.size; ++k) {
            auto column = static_cast<std::size_t>(matching_.rows.mate[k]);
            if (matching_.rows.mate[k] == Matching<T>::none) {
                if (!open_new || !any(sets_.data() + k * n_words, n_words)) continue;
                column = means.size();
                means.open(1);
                means.age[column] = 1;
            }
            for_each_bit(sets_.data() + k * n_words, n_words,
                         [&](std::size_t item) { ++means.row(item)[column]; });
        }
    }

    // Drops old columns with no item in a tenth or more of the draws since they were opened.
    void prune() {
        most_.assign(means_.size(), 0);
        for (std::size_t i = 0; i < draws_.n_items(); ++i)
            for (std::size_t j = 0; j < most_.size(); ++j)
                most_[j] = std::max(most_[j], means_.row(i)[j]);
        means_.keep_if(
            [&](std::size_t j) { return means_.age[j] < 8 || 10 * most_[j] >= means_.age[j]; });
    }

    const Draws& draws_;
    float scale_;
    std::vector<Word> sets_;          // (n_features of the draw, n_words)
    std::vector<std::int32_t> most_;  // (columns)
    std::vector<float> item_weight_;  // (columns), weight of an item that one draw has
    std::vector<T> weights_;          // (n_features of the draw, stride)
    Means means_;
    Matching<T> matching_;
};

}  // namespace fangs
