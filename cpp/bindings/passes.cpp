// Passes over all draws: alignment, flips, variants, templates, relabelling.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "../alignment.hpp"
#include "../neighbourhood.hpp"
#include "../relabel.hpp"
#include "../tally.hpp"
#include "../template.hpp"
#include "../variants.hpp"
#include "common.hpp"

namespace fangs::bindings {

namespace {

// Total overlap of each draw, and on request the permutations and the counts (else empty arrays).
nb::tuple align_all(const Draws& draws, const Matrix& matrix, bool with_permutations,
                    bool with_counts, std::size_t n_threads) {
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
    const bool wide = is_wide(draws, n_features);
    run(n_threads, [&](const Parallel& parallel) {
        if (wide)
            align<std::int32_t>(draws, reference, out, parallel);
        else
            align<std::int16_t>(draws, reference, out, parallel);
    });
    return nb::make_tuple(overlap, permutations, values);
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
            auto values = make_array<std::int64_t>({n_items_, n_features_});
            run(n_threads_,
                [&](const Parallel& parallel) { state.changes(values.data(), parallel); });
            return values;
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

    // How many items each feature has.
    [[nodiscard]] Array<std::int64_t> sizes() {
        auto out = make_array<std::int64_t>({n_features_});
        visit([&](auto& state) {
            for (std::size_t f = 0; f < n_features_; ++f)
                for (std::size_t w = 0; w < state.allocation().n_words(); ++w)
                    out.data()[f] += std::popcount(state.allocation().feature(f)[w]);
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

// Which feature of the reference each column of a variant was.
std::vector<std::size_t> to_origin(const Indices& columns, std::size_t n_features) {
    std::vector<std::size_t> origin(columns.size());
    for (std::size_t f = 0; f < origin.size(); ++f)
        origin[f] = static_cast<std::size_t>(columns.data()[f]);
    std::vector<std::size_t> sorted = origin;
    std::sort(sorted.begin(), sorted.end());
    bool is_order = sorted.size() == n_features;
    for (std::size_t f = 0; is_order && f < n_features; ++f) is_order = sorted[f] == f;
    if (!is_order) throw nb::value_error("origin is no order of the features");
    return origin;
}

// Overlaps, aligned counts and the worth of flips of several variants of one reference, each given
// with the feature that its columns were // (variants, draws), (variants, items, features) and with
// one feature more; and how many draws were matched to it anew // (variants)
nb::tuple price_variants(const Draws& draws, const Matrix& reference,
                         const std::vector<std::pair<Matrix, Indices>>& variants,
                         std::size_t n_threads) {
    check_items(draws, reference);
    const std::size_t n_items = draws.n_items(), n_features = reference.shape(1);
    const Allocation known = to_allocation(reference);
    for (std::size_t f = 0; f < n_features; ++f)
        if (!any(known.feature(f), known.n_words()))
            throw nb::value_error("a feature of the reference is empty");
    auto overlaps = make_array<std::int64_t>({variants.size(), draws.size()});
    auto aligned = make_array<std::int64_t>({variants.size(), n_items, n_features});
    auto worth = make_array<std::int64_t>({variants.size(), n_items, n_features + 1});
    auto n_anew = make_array<std::int64_t>({variants.size()});
    std::vector<Variant> chosen;
    std::vector<VariantOutput> out;
    for (std::size_t v = 0; v < variants.size(); ++v) {
        const auto& [matrix, columns] = variants[v];
        check_items(draws, matrix);
        if (matrix.shape(1) != n_features) throw nb::value_error("numbers of features differ");
        chosen.push_back({to_allocation(matrix, 1), to_origin(columns, n_features)});
        out.push_back({overlaps.data() + v * draws.size(),
                       aligned.data() + v * n_items * n_features,
                       worth.data() + v * n_items * (n_features + 1), n_anew.data() + v});
    }
    const bool wide = is_wide(draws, n_features + 1);
    run(n_threads, [&](const Parallel& parallel) {
        if (wide)
            VariantPass<std::int32_t>(draws, known, chosen, out).run(parallel);
        else
            VariantPass<std::int16_t>(draws, known, chosen, out).run(parallel);
    });
    return nb::make_tuple(overlaps, aligned, worth, n_anew);
}

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

}  // namespace

void bind_passes(nb::module_& m) {
    nb::class_<AnyNeighbourhood>(m, "Neighbourhood")
        .def(nb::init<const Draws&, const Matrix&, std::size_t>(), "draws"_a, "matrix"_a,
             "n_threads"_a, nb::keep_alive<1, 2>())
        .def("flip", &AnyNeighbourhood::flip, "items"_a, "features"_a)
        .def("changes", &AnyNeighbourhood::changes)
        .def_prop_ro("matrix", &AnyNeighbourhood::matrix, nb::rv_policy::automatic)
        .def_prop_ro("sizes", &AnyNeighbourhood::sizes, nb::rv_policy::automatic)
        .def_prop_ro("total_overlap", &AnyNeighbourhood::total_overlap)
        .def_prop_ro("n_bytes", &AnyNeighbourhood::bytes);

    m.def("align", &align_all, "draws"_a, "matrix"_a, "with_permutations"_a, "with_counts"_a,
          "n_threads"_a);
    m.def("price_variants", &price_variants, "draws"_a, "reference"_a, "variants"_a, "n_threads"_a);
    m.def("grow_templates", &grow_templates, "draws"_a, "walks"_a, "n_rounds"_a, "n_threads"_a);
    m.def("measure", &measure_all, "draws"_a, "matrix"_a, "permutations"_a, "n_threads"_a);
    m.def("relabel", &relabel_some, "draws"_a, "permutations"_a, "first"_a, "n_threads"_a);
    m.def("item_counts", &item_counts, "draws"_a);
}

}  // namespace fangs::bindings
