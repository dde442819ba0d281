// The Python face of the core, and its only file that knows nanobind: check what memory safety
// needs, release the GIL, call, wrap the result in an array that owns it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <variant>

#include "best_draw.hpp"
#include "bindings_simulate.hpp"
#include "distinct.hpp"
#include "draws.hpp"
#include "edges.hpp"
#include "matching.hpp"
#include "neighbourhood.hpp"
#include "packing.hpp"
#include "pairs.hpp"
#include "prices.hpp"
#include "relabel.hpp"
#include "template.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace fangs;

using AnyMatrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Matrix = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Permutations = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array = nb::ndarray<nb::numpy, T>;

// An array that owns its values, zero to begin with.
template <class T>
Array<T> make_array(std::initializer_list<std::size_t> shape) {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    T* data = new T[size]();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Array<T>(data, shape, owner);
}

// Runs a pass with the GIL released; a Ctrl-C meanwhile becomes KeyboardInterrupt.
template <class Pass>
void run(std::size_t n_threads, Pass&& pass) {
    try {
        const nb::gil_scoped_release released;
        pass(Parallel{n_threads, [] {
                          const nb::gil_scoped_acquire acquired;
                          return PyErr_CheckSignals() != 0;
                      }});
    } catch (const Interrupted&) {
        throw nb::python_error();
    }
}

[[nodiscard]] bool is_wide(const Draws& draws, std::size_t n_features) {
    const std::size_t most = std::max({draws.n_items(), n_features, draws.max_features()});
    if (most > Matching<std::int32_t>::max_items)
        throw std::length_error("more items or features than the core can count");
    return most > Matching<std::int16_t>::max_items;
}

[[nodiscard]] Allocation to_allocation(const Matrix& matrix) {
    Allocation allocation(matrix.shape(0), matrix.shape(1));
    const std::uint8_t* value = matrix.data();
    for (std::size_t i = 0; i < matrix.shape(0); ++i)
        for (std::size_t f = 0; f < matrix.shape(1); ++f)
            if (*value++ != 0) set_bit(allocation.feature(f), i);
    return allocation;
}

[[nodiscard]] Array<std::int64_t> to_array(const Counts& counts, std::size_t n_features,
                                           std::size_t n_items) {
    auto out = make_array<std::int64_t>({n_items, n_features});
    const std::int32_t* value = counts.values().data();
    for (std::size_t f = 0; f < n_features; ++f)
        for (std::size_t i = 0; i < n_items; ++i) out.data()[i * n_features + f] = *value++;
    return out;
}

// ---- draws ----------------------------------------------------------------------------------

// Appends a matrix, or appends nothing and returns the position of its first value that is
// neither 0 nor 1 (row by row).
template <class Value>
std::int64_t append_values(Draws& draws, const AnyMatrix& matrix) {
    const Strided<Value> values{static_cast<const Value*>(matrix.data()), matrix.shape(0),
                                matrix.shape(1), matrix.stride(0), matrix.stride(1)};
    Packer packer;
    if (!packer.pack(values))
        for (std::size_t i = 0; i < values.n_rows; ++i)
            for (std::size_t c = 0; c < values.n_columns; ++c)
                if (const Value value = *values.at(i, c); value != Value{0} && value != Value{1})
                    return static_cast<std::int64_t>(i * values.n_columns + c);
    draws.append(packer.columns(), values.n_columns);
    return -1;
}

