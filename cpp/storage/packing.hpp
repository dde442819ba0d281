// Packs a matrix of 0 and 1 into one item set per column, and checks that it is such a matrix.
// Contiguous rows go eight at a time, in loops that compilers vectorise; others column by column.
// O(n_rows * n_columns).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "storage/bits.hpp"

namespace fangs {

// values[r * row_step + c * column_step] is row r, column c.
template <class Value>
struct Strided {
    const Value* values;
    std::size_t n_rows, n_columns;
    std::ptrdiff_t row_step, column_step;

    [[nodiscard]] const Value* at(std::size_t row, std::size_t column) const noexcept {
        return values + static_cast<std::ptrdiff_t>(row) * row_step +
               static_cast<std::ptrdiff_t>(column) * column_step;
    }
};

class Packer {
public:
    // Fills columns(), or returns false: some value is neither 0 nor 1.
    template <class Value>
    [[nodiscard]] bool pack(const Strided<Value>& matrix) {
        n_words_ = words_for(matrix.n_rows);
        columns_.assign(n_words_ * matrix.n_columns, 0);
        const bool is_wide = matrix.column_step == 1 && matrix.n_columns >= 16;
        return is_wide ? pack_by_rows(matrix) : pack_by_columns(matrix);
    }

    [[nodiscard]] const Word* columns() const noexcept { return columns_.data(); }
    [[nodiscard]] std::vector<Word> take_columns() noexcept { return std::move(columns_); }

private:
    template <class Value>
    [[nodiscard]] static bool is_not_binary(Value value) noexcept {
        return (value != Value{0}) & (value != Value{1});
    }

    template <class Value>
    [[nodiscard]] bool pack_by_rows(const Strided<Value>& matrix) {
        std::uint8_t not_binary = 0;
        for (std::size_t first = 0; first < matrix.n_rows; first += 8) {
            bits_.assign(matrix.n_columns, 0);
            std::uint8_t* __restrict bits = bits_.data();
            for (std::size_t r = first; r < std::min(first + 8, matrix.n_rows); ++r) {
                const Value* row = matrix.at(r, 0);
                const auto bit = static_cast<std::uint8_t>(1U << (r - first));
                for (std::size_t c = 0; c < matrix.n_columns; ++c) {
                    bits[c] = static_cast<std::uint8_t>(bits[c] | (row[c] != Value{0} ? bit : 0));
                    not_binary = static_cast<std::uint8_t>(not_binary | is_not_binary(row[c]));
                }
            }
            Word* to = columns_.data() + first / word_bits;
            for (std::size_t c = 0; c < matrix.n_columns; ++c, to += n_words_)
                *to |= static_cast<Word>(bits[c]) << first % word_bits;
        }
        return not_binary == 0;
    }

    template <class Value>
    [[nodiscard]] bool pack_by_columns(const Strided<Value>& matrix) noexcept {
        bool not_binary = false;
        Word* to = columns_.data();
        for (std::size_t c = 0; c < matrix.n_columns; ++c)
            for (std::size_t first = 0; first < matrix.n_rows; first += word_bits) {
                const Value* value = matrix.at(first, c);
                const std::size_t count = std::min(word_bits, matrix.n_rows - first);
                Word word = 0;
                for (std::size_t bit = 0; bit < count; ++bit, value += matrix.row_step) {
                    not_binary |= is_not_binary(*value);
                    word |= static_cast<Word>(*value != Value{0}) << bit;
                }
                *to++ = word;
            }
        return !not_binary;
    }

    std::size_t n_words_ = 0;
    std::vector<Word> columns_;       // (n_columns, n_words)
    std::vector<std::uint8_t> bits_;  // (n_columns), eight rows each
};

}  // namespace fangs
