// The dense algebra that the sampler needs, with a fixed order of summation.
// Row-major matrices with an explicit stride; Cholesky factors (Golub and Van Loan 2013, 4.2).
// O(k^3) for a factor or an inverse, O(k^2 d) to solve for d right-hand sides.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace fangs {

// Four running sums, which vectorise without leaving the order to the compiler.
[[nodiscard]] inline double squared_norm(const double* x, std::size_t size) noexcept {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += x[i + lane] * x[i + lane];
    for (; i < size; ++i) sum[0] += x[i] * x[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// |x + factor * y|^2
[[nodiscard]] inline double squared_norm(const double* x, double factor, const double* y,
                                         std::size_t size) noexcept {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const double value = x[i + lane] + factor * y[i + lane];
            sum[lane] += value * value;
        }
    for (; i < size; ++i) {
        const double value = x[i] + factor * y[i];
        sum[0] += value * value;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

inline void add_scaled(double* x, double factor, const double* y, std::size_t size) noexcept {
    for (std::size_t i = 0; i < size; ++i) x[i] += factor * y[i];
}

// Turns the lower triangle of `matrix` (k, k) into its Cholesky factor; false if a pivot is not
// positive. The upper triangle is neither read nor written.
[[nodiscard]] inline bool cholesky(std::span<double> matrix, std::size_t k) noexcept {
    for (std::size_t i = 0; i < k; ++i) {
        double* row = matrix.data() + i * k;
        for (std::size_t j = 0; j <= i; ++j) {
            const double* other = matrix.data() + j * k;
            double sum = row[j];
            for (std::size_t l = 0; l < j; ++l) sum -= row[l] * other[l];
            if (j < i) {
                row[j] = sum / other[j];
            } else {
                if (!(sum > 0.0)) return false;
                row[i] = std::sqrt(sum);
            }
        }
    }
    return true;
}

// In place: right (k, d) becomes L^-1 right.
inline void solve_lower(std::span<const double> factor, std::size_t k, std::span<double> right,
                        std::size_t d) noexcept {
    for (std::size_t i = 0; i < k; ++i) {
        double* row = right.data() + i * d;
        for (std::size_t j = 0; j < i; ++j)
            add_scaled(row, -factor[i * k + j], right.data() + j * d, d);
        for (std::size_t c = 0; c < d; ++c) row[c] /= factor[i * k + i];
    }
}

// In place: right (k, d) becomes L'^-1 right.
inline void solve_upper(std::span<const double> factor, std::size_t k, std::span<double> right,
                        std::size_t d) noexcept {
    for (std::size_t i = k; i-- > 0;) {
        double* row = right.data() + i * d;
        for (std::size_t j = i + 1; j < k; ++j)
            add_scaled(row, -factor[j * k + i], right.data() + j * d, d);
        for (std::size_t c = 0; c < d; ++c) row[c] /= factor[i * k + i];
    }
}

}  // namespace fangs
