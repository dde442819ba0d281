// Overlaps of the estimate's features with a draw's: how many items each two share.
// By popcount over words, or by adding up the draw's rows item by item: whichever is cheaper.
// O(K * K_b * n / 64), or O(ones * K_b / 16).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "lanes.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__POPCNT__)
#define FANGS_DISPATCH_POPCNT 1
#endif

namespace fangs {

// An allocation as word-aligned item sets.
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

    [[nodiscard]] std::size_t n_ones() const noexcept {
        std::size_t ones = 0;
        for (const Word word : sets_) ones += static_cast<std::size_t>(std::popcount(word));
        return ones;
    }

private:
    std::size_t n_items_, n_features_;
    std::vector<Word> sets_;  // (n_features, n_words)
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

// Sums, for each of the estimate's features, the rows of its items in the draw; a block of items at
// a time, so that their rows stay in cache.
// table // (items of a block, stride) and sum // (stride), room for the rows and for a sum of them
inline constexpr std::size_t block_words = 16;

template <class T>
void sparse(const Allocation& estimate, const Word* draw, std::size_t n_columns, std::size_t stride,
            std::uint8_t* table, std::uint8_t* sum, T* out) {
    const std::size_t n_words = estimate.n_words();
    for (std::size_t begin = 0; begin < n_words; begin += block_words) {
        const std::size_t count = std::min(block_words, n_words - begin);
        const std::size_t n_items =
            std::min(count * word_bits, estimate.n_items() - begin * word_bits);
        std::fill_n(table, n_items * stride, std::uint8_t{0});
        for (std::size_t c = 0; c < n_columns; ++c)
            for_each_bit(draw + c * n_words + begin, count,
                         [&](std::size_t item) { table[item * stride + c] = 1; });
        for (std::size_t r = 0; r < estimate.n_features(); ++r) {
            // Bytes add faster than wider integers, but hold no more than 255 rows.
            int pending = 0;
            for_each_bit(estimate.feature(r) + begin, count, [&](std::size_t item) {
                add_bytes(table + item * stride, stride, sum);
                if (++pending % 255 == 0) pour_bytes(sum, stride, out + r * stride);
            });
            if (pending % 255 != 0) pour_bytes(sum, stride, out + r * stride);
        }
    }
}

}  // namespace detail

// Computes overlaps; owns the room it needs.
template <class T>
class Overlaps {
public:
    explicit Overlaps(const Allocation& estimate)
        : estimate_(estimate), n_ones_(static_cast<double>(estimate.n_ones())) {}

    // draw // (n_columns, n_words) item sets; out // (n_features, stride), where columns past
    // n_columns become -1 so that a matching never finds them tight.
    void compute(const Word* draw, std::size_t n_columns, std::size_t stride, T* out) {
        std::fill_n(out, estimate_.n_features() * stride, T{0});
        // Instructions, roughly; the draw is taken to have as many ones as the estimate.
        const double blocks = static_cast<double>(stride / lanes);
        const double rows = static_cast<double>(estimate_.n_features());
        const double add_rows = n_ones_ * (12.0 + 4.0 * blocks) + 12.0 * rows * blocks +
                                static_cast<double>(estimate_.n_items()) * blocks;
        const double count_bits = rows * static_cast<double>(n_columns) *
                                  (4.0 + 3.0 * static_cast<double>(estimate_.n_words()));
        if (add_rows < count_bits) {
            table_.resize(std::min(estimate_.n_items(), detail::block_words * word_bits) * stride);
            sum_.assign(stride, 0);
            detail::sparse(estimate_, draw, n_columns, stride, table_.data(), sum_.data(), out);
        } else {
            detail::dense(estimate_, draw, n_columns, stride, out);
        }
        for (std::size_t r = 0; r < estimate_.n_features(); ++r)
            std::fill(out + r * stride + n_columns, out + (r + 1) * stride, T{-1});
    }

private:
    const Allocation& estimate_;
    double n_ones_;
    std::vector<std::uint8_t> table_, sum_;
};

}  // namespace fangs
