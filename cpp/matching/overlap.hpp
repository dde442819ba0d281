// Overlaps: how many items each feature of an allocation shares with each feature of a draw.
// By popcount over words, or by adding up the draw's rows item by item: whichever is cheaper.
// O(K * K_b * n / 64), or O((ones + n) * K_b / 16). check(n_operations) is called now and then.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simd/block.hpp"
#include "simd/byte_rows.hpp"
#include "simd/machine.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"

namespace fangs {

// Contiguous item sets.
struct Sets {
    const Word* words;  // (size, n_words)
    std::size_t size, n_words;

    [[nodiscard]] const Word* operator[](std::size_t at) const noexcept {
        return words + at * n_words;
    }
};

namespace detail {

template <std::size_t n_words, class T>
FANGS_ALWAYS_INLINE void short_loop(Sets rows, Sets columns, std::size_t stride, T* out) noexcept {
    for (std::size_t r = 0; r < rows.size; ++r) {
        const Word* mine = rows.words + r * n_words;
        for (std::size_t c = 0; c < columns.size; ++c) {
            const Word* theirs = columns.words + c * n_words;
            int shared = 0;
            for (std::size_t w = 0; w < n_words; ++w) shared += std::popcount(mine[w] & theirs[w]);
            out[r * stride + c] = static_cast<T>(shared);
        }
    }
}

template <class T>
FANGS_ALWAYS_INLINE void dense_loop(Sets rows, Sets columns, std::size_t stride, T* out) noexcept {
    constexpr std::size_t tile = 64;  // words of all features that stay in cache together
    const std::size_t n_words = rows.n_words;
    switch (n_words) {
        case 1:
            return short_loop<1>(rows, columns, stride, out);
        case 2:
            return short_loop<2>(rows, columns, stride, out);
        case 3:
            return short_loop<3>(rows, columns, stride, out);
        case 4:
            return short_loop<4>(rows, columns, stride, out);
        case 5:
            return short_loop<5>(rows, columns, stride, out);
        default:
            break;
    }
    for (std::size_t begin = 0; begin < n_words; begin += tile) {
        const std::size_t end = std::min(begin + tile, n_words);
        for (std::size_t r = 0; r < rows.size; ++r) {
            const Word* mine = rows[r];
            for (std::size_t c = 0; c < columns.size; ++c) {
                const Word* theirs = columns[c];
                int shared = 0;
                for (std::size_t w = begin; w < end; ++w)
                    shared += std::popcount(mine[w] & theirs[w]);
                const int before = begin == 0 ? 0 : out[r * stride + c];
                out[r * stride + c] = static_cast<T>(before + shared);
            }
        }
    }
}

// Calls work with the size as a constant, at most `most`.
template <std::size_t most, class Work>
void with_constant(std::size_t size, Work&& work) {
    if constexpr (most > 1)
        if (size < most) return with_constant<most - 1>(size, work);
    work.template operator()<most>();
}

// Writes (or adds, unless `is_first`) the sums of some rows of the table // out (n_blocks * lanes)
template <std::size_t n_blocks, class T>
void add_rows(const std::uint8_t* table, std::size_t stride, const std::uint16_t* row,
              const std::uint16_t* end, bool is_first, T* out) {
    do {
        // Bytes add faster than wider integers, but hold no more than 255 rows.
        const std::uint16_t* until = row + std::min<std::ptrdiff_t>(end - row, 255);
        const auto sums = sum_rows<n_blocks>(table, stride, row, until);
        for (std::size_t b = 0; b < n_blocks; ++b) {
            T* to = out + b * lanes;
            if (is_first) {
                sums[b].store(to);
            } else {
                std::array<T, lanes> more;
                sums[b].store(more.data());
                Block<T>::load(to).plus(Block<T>::load(more.data())).store(to);
            }
        }
        row = until;
        is_first = false;
    } while (row != end);
}

}  // namespace detail

// Number of items that each row shares with each column // out (rows, stride)
template <class T>
void n_shared(Sets rows, Sets columns, std::size_t stride, T* out) {
    with_popcnt([&]() FANGS_INLINE { detail::dense_loop(rows, columns, stride, out); });
}

// Computes the overlaps of one allocation with one draw after another; owns its workspace.
template <class T>
class Overlaps {
public:
    explicit Overlaps(const Allocation& allocation)
        : allocation_(allocation), n_ones_(static_cast<double>(allocation.n_ones())) {}

