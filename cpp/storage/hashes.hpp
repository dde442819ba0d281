// Hashes of draws that ignore the order of columns and empty columns, so that sums identify sets.
// SplitMix64's finaliser mixes (Steele, Lea and Flood 2014); adding is an incremental multiset hash
// (Clarke et al. 2003). O(features * words) per draw.
#pragma once

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
    std::vector<Word> sets(draws.max_features() * draws.n_words());
    for (std::size_t b = 0; b < draws.size(); ++b) {
        check();
        draws.read(b, sets.data());
        std::uint64_t sum = 0;
        const Word* set = sets.data();
        for (std::size_t f = 0; f < draws.n_features(b); ++f, set += draws.n_words()) {
            if (!any(set, draws.n_words())) continue;  // on some of the items only
            std::uint64_t column = 0;
            for (std::size_t w = 0; w < draws.n_words(); ++w)
                column = detail::mixed(column ^ set[w]);
            sum += column;
        }
        out[b] = detail::mixed(sum ^ detail::mixed(draws.n_items()));
    }
}

}  // namespace fangs
