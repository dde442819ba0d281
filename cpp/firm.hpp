// Draws that need not be visited: their one optimal matching survives the flips to come.
// Flips change the overlaps of a feature by no more than their number. Where the dual prices leave
// every other choice of a feature worse by s, and that for each feature, the matching therefore
// stays the only optimal one until one of them has had its s flips; the worth of all flips stays as
// it is, too (docs/search.md).
// O(K^2) to say how firm a draw is; O(K) per draw and flips then, and no look at the draw itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "matching.hpp"
#include "overlap.hpp"

namespace fangs {

struct Flip {
    std::size_t item, feature;
};

// Moves the prices of the rows so that matched edges are tight; after flips it may turn out that
// the matching is no longer optimal.
template <class T>
void reprice(Matching<T>& matching, const T* weights) noexcept {
    for (std::size_t r = 0; r < matching.rows.size; ++r) {
        const T mate = matching.rows.mate[r];
        if (mate == Matching<T>::none) continue;
        const auto column = static_cast<std::size_t>(mate);
        matching.rows.dual[r] =
            static_cast<T>(weights[r * matching.stride() + column] - matching.columns.dual[column]);
    }
}

// How many flips of each feature it takes until a matching may no longer be the only optimal one
// // each (n_rows), and the least of them; not above 0 if it may not be even now. Matched edges are
// tight, and the prices of columns at least 0. Unmatched features without items need no firmness:
// nothing is lost when they get a partner.
template <class T>
[[nodiscard]] T firmness(const Matching<T>& matching, const T* weights,
                         const std::vector<std::uint8_t>& has_items, T* each) noexcept {
    T least = std::numeric_limits<T>::max();
    for (std::size_t r = 0; r < matching.rows.size; ++r) {
        each[r] = std::numeric_limits<T>::max();
        if (has_items[r] != 0 || matching.rows.mate[r] != Matching<T>::none)
            each[r] = matching.slack(weights, r);
        least = std::min(least, each[r]);
    }
    return least;
}

// Moves prices between mates so that the least firm feature becomes firmer; gives what firmness()
// does.
template <class T>
[[nodiscard]] T firmed(Matching<T>& matching, const T* weights,
                       const std::vector<std::uint8_t>& has_items, T* each) noexcept {
    auto& rows = matching.rows;
    auto& columns = matching.columns;
    for (std::size_t r = 0; r < rows.size; ++r) {
        if (rows.mate[r] == Matching<T>::none) continue;
        const auto mate = static_cast<std::size_t>(rows.mate[r]);
        int others = std::numeric_limits<T>::max();
        for (std::size_t other = 0; other < rows.size; ++other)
            if (other != r && has_items[other] != 0)
                others = std::min(others, rows.dual[other] + columns.dual[mate] -
                                              weights[other * matching.stride() + mate]);
        // What this row gains in firmness, the others lose at its column.
        const int step = std::min((others - matching.slack(weights, r)) / 2,
                                  static_cast<int>(columns.dual[mate]));
        rows.dual[r] = static_cast<T>(rows.dual[r] + step);
        columns.dual[mate] = static_cast<T>(columns.dual[mate] - step);
    }
    return firmness(matching, weights, has_items, each);
}

// Which draws are firm, and what they add to the overlap and to the worth of flips.
template <class T>
class FirmDraws {
public:
    // Among more features than this, hardly any draw is firm.
    static constexpr std::size_t max_features = 16;

    FirmDraws(std::size_t n_draws, const Allocation& allocation)
        : is_tried_(allocation.n_features() <= max_features),
          n_features_(allocation.n_features()),
          is_firm_(n_draws, 0),
          left_(is_tried_ ? n_draws * n_features_ : 0, 0),
          counts_(is_tried_ ? allocation.n_items() * n_features_ : 0, 0) {}

    [[nodiscard]] bool is_tried() const noexcept { return is_tried_; }
    [[nodiscard]] std::int64_t total_overlap() const noexcept { return total_; }
    [[nodiscard]] const std::int64_t* counts() const noexcept { return counts_.data(); }
    [[nodiscard]] std::int64_t* counts() noexcept { return counts_.data(); }
    [[nodiscard]] std::size_t n_counts() const noexcept { return counts_.size(); }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return is_firm_.size() + left_.size() * sizeof(T) + counts_.size() * sizeof(std::int64_t);
    }
    [[nodiscard]] std::size_t size() const noexcept {
        return static_cast<std::size_t>(std::count(is_firm_.begin(), is_firm_.end(), 1));
    }
    [[nodiscard]] std::vector<std::size_t> members() const { return draws_that_are(true); }
    [[nodiscard]] std::vector<std::size_t> others() const { return draws_that_are(false); }

    // Both may be called for several draws at once; their overlap and counts are added later.
    // Flips of each feature until the draw is loosened, to be set before it is admitted.
    [[nodiscard]] T* left(std::size_t draw) noexcept { return left_.data() + draw * n_features_; }
    void admit(std::size_t draw) noexcept { is_firm_[draw] = 1; }
    void add(std::int64_t overlap) noexcept { total_ += overlap; }

    // Takes note of flips that were made in the allocation; gives the draws that were firm until
    // then. What they add is still in, for the allocation as it is now.
    [[nodiscard]] std::vector<std::size_t> flip(std::span<const Flip> flips,
                                                const Allocation& allocation) {
        if (!is_tried_ || flips.empty()) return {};
        std::vector<T> n_flips(n_features_, 0);
        for (const auto& [item, feature] : flips) {
            const std::int64_t worth = counts_[item * n_features_ + feature];
            total_ += test_bit(allocation.feature(feature), item) ? worth : -worth;
            ++n_flips[feature];
        }
        std::vector<std::size_t> loosened;
        for (std::size_t b = 0; b < is_firm_.size(); ++b) {
            if (is_firm_[b] == 0) continue;
            T least = std::numeric_limits<T>::max();
            for (std::size_t r = 0; r < n_features_; ++r) {
                left(b)[r] = static_cast<T>(left(b)[r] - n_flips[r]);
                least = std::min(least, left(b)[r]);
            }
            if (least > 0) continue;
            is_firm_[b] = 0;
            loosened.push_back(b);
        }
        return loosened;
    }

    // After a feature without items got one, every matching may be another: none is firm then.
    [[nodiscard]] std::vector<std::size_t> dismiss_all() {
        const std::vector<std::size_t> dismissed = members();
        std::fill(is_firm_.begin(), is_firm_.end(), std::uint8_t{0});
        std::fill(counts_.begin(), counts_.end(), 0);
        total_ = 0;
        return dismissed;
    }

private:
    [[nodiscard]] std::vector<std::size_t> draws_that_are(bool firm) const {
        std::vector<std::size_t> draws;
        draws.reserve(is_firm_.size());
        for (std::size_t b = 0; b < is_firm_.size(); ++b)
            if ((is_firm_[b] != 0) == firm) draws.push_back(b);
        return draws;
    }

    bool is_tried_;
    std::size_t n_features_;
    std::vector<std::uint8_t> is_firm_;  // (n_draws)
    std::vector<T> left_;                // (n_draws, n_features), of use for firm draws
    std::vector<std::int64_t> counts_;   // (n_items, n_features), as Neighbourhood::changes
    std::int64_t total_ = 0;
};

}  // namespace fangs
