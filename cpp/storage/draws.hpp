// All posterior draws, bit-packed in one copy with no padding between features.
// Feature f of all draws takes bits [f*n, (f+1)*n) of one stream; a draw is a run of features.
// Reading a draw is O(features * words). Empty columns are dropped; marks remember where they were.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simd/machine.hpp"
#include "storage/bits.hpp"
#include "storage/growing.hpp"
#include "storage/marks.hpp"
#include "storage/offsets.hpp"

namespace fangs {

// Marks: one before each draw, then a place per column given, marked if the column was kept.
class Draws {
public:
    explicit Draws(std::size_t n_items) : n_items_(n_items) {
        first_.push_back(0);
        kept_.push_back(true);
    }

    // Makes room for this many more draws and features.
    void reserve(std::size_t n_draws, std::size_t n_features) {
        first_.reserve(first_.size() + n_draws);
        stream_.reserve(words_for((total_features() + n_features) * n_items_) + 1);
        kept_.reserve(total_features() + n_features + first_.size() + n_draws);
    }

    // Appends one draw: columns // (n_columns, n_words)
    void append(const Word* columns, std::size_t n_columns, bool keep_empty = false) {
        std::size_t n_features = 0;
        for (std::size_t c = 0; c < n_columns; ++c) {
            const Word* column = columns + c * n_words();
            const bool is_kept = keep_empty || any(column, n_words());
            kept_.push_back(is_kept);
            if (is_kept) write_feature(total_features() + n_features++, column);
        }
        finish_draw(n_features);
    }

    // Appends one draw given by the items of each column, each named once: those of column c are
    // items[starts[c]] .. items[starts[c + 1] - 1]. Needs the memory of one column, not of all.
    template <class Index>
    void append_sparse(const Index* starts, std::size_t n_columns, const Index* items) {
        std::vector<Word> column(n_words());
        std::size_t n_features = 0;
        for (std::size_t c = 0; c < n_columns; ++c) {
            const bool is_kept = starts[c] != starts[c + 1];
            kept_.push_back(is_kept);
            if (!is_kept) continue;
            std::fill(column.begin(), column.end(), Word{0});
            for (Index i = starts[c]; i < starts[c + 1]; ++i)
                set_bit(column.data(), static_cast<std::size_t>(items[i]));
            write_feature(total_features() + n_features++, column.data());
        }
        finish_draw(n_features);
    }

    // The bits of all features, one after the other, and nothing behind them.
    [[nodiscard]] std::span<const Word> stream() const noexcept {
        return {stream_.data(), words_for(total_features() * n_items_)};
    }

    // The draws that such a stream holds. n_columns // (n_draws); kept marks the columns of all
    // draws that have a feature in the stream // (sum of n_columns)
    [[nodiscard]] static Draws restore(std::size_t n_items, std::span<const Word> stream,
                                       std::span<const std::int64_t> n_columns,
                                       const std::uint8_t* kept) {
        Draws draws(n_items);
        for (const std::int64_t width : n_columns) {
            std::size_t n_features = 0;
            for (std::int64_t c = 0; c < width; ++c, ++kept) {
                draws.kept_.push_back(*kept != 0);
                if (*kept != 0) ++n_features;
            }
            draws.finish_draw(n_features);
        }
        if (!stream.empty()) {
            draws.stream_.resize(stream.size() + 1);
            std::copy(stream.begin(), stream.end(), draws.stream_.data());
        }
        draws.shrink_to_fit();
        return draws;
    }

    // Gives unused memory back.
    void shrink_to_fit() {
        stream_.shrink_to_fit();
        first_.shrink_to_fit();
        kept_.shrink_to_fit();
    }

    // A copy of these draws, in this order. check() is called at each draw, and may throw.
    template <class Indices, class Check>
    [[nodiscard]] Draws select(const Indices& draws, Check&& check) const {
        Draws chosen(n_items_);
        std::vector<Word> columns;
        for (const std::size_t draw : draws) {
            check();
            chosen.append_from(*this, draw, columns);
        }
        chosen.shrink_to_fit();
        return chosen;
    }

    // Appends all draws of another, which has the same items.
    void extend(const Draws& other) {
        std::vector<Word> columns;
        for (std::size_t draw = 0; draw < other.size(); ++draw) append_from(other, draw, columns);
    }