std::int64_t append(Draws& draws, const AnyMatrix& matrix) {
    if (matrix.shape(0) != draws.n_items()) throw nb::value_error("wrong number of rows");
    const nb::dlpack::dtype type = matrix.dtype();
    if (type == nb::dtype<bool>() || type == nb::dtype<std::uint8_t>())
        return append_values<std::uint8_t>(draws, matrix);
    if (type == nb::dtype<std::int8_t>()) return append_values<std::int8_t>(draws, matrix);
    if (type == nb::dtype<std::int16_t>()) return append_values<std::int16_t>(draws, matrix);
    if (type == nb::dtype<std::int32_t>()) return append_values<std::int32_t>(draws, matrix);
    if (type == nb::dtype<std::int64_t>()) return append_values<std::int64_t>(draws, matrix);
    if (type == nb::dtype<std::uint16_t>()) return append_values<std::uint16_t>(draws, matrix);
    if (type == nb::dtype<std::uint32_t>()) return append_values<std::uint32_t>(draws, matrix);
    if (type == nb::dtype<std::uint64_t>()) return append_values<std::uint64_t>(draws, matrix);
    if (type == nb::dtype<float>()) return append_values<float>(draws, matrix);
    if (type == nb::dtype<double>()) return append_values<double>(draws, matrix);
    throw nb::type_error("unsupported dtype");
}

void check_draw(const Draws& draws, std::size_t draw) {
    if (draw >= draws.size()) throw nb::index_error("no such draw");
}

Array<std::uint8_t> read_draw(const Draws& draws, std::size_t draw) {
    check_draw(draws, draw);
    const std::size_t first = draws.first_feature(draw), n_features = draws.n_features(draw);
    auto out = make_array<std::uint8_t>({draws.n_items(), n_features});
    for (std::size_t i = 0; i < draws.n_items(); ++i)
        for (std::size_t f = 0; f < n_features; ++f)
            out.data()[i * n_features + f] = draws.has(first + f, i) ? 1 : 0;
    return out;
}

std::vector<std::size_t> to_indices(const Draws& draws, const Indices& chosen) {
    std::vector<std::size_t> out(chosen.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<std::size_t>(chosen.data()[i]);
        check_draw(draws, out[i]);
    }
    return out;
}

Array<std::int64_t> kept_columns(const Draws& draws, std::size_t draw) {
    check_draw(draws, draw);
    auto out = make_array<std::int64_t>({draws.n_features(draw)});
    std::int64_t* next = out.data();
    draws.for_each_kept(draw, [&](std::size_t c) { *next++ = static_cast<std::int64_t>(c); });
    return out;
}

template <class Count>
Array<std::int64_t> per_draw(const Draws& draws, Count&& count) {
    auto out = make_array<std::int64_t>({draws.size()});
    for (std::size_t b = 0; b < draws.size(); ++b)
        out.data()[b] = static_cast<std::int64_t>(count(b));
    return out;
}

// ---- passes over all draws -------------------------------------------------------------------

void check_items(const Draws& draws, const Matrix& matrix) {
    if (matrix.shape(0) != draws.n_items()) throw nb::value_error("wrong number of items");
}

// Total overlap of each draw, and on request the permutations and the counts (else empty arrays).
nb::tuple align_all(const Draws& draws, const Matrix& matrix, bool with_permutations,
                    bool with_counts, std::size_t n_threads) {
    check_items(draws, matrix);
    const Allocation reference = to_allocation(matrix);
    const std::size_t n_features = reference.n_features();
    auto overlap = make_array<std::int64_t>({draws.size()});
    auto permutations =
        make_array<std::int32_t>({with_permutations ? draws.size() : 0, n_features});
    Counts counts(with_counts ? n_features : 0, draws.n_items());
    const AlignmentOutput out{overlap.data(), with_permutations ? permutations.data() : nullptr,
                              with_counts ? &counts : nullptr};
    const bool wide = is_wide(draws, n_features);
    run(n_threads, [&](const Parallel& parallel) {
        if (wide)
            align<std::int32_t>(draws, reference, out, parallel);
        else
            align<std::int16_t>(draws, reference, out, parallel);
    });
    return nb::make_tuple(overlap, permutations,
                          to_array(counts, with_counts ? n_features : 0, draws.n_items()));
}

