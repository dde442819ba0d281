// Optimal edges: the pairs (row, column) that some maximum matching uses.
// Persistency of matchings: Costa 1994, Oper. Res. Lett. 15, pp. 143-149.
// O(K^2 / 16) to find the tight edges, then O(K / 64) for each step of a graph search.
// check(n_operations) is called at each such step among many columns, and may throw.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "matching/matching.hpp"
#include "simd/lanes.hpp"
#include "storage/bits.hpp"

namespace fangs {

namespace detail {

// An edge is optimal iff it is tight and its ends lie in one strongly connected component of this
// digraph. Its nodes are the matched pairs and Omega, which stands for "unmatched". A pair is
// represented by its column. Sets of columns have W words, a constant so that they stay in
// registers, or any number if W is 0. Unpredictable conditions are computed, not branched on.
template <class T, std::size_t W, class Check>
class ExchangeDigraph {
public:
    using Columns = std::conditional_t<W == 0, std::vector<Word>, std::array<Word, W>>;

    ExchangeDigraph(const Matching<T>& matching, Word* tight, Check& check)
        : matching_(matching),
          n_words_(words_for(matching.columns.size)),
          tight_(tight),
          check_(check) {}

    // Narrows the tight edges to the optimal ones. omega // (n_words), columns in Omega's component
    void keep_optimal_edges(Word* omega) {
        const Columns in_omega = component_of_omega();
        Columns rest = none();
        for (std::size_t r = 0; r < matching_.rows.size; ++r) {
            const T mate = matching_.rows.mate[r];
            if (mate == Matching<T>::none) {
                keep_only(r, in_omega);
                continue;
            }
            const auto column = static_cast<std::size_t>(mate);
            const Word is_outside = has(in_omega, column) ? 0 : 1;
            for (std::size_t w = 0; w < n_words(); ++w)
                tight(r)[w] &= in_omega[w] | (Word{0} - is_outside);
            rest[column / word_bits] |= is_outside << column % word_bits;
        }
        split(rest);
        std::copy_n(in_omega.data(), n_words(), omega);
    }

private:
    [[nodiscard]] std::size_t n_words() const noexcept { return W == 0 ? n_words_ : W; }
    [[nodiscard]] Word* tight(std::size_t row) const noexcept { return tight_ + row * n_words(); }
    void step() const {
        if constexpr (W == 0) check_(n_words_);  // fewer columns never take long
    }
    [[nodiscard]] Columns none() const {
        if constexpr (W == 0)
            return Columns(n_words_, 0);
        else
            return Columns{};
    }
    [[nodiscard]] static bool has(const Columns& set, std::size_t column) noexcept {
        return test_bit(set.data(), column);
    }
    [[nodiscard]] std::size_t row_of(std::size_t column) const noexcept {
        return static_cast<std::size_t>(matching_.columns.mate[column]);
    }

    void keep_only(std::size_t row, const Columns& kept) const noexcept {
        for (std::size_t w = 0; w < n_words(); ++w) tight(row)[w] &= kept[w];
    }

    [[nodiscard]] bool meets(std::size_t row, const Columns& set) const noexcept {
        Word common = 0;
        for (std::size_t w = 0; w < n_words(); ++w) common |= tight(row)[w] & set[w];
        return common != 0;
    }

    // Grows `set` backwards. The predecessors of a pair are the columns tight with its row;
    // unmatched columns have none.
    void close_backwards(Columns& set, const Columns& within) const {
        Columns frontier = set;
        while (any(frontier.data(), n_words())) {
            Columns found = none();
            for_each_bit(frontier.data(), n_words(), [&](std::size_t c) {
                step();
                if (matching_.columns.mate[c] == Matching<T>::none) return;
                const Word* before = tight(row_of(c));
                for (std::size_t w = 0; w < n_words(); ++w) found[w] |= before[w];
            });
            for (std::size_t w = 0; w < n_words(); ++w) {
                frontier[w] = found[w] & within[w] & ~set[w];
                set[w] |= frontier[w];
            }
        }
    }

    // Grows `set` forwards. A pair follows once its row is tight with the set.
    void close_forwards(Columns& set, const Columns& within) const {
        for (bool grew = true; grew;) {
            grew = false;
            for (std::size_t w = 0; w < n_words(); ++w)
                for (Word rest = within[w] & ~set[w]; rest != 0; rest &= rest - 1) {
                    step();
                    const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
                    const bool follows = meets(row_of(w * word_bits + bit), set);
                    set[w] |= Word{follows} << bit;
                    grew |= follows;
                }
        }
    }

    // Columns in the component of Omega. Unmatched columns are Omega itself.
    [[nodiscard]] Columns component_of_omega() const {
        const auto& rows = matching_.rows;
        const auto& columns = matching_.columns;
        Columns reaching = none(), omega = none();
        mark_value(columns.dual.data(), T{0}, columns.padded(), reaching.data());
        mark_value(columns.mate.data(), Matching<T>::none, columns.padded(), omega.data());
        const Word last = low_bits(columns.size - (n_words() - 1) * word_bits);
        reaching[n_words() - 1] &= last;
        omega[n_words() - 1] &= last;
        for (std::size_t r = 0; r < rows.size; ++r)
            if (rows.mate[r] == Matching<T>::none)
                for (std::size_t w = 0; w < n_words(); ++w) reaching[w] |= tight(r)[w];
        Columns all = none();
        std::fill(all.begin(), all.end(), ~Word{0});
        close_backwards(reaching, all);
        for (std::size_t r = 0; r < rows.size; ++r) {
            if (rows.dual[r] != 0 || rows.mate[r] == Matching<T>::none) continue;
            const auto mate = static_cast<std::size_t>(rows.mate[r]);
            if (has(reaching, mate)) set_bit(omega.data(), mate);
        }
        close_forwards(omega, reaching);
        return omega;
    }

