// Runs the passes over made-up draws and prints all results, for test_portable.py to compare
// between instruction sets.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "bounds/feature_bound.hpp"
#include "passes/alignment.hpp"
#include "passes/evaluation.hpp"
#include "passes/neighbourhood.hpp"
#include "passes/tally.hpp"
#include "passes/template.hpp"
#include "passes/threads.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"

namespace {

using namespace fangs;

const Parallel alone{1, {}};
const auto unchecked = [](auto...) {};

void print(const char* what, const auto& values) {
    std::printf("%s", what);
    for (const auto value : values) std::printf(" %lld", static_cast<long long>(value));
    std::printf("\n");
}

// The features of a truth with a tenth of the bits flipped, and sometimes one feature more.
std::vector<Word> noisy(const std::vector<Word>& truth, std::size_t n_items, std::mt19937_64& rng) {
    std::vector<Word> sets(truth);
    if (rng() % 2 == 0) sets.resize(sets.size() + words_for(n_items), 0);
    for (std::size_t f = 0; f < sets.size() / words_for(n_items); ++f)
        for (std::size_t i = 0; i < n_items; ++i)
            if (rng() % 10 == 0) flip_bit(sets.data() + f * words_for(n_items), i);
    return sets;
}

template <class T>
void run(std::size_t n_items, std::size_t n_features, std::size_t n_draws, unsigned density) {
    std::printf("%zu items, %zu features, %zu draws\n", n_items, n_features, n_draws);
    std::mt19937_64 rng(n_items + n_features);
    const std::size_t n_words = words_for(n_items);
    std::vector<Word> truth(n_features * n_words, 0);
    for (std::size_t f = 0; f < n_features; ++f)
        for (std::size_t i = 0; i < n_items; ++i)
            if (rng() % 100 < density) set_bit(truth.data() + f * n_words, i);
    Draws draws(n_items);
    for (std::size_t b = 0; b < n_draws; ++b) {
        const auto sets = noisy(truth, n_items, rng);
        draws.append(sets.data(), sets.size() / n_words);
    }
    Allocation allocation(n_items, n_features);
    std::copy(truth.begin(), truth.end(), allocation.feature(0));

    std::vector<std::int64_t> overlaps(n_draws), counts(n_items * n_features),
        support(n_items * n_features);
    std::vector<std::int32_t> permutations(n_draws * n_features);
    Counts aligned(n_features, n_items, counts.data());
    align<T>(draws, {}, allocation, {overlaps.data(), permutations.data(), &aligned}, alone);
    print("overlaps", overlaps);
    print("permutations", permutations);
    print("counts", counts);

    Neighbourhood<T> nearby(draws, {}, allocation, nullptr, alone);
    for (std::size_t f = 0; f < n_features; ++f)
        nearby.flip(std::vector<Flip>{{(f * 7) % n_items, f}}, nullptr, alone);
    nearby.flip_support(support.data(), alone);
    print("support", support);

    std::vector<std::int64_t> evaluated(n_items * n_features), supported(n_items * n_features);
    Counts placed(n_features, n_items, evaluated.data());
    Counts flips(n_features, n_items, supported.data());
    evaluate<T>(draws, {}, nearby.allocation(),
                {overlaps.data(), permutations.data(), &placed, &flips}, alone);
    print("evaluated overlaps", overlaps);
    print("evaluated permutations", permutations);
    print("evaluated counts", evaluated);
    print("evaluated support", supported);

    std::vector<std::size_t> walk;
    for (std::size_t b = 0; b < n_draws; ++b) walk.push_back(b);
    Template<T> grown(draws);
    grown.grow(walk, 2, unchecked);
    for (std::size_t f = 0; f < grown.n_features(); ++f)
        for (std::size_t i = 0; i < n_items; ++i) std::printf(" %d", int{grown.count(i, f)});
    std::printf("\n");

    FeatureBounds<T> bounds(n_items, truth.data(), n_features);
    std::vector<Word> draw(draws.max_features() * n_words);
    std::vector<T> prices(draws.max_features(), T{1});
    for (std::size_t b = 0; b < n_draws; ++b) {
        draws.read(b, draw.data());
        bounds.compute(draw.data(), draws.n_features(b), prices.data(), unchecked,
                       [](std::size_t, std::int64_t most) {
                           std::printf(" %lld", static_cast<long long>(most));
                       });
    }
    std::printf("\n");
}

}  // namespace

int main() {
    run<std::int16_t>(7, 3, 300, 40);
    run<std::int16_t>(64, 20, 40, 10);
    run<std::int16_t>(130, 33, 30, 8);
    run<std::int16_t>(1100, 5, 20, 60);
    run<std::int16_t>(1100, 140, 3, 5);
    run<std::int32_t>(90, 25, 20, 10);
    run<std::int32_t>(1100, 60, 5, 40);
}