void check_permutations(const Draws& draws, const Permutations& permutations, std::size_t first) {
    const std::size_t n_taken = permutations.shape(0), n_features = permutations.shape(1);
    if (first > draws.size() || n_taken > draws.size() - first)
        throw nb::index_error("no such draws");
    for (std::size_t b = 0; b < n_taken; ++b)
        for (std::size_t j = 0; j < n_features; ++j)
            if (permutations.data()[b * n_features + j] >=
                static_cast<std::int64_t>(draws.n_features(first + b)))
                throw nb::index_error("no such feature");
}

// Overlaps and sizes of the features that stand for the columns of the matrix.
nb::tuple measure_all(const Draws& draws, const Matrix& matrix, const Permutations& permutations,
                      std::size_t n_threads) {
    check_items(draws, matrix);
    check_permutations(draws, permutations, 0);
    const Allocation reference = to_allocation(matrix);
    if (permutations.shape(0) != draws.size() || permutations.shape(1) != reference.n_features())
        throw nb::value_error("permutations of the wrong shape");
    auto overlaps = make_array<std::int32_t>({draws.size(), reference.n_features()});
    auto sizes = make_array<std::int32_t>({draws.size(), reference.n_features()});
    run(n_threads, [&](const Parallel& parallel) {
        measure(draws, reference, permutations.data(), overlaps.data(), sizes.data(), parallel);
    });
    return nb::make_tuple(overlaps, sizes);
}

Array<std::uint8_t> relabel_some(const Draws& draws, const Permutations& permutations,
                                 std::size_t first, std::size_t n_threads) {
    check_permutations(draws, permutations, first);
    const std::size_t n_taken = permutations.shape(0), n_features = permutations.shape(1);
    auto out = make_array<std::uint8_t>({n_taken, draws.n_items(), n_features});
    run(n_threads, [&](const Parallel& parallel) {
        relabel(draws, first, n_taken, n_features, permutations.data(), out.data(), parallel);
    });
    return out;
}

Array<std::int64_t> item_counts(const Draws& draws) {
    auto out = make_array<std::int64_t>({draws.n_items()});
    const nb::gil_scoped_release released;
    count_items(draws, out.data());
    return out;
}

// Either width of Neighbourhood behind one face.
class AnyNeighbourhood {
    template <class Visitor>
    auto visit(Visitor&& visitor) {
        return std::visit([&](auto& state) { return visitor(*state); }, state_);
    }

public:
    AnyNeighbourhood(const Draws& draws, const Matrix& matrix, std::size_t n_threads)
        : n_items_(draws.n_items()), n_features_(matrix.shape(1)), n_threads_(n_threads) {
        check_items(draws, matrix);
        Allocation allocation = to_allocation(matrix);
        const bool wide = is_wide(draws, allocation.n_features());
        run(n_threads_, [&](const Parallel& parallel) {
            if (wide)
                state_ = std::make_unique<Neighbourhood<std::int32_t>>(draws, std::move(allocation),
                                                                       parallel);
            else
                state_ = std::make_unique<Neighbourhood<std::int16_t>>(draws, std::move(allocation),
                                                                       parallel);
        });
    }

    void flip(const Indices& items, const Indices& features) {
        if (items.size() != features.size()) throw nb::value_error("items and features differ");
        std::vector<Flip> flips(items.size());
        for (std::size_t f = 0; f < flips.size(); ++f) {
            flips[f] = {static_cast<std::size_t>(items.data()[f]),
                        static_cast<std::size_t>(features.data()[f])};
            if (flips[f].item >= n_items_ || flips[f].feature >= n_features_)
                throw nb::index_error("no such entry");
        }
        std::vector<std::pair<std::size_t, std::size_t>> entries;
        for (const auto& [item, feature] : flips) entries.emplace_back(item, feature);
        std::sort(entries.begin(), entries.end());
        if (std::adjacent_find(entries.begin(), entries.end()) != entries.end())
            throw nb::value_error("an entry is named twice");
        visit([&](auto& state) {
            run(n_threads_, [&](const Parallel& parallel) { state.flip(flips, parallel); });
        });
    }

