// Aligned draws in the order of the reference: sizes, overlaps, counts, the draws themselves.
// Takes the permutations of an alignment; nothing is matched here.
// O(K * n / 64) per draw for counts, O(K * n) for relabelled draws.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "passes/tally.hpp"
#include "passes/threads.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"
#include "storage/weights.hpp"

namespace fangs {

// Items shared with, and items of, the feature aligned to each column. permutations, overlaps,
// sizes // (n_draws, n_features); a permutation of -1 leaves zeros.
inline void measure(const Draws& draws, const Allocation& reference,
                    const std::int32_t* permutations, std::int32_t* overlaps, std::int32_t* sizes,
                    const Parallel& parallel) {
    const std::size_t n_words = draws.n_words(), n_features = reference.n_features();
    parallel_for(
        parallel, draws.size(), 10.0 + 5.0 * static_cast<double>(n_features * n_words),
        [&] { return std::vector<Word>(draws.max_features() * n_words); },
        [&](std::vector<Word>& sets, std::size_t b) {
            draws.read(b, sets.data());
            for (std::size_t j = 0; j < n_features; ++j) {
                const std::int32_t k = permutations[b * n_features + j];
                if (k < 0) continue;
                const Word* theirs = sets.data() + static_cast<std::size_t>(k) * n_words;
                const Word* ours = reference.feature(j);
                int shared = 0, size = 0;
                for (std::size_t w = 0; w < n_words; ++w) {
                    shared += std::popcount(ours[w] & theirs[w]);
                    size += std::popcount(theirs[w]);
                }
                overlaps[b * n_features + j] = shared;
                sizes[b * n_features + j] = size;
            }
        },
        [](std::vector<Word>&) {});
}

// Draws first, first + 1, ..., their features in the order of the permutations // (n_taken,
// n_features); absent features are zeros. out // (n_taken, n_items, n_features), zeros to be filled
inline void relabel(const Draws& draws, std::size_t first, std::size_t n_taken,
                    std::size_t n_features, const std::int32_t* permutations, std::uint8_t* out,
                    const Parallel& parallel) {
    const std::size_t n_words = draws.n_words(), n_items = draws.n_items();
    parallel_for(
        parallel, n_taken, 10.0 + static_cast<double>(n_features * n_items),
        [&] { return std::vector<Word>(draws.max_features() * n_words); },
        [&](std::vector<Word>& sets, std::size_t b) {
            draws.read(first + b, sets.data());
            std::uint8_t* draw = out + b * n_items * n_features;
            for (std::size_t j = 0; j < n_features; ++j) {
                const std::int32_t k = permutations[b * n_features + j];
                if (k < 0) continue;
                for_each_bit(sets.data() + static_cast<std::size_t>(k) * n_words, n_words,
                             [&](std::size_t i) { draw[i * n_features + j] = 1; });
            }
        },
        [](std::vector<Word>&) {});
}

// Weight of those of the taken draws whose feature aligned to column j has item i.
// permutations // (taken.size(), n_features); counts // (n_items, n_features)
inline void count_aligned(const Draws& draws, const DrawWeights& weights,
                          std::span<const std::size_t> taken, const std::int32_t* permutations,
                          Counts& counts, const Parallel& parallel) {
    struct Worker {
        std::vector<Word> sets;
        Tally tally;
    };
    const std::size_t n_words = draws.n_words(), n_features = counts.n_rows();
    parallel_for(
        parallel, taken.size(), 10.0 + 5.0 * static_cast<double>(n_features * n_words),
        [&] {
            return Worker{std::vector<Word>(draws.max_features() * n_words),
                          Tally(counts, weights.largest())};
        },
        [&](Worker& worker, std::size_t at) {
            draws.read(taken[at], worker.sets.data());
            for (std::size_t j = 0; j < n_features; ++j) {
                const std::int32_t k = permutations[at * n_features + j];
                worker.tally.put(
                    j,
                    k < 0 ? nullptr : worker.sets.data() + static_cast<std::size_t>(k) * n_words);
            }
            worker.tally.add(weights[taken[at]]);
        },
        [](Worker& worker) { worker.tally.flush(); });
}

// Number of features with each item, over all draws by weight. out // (n_items), zeros to be filled
template <class Check>
void count_items(const Draws& draws, const DrawWeights& weights, std::int64_t* out, Check&& check) {
    std::vector<Word> sets(draws.max_features() * draws.n_words());
    for (std::size_t b = 0; b < draws.size(); ++b) {
        check();
        draws.read(b, sets.data());
        for (std::size_t f = 0; f < draws.n_features(b); ++f)
            for_each_bit(sets.data() + f * draws.n_words(), draws.n_words(),
                         [&](std::size_t i) { out[i] += weights[b]; });
    }
}

}  // namespace fangs
