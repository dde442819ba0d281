// The matchings of all draws with one allocation, kept from pass to pass.
// Mates and duals are always kept; the overlaps only where they take little memory.
// O(features of all draws) of memory without the overlaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "matching/matching.hpp"
#include "simd/block.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"
#include "storage/pages.hpp"

namespace fangs {

template <class T>
class Matchings {
public:
    Matchings(const Draws& draws, std::size_t n_rows)
        : draws_(draws),
          n_rows_(n_rows),
          row_dual_(draws.size() * n_rows),
          row_mate_(row_dual_.size()),
          column_dual_(draws.total_features()) {
        keep_weights_if_small();
    }

    [[nodiscard]] std::size_t bytes() const noexcept {
        return sizeof(T) *
                   (row_dual_.size() + row_mate_.size() + column_dual_.size() + n_weights()) +
               sizeof(std::size_t) * offset_.size();
    }

    // The overlaps of a draw // (n_rows, stride), or null if they are not kept
    [[nodiscard]] T* weights(std::size_t b) noexcept {
        return offset_.empty() ? nullptr : weights_.get() + offset_[b];
    }

    // Loads a draw into a matching that has its shape and no mates.
    void load(Matching<T>& matching, std::size_t b) const noexcept {
        std::copy_n(row_dual_.data() + b * n_rows_, n_rows_, matching.rows.dual.data());
        std::copy_n(row_mate_.data() + b * n_rows_, n_rows_, matching.rows.mate.data());
        std::copy_n(column_dual_.data() + draws_.first_feature(b), matching.columns.size,
                    matching.columns.dual.data());
        for (std::size_t r = 0; r < n_rows_; ++r)
            if (matching.rows.mate[r] != Matching<T>::none)
                matching.columns.mate[static_cast<std::size_t>(matching.rows.mate[r])] =
                    static_cast<T>(r);
    }

    void save(const Matching<T>& matching, std::size_t b) noexcept {
        std::copy_n(matching.rows.dual.data(), n_rows_, row_dual_.data() + b * n_rows_);
        std::copy_n(matching.rows.mate.data(), n_rows_, row_mate_.data() + b * n_rows_);
        std::copy_n(matching.columns.dual.data(), matching.columns.size,
                    column_dual_.data() + draws_.first_feature(b));
    }

private:
    // Kept overlaps need not be computed in every pass. They are kept where they take little
    // memory, at most 64 MB or twice the memory of the draws.
    void keep_weights_if_small() {
        constexpr std::size_t small = std::size_t{64} << 20;
        std::vector<std::size_t> offset(draws_.size() + 1, 0);
        for (std::size_t b = 0; b < draws_.size(); ++b)
            offset[b + 1] = offset[b] + n_rows_ * round_up(draws_.n_features(b), lanes);
        if (offset.back() * sizeof(T) > std::max(small, 2 * draws_.bytes())) return;
        // Not initialised: the thread that solves a draw touches its part first.
        weights_ = make_buffer<T>(offset.back());
        offset_ = std::move(offset);
    }

    [[nodiscard]] std::size_t n_weights() const noexcept {
        return offset_.empty() ? 0 : offset_.back();
    }

    const Draws& draws_;
    std::size_t n_rows_;
    std::vector<T> row_dual_, row_mate_;  // (n_draws, n_rows)
    std::vector<T> column_dual_;          // (features of all draws)
    Buffer<T> weights_;                   // overlaps of draw b from offset_[b] on, or null
    std::vector<std::size_t> offset_;     // (n_draws + 1), or empty where overlaps are not kept
};

}  // namespace fangs
