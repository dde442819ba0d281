// Counts, over many draws, how often each bit of a set of rows was set.
// Bit-sliced counters: plane p of a word holds bit p of 64 counts, so adding 64 bits takes about
// two operations; every 255 additions the planes are poured into plain integers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "bits.hpp"

namespace fangs {

// The sums of all threads // (n_rows, n_bits)
class Counts {
public:
    Counts(std::size_t n_rows, std::size_t n_bits) : n_bits_(n_bits), counts_(n_rows * n_bits, 0) {}

    [[nodiscard]] std::size_t n_rows() const noexcept {
        return n_bits_ == 0 ? 0 : counts_.size() / n_bits_;
    }
    [[nodiscard]] std::size_t n_bits() const noexcept { return n_bits_; }
    [[nodiscard]] const std::vector<std::int32_t>& values() const noexcept { return counts_; }

private:
    friend class Tally;
    std::size_t n_bits_;
    std::vector<std::int32_t> counts_;
    std::mutex adding_;
};

// One thread's share.
class Tally {
public:
    explicit Tally(Counts& counts)
        : counts_(counts),
          n_words_(words_for(counts.n_bits())),
          planes_(counts.n_rows() * n_planes * n_words_, 0) {}

    // bits // (n_words); at most once per row and draw.
    void add(std::size_t row, const Word* bits) noexcept {
        Word* planes = planes_.data() + row * n_planes * n_words_;
        std::size_t w = 0;
        for (; w + chunk <= n_words_; w += chunk) {
            std::array<Word, chunk> carry;
            std::copy_n(bits + w, chunk, carry.begin());
            Word left = 1;
            for (Word* plane = planes + w; left != 0; plane += n_words_) {
                left = 0;
                for (std::size_t l = 0; l < chunk; ++l) {
                    const Word both = plane[l] & carry[l];
                    plane[l] ^= carry[l];
                    carry[l] = both;
                    left |= both;
                }
            }
        }
        for (; w < n_words_; ++w) {
            Word carry = bits[w];
            for (Word* plane = planes + w; carry != 0; plane += n_words_) {
                const Word both = *plane & carry;
                *plane ^= carry;
                carry = both;
            }
        }
    }

    // To be called after each draw.
    void next_draw() {
        if (++pending_ == most) pour();
    }

    void pour() {
        if (pending_ == 0) return;
        const std::lock_guard lock(counts_.adding_);
        for (std::size_t row = 0; row < counts_.n_rows(); ++row) {
            const Word* planes = planes_.data() + row * n_planes * n_words_;
            std::int32_t* to = counts_.counts_.data() + row * counts_.n_bits();
            for (std::size_t p = 0; p < n_planes; ++p)
                for_each_bit(planes + p * n_words_, n_words_,
                             [&](std::size_t i) { to[i] += std::int32_t{1} << p; });
        }
        std::fill(planes_.begin(), planes_.end(), Word{0});
        pending_ = 0;
    }

private:
    static constexpr std::size_t n_planes = 8;
    static constexpr std::size_t most = 255;
    static constexpr std::size_t chunk = 8;  // words that carry together

    Counts& counts_;
    std::size_t n_words_, pending_ = 0;
    std::vector<Word> planes_;  // (n_rows, n_planes, n_words)
};

}  // namespace fangs
