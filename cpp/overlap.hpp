// Overlaps of the estimate's features with a draw's: how many items each two share.
// Dense, by popcount over words, or sparse, by walking the draw's ones: whichever is cheaper.
// O(K * K_b * n / 64) or O(ones * features per item).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__POPCNT__)
#define FANGS_DISPATCH_POPCNT 1
#endif

namespace fangs {

// An allocation as word-aligned item sets, with its rows listed for the sparse walk.
class Allocation {
public:
    Allocation(std::size_t n_items, std::size_t n_features)
        : n_items_(n_items), n_features_(n_features), sets_(n_features * words_for(n_items), 0) {}

    [[nodiscard]] std::size_t n_items() const noexcept { return n_items_; }
    [[nodiscard]] std::size_t n_features() const noexcept { return n_features_; }
    [[nodiscard]] std::size_t n_words() const noexcept { return words_for(n_items_); }
    [[nodiscard]] Word* feature(std::size_t f) noexcept { return sets_.data() + f * n_words(); }
    [[nodiscard]] const Word* feature(std::size_t f) const noexcept {
        return sets_.data() + f * n_words();
    }

    // To be called after the sets changed and before overlaps are taken.
    void index_items() {
        begin_.assign(n_items_ + 1, 0);
        for (std::size_t f = 0; f < n_features_; ++f)
            for_each_bit(feature(f), n_words(), [&](std::size_t i) { ++begin_[i + 1]; });
        for (std::size_t i = 0; i < n_items_; ++i) begin_[i + 1] += begin_[i];
        members_.resize(begin_.back());
        std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
        for (std::size_t f = 0; f < n_features_; ++f)
            for_each_bit(feature(f), n_words(), [&](std::size_t i) {
                members_[next[i]++] = static_cast<std::uint32_t>(f);
            });
    }

    // Calls visit(feature) for each feature that has the item.
    template <class Visit>
    void for_each_feature_of(std::size_t item, Visit&& visit) const {
        for (std::uint32_t at = begin_[item]; at < begin_[item + 1]; ++at) visit(members_[at]);
    }
    [[nodiscard]] std::size_t n_ones() const noexcept { return members_.size(); }

private:
    std::size_t n_items_, n_features_;
    std::vector<Word> sets_;             // (n_features, n_words)
    std::vector<std::uint32_t> begin_;   // (n_items + 1)
    std::vector<std::uint32_t> members_;  // features of each item, item by item
};

namespace detail {

template <class T>
[[gnu::always_inline]] inline void dense_loop(const Allocation& estimate, const Word* draw,
                                              std::size_t n_columns, std::size_t stride,
                                              T* out) noexcept {
    constexpr std::size_t tile = 64;  // words of all features that stay in cache together
    const std::size_t n_words = estimate.n_words();
    if (n_words == 1) {
        for (std::size_t r = 0; r < estimate.n_features(); ++r) {
            const Word mine = *estimate.feature(r);
            for (std::size_t c = 0; c < n_columns; ++c)
                out[r * stride + c] = static_cast<T>(std::popcount(mine & draw[c]));
        }
        return;
    }
    for (std::size_t begin = 0; begin < n_words; begin += tile) {
        const std::size_t end = std::min(begin + tile, n_words);
        for (std::size_t r = 0; r < estimate.n_features(); ++r) {
            const Word* mine = estimate.feature(r);
            for (std::size_t c = 0; c < n_columns; ++c) {
                const Word* theirs = draw + c * n_words;
                int shared = 0;
                for (std::size_t w = begin; w < end; ++w)
                    shared += std::popcount(mine[w] & theirs[w]);
                out[r * stride + c] = static_cast<T>(out[r * stride + c] + shared);
            }
        }
    }
}

template <class T>
void dense_portable(const Allocation& e, const Word* d, std::size_t n, std::size_t s, T* out) {
    dense_loop(e, d, n, s, out);
}

#ifdef FANGS_DISPATCH_POPCNT
template <class T>
[[gnu::target("popcnt")]] void dense_popcnt(const Allocation& e, const Word* d, std::size_t n,
                                            std::size_t s, T* out) {
    dense_loop(e, d, n, s, out);
}
#endif

template <class T>
void dense(const Allocation& estimate, const Word* draw, std::size_t n_columns, std::size_t stride,
           T* out) {
#ifdef FANGS_DISPATCH_POPCNT
    if (__builtin_cpu_supports("popcnt"))
        return dense_popcnt(estimate, draw, n_columns, stride, out);
#endif
    dense_portable(estimate, draw, n_columns, stride, out);
}

template <class T>
void sparse(const Allocation& estimate, const Word* draw, std::size_t n_columns, std::size_t stride,
            T* out) {
    const std::size_t n_words = estimate.n_words();
    for (std::size_t c = 0; c < n_columns; ++c)
        for_each_bit(draw + c * n_words, n_words, [&](std::size_t item) {
            estimate.for_each_feature_of(item, [&](std::size_t r) {
                T& cell = out[r * stride + c];
                cell = static_cast<T>(cell + 1);
            });
        });
}

}  // namespace detail

// draw // (n_columns, n_words) item sets with n_ones ones in all; out // (n_features, stride),
// columns past n_columns become -1 so that a matching never finds them tight.
template <class T>
void overlaps(const Allocation& estimate, const Word* draw, std::size_t n_columns,
              std::size_t n_ones, std::size_t stride, T* out) {
    for (std::size_t r = 0; r < estimate.n_features(); ++r) {
        std::fill_n(out + r * stride, n_columns, T{0});
        std::fill(out + r * stride + n_columns, out + (r + 1) * stride, T{-1});
    }
    // Measured: an increment of the sparse walk costs about as much as two popcounts.
    const double walk = 2.0 * static_cast<double>(n_ones) *
                        (1.0 + static_cast<double>(estimate.n_ones()) /
                                   static_cast<double>(estimate.n_items()));
    const double count = static_cast<double>(estimate.n_features() * n_columns) *
                         static_cast<double>(estimate.n_words());
    if (walk < count)
        detail::sparse(estimate, draw, n_columns, stride, out);
    else
        detail::dense(estimate, draw, n_columns, stride, out);
}

}  // namespace fangs