    // draw // (n_columns, n_words); out // (n_features, stride), with -1 past n_columns so that the
    // padding is never tight.
    template <class Check>
    void compute(const Word* draw, std::size_t n_columns, std::size_t stride, T* out,
                 Check&& check) {
        // Estimated cycles of both ways.
        const std::size_t n_blocks = stride / lanes;
        const double blocks = static_cast<double>(n_blocks);
        const double rows = static_cast<double>(allocation_.n_features());
        const double words = static_cast<double>(allocation_.n_words());
        const double parts = 1.0 + words / static_cast<double>(block_words);
        const double add_rows = n_ones_ * (1.0 + 0.6 * blocks) + 100.0 * words * blocks +
                                rows * parts * (8.0 + 3.0 * blocks);
        const double count_bits =
            rows * static_cast<double>(n_columns) * (words == 1.0 ? 1.5 : 2.0 + 1.6 * words);
        if (add_rows < count_bits) {
            sparse(draw, n_columns, stride, out, check);
        } else {
            if (n_columns != stride) std::fill_n(out, allocation_.n_features() * stride, T{0});
            dense(draw, n_columns, stride, out, check);
        }
        if (n_columns == stride) return;
        std::array<T, lanes> past{};
        std::fill(past.end() - static_cast<std::ptrdiff_t>(stride - n_columns), past.end(), T{-1});
        const auto padding = Block<T>::load(past.data());
        for (std::size_t r = 1; r <= allocation_.n_features(); ++r) {
            T* last = out + r * stride - lanes;
            Block<T>::load(last).either(padding).store(last);
        }
    }

private:
    // Counts bits, as many features at a time as take some milliseconds.
    template <class Check>
    void dense(const Word* draw, std::size_t n_columns, std::size_t stride, T* out, Check& check) {
        const std::size_t n_words = allocation_.n_words(), n_rows = allocation_.n_features();
        const std::size_t per_row = std::max<std::size_t>(n_columns * n_words, 1);
        const std::size_t together = std::max<std::size_t>(max_words / per_row, 1);
        for (std::size_t r = 0; r < n_rows; r += together) {
            const std::size_t count = std::min(together, n_rows - r);
            check(count * per_row);
            n_shared<T>({allocation_.feature(r), count, n_words}, {draw, n_columns, n_words},
                        stride, out + r * stride);
        }
    }

    // For each feature, sums the draw's rows of its items. Items go a block at a time, so that
    // their rows stay in cache.
    template <class Check>
    void sparse(const Word* draw, std::size_t n_columns, std::size_t stride, T* out, Check& check) {
        if (first_.empty()) list_items();
        const std::size_t n_words = allocation_.n_words(), n_rows = allocation_.n_features();
        const std::size_t* first = first_.data();
        for (std::size_t begin = 0; begin < n_words; begin += block_words) {
            const std::size_t count = std::min(block_words, n_words - begin);
            table_.resize(count * word_bits * stride);
            for (std::size_t c = 0; c < stride; c += lanes)
                for (std::size_t w = 0; w < count; ++w) {
                    std::array<Word, lanes> words{};
                    for (std::size_t l = 0; l < std::min(lanes, n_columns - c); ++l)
                        words[l] = draw[(c + l) * n_words + begin + w];
                    spread_bits(words, stride, table_.data() + w * word_bits * stride + c);
                }
            for (std::size_t c = 0; c < stride; c += most_blocks * lanes)
                detail::with_constant<most_blocks>((stride - c) / lanes, [&]<std::size_t n_blocks> {
                    check(n_blocks * (first[n_rows] - first[0] + n_rows));
                    for (std::size_t r = 0; r < n_rows; ++r)
                        detail::add_rows<n_blocks>(
                            table_.data() + c, stride, items_.data() + first[r],
                            items_.data() + first[r + 1], begin == 0, out + r * stride + c);
                });
            first += n_rows;
        }
    }

    // The items of each feature, numbered within their block of items.
    void list_items() {
        const std::size_t n_words = allocation_.n_words();
        first_.assign(1, 0);
        for (std::size_t begin = 0; begin < n_words; begin += block_words)
            for (std::size_t r = 0; r < allocation_.n_features(); ++r) {
                for_each_bit(
                    allocation_.feature(r) + begin, std::min(block_words, n_words - begin),
                    [&](std::size_t item) { items_.push_back(static_cast<std::uint16_t>(item)); });
                first_.push_back(items_.size());
            }
    }

    static constexpr std::size_t block_words = 16;  // of items
    static constexpr std::size_t most_blocks = 8;   // of columns whose sums fit in registers
    static constexpr std::size_t max_words = std::size_t{1} << 22;  // counted without a check

    const Allocation& allocation_;
    double n_ones_;
    std::vector<std::uint16_t> items_;  // of each block and feature
    std::vector<std::size_t> first_;    // (n_blocks * n_features + 1), into items_
    std::vector<std::uint8_t> table_;   // (items of a block, stride), 1 where the draw has them
};

}  // namespace fangs