    [[nodiscard]] Array<std::int64_t> changes() {
        return visit([&](auto& state) {
            Counts counts(n_features_, n_items_);
            run(n_threads_, [&](const Parallel& parallel) { state.changes(counts, parallel); });
            return to_array(counts, n_features_, n_items_);
        });
    }

    [[nodiscard]] Array<std::uint8_t> matrix() {
        auto out = make_array<std::uint8_t>({n_items_, n_features_});
        visit([&](auto& state) {
            for (std::size_t f = 0; f < n_features_; ++f)
                for_each_bit(state.allocation().feature(f), state.allocation().n_words(),
                             [&](std::size_t i) { out.data()[i * n_features_ + f] = 1; });
        });
        return out;
    }

    [[nodiscard]] std::int64_t total_overlap() {
        return visit([](auto& state) { return state.total_overlap(); });
    }
    [[nodiscard]] std::size_t bytes() {
        return visit([](auto& state) { return state.bytes(); });
    }

private:
    std::size_t n_items_, n_features_, n_threads_;
    std::variant<std::unique_ptr<Neighbourhood<std::int16_t>>,
                 std::unique_ptr<Neighbourhood<std::int32_t>>>
        state_;
};

// Counts of the templates grown over each of these walks // each (n_items, n_features)
std::vector<Array<std::int64_t>> grow_templates(const Draws& draws,
                                                const std::vector<Indices>& walks,
                                                std::size_t n_rounds, std::size_t n_threads) {
    std::vector<std::vector<std::size_t>> orders;
    for (const Indices& walk : walks) orders.push_back(to_indices(draws, walk));
    const auto grow = [&]<class T>(T) {
        std::vector<Template<T>> grown(orders.size(), Template<T>(draws));
        run(n_threads, [&](const Parallel& parallel) {
            const auto nothing = [] { return 0; };
            parallel_for(
                parallel, orders.size(),
                orders.empty() ? 0.0 : nanoseconds_to_grow(draws, orders[0], n_rounds), nothing,
                [&](int, std::size_t at) { grown[at].grow(orders[at], n_rounds); }, [](int) {});
        });
        std::vector<Array<std::int64_t>> out;
        for (const Template<T>& one : grown) {
            out.push_back(make_array<std::int64_t>({draws.n_items(), one.n_features()}));
            std::int64_t* value = out.back().data();
            for (std::size_t i = 0; i < draws.n_items(); ++i)
                for (std::size_t f = 0; f < one.n_features(); ++f) *value++ = one.count(i, f);
        }
        return out;
    };
    if (draws.n_items() > Matching<std::int16_t>::max_items / Template<std::int16_t>::min_scale)
        return grow(std::int32_t{});
    return grow(std::int16_t{});
}

// ---- the best draw ------------------------------------------------------------------------------

Array<std::int64_t> first_equal(const Draws& draws) {
    const std::vector<std::size_t> first = first_equal_draws(draws);
    auto out = make_array<std::int64_t>({first.size()});
    std::copy(first.begin(), first.end(), out.data());
    return out;
}

// Either width of DrawBounds behind one face.
class AnyDrawBounds {
public:
    AnyDrawBounds(const Draws& draws, const Indices& members, const Indices& weights,
                  std::size_t n_blocks, bool agreements, std::size_t n_threads)
        : n_threads_(n_threads) {
        if (members.size() != weights.size()) throw nb::value_error("members and weights differ");
        if (n_blocks == 0) throw nb::value_error("no blocks");
        std::vector<std::size_t> chosen = to_indices(draws, members);
        std::vector<std::int64_t> times(weights.data(), weights.data() + weights.size());
        if (is_wide(draws, 0))
            state_ = std::make_unique<DrawBounds<std::int32_t>>(
                draws, std::move(chosen), std::move(times), n_blocks, agreements);
        else
            state_ = std::make_unique<DrawBounds<std::int16_t>>(
                draws, std::move(chosen), std::move(times), n_blocks, agreements);
    }

