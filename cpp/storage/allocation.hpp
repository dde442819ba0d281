// One allocation as word-aligned item sets, one per feature.
// Unlike draws (storage/draws.hpp) it is padded, so that features are contiguous whole words.
// O(n_features * words) of memory.
#pragma once

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "storage/bits.hpp"

namespace fangs {

class Allocation {
public:
    Allocation(std::size_t n_items, std::size_t n_features)
        : n_items_(n_items), n_features_(n_features), sets_(n_features * words_for(n_items), 0) {}

    // With these sets // (n_features, n_words)
    Allocation(std::size_t n_items, std::size_t n_features, std::vector<Word> sets)
        : n_items_(n_items), n_features_(n_features), sets_(std::move(sets)) {}

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

}  // namespace fangs
