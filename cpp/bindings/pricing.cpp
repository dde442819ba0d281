// Pricing: columns that earn more than they cost at given prices of the draws' features.
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/common.hpp"
#include "bounds/columns/column_explorer.hpp"
#include "bounds/columns/column_search.hpp"
#include "bounds/columns/pricing_problem.hpp"
#include "bounds/columns/programme_solver.hpp"

namespace fangs::bindings {

namespace {

// Columns as packed item sets, n_words each, in an array of 0 and 1.
[[nodiscard]] Array<std::uint8_t> to_matrix(const std::vector<Word>& columns, std::size_t n_items) {
    const std::size_t n_words = words_for(n_items), count = columns.size() / n_words;
    auto out = make_array<std::uint8_t>({n_items, count});
    for (std::size_t c = 0; c < count; ++c)
        for_each_bit(columns.data() + c * n_words, n_words,
                     [&](std::size_t item) { out.data()[item * count + c] = 1; });
    return out;
}

template <class T>
[[nodiscard]] Array<T> to_array(const std::vector<T>& values) {
    auto out = make_array<T>({values.size()});
    std::copy(values.begin(), values.end(), out.data());
    return out;
}

class Pricing {
public:
    Pricing(const Draws& draws, const Indices& members, const Indices& weights, std::int64_t scale,
            std::int64_t item_cost, const Threads& threads)
        : threads_(threads),
          problem_(draws, to_indices(draws, members),
                   std::vector<std::int64_t>(weights.data(), weights.data() + weights.size()),
                   scale, item_cost, Check(check_signals)),
          classes_(problem_, Check(check_signals)) {
        if (members.size() != weights.size()) throw nb::value_error("members and weights differ");
    }

    [[nodiscard]] std::size_t n_features() const noexcept { return problem_.n_features(); }

    void set_prices(const Indices& prices) {
        if (prices.size() != problem_.n_features()) throw nb::value_error("wrong number of prices");
        std::copy_n(prices.data(), prices.size(), problem_.prices.begin());
    }

    // columns // (n_items, n_columns)
    [[nodiscard]] Array<std::int64_t> profits(const Matrix& columns) const {
        const Allocation sets = checked(columns);
        auto out = make_array<std::int64_t>({sets.n_features()});
        over_columns(
            sets.n_features(), 1.0, [] { return 0; },
            [&](int, std::size_t c) { out.data()[c] = profit(problem_, sets.feature(c)); });
        return out;
    }

    [[nodiscard]] std::tuple<Array<std::uint8_t>, Array<std::int64_t>> climb(
        const Matrix& columns) const {
        const Allocation sets = checked(columns);
        std::vector<Word> ends(sets.n_features() * problem_.n_words);
        std::vector<std::int64_t> earned(sets.n_features());
        over_columns(
            sets.n_features(), 30.0, [&] { return ColumnSearch(problem_); },
            [&](ColumnSearch& search, std::size_t c) {
                Word* column = ends.data() + c * problem_.n_words;
                std::copy_n(sets.feature(c), problem_.n_words, column);
                earned[c] = search.climb(column);
            });
        return {to_matrix(ends, problem_.n_items), to_array(earned)};
    }

    [[nodiscard]] std::tuple<Array<std::uint8_t>, Array<std::int64_t>, std::int64_t, bool> explore(
        std::int64_t threshold, bool list_all, std::int64_t max_nodes, std::size_t max_found,
        double seconds) const {
        const ColumnGoal goal{threshold, list_all};
        const ExplorerLimits limits{max_nodes, max_found, seconds};
        Explored found;
        run(threads_, [&](const Parallel& parallel) {
            const std::size_t n_words = words_for(std::max<std::size_t>(classes_.size(), 1));
            if (n_words == 1)
                found = explore_columns<1>(problem_, classes_, goal, limits, parallel);
            else if (n_words == 2)
                found = explore_columns<2>(problem_, classes_, goal, limits, parallel);
            else if (n_words <= 4)
                found = explore_columns<4>(problem_, classes_, goal, limits, parallel);
            else if (n_words <= 16)
                found = explore_columns<16>(problem_, classes_, goal, limits, parallel);
        });
        return {to_matrix(found.columns, problem_.n_items), to_array(found.profits), found.n_nodes,
                found.is_complete};
    }

    // columns // (n_items, n_columns); least, is_fixed // (n_columns)
    [[nodiscard]] std::tuple<Array<double>, Array<double>, double, double> solve(
        const Matrix& columns, const Indices& least, const Indices& is_fixed, double tolerance,
        double enough, double seconds) const {
        const Allocation sets = checked(columns);
        if (least.size() != sets.n_features() || is_fixed.size() != sets.n_features())
            throw nb::value_error("wrong number of columns");
        if (problem_.n_draws() == 0) throw nb::value_error("no draws");
        std::vector<bool> is_free(sets.n_features());
        for (std::size_t c = 0; c < is_free.size(); ++c) is_free[c] = is_fixed.data()[c] == 0;
        ProgrammeSolution found;
        run(threads_, [&](const Parallel& parallel) {
            const Parallel in_time = limited(parallel, seconds);
            const Programme programme(
                problem_, sets, std::vector<double>(least.data(), least.data() + least.size()),
                is_free, in_time);
            found = solve_programme(programme, {tolerance, enough});
        });
        return {to_array(found.multiplicities), to_array(found.prices), found.value, found.gap};
    }

private:
    [[nodiscard]] Allocation checked(const Matrix& columns) const {
        if (columns.shape(0) != problem_.n_items) throw nb::value_error("wrong number of items");
        return to_allocation(columns);
    }

    template <class MakeWorker, class Work>
    void over_columns(std::size_t count, double steps, MakeWorker&& make, Work&& work) const {
        const double nanoseconds =
            steps * 3.0 * static_cast<double>(problem_.n_features() * problem_.n_words);
        run(threads_, [&](const Parallel& parallel) {
            parallel_for(parallel, count, nanoseconds, make, work, [](auto&) {});
        });
    }

    Threads threads_;
    PricingProblem problem_;
    ItemClasses classes_;
};

}  // namespace

void bind_pricing(nb::module_& m) {
    nb::class_<Pricing>(m, "Pricing")
        .def(nb::init<const Draws&, const Indices&, const Indices&, std::int64_t, std::int64_t,
                      const Threads&>(),
             "draws"_a, "members"_a, "weights"_a, "scale"_a, "item_cost"_a, "threads"_a)
        .def_prop_ro("n_features", &Pricing::n_features)
        .def("set_prices", &Pricing::set_prices, "prices"_a)
        .def("profits", &Pricing::profits, "columns"_a)
        .def("climb", &Pricing::climb, "columns"_a)
        .def("explore", &Pricing::explore, "threshold"_a, "list_all"_a, "max_nodes"_a,
             "max_found"_a, "seconds"_a)
        .def("solve", &Pricing::solve, "columns"_a, "least"_a, "is_fixed"_a, "tolerance"_a,
             "enough"_a, "seconds"_a);
}

}  // namespace fangs::bindings