    [[nodiscard]] std::int64_t overlap(std::size_t member, std::size_t block) {
        return std::visit(
            [&](auto& state) {
                if (member >= state->size() || block >= state->n_blocks())
                    throw nb::index_error("no such member or block");
                std::int64_t total = 0;
                run(n_threads_, [&](const Parallel& parallel) {
                    total = state->overlap(member, block, parallel);
                });
                return total;
            },
            state_);
    }

    [[nodiscard]] Array<std::int64_t> bounds(const Indices& references, const Indices& candidates) {
        return std::visit(
            [&](auto& state) {
                const auto learnt = positions(state->size(), references);
                const auto bounded = positions(state->size(), candidates);
                auto out = make_array<std::int64_t>({bounded.size(), state->n_blocks()});
                run(n_threads_, [&](const Parallel& parallel) {
                    state->bounds(learnt, bounded, out.data(), parallel);
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

    std::size_t n_threads_;
    std::variant<std::unique_ptr<DrawBounds<std::int16_t>>,
                 std::unique_ptr<DrawBounds<std::int32_t>>>
        state_;
};

// ---- one matching, for tests and single losses -------------------------------------------------

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

// ---- lower bounds -----------------------------------------------------------------------------

Array<std::int64_t> pair_overlaps(const Draws& draws, const Indices& first, const Indices& second,
                                  std::size_t n_threads) {
    if (first.size() != second.size()) throw nb::value_error("first and second differ");
    for (std::size_t p = 0; p < first.size(); ++p) {
        check_draw(draws, static_cast<std::size_t>(first.data()[p]));
        check_draw(draws, static_cast<std::size_t>(second.data()[p]));
    }
    auto out = make_array<std::int64_t>({first.size()});
    const bool wide = is_wide(draws, 0);
    run(n_threads, [&](const Parallel& parallel) {
        const auto pass = wide ? overlap_pairs<std::int32_t> : overlap_pairs<std::int16_t>;
        pass(draws, first.data(), second.data(), first.size(), out.data(), parallel);
    });
    return out;
}

using Labels = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Checks the labels and prices, then runs pass(problem, parallel).
template <class Pass>
void with_prices(const Draws& draws, const Matrix& columns, const Labels& labels,
                 const Indices& prices, std::int64_t scale, std::int64_t half_penalty,
                 std::size_t n_threads, Pass&& pass) {
    check_items(draws, columns);
    if (labels.shape(0) != draws.size() || labels.shape(1) != columns.shape(1))
        throw nb::value_error("wrong number of labels");
    if (prices.size() != draws.total_features()) throw nb::value_error("wrong number of prices");
    for (std::size_t b = 0; b < draws.size(); ++b)
        for (std::size_t j = 0; j < labels.shape(1); ++j)
            if (labels(b, j) >= static_cast<std::int64_t>(draws.n_features(b)))
                throw nb::index_error("no such feature");
    const Allocation allocation = to_allocation(columns);
    const Priced problem{draws, allocation, labels.data(), prices.data(), scale, half_penalty};
    run(n_threads, [&](const Parallel& parallel) { pass(problem, parallel); });
}

Array<std::int64_t> near_table(const Draws& draws, const Matrix& columns, const Labels& labels,
                               const Indices& prices, std::int64_t scale, std::size_t n_threads) {
    auto out = make_array<std::int64_t>({columns.shape(1), draws.n_items() + 1});
    with_prices(draws, columns, labels, prices, scale, 0, n_threads,
                [&](const Priced& problem, const Parallel& parallel) {
                    gains_near(problem, out.data(), parallel);
                });
    return out;
}

Array<std::int64_t> far_table(const Draws& draws, const Matrix& columns, const Labels& labels,
                              const Indices& prices, std::int64_t scale, std::int64_t half_penalty,
                              std::int64_t apart, std::size_t n_threads) {
    auto out = make_array<std::int64_t>({draws.n_items() + 1});
    with_prices(draws, columns, labels, prices, scale, half_penalty, n_threads,
                [&](const Priced& problem, const Parallel& parallel) {
                    gains_far(problem, apart, out.data(), parallel);
                });
    return out;
}

}  // namespace

NB_MODULE(_core, m) {
    // At exit an interpreter may still hold a traceback with our objects in it; that is no leak.
    nb::set_leak_warnings(false);
    m.doc() = "The compiled core of fangs: bit-packed draws and the passes over them.";
    bind_simulate(m);

    nb::class_<Draws>(m, "Draws")
        .def(nb::init<std::size_t>(), "n_items"_a)
        .def("reserve", &Draws::reserve, "n_draws"_a, "n_features"_a)
        .def("append", &append, "matrix"_a)
        .def("shrink_to_fit", &Draws::shrink_to_fit)
        .def("__len__", &Draws::size)
        .def("read", &read_draw, "draw"_a)
        .def("columns", &kept_columns, "draw"_a)
        .def(
            "select", [](const Draws& d, const Indices& i) { return d.select(to_indices(d, i)); },
            "draws"_a)
        .def_prop_ro("n_items", &Draws::n_items)
        .def_prop_ro("n_bytes", &Draws::bytes)
        .def("n_features",
             [](const Draws& d) {
                 return per_draw(d, [&](std::size_t b) { return d.n_features(b); });
             })
        .def("n_columns",
             [](const Draws& d) {
                 return per_draw(d, [&](std::size_t b) { return d.n_columns(b); });
             })
        .def("n_ones", [](const Draws& d) {
            return per_draw(d, [&](std::size_t b) { return d.n_ones(b); });
        });

    nb::class_<AnyNeighbourhood>(m, "Neighbourhood")
        .def(nb::init<const Draws&, const Matrix&, std::size_t>(), "draws"_a, "matrix"_a,
             "n_threads"_a, nb::keep_alive<1, 2>())
        .def("flip", &AnyNeighbourhood::flip, "items"_a, "features"_a)
        .def("changes", &AnyNeighbourhood::changes)
        .def_prop_ro("matrix", &AnyNeighbourhood::matrix, nb::rv_policy::move)
        .def_prop_ro("total_overlap", &AnyNeighbourhood::total_overlap)
        .def_prop_ro("n_bytes", &AnyNeighbourhood::bytes);

    nb::class_<AnyDrawBounds>(m, "DrawBounds")
        .def(nb::init<const Draws&, const Indices&, const Indices&, std::size_t, bool,
                      std::size_t>(),
             "draws"_a, "members"_a, "weights"_a, "n_blocks"_a, "agreements"_a, "n_threads"_a,
             nb::keep_alive<1, 2>())
        .def("overlap", &AnyDrawBounds::overlap, "member"_a, "block"_a)
        .def("bounds", &AnyDrawBounds::bounds, "references"_a, "candidates"_a);

    m.def("first_equal", &first_equal, "draws"_a);
    m.def("align", &align_all, "draws"_a, "matrix"_a, "with_permutations"_a, "with_counts"_a,
          "n_threads"_a);
    m.def("grow_templates", &grow_templates, "draws"_a, "walks"_a, "n_rounds"_a, "n_threads"_a);
    m.def("measure", &measure_all, "draws"_a, "matrix"_a, "permutations"_a, "n_threads"_a);
    m.def("relabel", &relabel_some, "draws"_a, "permutations"_a, "first"_a, "n_threads"_a);
    m.def("item_counts", &item_counts, "draws"_a);
    m.def("match", &match, "weights"_a);
    m.def("optimal_edges", &optimal_edges, "weights"_a);
    m.def("pair_overlaps", &pair_overlaps, "draws"_a, "first"_a, "second"_a, "n_threads"_a);
    m.def("gains_near", &near_table, "draws"_a, "columns"_a, "labels"_a, "prices"_a, "scale"_a,
          "n_threads"_a);
    m.def("gains_far", &far_table, "draws"_a, "columns"_a, "labels"_a, "prices"_a, "scale"_a,
          "half_penalty"_a, "apart"_a, "n_threads"_a);
}
