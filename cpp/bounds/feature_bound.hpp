// Bounds what single features can add to a matching with one draw at given dual prices.
// Weak duality: feature X_j adds at most max(0, max_k(|X_j & Z_k| - p_k)).
// O(items of the feature * K / 16) for small features, O(n * K / 64) for large ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "matching/overlap.hpp"
#include "simd/block.hpp"
#include "simd/machine.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"

namespace fangs {

namespace detail {

// The largest of max(0, sum of some rows - price) over a line; sums must fit a byte.
// table // (n_items, width), prices // (width)
[[nodiscard]] inline int largest_remainder(const std::uint8_t* table, const std::uint8_t* prices,
                                           std::size_t width, const std::uint32_t* items,
                                           std::size_t n_items) noexcept {
#if defined(FANGS_SSE2)
    const auto load = [](const std::uint8_t* from) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    };
    __m128i most = _mm_setzero_si128();
    for (std::size_t c = 0; c < width; c += lanes) {
        __m128i sum = _mm_setzero_si128();
        for (std::size_t i = 0; i < n_items; ++i)
            sum = _mm_add_epi8(sum, load(table + items[i] * width + c));
        most = _mm_max_epu8(most, _mm_subs_epu8(sum, load(prices + c)));
    }
    most = _mm_max_epu8(most, _mm_srli_si128(most, 8));
    most = _mm_max_epu8(most, _mm_srli_si128(most, 4));
    most = _mm_max_epu8(most, _mm_srli_si128(most, 2));
    most = _mm_max_epu8(most, _mm_srli_si128(most, 1));
    return _mm_cvtsi128_si32(most) & 0xff;
#else
    int most = 0;
    for (std::size_t c = 0; c < width; ++c) {
        int sum = -prices[c];
        for (std::size_t i = 0; i < n_items; ++i) sum += table[items[i] * width + c];
        most = std::max(most, sum);
    }
    return most;
#endif
}

}  // namespace detail

// The bounds of some features, for one draw after another, in units of 1 / 2^doublings.
template <class T>
class FeatureBounds {
public:
    // Prices are in quarters where these fit T.
    [[nodiscard]] static int doublings(std::size_t n_items) noexcept {
        constexpr auto most = static_cast<std::size_t>(std::numeric_limits<T>::max());
        return n_items <= most / 4 ? 2 : n_items <= most / 2 ? 1 : 0;
    }

    // sets // (count, n_words)
    FeatureBounds(std::size_t n_items, const Word* sets, std::size_t count)
        : doublings_(doublings(n_items)),
          features_(copy_of(n_items, sets, count)),
          overlaps_(features_) {
        first_.push_back(0);
        std::size_t largest_size = 0;
        for (std::size_t f = 0; f < count; ++f) {
            for_each_bit(features_.feature(f), features_.n_words(), [&](std::size_t item) {
                items_.push_back(static_cast<std::uint32_t>(item));
            });
            largest_size = std::max(largest_size, items_.size() - first_.back());
            first_.push_back(items_.size());
        }
        fits_bytes_ = (largest_size << doublings_) <= 255;
    }
    FeatureBounds(const FeatureBounds&) = delete;  // overlaps_ looks at features_
    FeatureBounds& operator=(const FeatureBounds&) = delete;

    // Calls take(f, bound) for each feature. draw // (n_columns, n_words), prices // (n_columns)
    template <class Check, class Take>
    void compute(const Word* draw, std::size_t n_columns, const T* prices, Check& check,
                 Take&& take) {
        const std::size_t stride = round_up(n_columns, lanes);
        if (fits_bytes_) {
            tabulate(draw, n_columns, stride, prices);
            for (std::size_t f = 0; f + 1 < first_.size(); ++f)
                take(f, detail::largest_remainder(table_.data(), byte_prices_.data(), stride,
                                                  items_.data() + first_[f],
                                                  first_[f + 1] - first_[f]));
        } else {
            weights_.resize(features_.n_features() * stride);
            overlaps_.compute(draw, n_columns, stride, weights_.data(), check);
            for (std::size_t f = 0; f < features_.n_features(); ++f) {
                const T* line = weights_.data() + f * stride;
                std::int64_t most = 0;
                for (std::size_t k = 0; k < n_columns; ++k)
                    most = std::max(most, (std::int64_t{line[k]} << doublings_) - prices[k]);
                take(f, most);
            }
        }
    }

private:
    [[nodiscard]] static Allocation copy_of(std::size_t n_items, const Word* sets,
                                            std::size_t count) {
        Allocation out(n_items, count);
        std::copy_n(sets, count * out.n_words(), out.feature(0));
        return out;
    }

    // A row of bytes per item with the columns that have it, and the prices in bytes. Sums fit a
    // byte, so a price of 255 or more leaves nothing.
    void tabulate(const Word* draw, std::size_t n_columns, std::size_t stride, const T* prices) {
        const auto unit = static_cast<std::uint8_t>(1 << doublings_);
        const std::size_t n_words = features_.n_words();
        table_.assign(features_.n_items() * stride, 0);
        byte_prices_.assign(stride, 0);
        for (std::size_t k = 0; k < n_columns; ++k) {
            for_each_bit(draw + k * n_words, n_words,
                         [&](std::size_t item) { table_[item * stride + k] = unit; });
            byte_prices_[k] = static_cast<std::uint8_t>(std::min<std::int64_t>(prices[k], 255));
        }
    }

    int doublings_;
    Allocation features_;
    Overlaps<T> overlaps_;  // of features_
    bool fits_bytes_ = false;
    std::vector<std::uint32_t> items_;  // of each feature
    std::vector<std::size_t> first_;    // (n_features + 1), into items_
    std::vector<std::uint8_t> table_;   // (n_items, stride)
    std::vector<std::uint8_t> byte_prices_;
    std::vector<T> weights_;
};

}  // namespace fangs
