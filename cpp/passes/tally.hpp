// Counts, over many draws, how often each bit of a set of rows was set.
// Bit-sliced counters: plane p of a word holds bit p of 64 counts.
// About two operations per 64 bits and set bit of the draw's weight; every 255 additions or more
// the planes are flushed into integers.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "storage/bits.hpp"

namespace fangs {

// The sums of all threads. values // (n_bits, n_rows), zeros to be filled
class Counts {
public:
    Counts(std::size_t n_rows, std::size_t n_bits, std::int64_t* values)
        : n_rows_(n_rows), n_bits_(n_bits), values_(values) {}

    [[nodiscard]] std::size_t n_rows() const noexcept { return n_rows_; }
    [[nodiscard]] std::size_t n_bits() const noexcept { return n_bits_; }

private:
    friend class Tally;
    static constexpr std::size_t n_parts = 16;

    std::size_t n_rows_, n_bits_;
    std::int64_t* values_;
    std::array<std::mutex, n_parts> adding_;  // one for each part of the bits
    std::atomic<std::size_t> begun_{0};
};

// The counts of one thread, until it flushes them.
class Tally {
public:
    // Holds 255 draws of the largest weight, at least, before it must be flushed.
    explicit Tally(Counts& counts, std::int64_t largest_weight = 1)
        : counts_(counts),
          n_words_(words_for(counts.n_bits())),
          n_groups_(groups_for(largest_weight)),
          rows_(round_up(counts.n_rows() * n_words_, chunk), 0),
          planes_(n_groups_ * group * rows_.size(), 0) {}

    // The bits of a row of the current draw // (n_words)
    [[nodiscard]] Word* row(std::size_t r) noexcept { return rows_.data() + r * n_words_; }

    // Copies the bits of a row, or clears it where there are none // set (n_words), or null
    void put(std::size_t r, const Word* set) noexcept {
        if (set == nullptr)
            std::fill_n(row(r), n_words_, Word{0});
        else
            std::copy_n(set, n_words_, row(r));
    }

    // Counts the current draw, once all its rows are put; `weight` times, 0 or more.
    void add(std::int64_t weight = 1) {
        const auto times = static_cast<std::uint64_t>(weight);
        if (times > max_pending() - pending_) flush();
        if (times == 1)
            add_from(0);
        else
            for (std::uint64_t rest = times; rest != 0; rest &= rest - 1)
                add_from(static_cast<std::size_t>(std::countr_zero(rest)));
        pending_ += times;
    }

    void flush() {
        if (pending_ == 0) return;
        const std::size_t n_parts = std::min(Counts::n_parts, n_words_);
        // Threads begin at different parts, so that they rarely wait for each other.
        std::size_t part = counts_.begun_++;
        for (std::size_t done = 0; done < n_parts; ++done, ++part) {
            const std::size_t p = part % n_parts;
            const std::lock_guard lock(counts_.adding_[p]);
            flush(p * n_words_ / n_parts, (p + 1) * n_words_ / n_parts);
        }
        std::fill(planes_.begin(), planes_.end(), Word{0});
        pending_ = 0;
    }

private:
    static constexpr std::size_t group = 8;     // planes that are read together, as bytes
    static constexpr std::size_t chunk = 8;     // words that carry in step
    static constexpr std::size_t together = 8;  // rows flushed together: a cache line of counts

