// One matching, for single losses and for tests.
#include "matching/matching.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bindings/common.hpp"
#include "matching/edges.hpp"
#include "matching/width.hpp"

namespace fangs::bindings {

namespace {

// Solves one matrix of weights and returns use(matching, weights in the core's layout).
template <class Use>
auto with_matching(const Weights& weights, Use&& use) {
    const std::size_t n_rows = weights.shape(0), n_columns = weights.shape(1);
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights.data()[i] < 0) throw nb::value_error("weights must not be negative");
        largest = std::max(largest, weights.data()[i]);
    }
    const MatchingSize size{static_cast<std::size_t>(largest), n_rows, n_columns};
    return with_width(size, [&]<class T>(T) {
        Matching<T> matching;
        matching.resize(n_rows, n_columns);
        std::vector<T> lines(n_rows * matching.stride(), T{-1});
        for (std::size_t r = 0; r < n_rows; ++r)
            for (std::size_t c = 0; c < n_columns; ++c)
                lines[r * matching.stride() + c] =
                    static_cast<T>(weights.data()[r * n_columns + c]);
        run_checked([&](auto check) { matching.solve(lines.data(), check); });
        return use(matching, lines.data());
    });
}

template <class T>
Array<std::int64_t> to_array(const std::vector<T>& values, std::size_t size) {
    auto out = make_array<std::int64_t>({size});
    std::copy_n(values.data(), size, out.data());
    return out;
}

nb::tuple match(const Weights& weights) {
    return with_matching(weights, [](const auto& matching, const auto*) {
        return nb::make_tuple(matching.total(), to_array(matching.rows.mate, matching.rows.size),
                              to_array(matching.rows.dual, matching.rows.size),
                              to_array(matching.columns.dual, matching.columns.size));
    });
}

Array<bool> optimal_edges(const Weights& weights) {
    return with_matching(weights, []<class T>(const Matching<T>& matching, const T* lines) {
        OptimalEdges<T> edges;
        run_checked([&](auto check) { edges.find(matching, lines, check); });
        const std::size_t n_columns = matching.columns.size;
        auto out = make_array<bool>({matching.rows.size, n_columns + 1});
        for (std::size_t r = 0; r < matching.rows.size; ++r) {
            bool* line = out.data() + r * (n_columns + 1);
            for_each_bit(edges.partners(r), edges.n_words(),
                         [&](std::size_t c) { line[c] = true; });
            line[n_columns] = edges.may_be_unmatched(r);
        }
        return out;
    });
}

}  // namespace

void bind_matching(nb::module_& m) {
    m.def("match", &match, "weights"_a);
    m.def("optimal_edges", &optimal_edges, "weights"_a);
}

}  // namespace fangs::bindings