    // Splits the pairs outside Omega's component into their components. Pairs without predecessor
    // or successor are alone and are removed first.
    void split(Columns& rest) const {
        trim(rest);
        while (any(rest.data(), n_words())) {
            std::size_t first = 0;
            while (!has(rest, first)) ++first;
            Columns component = none();
            set_bit(component.data(), first);
            Columns reaching = component;
            close_backwards(reaching, rest);
            close_forwards(component, reaching);
            for_each_bit(component.data(), n_words(),
                         [&](std::size_t c) { keep_only(row_of(c), component); });
            for (std::size_t w = 0; w < n_words(); ++w) rest[w] &= ~component[w];
        }
    }

    void trim(Columns& rest) const {
        for (bool shrank = true; shrank;) {
            shrank = false;
            Columns followed = none();
            for (std::size_t w = 0; w < n_words(); ++w)
                for (Word left = rest[w]; left != 0; left &= left - 1) {
                    step();
                    const auto bit = static_cast<std::size_t>(std::countr_zero(left));
                    const std::size_t row = row_of(w * word_bits + bit);
                    const Word self = Word{1} << bit;
                    Word others = 0;
                    for (std::size_t x = 0; x < n_words(); ++x) {
                        const Word before = tight(row)[x] & rest[x] & ~(x == w ? self : Word{0});
                        followed[x] |= before;
                        others |= before;
                    }
                    const bool is_alone = others == 0;
                    for (std::size_t x = 0; x < n_words(); ++x)
                        tight(row)[x] &= (x == w ? self : Word{0}) | (Word{is_alone} - 1);
                    rest[w] &= ~(Word{is_alone} << bit);
                    shrank |= is_alone;
                }
            for (std::size_t w = 0; w < n_words(); ++w)
                for (Word left = rest[w] & ~followed[w]; left != 0; left &= left - 1) {
                    const auto column =
                        w * word_bits + static_cast<std::size_t>(std::countr_zero(left));
                    keep_alone(row_of(column), column, rest);
                    shrank = true;
                }
        }
    }

    void keep_alone(std::size_t row, std::size_t column, Columns& rest) const noexcept {
        std::fill_n(tight(row), n_words(), Word{0});
        set_bit(tight(row), column);
        clear_bit(rest.data(), column);
    }

    const Matching<T>& matching_;
    std::size_t n_words_;
    Word* tight_;  // (n_rows, n_words), narrowed to the optimal edges
    Check& check_;
};

}  // namespace detail

template <class T>
class OptimalEdges {
public:
    // Finds the optimal edges of an optimal matching with these weights, for the questions below.
    template <class Check>
    void find(const Matching<T>& matching, const T* weights, Check& check) {
        matching_ = &matching;
        n_rows_ = matching.rows.size;
        n_words_ = words_for(matching.columns.size);
        omega_.resize(n_words_);
        check(n_rows_ * matching.stride());
        find_tight(weights);
        if (n_words_ == 1)
            detail::ExchangeDigraph<T, 1, Check>(matching, tight_.data(), check)
                .keep_optimal_edges(omega_.data());
        else if (n_words_ == 2)
            detail::ExchangeDigraph<T, 2, Check>(matching, tight_.data(), check)
                .keep_optimal_edges(omega_.data());
        else if (n_words_ > 0)
            detail::ExchangeDigraph<T, 0, Check>(matching, tight_.data(), check)
                .keep_optimal_edges(omega_.data());
    }

    // The optimal partners of a row, as a set of columns // (n_words)
    [[nodiscard]] const Word* partners(std::size_t row) const noexcept {
        return tight_.data() + row * n_words_;
    }
    [[nodiscard]] std::size_t n_words() const noexcept { return n_words_; }

    // Whether every optimal matching gives the row the same mate.
    [[nodiscard]] bool has_unique_partner(std::size_t row) const noexcept {
        Word any = 0, several = 0;
        for (std::size_t w = 0; w < n_words_; ++w) {
            const Word some = partners(row)[w];
            several |= (some & (some - 1)) | Word{any != 0 && some != 0};
            any |= some;
        }
        return any != 0 && several == 0 && !may_be_unmatched(row);
    }

    [[nodiscard]] bool may_be_unmatched(std::size_t row) const noexcept {
        if (matching_->rows.dual[row] != 0) return false;
        const T mate = matching_->rows.mate[row];
        return mate == Matching<T>::none || test_bit(omega_.data(), static_cast<std::size_t>(mate));
    }

private:
    void find_tight(const T* weights) {
        const std::size_t stride = matching_->stride();
        const T* dual = matching_->columns.dual.data();
        tight_.resize(n_rows_ * n_words_);
        for (std::size_t r = 0; r < n_rows_; ++r)
            mark_tight(weights + r * stride, dual, matching_->rows.dual[r], stride,
                       tight_.data() + r * n_words_);
    }

    const Matching<T>* matching_ = nullptr;
    std::size_t n_rows_ = 0, n_words_ = 0;
    std::vector<Word> tight_;  // (n_rows, n_words), the optimal edges after find()
    std::vector<Word> omega_;  // (n_words)
};

}  // namespace fangs
