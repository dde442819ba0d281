// The linear-Gaussian model X = Z A + noise with A integrated out, one item at a time.
// Rank-one updates of M^-1 and the posterior mean: Doshi-Velez and Ghahramani 2009.
// O(K^2 + K D) to open or close an item, O(K + D) per bit, O(K^3 + K^2 D) to refresh.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sampler/dense.hpp"
#include "sampler/random.hpp"

namespace fangs {

// Given the other items, item i is Gaussian:
//     x_i | z_i, X_-i, Z  ~  N(z_i H, v I),   v = sigma_x^2 (1 + z_i M^-1 z_i') + singles
//     sigma_a^2,
// where M = Z'Z + (sigma_x/sigma_a)^2 I and H = M^-1 Z'X are over the other items and their
// features. Each feature that i has alone only adds sigma_a^2 to the variance. open(i) removes the
// item and the features that it has alone; close() puts it back. Bits are read and set only while
// an item is open.
class LinearGaussian {
public:
    // data: (n, d); z: (n, n_features), no empty column.
    LinearGaussian(std::span<const double> data, std::size_t n, std::size_t d,
                   std::span<const std::uint8_t> z, std::size_t n_features, double sigma_x,
                   double sigma_a)
        : n_(n),
          d_(d),
          k_(n_features),
          x_(data.begin(), data.end()),
          sigma_x_(sigma_x),
          sigma_a_(sigma_a),
          residual_(d) {
        reserve(std::max<std::size_t>(n_features, 8));
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < k_; ++k) {
                z_[i * capacity_ + k] = z[i * n_features + k];
                count_[k] += z[i * n_features + k];
            }
    }

    [[nodiscard]] std::size_t n_items() const noexcept { return n_; }
    [[nodiscard]] std::size_t n_features() const noexcept { return k_; }
    [[nodiscard]] std::size_t n_dims() const noexcept { return d_; }
    [[nodiscard]] std::size_t stride() const noexcept { return capacity_; }
    [[nodiscard]] std::span<const std::uint8_t> matrix() const noexcept { return z_; }
    [[nodiscard]] double sigma_x() const noexcept { return sigma_x_; }
    [[nodiscard]] double sigma_a() const noexcept { return sigma_a_; }

    void set_data(std::span<const double> data) { x_.assign(data.begin(), data.end()); }
    void set_scales(double sigma_x, double sigma_a) noexcept {
        sigma_x_ = sigma_x;
        sigma_a_ = sigma_a;
    }

    // Z'Z and Z'X over all items but `without` (n for none), for log_likelihood and refresh.
    void gather(std::size_t without) {
        gram_.assign(k_ * k_, 0.0);
        cross_.assign(k_ * d_, 0.0);
        for (std::size_t i = 0; i < n_; ++i) {
            if (i == without) continue;
            list_row(i);
            for (const std::size_t k : ones_) {
                for (const std::size_t l : ones_) gram_[k * k_ + l] += 1.0;
                add_scaled(cross_.data() + k * d_, 1.0, x_.data() + i * d_, d_);
            }
        }
    }

    // log p(X | Z, sigma_x, sigma_a) at any scales, after gather(n); -infinity where the matrix is
    // singular to double precision.
    [[nodiscard]] double log_likelihood(double sigma_x, double sigma_a) {
        const double ratio = sigma_x / sigma_a;
        factor_ = gram_;
        for (std::size_t k = 0; k < k_; ++k) factor_[k * k_ + k] += ratio * ratio;
        if (!cholesky(factor_, k_)) return -std::numeric_limits<double>::infinity();
        work_ = cross_;
        solve_lower(factor_, k_, work_, d_);
        double log_root = 0.0;  // half of log |M|
        for (std::size_t k = 0; k < k_; ++k) log_root += portable_log(factor_[k * k_ + k]);
        const double n = static_cast<double>(n_), d = static_cast<double>(d_);
        const double k = static_cast<double>(k_);
        const double left =
            std::max(0.0, squared_norm(x_.data(), n_ * d_) - squared_norm(work_.data(), k_ * d_));
        constexpr double log_two_pi = 1.8378770664093453;
        return -0.5 * n * d * log_two_pi - (n - k) * d * portable_log(sigma_x) -
               k * d * portable_log(sigma_a) - d * log_root - left / (2.0 * sigma_x * sigma_x);
    }