    // These draws on the items of the given whole words. Features keep their numbers, even those
    // that have none of these items. check() is called at each draw, and may throw.
    template <class Indices, class Check>
    [[nodiscard]] Draws on_words(const Indices& draws, const Indices& chosen_words,
                                 Check&& check) const {
        Draws chosen(chosen_words.size() * word_bits);
        std::vector<Word> columns;
        for (const std::size_t draw : draws) {
            check();
            columns.clear();
            for (std::size_t f = first_[draw]; f < first_[draw + 1]; ++f)
                for (const std::size_t w : chosen_words) columns.push_back(word(f, w));
            chosen.append(columns.data(), n_features(draw), true);
        }
        chosen.shrink_to_fit();
        return chosen;
    }

    [[nodiscard]] std::size_t n_items() const noexcept { return n_items_; }
    [[nodiscard]] std::size_t n_words() const noexcept { return words_for(n_items_); }
    [[nodiscard]] std::size_t size() const noexcept { return first_.size() - 1; }
    [[nodiscard]] std::size_t total_features() const noexcept { return first_[size()]; }
    [[nodiscard]] std::size_t first_feature(std::size_t draw) const noexcept {
        return first_[draw];
    }
    [[nodiscard]] std::size_t n_features(std::size_t draw) const noexcept {
        return first_[draw + 1] - first_[draw];
    }
    [[nodiscard]] std::size_t max_features() const noexcept { return max_features_; }
    [[nodiscard]] std::size_t n_columns(std::size_t draw) const noexcept {
        return mark_before(draw + 1) - mark_before(draw) - 1;
    }
    // Calls visit(column) for each column that was kept as a feature, in increasing order.
    template <class Visit>
    void for_each_kept(std::size_t draw, Visit&& visit) const {
        const std::size_t first = mark_before(draw) + 1, end = mark_before(draw + 1);
        for (std::size_t place = first; place < end; ++place)
            if (kept_[place]) visit(place - first);
    }
    [[nodiscard]] bool has(std::size_t feature, std::size_t item) const noexcept {
        return test_bit(stream_.data(), feature * n_items_ + item);
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return stream_.bytes() + first_.bytes() + kept_.bytes();
    }

    // Copies a draw into word-aligned item sets: out // (n_features(draw), n_words)
    void read(std::size_t draw, Word* out) const noexcept {
        const std::size_t end = first_[draw + 1];
        if (n_words() == 1)
            for (std::size_t f = first_[draw]; f < end; ++f)
                *out++ = word(f, 0) & low_bits(n_items_);
        else
            for (std::size_t f = first_[draw]; f < end; ++f, out += n_words()) read_feature(f, out);
    }

    // The items of a feature from 64 * w on. Bits past the last item belong to the next feature.
    [[nodiscard]] Word word(std::size_t feature, std::size_t w) const noexcept {
        const std::size_t start = feature * n_items_, shift = start % word_bits;
        const Word* from = stream_.data() + start / word_bits + w;
        // Two shifts, because a shift by 64 is undefined.
        return (from[0] >> shift) | ((from[1] << 1) << (word_bits - 1 - shift));
    }

    [[nodiscard]] FANGS_ALWAYS_INLINE std::size_t n_ones(std::size_t draw) const noexcept {
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
    // Every earlier draw has a mark per feature and one of its own.
    [[nodiscard]] std::size_t mark_before(std::size_t draw) const noexcept {
        return kept_.find(first_[draw] + draw);
    }

    void append_from(const Draws& other, std::size_t draw, std::vector<Word>& columns) {
        const std::size_t width = other.n_columns(draw);
        columns.assign(width * n_words(), 0);
        std::size_t feature = other.first_[draw];
        other.for_each_kept(draw, [&](std::size_t column) {
            other.read_feature(feature++, columns.data() + column * n_words());
        });
        append(columns.data(), width);
    }

    void finish_draw(std::size_t n_features) {
        kept_.push_back(true);
        first_.push_back(total_features() + n_features);
        max_features_ = std::max(max_features_, n_features);
    }

    void write_feature(std::size_t feature, const Word* column) {
        const std::size_t start = feature * n_items_;
        // One word past the end, so that read_feature may always look at the next word.
        stream_.resize(words_for(start + n_items_) + 1);
        const std::size_t shift = start % word_bits;
        Word* to = stream_.data() + start / word_bits;
        for (std::size_t w = 0; w < n_words(); ++w) {
            to[w] |= column[w] << shift;
            if (shift != 0) to[w + 1] |= column[w] >> (word_bits - shift);
        }
    }

    void read_feature(std::size_t feature, Word* out) const noexcept {
        for (std::size_t w = 0; w < n_words(); ++w) out[w] = word(feature, w);
        out[n_words() - 1] &= low_bits(n_items_ - (n_words() - 1) * word_bits);
    }

    std::size_t n_items_, max_features_ = 0;
    Growing<Word> stream_;
    Offsets first_;  // (n_draws + 1), first feature of each draw
    Marks kept_;
};

}  // namespace fangs
