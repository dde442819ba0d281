// Finds equal draws and equal features, whatever the order of their columns.
// Equal content is found by hashing bytes; the features of a draw are sorted first.
// O(ones + K log K) per draw. check() is called at each draw, and may throw.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "storage/bits.hpp"
#include "storage/draws.hpp"

namespace fangs {

namespace detail {

[[nodiscard]] inline std::string bytes_of(const Word* set, std::size_t n_words) {
    return {reinterpret_cast<const char*>(set), n_words * sizeof(Word)};
}

}  // namespace detail

// For each draw the first draw with the same features in the same order // (n_draws); empty where
// merging would not pay: if none of the first draws repeat, or as soon as more than half of the
// draws are found to differ. If half of the B draws repeat others at random, some of any 2 sqrt(B)
// draws do, almost surely. Open addressing: O(words) per draw.
template <class Check>
[[nodiscard]] std::vector<std::size_t> first_identical_draws(const Draws& draws, Check&& check) {
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    const std::size_t n_draws = draws.size(), n_words = draws.n_words();
    std::vector<Word> mine(draws.max_features() * n_words), theirs(mine.size());
    const auto hash_of = [&](std::size_t b) {  // leaves the features in `mine`
        check();
        draws.read(b, mine.data());
        const std::size_t size = draws.n_features(b) * n_words;
        std::uint64_t hash = size;
        for (std::size_t w = 0; w < size; ++w) {
            hash = (hash ^ mine[w]) * 0x9e3779b97f4a7c15;
            hash ^= hash >> 32;
        }
        return hash;
    };

    const double root = std::sqrt(static_cast<double>(n_draws));
    std::vector<std::uint64_t> hashes(
        std::min(n_draws, std::max<std::size_t>(32, static_cast<std::size_t>(2.0 * root))));
    for (std::size_t b = 0; b < hashes.size(); ++b) hashes[b] = hash_of(b);
    std::sort(hashes.begin(), hashes.end());
    if (std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end()) return {};

    const std::size_t mask = std::bit_ceil(2 * n_draws) - 1;
    std::vector<std::size_t> slots(mask + 1, none), out(n_draws);
    hashes.resize(n_draws);
    std::size_t n_distinct = 0;
    for (std::size_t b = 0; b < n_draws; ++b) {
        hashes[b] = hash_of(b);
        const std::size_t size = draws.n_features(b) * n_words;
        std::size_t at = hashes[b] & mask;
        for (; slots[at] != none; at = (at + 1) & mask) {
            const std::size_t other = slots[at];
            if (hashes[other] != hashes[b] || draws.n_features(other) != draws.n_features(b))
                continue;
            draws.read(other, theirs.data());
            if (std::equal(mine.data(), mine.data() + size, theirs.data())) break;
        }
        if (slots[at] == none) {
            if (2 * ++n_distinct > n_draws) return {};
            slots[at] = b;
        }
        out[b] = slots[at];
    }
    return out;
}

// For each draw the first draw that is the same allocation // (n_draws)
template <class Check>
[[nodiscard]] std::vector<std::size_t> first_equal_draws(const Draws& draws, Check&& check) {
    std::unordered_map<std::string, std::size_t> first;
    std::vector<std::size_t> out(draws.size());
    std::vector<Word> sets(draws.max_features() * draws.n_words());
    std::vector<std::string> features;
    for (std::size_t b = 0; b < draws.size(); ++b) {
        check();
        draws.read(b, sets.data());
        features.clear();
        for (std::size_t f = 0; f < draws.n_features(b); ++f)
            features.push_back(
                detail::bytes_of(sets.data() + f * draws.n_words(), draws.n_words()));
        std::sort(features.begin(), features.end());
        std::string all;
        for (const std::string& feature : features) all += feature;
        out[b] = first.emplace(std::move(all), b).first->second;
    }
    return out;
}

// The distinct features of some draws, and which of them each draw has.
class DistinctFeatures {
public:
    template <class Check>
    DistinctFeatures(const Draws& draws, const std::vector<std::size_t>& members, Check&& check)
        : n_words_(draws.n_words()), first_{0} {
        std::unordered_map<std::string, std::size_t> known;
        std::vector<Word> draw(draws.max_features() * n_words_);
        for (const std::size_t b : members) {
            check();
            draws.read(b, draw.data());
            for (std::size_t f = 0; f < draws.n_features(b); ++f) {
                const Word* set = draw.data() + f * n_words_;
                const auto [found, is_new] =
                    known.emplace(detail::bytes_of(set, n_words_), known.size());
                if (is_new) sets_.insert(sets_.end(), set, set + n_words_);
                ids_.push_back(found->second);
            }
            first_.push_back(ids_.size());
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return sets_.size() / n_words_; }
    [[nodiscard]] const Word* set(std::size_t id) const noexcept {
        return sets_.data() + id * n_words_;
    }

    // Calls visit(id) for each feature of the m-th member.
    template <class Visit>
    void of_member(std::size_t m, Visit&& visit) const {
        for (std::size_t f = first_[m]; f < first_[m + 1]; ++f) visit(ids_[f]);
    }

private:
    std::size_t n_words_;
    std::vector<Word> sets_;          // (size, n_words)
    std::vector<std::size_t> ids_;    // one per feature of every member
    std::vector<std::size_t> first_;  // (n_members + 1), where each member's ids begin
};

}  // namespace fangs
