// A growing row of marked and unmarked places that finds its k-th mark.
// Select by sampling: Navarro, Compact Data Structures (2016), chapter 4.
// One bit per place and the place of every 256th mark; a search counts whole words from there.
#pragma once

#include <bit>
#include <cstddef>

#include "storage/bits.hpp"
#include "storage/growing.hpp"

namespace fangs {

class Marks {
public:
    [[nodiscard]] std::size_t bytes() const noexcept { return words_.bytes() + sample_.bytes(); }
    [[nodiscard]] bool operator[](std::size_t place) const noexcept {
        return test_bit(words_.data(), place);
    }

    void push_back(bool marked) {
        if (size_ % word_bits == 0) words_.push_back(0);
        if (marked) {
            set_bit(words_.data(), size_);
            if (n_marks_++ % step == 0) sample_.push_back(size_);
        }
        ++size_;
    }

    // The place of mark k, counted from 0.
    [[nodiscard]] std::size_t find(std::size_t k) const noexcept {
        const std::size_t from = sample_[k / step];
        std::size_t w = from / word_bits, skipped = k % step;
        Word word = words_[w] & ~low_bits(from % word_bits);
        while (skipped >= static_cast<std::size_t>(std::popcount(word))) {
            skipped -= static_cast<std::size_t>(std::popcount(word));
            word = words_[++w];
        }
        for (; skipped != 0; --skipped) word &= word - 1;
        return w * word_bits + static_cast<std::size_t>(std::countr_zero(word));
    }

    void reserve(std::size_t n_places) { words_.reserve(words_for(n_places)); }

    void shrink_to_fit() {
        words_.shrink_to_fit();
        sample_.shrink_to_fit();
    }

private:
    static constexpr std::size_t step = 256;

    std::size_t size_ = 0, n_marks_ = 0;
    Growing<Word> words_;
    Growing<std::size_t> sample_;  // (marks / step), the place of every step-th mark
};

}  // namespace fangs