    // Computes M^-1 and H from scratch over all items but `without` (n for none).
    void refresh(std::size_t without) {
        gather(without);
        const double ratio = sigma_x_ / sigma_a_;
        for (std::size_t k = 0; k < k_; ++k) gram_[k * k_ + k] += ratio * ratio;
        if (!cholesky(gram_, k_))
            throw std::runtime_error(
                "the allocation's Gram matrix is singular to double precision; sigma_x is too "
                "small beside sigma_a");
        work_.assign(k_ * k_, 0.0);
        for (std::size_t k = 0; k < k_; ++k) work_[k * k_ + k] = 1.0;
        solve_lower(gram_, k_, work_, k_);
        solve_upper(gram_, k_, work_, k_);
        for (std::size_t k = 0; k < k_; ++k)
            std::copy_n(work_.data() + k * k_, k_, inverse_.data() + k * capacity_);
        solve_lower(gram_, k_, cross_, d_);
        solve_upper(gram_, k_, cross_, d_);
        std::copy_n(cross_.data(), k_ * d_, mean_.data());
    }

    // Removes item i. Features that it has alone are dropped: on_drop(k) is called, and the last
    // feature moves to place k. Returns the number of features dropped.
    template <class OnDrop>
    std::size_t open(std::size_t i, OnDrop&& on_drop) {
        item_ = i;
        multiply_row();
        const double remaining = 1.0 - quadratic_;
        // A leverage near one cancels; then the item is left out of a fresh factor instead.
        const bool fresh = remaining < 1e-5;
        if (!fresh) rank_one(1.0 / remaining, -1.0 / remaining);
        std::uint8_t* row = z_.data() + i * capacity_;
        for (std::size_t k = 0; k < k_; ++k) count_[k] -= row[k];
        std::size_t singles = 0;
        for (std::size_t k = k_; k-- > 0;)
            if (count_[k] == 0) {
                drop(k);
                on_drop(k);
                ++singles;
            }
        if (fresh) refresh(i);
        multiply_row();
        return singles;
    }

    [[nodiscard]] bool has(std::size_t k) const noexcept { return z_[item_ * capacity_ + k] != 0; }
    [[nodiscard]] std::size_t others(std::size_t k) const noexcept { return count_[k]; }

    // Change of log p(x_i | ...) when one bit is switched.
    [[nodiscard]] double gain_of_switch(std::size_t k, std::size_t singles) const noexcept {
        const double sign = has(k) ? -1.0 : 1.0;
        const double quadratic =
            quadratic_ + 2.0 * sign * product_[k] + inverse_[k * capacity_ + k];
        const double distance = squared_norm(residual_.data(), -sign, mean_.data() + k * d_, d_);
        const double now = variance(quadratic_, singles), then = variance(quadratic, singles);
        return 0.5 * (static_cast<double>(d_) * portable_log(now / then) + distance_ / now -
                      distance / then);
    }

    // log p(x_i | ...) with this many features of its own, up to a constant.
    [[nodiscard]] double log_density(std::size_t singles) const noexcept {
        const double v = variance(quadratic_, singles);
        return -0.5 * (static_cast<double>(d_) * portable_log(v) + distance_ / v);
    }

    // Variance of each coordinate of x_i with this many features of its own.
    [[nodiscard]] double variance(std::size_t singles) const noexcept {
        return variance(quadratic_, singles);
    }

    void switch_bit(std::size_t k) noexcept {
        const double sign = has(k) ? -1.0 : 1.0;
        quadratic_ += 2.0 * sign * product_[k] + inverse_[k * capacity_ + k];
        add_scaled(product_.data(), sign, inverse_.data() + k * capacity_, k_);
        add_scaled(residual_.data(), -sign, mean_.data() + k * d_, d_);
        distance_ = squared_norm(residual_.data(), d_);
        z_[item_ * capacity_ + k] ^= 1U;
    }

