// Bounds: overlaps of draws with each other, and the tables of the dual bound.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/common.hpp"
#include "bounds/best_draw.hpp"
#include "bounds/dual_bound.hpp"
#include "bounds/pairs.hpp"
#include "matching/width.hpp"
#include "storage/distinct.hpp"

namespace fangs::bindings {

namespace {

Array<std::int64_t> to_array(const std::vector<std::size_t>& first) {
    auto out = make_array<std::int64_t>({first.size()});
    std::copy(first.begin(), first.end(), out.data());
    return out;
}

Array<std::int64_t> first_equal(const Draws& draws) {
    std::vector<std::size_t> first;
    run_checked([&](auto check) { first = first_equal_draws(draws, check); });
    return to_array(first);
}

Array<std::int64_t> first_identical(const Draws& draws, const Threads& threads) {
    std::vector<std::size_t> first;
    run_checked(threads, [&](auto check) { first = first_identical_draws(draws, check); });
    return to_array(first);
}

// DrawBounds of either width.
class AnyDrawBounds {
public:
    AnyDrawBounds(const Draws& draws, const Indices& members, const Indices& weights,
                  std::size_t n_blocks, bool agreements, const Threads& threads)
        : threads_(threads) {
        if (members.size() != weights.size()) throw nb::value_error("members and weights differ");
        if (n_blocks == 0) throw nb::value_error("no blocks");
        std::vector<std::size_t> chosen = to_indices(draws, members);
        std::vector<std::int64_t> times(weights.data(), weights.data() + weights.size());
        with_width(matching_size(draws, draws.max_features()), [&]<class T>(T) {
            run_checked(threads_, [&](auto check) {
                state_ = std::make_unique<DrawBounds<T>>(draws, std::move(chosen), std::move(times),
                                                         n_blocks, agreements, check);
            });
        });
    }

    [[nodiscard]] std::int64_t overlap(std::size_t member, std::size_t block) {
        return std::visit(
            [&](auto& state) {
                if (member >= state->size() || block >= state->n_blocks())
                    throw nb::index_error("no such member or block");
                std::int64_t total = 0;
                run(threads_, [&](const Parallel& parallel) {
                    total = state->overlap(member, block, parallel);
                });
                return total;
            },
            state_);
    }

    [[nodiscard]] Array<std::int64_t> bounds(const Indices& references, const Indices& candidates) {
        return std::visit(
            [&](auto& state) {
                const auto solved = positions(state->size(), references);
                const auto bounded = positions(state->size(), candidates);
                auto out = make_array<std::int64_t>({bounded.size(), state->n_blocks()});
                run(threads_, [&](const Parallel& parallel) {
                    state->bounds(solved, bounded, out.data(), parallel);
                });
                return out;
            },
            state_);
    }

private:
    [[nodiscard]] static std::vector<std::size_t> positions(std::size_t size, const Indices& some) {
        std::vector<std::size_t> out(some.data(), some.data() + some.size());
        for (const std::size_t member : out)
            if (member >= size) throw nb::index_error("no such member");
        return out;
    }

    Threads threads_;
    std::variant<std::unique_ptr<DrawBounds<std::int16_t>>,
                 std::unique_ptr<DrawBounds<std::int32_t>>>
        state_;
};

Array<std::int64_t> pair_overlaps(const Draws& draws, const Indices& first, const Indices& second,
                                  const Threads& threads) {
    if (first.size() != second.size()) throw nb::value_error("first and second differ");
    for (std::size_t p = 0; p < first.size(); ++p) {
        check_draw(draws, static_cast<std::size_t>(first.data()[p]));
        check_draw(draws, static_cast<std::size_t>(second.data()[p]));
    }
    auto out = make_array<std::int64_t>({first.size()});
    with_width(matching_size(draws, draws.max_features()), [&]<class T>(T) {
        run(threads, [&](const Parallel& parallel) {
            overlap_pairs<T>(draws, first.data(), second.data(), first.size(), out.data(),
                             parallel);
        });
    });
    return out;
}

using Labels = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Checks labels and prices, then runs pass(problem, parallel).
template <class Pass>
void with_problem(const Draws& draws, const OptionalWeights& given, const Matrix& columns,
                  const Labels& labels, const Indices& prices, std::int64_t scale,
                  std::int64_t half_penalty, const Threads& threads, Pass&& pass) {
    check_items(draws, columns);
    if (labels.shape(0) != draws.size() || labels.shape(1) != columns.shape(1))
        throw nb::value_error("wrong number of labels");
    if (prices.size() != draws.total_features()) throw nb::value_error("wrong number of prices");
    for (std::size_t b = 0; b < draws.size(); ++b)
        for (std::size_t j = 0; j < labels.shape(1); ++j)
            if (labels(b, j) >= static_cast<std::int64_t>(draws.n_features(b)))
                throw nb::index_error("no such feature");
    const Allocation allocation = to_allocation(columns);
    const DrawWeights weights = to_weights(draws, given);
    const DualProblem problem{draws,         weights, allocation,  labels.data(),
                              prices.data(), scale,   half_penalty};
    run(threads, [&](const Parallel& parallel) { pass(problem, parallel); });
}

Array<std::int64_t> near_table(const Draws& draws, const OptionalWeights& weights,
                               const Matrix& columns, const Labels& labels, const Indices& prices,
                               std::int64_t scale, const Threads& threads) {
    auto out = make_array<std::int64_t>({columns.shape(1), draws.n_items() + 1});
    with_problem(draws, weights, columns, labels, prices, scale, 0, threads,
                 [&](const DualProblem& problem, const Parallel& parallel) {
                     gains_near(problem, out.data(), parallel);
                 });
    return out;
}

Array<std::int64_t> far_table(const Draws& draws, const OptionalWeights& weights,
                              const Matrix& columns, const Labels& labels, const Indices& prices,
                              std::int64_t scale, std::int64_t half_penalty, std::int64_t apart,
                              const Threads& threads) {
    auto out = make_array<std::int64_t>({draws.n_items() + 1});
    with_problem(draws, weights, columns, labels, prices, scale, half_penalty, threads,
                 [&](const DualProblem& problem, const Parallel& parallel) {
                     gains_far(problem, apart, out.data(), parallel);
                 });
    return out;
}

}  // namespace

void bind_bounds(nb::module_& m) {
    nb::class_<AnyDrawBounds>(m, "DrawBounds")
        .def(nb::init<const Draws&, const Indices&, const Indices&, std::size_t, bool,
                      const Threads&>(),
             "draws"_a, "members"_a, "weights"_a, "n_blocks"_a, "agreements"_a, "threads"_a,
             nb::keep_alive<1, 2>())
        .def("overlap", &AnyDrawBounds::overlap, "member"_a, "block"_a)
        .def("bounds", &AnyDrawBounds::bounds, "references"_a, "candidates"_a);

    m.def("first_equal", &first_equal, "draws"_a);
    m.def("first_identical", &first_identical, "draws"_a, "threads"_a = Threads(1));
    m.def("pair_overlaps", &pair_overlaps, "draws"_a, "first"_a, "second"_a, "threads"_a);
    m.def("gains_near", &near_table, "draws"_a, "weights"_a.none(), "columns"_a, "labels"_a,
          "prices"_a, "scale"_a, "threads"_a);
    m.def("gains_far", &far_table, "draws"_a, "weights"_a.none(), "columns"_a, "labels"_a,
          "prices"_a, "scale"_a, "half_penalty"_a, "apart"_a, "threads"_a);
}

}  // namespace fangs::bindings
