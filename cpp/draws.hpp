// All posterior draws, bit-packed in one copy with no padding between features.
// Feature f of the whole collection occupies bits [f*n, (f+1)*n) of one stream; a draw is a run of
// features. Reading a draw back costs O(features * words). Empty features are dropped on arrival,
// and a bit per offered column remembers which were kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"

namespace fangs {

class Draws {
public:
    explicit Draws(std::size_t n_items) : n_items_(n_items), first_{0}, first_column_{0} {}

    // Room for this many more features, so that a known number of them never moves the stream.
    void reserve(std::size_t n_draws, std::size_t n_features) {
        first_.reserve(first_.size() + n_draws);
        first_column_.reserve(first_column_.size() + n_draws);
        stream_.reserve(words_for((first_.back() + n_features) * n_items_) + 1);
        kept_.reserve(words_for(first_column_.back() + n_features) + 1);
    }

    // One draw of n_columns item sets, each n_words() words: columns // (n_columns, n_words)
    void append(const Word* columns, std::size_t n_columns) {
        kept_.resize(words_for(first_column_.back() + n_columns) + 1, 0);
        std::size_t n_features = first_.back();
        for (std::size_t c = 0; c < n_columns; ++c) {
            const Word* column = columns + c * n_words();
            if (!any(column, n_words())) continue;
            set_bit(kept_.data(), first_column_.back() + c);
            write_feature(n_features++, column);
        }
        first_.push_back(n_features);
        first_column_.push_back(first_column_.back() + n_columns);
    }

    // These draws, in this order.
    template <class Indices>
    [[nodiscard]] Draws select(const Indices& draws) const {
        Draws chosen(n_items_);
        std::vector<Word> columns;
        for (const std::size_t draw : draws) {
            columns.assign(n_columns(draw) * n_words(), 0);
            std::size_t feature = first_[draw];
            for (std::size_t c = 0; c < n_columns(draw); ++c)
                if (kept(draw, c)) read_feature(feature++, columns.data() + c * n_words());
            chosen.append(columns.data(), n_columns(draw));
        }
        return chosen;
    }

    [[nodiscard]] std::size_t n_items() const noexcept { return n_items_; }
    [[nodiscard]] std::size_t n_words() const noexcept { return words_for(n_items_); }
    [[nodiscard]] std::size_t size() const noexcept { return first_.size() - 1; }
    [[nodiscard]] std::size_t total_features() const noexcept { return first_.back(); }
    [[nodiscard]] std::size_t first_feature(std::size_t draw) const noexcept {
        return first_[draw];
    }
    [[nodiscard]] std::size_t n_features(std::size_t draw) const noexcept {
        return first_[draw + 1] - first_[draw];
    }
    [[nodiscard]] std::size_t max_features() const noexcept {
        std::size_t most = 0;
        for (std::size_t b = 0; b < size(); ++b) most = std::max(most, n_features(b));
        return most;
    }
    [[nodiscard]] std::size_t n_columns(std::size_t draw) const noexcept {
        return first_column_[draw + 1] - first_column_[draw];
    }
    [[nodiscard]] bool kept(std::size_t draw, std::size_t column) const noexcept {
        return test_bit(kept_.data(), first_column_[draw] + column);
    }
    [[nodiscard]] bool has(std::size_t feature, std::size_t item) const noexcept {
        return test_bit(stream_.data(), feature * n_items_ + item);
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return sizeof(Word) * (stream_.size() + kept_.size()) +
               sizeof(std::size_t) * (first_.size() + first_column_.size());
    }

    // Copies a draw into word-aligned item sets: out // (n_features(draw), n_words)
    void read(std::size_t draw, Word* out) const noexcept {
        for (std::size_t f = first_[draw]; f < first_[draw + 1]; ++f, out += n_words())
            read_feature(f, out);
    }

    [[nodiscard]] std::size_t n_ones(std::size_t draw) const noexcept {
        const std::size_t begin = first_[draw] * n_items_, end = first_[draw + 1] * n_items_;
        if (begin == end) return 0;
        std::size_t ones = 0;
        const std::size_t last = (end - 1) / word_bits;
        for (std::size_t w = begin / word_bits; w <= last; ++w) {
            Word word = stream_[w];
            if (w == begin / word_bits) word &= ~low_bits(begin % word_bits);
            if (w == last) word &= low_bits(end - last * word_bits);
            ones += static_cast<std::size_t>(std::popcount(word));
        }
        return ones;
    }

private:
    void write_feature(std::size_t feature, const Word* column) {
        const std::size_t start = feature * n_items_;
        // One word past the end, so that read_feature may always look at the next word.
        stream_.resize(words_for(start + n_items_) + 1, 0);
        const std::size_t shift = start % word_bits;
        Word* to = stream_.data() + start / word_bits;
        for (std::size_t w = 0; w < n_words(); ++w) {
            to[w] |= column[w] << shift;
            if (shift != 0) to[w + 1] |= column[w] >> (word_bits - shift);
        }
    }

    void read_feature(std::size_t feature, Word* out) const noexcept {
        const std::size_t start = feature * n_items_, shift = start % word_bits;
        const Word* from = stream_.data() + start / word_bits;
        for (std::size_t w = 0; w < n_words(); ++w)
            // Two shifts, because a shift by 64 is undefined.
            out[w] = (from[w] >> shift) | ((from[w + 1] << 1) << (word_bits - 1 - shift));
        out[n_words() - 1] &= low_bits(n_items_ - (n_words() - 1) * word_bits);
    }

    std::size_t n_items_;
    std::vector<Word> stream_;
    std::vector<std::size_t> first_;         // (n_draws + 1), first feature of each draw
    std::vector<Word> kept_;                 // a bit per column that was offered
    std::vector<std::size_t> first_column_;  // (n_draws + 1), first offered column of each draw
};

}  // namespace fangs
