// Random numbers that are the same bits for the same seed on every platform.
// xoshiro256++ (Blackman and Vigna 2021); polar normals; gamma by Marsaglia and Tsang (2000).
// O(1) each. exp and log are our own: libraries differ in the last bit, and a chain amplifies it.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace fangs {

inline constexpr double ln2_high = 0x1.62e42fefa0000p-1;  // ln2_high + ln2_low is ln 2
inline constexpr double ln2_low = 0x1.cf79abc9e3b3ap-40;

// exp to a few units in the last place, from additions, multiplications and ldexp alone.
[[nodiscard]] inline double portable_exp(double x) noexcept {
    if (x > 709.7) return std::numeric_limits<double>::infinity();
    if (x < -745.0) return 0.0;
    const double k = std::floor(x * 1.4426950408889634 + 0.5);
    const double r = (x - k * ln2_high) - k * ln2_low;
    double sum = 1.0;
    for (int term = 14; term >= 1; --term) sum = 1.0 + sum * r / term;
    return std::ldexp(sum, static_cast<int>(k));
}

// Natural logarithm of x > 0, likewise.
[[nodiscard]] inline double portable_log(double x) noexcept {
    if (x == 0.0) return -std::numeric_limits<double>::infinity();
    int exponent = 0;
    double m = std::frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2.0;
        --exponent;
    }
    const double s = (m - 1.0) / (m + 1.0);
    const double s2 = s * s;
    double sum = 1.0 / 23.0;
    for (int odd = 21; odd >= 1; odd -= 2) sum = sum * s2 + 1.0 / odd;
    return exponent * ln2_high + (exponent * ln2_low + 2.0 * s * sum);
}

class Random {
public:
    // Any four words that are not all zero.
    explicit Random(const std::array<std::uint64_t, 4>& state) noexcept : state_(state) {}

    [[nodiscard]] std::uint64_t bits() noexcept {
        auto& s = state_;
        const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
        const std::uint64_t shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = std::rotl(s[3], 45);
        return result;
    }

    // Strictly between 0 and 1.
    [[nodiscard]] double uniform() noexcept {
        return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52;
    }

    [[nodiscard]] double exponential() noexcept { return -portable_log(uniform()); }

    // Uniform on 0..count-1, without bias: too large candidates are drawn again.
    [[nodiscard]] std::size_t below(std::size_t count) noexcept {
        const std::uint64_t mask = std::bit_ceil(static_cast<std::uint64_t>(count)) - 1;
        for (;;) {
            const std::uint64_t candidate = (bits() >> 11) & mask;
            if (candidate < count) return static_cast<std::size_t>(candidate);
        }
    }

    [[nodiscard]] double normal() noexcept {
        for (;;) {
            const double x = 2.0 * uniform() - 1.0;
            const double y = 2.0 * uniform() - 1.0;
            const double square = x * x + y * y;
            if (square < 1.0) return x * std::sqrt(-2.0 * portable_log(square) / square);
        }
    }

    // Gamma with rate 1.
    [[nodiscard]] double gamma(double shape) noexcept {
        if (shape < 1.0) return gamma(shape + 1.0) * portable_exp(-exponential() / shape);
        const double d = shape - 1.0 / 3.0;
        const double c = 1.0 / std::sqrt(9.0 * d);
        for (;;) {
            const double x = normal();
            const double root = 1.0 + c * x;
            if (root <= 0.0) continue;
            const double v = root * root * root;
            if (portable_log(uniform()) < 0.5 * x * x + d - d * v + d * portable_log(v))
                return d * v;
        }
    }

private:
    std::array<std::uint64_t, 4> state_;
};

}  // namespace fangs
