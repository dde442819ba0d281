// Optimal edges: the pairs (row, column) that some maximum matching uses.
// An edge is optimal iff it is tight and its ends lie in one strongly connected component of the
// exchange digraph, whose nodes are the matched pairs and Omega, "unmatched" (persistency: Costa
// 1994, Oper. Res. Lett. 15, pp. 143-149). Bit-parallel: O(K^2) to find the tight edges, then
// O(K/64) for every step of a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "bits.hpp"
#include "matching.hpp"

namespace fangs {

template <class T>
class OptimalEdges {
public:
    // Takes an optimal matching and its weights; afterwards partners() and may_be_unmatched()
    // answer for every row.
    void find(const Matching<T>& matching, const T* weights) {
        matching_ = &matching;
        n_rows_ = matching.rows.size;
        n_words_ = words_for(matching.columns.size);
        find_tight(weights);
        find_component_of_omega();
        for (std::size_t r = 0; r < n_rows_; ++r)
            if (in_omega(r)) keep_only(r, omega_);
        split_the_rest();
    }

    // The optimal partners of a row, as a set of columns // (n_words)
    [[nodiscard]] const Word* partners(std::size_t row) const noexcept {
        return tight_.data() + row * n_words_;
    }
    [[nodiscard]] std::size_t n_words() const noexcept { return n_words_; }

    [[nodiscard]] bool may_be_unmatched(std::size_t row) const noexcept {
        return matching_->rows.dual[row] == 0 && in_omega(row);
    }

    // Whether the matching is the only optimal one, but for rows of weight 0 and no mate.
    [[nodiscard]] bool is_only_one() const noexcept {
        for (std::size_t r = 0; r < n_rows_; ++r) {
            if (matching_->rows.mate[r] == Matching<T>::none) continue;
            std::size_t n_choices = may_be_unmatched(r) ? 1 : 0;
            for (std::size_t w = 0; w < n_words_; ++w)
                n_choices += static_cast<std::size_t>(std::popcount(partners(r)[w]));
            if (n_choices > 1) return false;
        }
        return true;
    }

private:
    using Columns = std::vector<Word>;  // a set of columns, standing for the pairs they are in

    [[nodiscard]] Word* tight(std::size_t row) noexcept { return tight_.data() + row * n_words_; }

    [[nodiscard]] bool in_omega(std::size_t row) const noexcept {
        const T mate = matching_->rows.mate[row];
        return mate == Matching<T>::none || test_bit(omega_.data(), static_cast<std::size_t>(mate));
    }

    [[nodiscard]] std::size_t row_of(std::size_t column) const noexcept {
        return static_cast<std::size_t>(matching_->columns.mate[column]);
    }

    void keep_only(std::size_t row, const Columns& kept) noexcept {
        for (std::size_t w = 0; w < n_words_; ++w) tight(row)[w] &= kept[w];
    }

    [[nodiscard]] bool meets(std::size_t row, const Columns& set) noexcept {
        Word common = 0;
        for (std::size_t w = 0; w < n_words_; ++w) common |= tight(row)[w] & set[w];
        return common != 0;
    }

    void find_tight(const T* weights) {
        const std::size_t stride = matching_->stride();
        const T* price = matching_->columns.dual.data();
        tight_.resize(n_rows_ * n_words_);
        for (std::size_t r = 0; r < n_rows_; ++r)
            mark_tight(weights + r * stride, price, matching_->rows.dual[r], stride, tight(r));
    }

    // Grows `set` backwards: a pair's predecessors are the columns tight with its row.
    void close_backwards(Columns& set, const Columns& within) {
        frontier_ = set;
        while (any(frontier_.data(), n_words_)) {
            found_.assign(n_words_, 0);
            for_each_bit(frontier_.data(), n_words_, [&](std::size_t c) {
                if (matching_->columns.mate[c] == Matching<T>::none) return;
                const Word* before = tight(row_of(c));
                for (std::size_t w = 0; w < n_words_; ++w) found_[w] |= before[w];
            });
            for (std::size_t w = 0; w < n_words_; ++w) {
                frontier_[w] = found_[w] & within[w] & ~set[w];
                set[w] |= frontier_[w];
            }
        }
    }