    // The one place that decides how wide the counters are: 255 weights fit into whole groups.
    [[nodiscard]] static constexpr std::size_t groups_for(std::int64_t largest_weight) noexcept {
        const auto n_bits =
            static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(largest_weight)));
        return (n_bits + group - 1 + group - 1) / group;
    }
    // Most that the planes can hold.
    [[nodiscard]] std::uint64_t max_pending() const noexcept {
        return ~std::uint64_t{0} >> (64 - n_groups_ * group);
    }

    // Adds the rows to the counters from a plane on, that is 2^first times.
    void add_from(std::size_t first) noexcept {
        Word* const planes = planes_.data() + first * rows_.size();
        for (std::size_t w = 0; w < rows_.size(); w += chunk) {
            std::array<Word, chunk> carry;
            std::copy_n(rows_.data() + w, chunk, carry.begin());
            Word left = 1;
            for (Word* plane = planes + w; left != 0; plane += rows_.size()) {
                left = 0;
                for (std::size_t l = 0; l < chunk; ++l) {
                    const Word both = plane[l] & carry[l];
                    plane[l] ^= carry[l];
                    carry[l] = both;
                    left |= both;
                }
            }
        }
    }

    // Flushes words [begin, end) of every row.
    void flush(std::size_t begin, std::size_t end) {
        // Without weights there is one group, and nothing to shift.
        flush(begin, end, 0, [](std::uint8_t sum) { return std::int64_t{sum}; });
        for (std::size_t g = 1; g < n_groups_; ++g)
            flush(begin, end, g,
                  [g](std::uint8_t sum) { return std::int64_t{sum} << (g * group); });
    }
    template <class Scale>
    void flush(std::size_t begin, std::size_t end, std::size_t g, Scale&& scaled) {
        const std::size_t n_rows = counts_.n_rows();
        for (std::size_t w = begin; w < end; ++w) {
            const std::size_t n_bits = std::min(word_bits, counts_.n_bits() - w * word_bits);
            std::int64_t* to = counts_.values_ + w * word_bits * n_rows;
            for (std::size_t first = 0; first < n_rows; first += together) {
                const std::size_t n_taken = std::min(together, n_rows - first);
                std::array<std::uint8_t, word_bits * together> sums{};  // (word_bits, together)
                bool any = false;
                for (std::size_t r = 0; r < n_taken; ++r)
                    any |= read_word(first + r, w, g, sums.data() + r);
                if (!any) continue;
                for (std::size_t i = 0; i < n_bits; ++i)
                    for (std::size_t r = 0; r < n_taken; ++r)
                        to[i * n_rows + first + r] += scaled(sums[i * together + r]);
            }
        }
    }

    // The counts of one word in a group of planes // to (word_bits), `together` apart; false if all
    // are zero
    bool read_word(std::size_t r, std::size_t w, std::size_t g, std::uint8_t* to) const noexcept {
        std::array<Word, group> planes;
        Word any = 0;
        for (std::size_t p = 0; p < group; ++p)
            any |= planes[p] = planes_[(g * group + p) * rows_.size() + r * n_words_ + w];
        if (any == 0) return false;
        for (std::size_t first = 0; first < word_bits; first += 8) {
            Word turned = 0;
            for (std::size_t p = 0; p < group; ++p)
                turned |= (planes[p] >> first & 0xff) << (8 * p);
            turned = transposed(turned);
            for (std::size_t i = 0; i < 8; ++i)
                to[(first + i) * together] = static_cast<std::uint8_t>(turned >> (8 * i));
        }
        return true;
    }

    // Transposes an 8 by 8 matrix of bits, one row per byte.
    [[nodiscard]] static constexpr Word transposed(Word bits) noexcept {
        Word moved = (bits ^ bits >> 7) & 0x00aa00aa00aa00aa;
        bits ^= moved ^ moved << 7;
        moved = (bits ^ bits >> 14) & 0x0000cccc0000cccc;
        bits ^= moved ^ moved << 14;
        moved = (bits ^ bits >> 28) & 0x00000000f0f0f0f0;
        return bits ^ moved ^ moved << 28;
    }

    Counts& counts_;
    std::size_t n_words_, n_groups_;
    std::uint64_t pending_ = 0;  // weights added since the last flush
    std::vector<Word> rows_;     // (n_rows, n_words), padded to whole chunks
    std::vector<Word> planes_;   // (n_groups * group, size of rows_)
};

}  // namespace fangs
