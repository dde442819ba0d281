// Whether a matching is the only optimal one, and clearly: by prices that need no solving.
// Mates share their overlap evenly, what is unmatched has price 0. If every feature of the estimate
// is worse off with anything but its mate, these are dual prices, and no other matching is as good;
// by how much tells what flips cannot change it (docs/search.md). O(K^2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "bits.hpp"
#include "lanes.hpp"

namespace fangs {

// Among more features than this, hardly any draw has only one optimal matching.
inline constexpr std::size_t max_firm_features = 16;

template <class T>
class EvenPrices {
public:
    // Whether features (rows) with these mates, none without, have no choice as good as theirs.
    // weights // (mates, stride), stride a multiple of `lanes`; padding not above 0
    [[nodiscard]] bool prove(const T* weights, std::size_t stride, const std::vector<T>& mates) {
        share(weights, stride, mates);
        others_.resize(mates.size());
        for (std::size_t r = 0; r < mates.size(); ++r) {
            others_[r] = best_two(weights + r * stride, prices_.data(), stride).second;
            if (own_[r] <= others_[r]) return false;
        }
        return true;
    }

    // After that: the overlap of a row with its mate that is no longer enough, as long as the
    // others have gained nothing.
    [[nodiscard]] T not_enough(std::size_t row, std::size_t mate) const noexcept {
        return static_cast<T>(prices_[mate] + others_[row]);
    }

    // Only whether they have none, looking at all features at once; the weights of mates go. A row
    // that shares nothing with its mate fails at the mate, which has price 0.
    [[nodiscard]] bool hold(T* weights, std::size_t stride, const std::vector<T>& mates) {
        share(weights, stride, mates);
        for (std::size_t r = 0; r < mates.size(); ++r)
            weights[r * stride + static_cast<std::size_t>(mates[r])] = 0;
        for (std::size_t c = 0; c < stride; c += lanes) {
            auto most = Block<T>::splat(-1);  // that any row would leave to the column
            for (std::size_t r = 0; r < mates.size(); ++r)
                most = most.max(
                    Block<T>::load(weights + r * stride + c).minus(Block<T>::splat(own_[r])));
            const auto below = Block<T>::load(prices_.data() + c).minus(Block<T>::splat(1));
            if (most.max(below).equal(below) != low_bits(lanes)) return false;
        }
        return true;
    }

private:
    void share(const T* weights, std::size_t stride, const std::vector<T>& mates) {
        prices_.resize(stride);
        std::fill(prices_.begin(), prices_.end(), T{0});
        own_.resize(mates.size());
        for (std::size_t r = 0; r < mates.size(); ++r) {
            const auto mate = static_cast<std::size_t>(mates[r]);
            const T overlap = weights[r * stride + mate];
            prices_[mate] = static_cast<T>(overlap / 2);
            own_[r] = static_cast<T>(overlap - prices_[mate]);
        }
    }

    std::vector<T> prices_;        // (stride), of the columns
    std::vector<T> own_, others_;  // (rows), their prices, and what the best other choice is worth
};

}  // namespace fangs