    // Grows `set` forwards within `within`: a pair follows once its row is tight with the set.
    void close_forwards(Columns& set, const Columns& within) {
        for (bool grew = true; grew;) {
            grew = false;
            for (std::size_t w = 0; w < n_words_; ++w)
                for (Word rest = within[w] & ~set[w]; rest != 0; rest &= rest - 1) {
                    const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
                    if (!meets(row_of(w * word_bits + bit), set)) continue;
                    set[w] |= Word{1} << bit;
                    grew = true;
                }
        }
    }

    // omega_: all columns in the component of Omega. Unmatched columns are Omega itself.
    void find_component_of_omega() {
        const auto& [rows, columns] = std::tie(matching_->rows, matching_->columns);
        all_.assign(n_words_, ~Word{0});
        reaching_.assign(n_words_, 0);
        for (std::size_t c = 0; c < columns.size; ++c)
            if (columns.dual[c] == 0) set_bit(reaching_.data(), c);
        for (std::size_t r = 0; r < n_rows_; ++r)
            if (rows.mate[r] == Matching<T>::none)
                for (std::size_t w = 0; w < n_words_; ++w) reaching_[w] |= tight(r)[w];
        close_backwards(reaching_, all_);

        omega_.assign(n_words_, 0);
        for (std::size_t c = 0; c < columns.size; ++c)
            if (columns.mate[c] == Matching<T>::none) set_bit(omega_.data(), c);
        for (std::size_t r = 0; r < n_rows_; ++r)
            if (rows.mate[r] != Matching<T>::none && rows.dual[r] == 0 &&
                test_bit(reaching_.data(), static_cast<std::size_t>(rows.mate[r])))
                set_bit(omega_.data(), static_cast<std::size_t>(rows.mate[r]));
        close_forwards(omega_, reaching_);
    }

    // Components among the pairs outside Omega's. Pairs without a predecessor or a successor are
    // alone and leave first; what remains is taken apart one component at a time.
    void split_the_rest() {
        rest_.assign(n_words_, 0);
        for (std::size_t r = 0; r < n_rows_; ++r)
            if (!in_omega(r))
                set_bit(rest_.data(), static_cast<std::size_t>(matching_->rows.mate[r]));
        trim();
        while (any(rest_.data(), n_words_)) {
            std::size_t first = 0;
            while (!test_bit(rest_.data(), first)) ++first;
            reaching_.assign(n_words_, 0);
            set_bit(reaching_.data(), first);
            component_ = reaching_;
            close_backwards(reaching_, rest_);
            close_forwards(component_, reaching_);
            for_each_bit(component_.data(), n_words_,
                         [&](std::size_t c) { keep_only(row_of(c), component_); });
            for (std::size_t w = 0; w < n_words_; ++w) rest_[w] &= ~component_[w];
        }
    }

    void trim() {
        for (bool shrank = true; shrank;) {
            shrank = false;
            followed_.assign(n_words_, 0);
            for (std::size_t w = 0; w < n_words_; ++w)
                for (Word left = rest_[w]; left != 0; left &= left - 1) {
                    const auto bit = static_cast<std::size_t>(std::countr_zero(left));
                    const std::size_t row = row_of(w * word_bits + bit);
                    const Word self = Word{1} << bit;
                    Word others = 0;
                    for (std::size_t x = 0; x < n_words_; ++x) {
                        const Word before = tight(row)[x] & rest_[x] & ~(x == w ? self : Word{0});
                        followed_[x] |= before;
                        others |= before;
                    }
                    if (others == 0) {
                        keep_alone(row, w * word_bits + bit);
                        shrank = true;
                    }
                }
            for (std::size_t w = 0; w < n_words_; ++w)
                for (Word left = rest_[w] & ~followed_[w]; left != 0; left &= left - 1) {
                    const auto column =
                        w * word_bits + static_cast<std::size_t>(std::countr_zero(left));
                    keep_alone(row_of(column), column);
                    shrank = true;
                }
        }
    }

    void keep_alone(std::size_t row, std::size_t column) noexcept {
        std::fill_n(tight(row), n_words_, Word{0});
        set_bit(tight(row), column);
        clear_bit(rest_.data(), column);
    }

    const Matching<T>* matching_ = nullptr;
    std::size_t n_rows_ = 0, n_words_ = 0;
    std::vector<Word> tight_;  // (n_rows, n_words), narrowed step by step to the optimal edges
    Columns omega_, rest_, component_, reaching_, frontier_, found_, followed_, all_;
};

}  // namespace fangs
