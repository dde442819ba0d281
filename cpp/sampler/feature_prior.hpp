// The IBP or AIBD prior of one bit, and of features that one item has alone.
// Griffiths and Ghahramani 2011; Warr, Dahl, Meyer and Lui 2022.
// IBP: O(1) per bit. AIBD: O(n) per bit, from running attractions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sampler/random.hpp"

namespace fangs {

// A labelled allocation has mass e^(-alpha H_n) alpha^K / K! * prod_k f(column k), so the prior
// odds of a bit are f(with) / f(without). Items are numbered in their order of arrival. The item at
// position j (from 0) takes a feature that earlier items brought with probability
//     p_jk = sum of share[j][l] over l < j that have k,   sum over all l < j of share[j][l] =
//     j/(j+1),
// and f(column) = 1/(first+1) * prod over j > first of (p_jk if j has it, else 1 - p_jk).
// Switching bit (i, k) therefore changes the factors of i and of every later item. If i comes
// before the first other taker, it also decides who brings the feature.
class FeaturePrior {
public:
    // share: (n, n), lower triangle used; empty for the IBP, where every share[j][l] is 1/(j+1).
    FeaturePrior(std::size_t n, std::span<const double> share) : n_(n), singleton_(n) {
        if (share.empty()) {
            singleton_.assign(n, 1.0 / static_cast<double>(n));
            return;
        }
        by_giver_.resize(n * n);
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t l = 0; l < j; ++l) by_giver_[l * n + j] = share[j * n + l];
        // A feature of item i alone: i brings it, and every later item declines it.
        for (std::size_t i = 0; i < n; ++i) {
            double f = 1.0 / static_cast<double>(i + 1);
            for (std::size_t j = i + 1; j < n; ++j) f *= 1.0 - by_giver_[i * n + j];
            singleton_[i] = f;
        }
    }

    [[nodiscard]] bool attracts() const noexcept { return !by_giver_.empty(); }
    [[nodiscard]] double singleton(std::size_t i) const noexcept { return singleton_[i]; }

    // Copies the features of an allocation. z: (n, K) in rows of `stride`.
    void assign(std::span<const std::uint8_t> z, std::size_t stride, std::size_t n_features) {
        if (!attracts()) return;
        taken_.assign(n_ * n_features, 0);
        attraction_.assign(n_ * n_features, 0.0);
        for (std::size_t k = 0; k < n_features; ++k)
            for (std::size_t i = 0; i < n_; ++i)
                if (z[i * stride + k]) set(k, i, true);
    }

    // Prior log odds of bit (i, k). `others` > 0 items other than i have k.
    [[nodiscard]] double log_odds(std::size_t k, std::size_t i, std::size_t others) const noexcept {
        if (!attracts())
            return portable_log(static_cast<double>(others) / static_cast<double>(n_ - others));
        const std::uint8_t* taken = taken_.data() + k * n_;
        std::size_t first = 0;  // the first other taker
        while (!taken[first] || first == i) ++first;
        double ratio = 1.0 / static_cast<double>(i + 1);
        if (first < i) ratio = attraction_[k * n_ + i] / (1.0 - attraction_[k * n_ + i]);
        double log_ratio = 0.0;
        for (std::size_t j = i + 1; j < n_; ++j) {
            const double without = attraction_without(k, i, j);
            const double with = without + by_giver_[i * n_ + j];
            if (j > first)
                ratio *= taken[j] ? with / without : (1.0 - with) / (1.0 - without);
            else if (j == first)
                ratio *= with * static_cast<double>(j + 1);
            else
                ratio *= 1.0 - with;
            if (ratio > 1e100 || ratio < 1e-100) {  // shares are at least 1e-100: no overflow
                log_ratio += portable_log(ratio);
                ratio = 1.0;
            }
        }
        return log_ratio + portable_log(ratio);
    }

    void set(std::size_t k, std::size_t i, bool value) noexcept {
        if (!attracts() || (taken_[k * n_ + i] != 0) == value) return;
        for (std::size_t j = i + 1; j < n_; ++j)
            attraction_[k * n_ + j] = value ? attraction_[k * n_ + j] + by_giver_[i * n_ + j]
                                            : attraction_without(k, i, j);
        taken_[k * n_ + i] = value;
    }

    // A new, empty feature at the end.
    void append() {
        if (!attracts()) return;
        taken_.resize(taken_.size() + n_, 0);
        attraction_.resize(attraction_.size() + n_, 0.0);
    }

    // Removes feature k; the last one takes its place.
    void drop(std::size_t k) {
        if (!attracts()) return;
        const std::size_t last = taken_.size() / n_ - 1;
        for (std::size_t j = 0; j < n_; ++j) {
            taken_[k * n_ + j] = taken_[last * n_ + j];
            attraction_[k * n_ + j] = attraction_[last * n_ + j];
        }
        taken_.resize(last * n_);
        attraction_.resize(last * n_);
    }

private:
    // p_jk as if item i < j did not have k. Where the difference cancels, the sum is recomputed.
    [[nodiscard]] double attraction_without(std::size_t k, std::size_t i,
                                            std::size_t j) const noexcept {
        const double current = attraction_[k * n_ + j];
        if (!taken_[k * n_ + i]) return current;
        const double difference = current - by_giver_[i * n_ + j];
        if (difference > 1e-6 * current) return difference;
        double sum = 0.0;
        for (std::size_t l = 0; l < j; ++l)
            if (l != i && taken_[k * n_ + l]) sum += by_giver_[l * n_ + j];
        return sum;
    }

    std::size_t n_;
    std::vector<double> singleton_;    // (n)
    std::vector<double> by_giver_;     // (n, n): [l][j] = share[j][l], empty for the IBP
    std::vector<std::uint8_t> taken_;  // (K, n)
    std::vector<double> attraction_;   // (K, n): p_jk
};

}  // namespace fangs