    // Puts the open item back with `singles` new features of its own, at the end.
    void close(std::size_t singles) {
        if (k_ + singles > capacity_) reserve(std::max(2 * capacity_, k_ + singles));
        const double ratio = sigma_a_ / sigma_x_;
        for (std::size_t s = 0; s < singles; ++s, ++k_) {
            for (std::size_t k = 0; k < k_; ++k)
                inverse_[k * capacity_ + k_] = inverse_[k_ * capacity_ + k] = 0.0;
            inverse_[k_ * capacity_ + k_] = ratio * ratio;
            std::fill_n(mean_.data() + k_ * d_, d_, 0.0);
            for (std::size_t i = 0; i < n_; ++i) z_[i * capacity_ + k_] = 0;
            z_[item_ * capacity_ + k_] = 1;
            count_[k_] = 0;
        }
        multiply_row();
        rank_one(-1.0 / (1.0 + quadratic_), 1.0 / (1.0 + quadratic_));
        for (std::size_t k = 0; k < k_; ++k) count_[k] += z_[item_ * capacity_ + k];
    }

private:
    [[nodiscard]] double variance(double quadratic, std::size_t singles) const noexcept {
        return sigma_x_ * sigma_x_ * (1.0 + quadratic) +
               static_cast<double>(singles) * sigma_a_ * sigma_a_;
    }

    void list_row(std::size_t i) {
        ones_.clear();
        for (std::size_t k = 0; k < k_; ++k)
            if (z_[i * capacity_ + k]) ones_.push_back(k);
    }

    // product = M^-1 z', quadratic = z M^-1 z', residual = x - z H, for the open item.
    void multiply_row() {
        list_row(item_);
        std::fill_n(product_.data(), k_, 0.0);
        std::copy_n(x_.data() + item_ * d_, d_, residual_.data());
        for (const std::size_t k : ones_) {
            add_scaled(product_.data(), 1.0, inverse_.data() + k * capacity_, k_);
            add_scaled(residual_.data(), -1.0, mean_.data() + k * d_, d_);
        }
        quadratic_ = 0.0;
        for (const std::size_t k : ones_) quadratic_ += product_[k];
        distance_ = squared_norm(residual_.data(), d_);
    }

    // M^-1 += on_inverse * p p',  H += on_mean * p r, with p and r from multiply_row.
    void rank_one(double on_inverse, double on_mean) noexcept {
        for (std::size_t k = 0; k < k_; ++k) {
            add_scaled(inverse_.data() + k * capacity_, on_inverse * product_[k], product_.data(),
                       k_);
            add_scaled(mean_.data() + k * d_, on_mean * product_[k], residual_.data(), d_);
        }
    }

    // Removes feature k; the last one takes its place.
    void drop(std::size_t k) noexcept {
        const std::size_t last = --k_;
        if (k == last) return;
        for (std::size_t i = 0; i < n_; ++i) z_[i * capacity_ + k] = z_[i * capacity_ + last];
        count_[k] = count_[last];
        for (std::size_t l = 0; l < last; ++l)
            inverse_[k * capacity_ + l] = inverse_[last * capacity_ + l];
        for (std::size_t l = 0; l < last; ++l)
            inverse_[l * capacity_ + k] = inverse_[l * capacity_ + last];
        inverse_[k * capacity_ + k] = inverse_[last * capacity_ + last];
        std::copy_n(mean_.data() + last * d_, d_, mean_.data() + k * d_);
    }

    void reserve(std::size_t capacity) {
        std::vector<std::uint8_t> z(n_ * capacity, 0);
        std::vector<double> inverse(capacity * capacity, 0.0);
        for (std::size_t i = 0; i < n_ && capacity_ > 0; ++i)
            std::copy_n(z_.data() + i * capacity_, k_, z.data() + i * capacity);
        for (std::size_t k = 0; k < k_ && capacity_ > 0; ++k)
            std::copy_n(inverse_.data() + k * capacity_, k_, inverse.data() + k * capacity);
        z_ = std::move(z);
        inverse_ = std::move(inverse);
        capacity_ = capacity;
        mean_.resize(capacity * d_);
        count_.resize(capacity);
        product_.resize(capacity);
    }

    std::size_t n_, d_, k_, capacity_ = 0, item_ = 0;
    std::vector<double> x_;  // (n, d)
    double sigma_x_, sigma_a_;
    std::vector<std::uint8_t> z_;     // (n, capacity)
    std::vector<std::size_t> count_;  // (capacity): items that have k, without the open one
    std::vector<double> inverse_;     // (capacity, capacity): M^-1
    std::vector<double> mean_;        // (capacity, d): H
    std::vector<double> product_;     // (capacity)
    std::vector<double> residual_;    // (d)
    double quadratic_ = 0.0, distance_ = 0.0;
    std::vector<std::size_t> ones_;
    std::vector<double> gram_, cross_, factor_, work_;
};

}  // namespace fangs
