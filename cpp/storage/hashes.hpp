// Hashes of draws that ignore the order of columns and empty columns, so that sums identify sets.
// SplitMix64's finaliser mixes (Steele, Lea and Flood 2014); adding is an incremental multiset hash
// (Clarke et al. 2003). O(features * words) per draw.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "storage/bits.hpp"
#include "storage/draws.hpp"

namespace fangs {

namespace detail {

inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
    x += golden;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

}  // namespace detail

// One hash per draw, equal for equal allocations // out (n_draws). check() is called at each draw.
template <class Check>
void hash_draws(const Draws& draws, std::uint64_t* out, Check&& check) {
    constexpr std::size_t together = 4;  // hashes of columns, each of which waits for itself
    const std::size_t n_words = draws.n_words();
    std::vector<Word> sets(draws.max_features() * n_words);
    for (std::size_t b = 0; b < draws.size(); ++b) {
        check();
        draws.read(b, sets.data());
        std::uint64_t sum = 0;
        for (std::size_t first = 0; first < draws.n_features(b); first += together) {
            const std::size_t n_sets = std::min(together, draws.n_features(b) - first);
            const Word* some = sets.data() + first * n_words;
            std::array<std::uint64_t, together> columns{};
            for (std::size_t w = 0; w < n_words; ++w)
                for (std::size_t f = 0; f < together; ++f)
                    columns[f] =
                        detail::mixed(columns[f] ^ some[std::min(f, n_sets - 1) * n_words + w]);
            for (std::size_t f = 0; f < n_sets; ++f)
                if (any(some + f * n_words, n_words)) sum += columns[f];  // else on other items
        }
        out[b] = detail::mixed(sum ^ detail::mixed(draws.n_items()));
    }
}

}  // namespace fangs
