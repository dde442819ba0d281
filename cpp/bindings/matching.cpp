// One matching, for tests and single losses.
#include "../matching.hpp"

#include "../edges.hpp"
#include "common.hpp"

namespace fangs::bindings {

namespace {

// Solves one matrix of weights and hands (matching, weights in the core's layout) to use().
template <class Use>
auto with_matching(const Weights& weights, Use&& use) {
    std::int64_t most = static_cast<std::int64_t>(std::max(weights.shape(0), weights.shape(1)));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights.data()[i] < 0) throw nb::value_error("weights must not be negative");
        most = std::max(most, weights.data()[i]);
    }
    const auto solve = [&]<class T>(T) {
        const std::size_t n_rows = weights.shape(0), n_columns = weights.shape(1);
        Matching<T> matching;
        matching.resize(n_rows, n_columns);
        std::vector<T> lines(n_rows * matching.stride(), T{-1});
        for (std::size_t r = 0; r < n_rows; ++r)
            for (std::size_t c = 0; c < n_columns; ++c)
                lines[r * matching.stride() + c] =
                    static_cast<T>(weights.data()[r * n_columns + c]);
        matching.solve(lines.data());
        return use(matching, lines.data());
    };
    if (most > static_cast<std::int64_t>(Matching<std::int32_t>::max_items))
        throw std::length_error("weights larger than the core can add");
    if (most > static_cast<std::int64_t>(Matching<std::int16_t>::max_items))
        return solve(std::int32_t{});
    return solve(std::int16_t{});
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
        edges.find(matching, lines);
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
