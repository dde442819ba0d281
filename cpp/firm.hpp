// Draws that need not be visited: their one optimal matching survives the flips to come.
// Flips change the overlaps of a feature by no more than their number. Where the dual prices leave
// every other choice of a feature worse by s, the matching therefore stays the only optimal one
// until some feature has had s flips; the worth of all flips stays as it is, too (docs/search.md).
// O(K^2) to say how firm a draw is; O(1) per draw and flip then, and no look at the draw itself.
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

// How many flips of any one feature it takes until a matching may no longer be the only optimal
// one; not above 0 if it may not be even now. Matched edges are tight, and the prices of columns at
// least 0. Unmatched features without items need no firmness: nothing is lost when they get a
// partner.
template <class T>
[[nodiscard]] T firmness(const Matching<T>& matching, const T* weights,
                         const std::vector<bool>& has_items) noexcept {
    T least = std::numeric_limits<T>::max();
    for (std::size_t r = 0; r < matching.rows.size; ++r)
        if (has_items[r] || matching.rows.mate[r] != Matching<T>::none)
            least = std::min(least, matching.slack(weights, r));
    return least;
}

// Moves prices between mates so that the least firm feature becomes firmer; gives its firmness.
template <class T>
[[nodiscard]] T firmed(Matching<T>& matching, const T* weights,
                       const std::vector<bool>& has_items) noexcept {
    auto& rows = matching.rows;
    auto& columns = matching.columns;
    for (std::size_t r = 0; r < rows.size; ++r) {
        if (rows.mate[r] == Matching<T>::none) continue;
        const auto mate = static_cast<std::size_t>(rows.mate[r]);
        int others = std::numeric_limits<T>::max();
        for (std::size_t other = 0; other < rows.size; ++other)
            if (other != r && has_items[other])
                others = std::min(others, rows.dual[other] + columns.dual[mate] -
                                              weights[other * matching.stride() + mate]);
        // What this row gains in firmness, the others lose at its column.
        const int step = std::min((others - matching.slack(weights, r)) / 2,
                                  static_cast<int>(columns.dual[mate]));
        rows.dual[r] = static_cast<T>(rows.dual[r] + step);
        columns.dual[mate] = static_cast<T>(columns.dual[mate] - step);
    }
    return firmness(matching, weights, has_items);
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
          left_(n_draws, 0),
          counts_(is_tried_ ? allocation.n_items() * n_features_ : 0, 0) {}

    [[nodiscard]] bool is_tried() const noexcept { return is_tried_; }
    [[nodiscard]] std::int64_t total_overlap() const noexcept { return total_; }
    [[nodiscard]] const std::int64_t* counts() const noexcept { return counts_.data(); }
    [[nodiscard]] std::int64_t* counts() noexcept { return counts_.data(); }
    [[nodiscard]] std::size_t n_counts() const noexcept { return counts_.size(); }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return left_.size() * sizeof(T) + counts_.size() * sizeof(std::int64_t);
    }
    [[nodiscard]] std::vector<std::size_t> members() const { return draws_that_are(true); }
    [[nodiscard]] std::vector<std::size_t> others() const { return draws_that_are(false); }

    // May be called for several draws at once; their overlap and counts are added later.
    void admit(std::size_t draw, T firmness) noexcept { left_[draw] = firmness; }
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
        const T most = *std::max_element(n_flips.begin(), n_flips.end());
        std::vector<std::size_t> loosened;
        for (std::size_t b = 0; b < left_.size(); ++b) {
            if (left_[b] == 0) continue;
            left_[b] = static_cast<T>(std::max(left_[b] - most, 0));
            if (left_[b] == 0) loosened.push_back(b);
        }
        return loosened;
    }

    // After a feature without items got one, every matching may be another: none is firm then.
    [[nodiscard]] std::vector<std::size_t> dismiss_all() {
        const std::vector<std::size_t> dismissed = members();
        std::fill(left_.begin(), left_.end(), T{0});
        std::fill(counts_.begin(), counts_.end(), 0);
        total_ = 0;
        return dismissed;
    }

private:
    [[nodiscard]] std::vector<std::size_t> draws_that_are(bool firm) const {
        std::vector<std::size_t> draws;
        draws.reserve(left_.size());
        for (std::size_t b = 0; b < left_.size(); ++b)
            if ((left_[b] > 0) == firm) draws.push_back(b);
        return draws;
    }

    bool is_tried_;
    std::size_t n_features_;
    std::vector<T> left_;               // (n_draws), flips of one feature until a draw is loosened
    std::vector<std::int64_t> counts_;  // (n_items, n_features), as Neighbourhood::changes
    std::int64_t total_ = 0;
};

}  // namespace fangs
