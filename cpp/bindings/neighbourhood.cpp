// The class Neighbourhood: an allocation with all its matchings, and flips.
#include "passes/neighbourhood.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/common.hpp"
#include "matching/width.hpp"

namespace fangs::bindings {

namespace {

// Neighbourhood of either width.
class AnyNeighbourhood {
    template <class Visitor>
    auto visit(Visitor&& visitor) {
        return std::visit([&](auto& state) { return visitor(*state); }, state_);
    }

public:
    AnyNeighbourhood(const Draws& draws, const OptionalWeights& given, const Matrix& matrix,
                     bool with_support, const Threads& threads)
        : n_items_(draws.n_items()), n_features_(matrix.shape(1)), threads_(threads) {
        check_items(draws, matrix);
        Allocation allocation = to_allocation(matrix);
        DrawWeights weights = to_weights(draws, given);
        std::int64_t* support = new_support(with_support);
        with_width(matching_size(draws, allocation.n_features()), [&]<class T>(T) {
            run(threads_, [&](const Parallel& parallel) {
                state_ = std::make_unique<Neighbourhood<T>>(
                    draws, std::move(weights), std::move(allocation), support, parallel);
            });
        });
        has_support_ = with_support;
    }

    void flip(const Indices& items, const Indices& features, bool with_support) {
        if (items.size() != features.size()) throw nb::value_error("items and features differ");
        std::vector<Flip> flips(items.size());
        for (std::size_t f = 0; f < flips.size(); ++f) {
            flips[f] = {static_cast<std::size_t>(items.data()[f]),
                        static_cast<std::size_t>(features.data()[f])};
            if (flips[f].item >= n_items_ || flips[f].feature >= n_features_)
                throw nb::index_error("no such entry");
        }
        std::vector<std::pair<std::size_t, std::size_t>> entries;
        entries.reserve(flips.size());
        for (const auto& [item, feature] : flips) entries.emplace_back(item, feature);
        std::sort(entries.begin(), entries.end());
        if (std::adjacent_find(entries.begin(), entries.end()) != entries.end())
            throw nb::value_error("an entry is named twice");
        std::int64_t* support = new_support(with_support);
        visit([&](auto& state) {
            run(threads_, [&](const Parallel& parallel) { state.flip(flips, support, parallel); });
        });
        has_support_ = with_support;
    }

    // Computed on first use, unless the last flip computed it.
    [[nodiscard]] Array<std::int64_t> flip_support() {
        if (!has_support_) {
            std::int64_t* support = new_support(true);
            visit([&](auto& state) {
                run(threads_,
                    [&](const Parallel& parallel) { state.flip_support(support, parallel); });
            });
            has_support_ = true;
        }
        return support_;
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

    // Number of items of each feature.
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
    // A new array, because Python may still hold the old one.
    [[nodiscard]] std::int64_t* new_support(bool is_wanted) {
        has_support_ = false;  // until a pass has filled it
        if (!is_wanted) return nullptr;
        support_ = make_array<std::int64_t>({n_items_, n_features_});
        return support_.data();
    }

    std::size_t n_items_, n_features_;
    Threads threads_;
    bool has_support_ = false;
    Array<std::int64_t> support_;  // (n_items, n_features)
    std::variant<std::unique_ptr<Neighbourhood<std::int16_t>>,
                 std::unique_ptr<Neighbourhood<std::int32_t>>>
        state_;
};

}  // namespace

void bind_neighbourhood(nb::module_& m) {
    nb::class_<AnyNeighbourhood>(m, "Neighbourhood")
        .def(nb::init<const Draws&, const OptionalWeights&, const Matrix&, bool, const Threads&>(),
             "draws"_a, "weights"_a.none(), "matrix"_a, "with_support"_a, "threads"_a,
             nb::keep_alive<1, 2>())
        .def("flip", &AnyNeighbourhood::flip, "items"_a, "features"_a, "with_support"_a)
        .def("flip_support", &AnyNeighbourhood::flip_support)
        .def_prop_ro("matrix", &AnyNeighbourhood::matrix, nb::rv_policy::automatic)
        .def_prop_ro("sizes", &AnyNeighbourhood::sizes, nb::rv_policy::automatic)
        .def_prop_ro("total_overlap", &AnyNeighbourhood::total_overlap)
        .def_prop_ro("n_bytes", &AnyNeighbourhood::bytes);
}

}  // namespace fangs::bindings
