// Passes over all draws: alignment, evaluation, templates, relabelling.
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "bindings/common.hpp"
#include "matching/width.hpp"
#include "passes/alignment.hpp"
#include "passes/cost.hpp"
#include "passes/evaluation.hpp"
#include "passes/relabel.hpp"
#include "passes/tally.hpp"
#include "passes/template.hpp"

namespace fangs::bindings {

namespace {

// Total overlap of each draw and, if wanted, permutations and counts (else empty arrays).
nb::tuple align_all(const Draws& draws, const OptionalWeights& given, const Matrix& matrix,
                    bool with_permutations, bool with_counts, const Threads& threads) {
    const DrawWeights weights = to_weights(draws, given);
    check_items(draws, matrix);
    const Allocation reference = to_allocation(matrix);
    const std::size_t n_features = reference.n_features();
    auto overlap = make_array<std::int64_t>({draws.size()});
    auto permutations =
        make_array<std::int32_t>({with_permutations ? draws.size() : 0, n_features});
    auto values = make_array<std::int64_t>({draws.n_items(), with_counts ? n_features : 0});
    Counts counts(with_counts ? n_features : 0, draws.n_items(), values.data());
    const AlignmentOutput out{overlap.data(), with_permutations ? permutations.data() : nullptr,
                              with_counts ? &counts : nullptr};
    with_width(matching_size(draws, n_features), [&]<class T>(T) {
        run(threads,
            [&](const Parallel& parallel) { align<T>(draws, weights, reference, out, parallel); });
    });
    return nb::make_tuple(overlap, permutations, values);
}

Array<std::int64_t> place_all(const Draws& draws, const OptionalWeights& given,
                              const Matrix& matrix, std::size_t n_columns, const Threads& threads) {
    const DrawWeights weights = to_weights(draws, given);
    check_items(draws, matrix);
    const Allocation reference = to_allocation(matrix);
    if (n_columns < std::max(reference.n_features(), draws.max_features()))
        throw nb::value_error("too few columns");
    auto values = make_array<std::int64_t>({draws.n_items(), n_columns});
    Counts counts(n_columns, draws.n_items(), values.data());
    with_width(matching_size(draws, reference.n_features()), [&]<class T>(T) {
        run(threads, [&](const Parallel& parallel) {
            place<T>(draws, weights, reference, counts, parallel);
        });
    });
    return values;
}

// Row `at` of the permutations is of this draw.
void check_permutation(const Draws& draws, const Permutations& permutations, std::size_t at,
                       std::size_t b) {
    const std::size_t n_features = permutations.shape(1);
    for (std::size_t j = 0; j < n_features; ++j)
        if (permutations.data()[at * n_features + j] >=
            static_cast<std::int64_t>(draws.n_features(b)))
            throw nb::index_error("no such feature");
}

void check_permutations(const Draws& draws, const Permutations& permutations, std::size_t first) {
    const std::size_t n_taken = permutations.shape(0);
    if (first > draws.size() || n_taken > draws.size() - first)
        throw nb::index_error("no such draws");
    for (std::size_t b = 0; b < n_taken; ++b) check_permutation(draws, permutations, b, first + b);
}

// Overlaps and sizes of the features aligned to the columns of the matrix // (draws, features) each
nb::tuple measure_all(const Draws& draws, const Matrix& matrix, const Permutations& permutations,
                      const Threads& threads) {
    check_items(draws, matrix);
    check_permutations(draws, permutations, 0);
    const Allocation reference = to_allocation(matrix);
    if (permutations.shape(0) != draws.size() || permutations.shape(1) != reference.n_features())
        throw nb::value_error("permutations of the wrong shape");
    auto overlaps = make_array<std::int32_t>({draws.size(), reference.n_features()});
    auto sizes = make_array<std::int32_t>({draws.size(), reference.n_features()});
    run(threads, [&](const Parallel& parallel) {
        measure(draws, reference, permutations.data(), overlaps.data(), sizes.data(), parallel);
    });
    return nb::make_tuple(overlaps, sizes);
}

Array<std::uint8_t> relabel_some(const Draws& draws, const Permutations& permutations,
                                 std::size_t first, const Threads& threads) {
    check_permutations(draws, permutations, first);
    const std::size_t n_taken = permutations.shape(0), n_features = permutations.shape(1);
    auto out = make_array<std::uint8_t>({n_taken, draws.n_items(), n_features});
    run(threads, [&](const Parallel& parallel) {
        relabel(draws, first, n_taken, n_features, permutations.data(), out.data(), parallel);
    });
    return out;
}

Array<std::int64_t> count_all_aligned(const Draws& draws, const OptionalWeights& given,
                                      const Permutations& permutations, const Threads& threads) {
    const DrawWeights weights = to_weights(draws, given);
    check_permutations(draws, permutations, 0);
    if (permutations.shape(0) != draws.size()) throw nb::value_error("wrong number of draws");
    const std::size_t n_features = permutations.shape(1);
    auto values = make_array<std::int64_t>({draws.n_items(), n_features});
    Counts counts(n_features, draws.n_items(), values.data());
    std::vector<std::size_t> all(draws.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    run(threads, [&](const Parallel& parallel) {
        count_aligned(draws, weights, all, permutations.data(), counts, parallel);
    });
    return values;
}

// The same for groups of draws, one after the other // members (m), permutations (m, n_features);
// sizes (n_groups); returns (n_groups, n_items, n_features)
Array<std::int64_t> count_by_group(const Draws& draws, const OptionalWeights& given,
                                   const Indices& members, const Indices& sizes,
                                   const Permutations& permutations, const Threads& threads) {
    const DrawWeights weights = to_weights(draws, given);
    const std::vector<std::size_t> taken = to_indices(draws, members);
    if (permutations.shape(0) != taken.size()) throw nb::value_error("wrong number of draws");
    for (std::size_t at = 0; at < taken.size(); ++at)
        check_permutation(draws, permutations, at, taken[at]);
    const std::size_t n_items = draws.n_items(), n_features = permutations.shape(1);
    std::size_t left = taken.size();
    for (std::size_t g = 0; g < sizes.size(); ++g) {
        const auto size = static_cast<std::size_t>(sizes.data()[g]);
        if (size > left) throw nb::value_error("more draws in groups than members");
        left -= size;
    }
    auto values = make_array<std::int64_t>({sizes.size(), n_items, n_features});
    run(threads, [&](const Parallel& parallel) {
        std::size_t first = 0;
        for (std::size_t g = 0; g < sizes.size(); ++g) {
            const auto size = static_cast<std::size_t>(sizes.data()[g]);
            Counts counts(n_features, n_items, values.data() + g * n_items * n_features);
            count_aligned(draws, weights, std::span(taken).subspan(first, size),
                          permutations.data() + first * n_features, counts, parallel);
            first += size;
        }
    });
    return values;
}

Array<std::int64_t> item_counts(const Draws& draws, const OptionalWeights& given) {
    const DrawWeights weights = to_weights(draws, given);
    auto out = make_array<std::int64_t>({draws.n_items()});
    run_checked([&](auto check) { count_items(draws, weights, out.data(), check); });
    return out;
}

// Overlaps, aligned counts, flip support and permutations // (draws), (items, features),
// (items, features), (draws, features); permutations are empty if counts are wanted, and counts if
// not: count_aligned then counts what is wanted of the permutations.
nb::tuple evaluate_all(const Draws& draws, const OptionalWeights& given, const Matrix& matrix,
                       bool with_counts, const Threads& threads) {
    const DrawWeights weights = to_weights(draws, given);
    check_items(draws, matrix);
    const Allocation allocation = to_allocation(matrix);
    const std::size_t n_items = draws.n_items(), n_features = allocation.n_features();
    auto overlaps = make_array<std::int64_t>({draws.size()});
    auto aligned = make_array<std::int64_t>({n_items, with_counts ? n_features : 0});
    auto supported = make_array<std::int64_t>({n_items, n_features});
    auto permutations = make_array<std::int32_t>({with_counts ? 0 : draws.size(), n_features});
    Counts counts(with_counts ? n_features : 0, n_items, aligned.data());
    Counts support(n_features, n_items, supported.data());
    const EvaluationOutput out{overlaps.data(), with_counts ? nullptr : permutations.data(),
                               with_counts ? &counts : nullptr, &support};
    with_width(matching_size(draws, n_features), [&]<class T>(T) {
        run(threads, [&](const Parallel& parallel) {
            evaluate<T>(draws, weights, allocation, out, parallel);
        });
    });
    return nb::make_tuple(overlaps, aligned, supported, permutations);
}

// Counts of the template grown along each walk // (n_items, n_features) each
std::vector<Array<std::int64_t>> grow_templates(const Draws& draws,
                                                const std::vector<Indices>& walks,
                                                std::size_t n_rounds, const Threads& threads) {
    std::vector<std::vector<std::size_t>> orders;
    orders.reserve(walks.size());
    for (const Indices& walk : walks) orders.push_back(to_indices(draws, walk));
    MatchingSize size{};
    for (const auto& walk : orders) {
        const MatchingSize one = template_size(draws, walk);
        size = {one.max_weight, one.n_rows, std::max(size.n_columns, one.n_columns)};
    }
    return with_width(size, [&]<class T>(T) {
        std::vector<Template<T>> grown(orders.size(), Template<T>(draws));
        run(threads, [&](const Parallel& parallel) {
            const auto nothing = [] { return 0; };
            parallel_for(
                parallel, orders.size(),
                orders.empty() ? 0.0 : nanoseconds_to_grow(draws, orders[0], n_rounds), nothing,
                [&](int, std::size_t at, auto& check) {
                    grown[at].grow(orders[at], n_rounds, check);
                },
                [](int) {});
        });
        std::vector<Array<std::int64_t>> out;
        for (const Template<T>& one : grown) {
            out.push_back(make_array<std::int64_t>({draws.n_items(), one.n_features()}));
            std::int64_t* value = out.back().data();
            for (std::size_t i = 0; i < draws.n_items(); ++i)
                for (std::size_t f = 0; f < one.n_features(); ++f) *value++ = one.count(i, f);
        }
        return out;
    });
}

}  // namespace

void bind_passes(nb::module_& m) {
    m.def("align", &align_all, "draws"_a, "weights"_a.none(), "matrix"_a, "with_permutations"_a,
          "with_counts"_a, "threads"_a);
    m.def("place", &place_all, "draws"_a, "weights"_a.none(), "matrix"_a, "n_columns"_a,
          "threads"_a);
    m.def("evaluate", &evaluate_all, "draws"_a, "weights"_a.none(), "matrix"_a, "with_counts"_a,
          "threads"_a);
    m.def("grow_templates", &grow_templates, "draws"_a, "walks"_a, "n_rounds"_a, "threads"_a);
    m.def("measure", &measure_all, "draws"_a, "matrix"_a, "permutations"_a, "threads"_a);
    m.def("relabel", &relabel_some, "draws"_a, "permutations"_a, "first"_a, "threads"_a);
    m.def("count_aligned", &count_all_aligned, "draws"_a, "weights"_a.none(), "permutations"_a,
          "threads"_a);
    m.def("count_by_group", &count_by_group, "draws"_a, "weights"_a.none(), "members"_a, "sizes"_a,
          "permutations"_a, "threads"_a);
    m.def("item_counts", &item_counts, "draws"_a, "weights"_a.none());
    m.def("pass_nanoseconds",
          nb::overload_cast<std::size_t, double, std::size_t>(&nanoseconds_per_draw), "n_items"_a,
          "n_columns"_a, "n_features"_a);
}

}  // namespace fangs::bindings
