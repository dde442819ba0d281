// A start that belongs to no single draw: mean columns, grown while walking through some draws.
// Each draw is matched to the running means; what it matches is averaged in, what it does not match
// opens a new column, and columns that few draws support are dropped. Further rounds match the
// same draws to the means of the round before. O(draws walked * (ones * columns + matching)).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "draws.hpp"
#include "matching.hpp"

namespace fangs {

// Rough cost of growing over this walk, to judge how many threads are worth starting.
[[nodiscard]] inline double nanoseconds_to_grow(const Draws& draws,
                                                std::span<const std::size_t> walk,
                                                std::size_t n_rounds) noexcept {
    if (walk.empty()) return 0.0;
    const auto n_ones = static_cast<double>(draws.n_ones(walk[0]));
    const auto n_features = static_cast<double>(draws.n_features(walk[0]));
    const double a_draw = 200.0 + 2.5 * n_ones * (1.0 + n_features / static_cast<double>(lanes)) +
                          5.0 * n_features * n_features;
    return a_draw * static_cast<double>(walk.size() * n_rounds);
}

template <class T>
class Template {
public:
    // What a share of 1 weighs; a whole feature of such items must still fit.
    static constexpr std::size_t min_scale = 16;

    explicit Template(const Draws& draws)
        : draws_(draws),
          scale_(static_cast<float>(
              std::min<std::size_t>(128, Matching<T>::max_items / draws.n_items()))),
          sets_(draws.max_features() * draws.n_words()) {}

    // walk // draw indices; counts come out as (n_items, n_features): in how many of the draws
    // walked the feature matched to this column has the item.
    void grow(std::span<const std::size_t> walk, std::size_t n_rounds) {
        means_ = Means(draws_.n_items());
        for (std::size_t step = 0; step < walk.size(); ++step) {
            match(walk[step]);
            add_matched(means_, true);
            if ((step + 1) % prune_every == 0) prune();
        }
        prune();
        for (std::size_t round = 1; round < n_rounds; ++round) {
            Means fresh(draws_.n_items());
            fresh.open(means_.size());
            for (const std::size_t draw : walk) {
                match(draw);
                add_matched(fresh, false);
            }
            means_ = std::move(fresh);
            prune();
        }
    }

    [[nodiscard]] std::size_t n_features() const noexcept { return means_.size(); }
    [[nodiscard]] std::int32_t count(std::size_t item, std::size_t feature) const noexcept {
        return means_.row(item)[feature];
    }

private:
    // Sums of columns, item by item, with room to open more.
    class Means {
    public:
        explicit Means(std::size_t n_items = 0) : n_items_(n_items) {}

        [[nodiscard]] std::size_t size() const noexcept { return age.size(); }
        // Columns up to a whole block; those past size() hold zeros.
        [[nodiscard]] std::size_t padded() const noexcept { return round_up(size(), lanes); }
        [[nodiscard]] std::int32_t* row(std::size_t item) noexcept {
            return counts_.data() + item * room_;
        }
        [[nodiscard]] const std::int32_t* row(std::size_t item) const noexcept {
            return counts_.data() + item * room_;
        }

        // Sums over these items of the columns of one block, in registers.
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
            if (size() + n_more > room_) {
                const std::size_t room = round_up(2 * (size() + n_more), lanes);
                std::vector<std::int32_t> counts(n_items_ * room, 0);
                for (std::size_t i = 0; i < n_items_; ++i)
                    std::copy_n(row(i), size(), counts.data() + i * room);
                counts_ = std::move(counts);
                room_ = room;
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

        std::vector<std::int32_t> age;  // (columns), draws since it was opened

    private:
        std::size_t n_items_, room_ = 0;
        std::vector<std::int32_t> counts_;  // (n_items, room)
    };

    static constexpr std::size_t prune_every = 16;

    // Matches a draw's features (rows) to the means (columns); weights are sums of shares.
    void match(std::size_t draw) {
        const std::size_t n_words = draws_.n_words(), n_features = draws_.n_features(draw);
        draws_.read(draw, sets_.data());
        matching_.resize(n_features, means_.size());
        const std::size_t stride = matching_.stride();
        weights_.resize(n_features * stride);
        worth_.assign(means_.padded(), 0.0F);
        for (std::size_t j = 0; j < means_.size(); ++j)
            worth_[j] = scale_ / static_cast<float>(std::max(means_.age[j], 1));
        for (std::size_t k = 0; k < n_features; ++k) {
            T* weights = weights_.data() + k * stride;
            for (std::size_t j = 0; j < means_.padded(); j += lanes) {
                const auto sums = means_.sum_block(j, sets_.data() + k * n_words, n_words);
                for (std::size_t l = 0; l < lanes; ++l)
                    weights[j + l] = static_cast<T>(static_cast<float>(sums[l]) * worth_[j + l]);
            }
            std::fill(weights + means_.size(), weights + stride, T{-1});
        }
        matching_.solve(weights_.data());
    }

    void add_matched(Means& means, bool open_new) {
        const std::size_t n_words = draws_.n_words();
        for (std::int32_t& age : means.age) ++age;
        for (std::size_t k = 0; k < matching_.rows.size; ++k) {
            auto column = static_cast<std::size_t>(matching_.rows.mate[k]);
            if (matching_.rows.mate[k] == Matching<T>::none) {
                if (!open_new) continue;
                column = means.size();
                means.open(1);
                means.age[column] = 1;
            }
            for_each_bit(sets_.data() + k * n_words, n_words,
                         [&](std::size_t item) { ++means.row(item)[column]; });
        }
    }

    // Drops columns none of whose items is in at least a tenth of the draws since they opened.
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
    std::vector<float> worth_;        // (columns), weight of an item that one draw has
    std::vector<T> weights_;          // (n_features of the draw, stride)
    Means means_;
    Matching<T> matching_;
};

}  // namespace fangs
