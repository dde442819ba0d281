// What all bindings share: array types, checks that memory safety needs, results as owning arrays.
// Only cpp/bindings/ knows nanobind (nanobind.readthedocs.io). Python validates, C++ computes.
// Passes run with the GIL released.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "matching/width.hpp"
#include "passes/threads.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"
#include "storage/packing.hpp"
#include "storage/weights.hpp"

namespace fangs::bindings {

namespace nb = nanobind;
using namespace nb::literals;

using AnyMatrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Matrix = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Words = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Permutations = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array = nb::ndarray<nb::numpy, T>;

template <class T>
inline constexpr const char* dtype_name = nullptr;
template <>
inline constexpr const char* dtype_name<bool> = "bool";
template <>
inline constexpr const char* dtype_name<std::uint8_t> = "uint8";
template <>
inline constexpr const char* dtype_name<std::int32_t> = "int32";
template <>
inline constexpr const char* dtype_name<std::int64_t> = "int64";
template <>
inline constexpr const char* dtype_name<std::uint64_t> = "uint64";
template <>
inline constexpr const char* dtype_name<double> = "float64";

// Makes a Ctrl-C that came meanwhile an exception; the GIL is held.
inline void check_signals() {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// An array of zeros. NumPy makes it, because it asks for large pages: touching fresh memory in
// small pages takes longer than counting. A Ctrl-C that waits is taken first: nanobind asks NumPy
// for more than NumPy before 2.1 knows, which has the handler run, and drops what that raises.
template <class T>
Array<T> make_array(std::initializer_list<std::size_t> shape) {
    static_assert(dtype_name<T> != nullptr);
    nb::list extents;
    for (const std::size_t extent : shape) extents.append(extent);
    const nb::object array =
        nb::module_::import_("numpy").attr("zeros")(nb::tuple(extents), dtype_name<T>);
    check_signals();
    return nb::cast<Array<T>>(array);
}

// How many threads a pass may use, and until when it may run.
struct Threads {
    using Clock = std::chrono::steady_clock;

    Threads(std::size_t n) : n_threads(n) {}  // without a deadline
    Threads(std::size_t n, double seconds)
        : n_threads(n),
          deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(std::min(seconds, 1e9)))) {}

    std::size_t n_threads;
    std::optional<Clock::time_point> deadline = std::nullopt;
};

// Runs a pass with the GIL released. A Ctrl-C meanwhile becomes KeyboardInterrupt; once the time
// is over, OutOfTimeError.
template <class Pass>
void run(const Threads& threads, Pass&& pass) {
    const auto check_deadline = [&] {
        if (threads.deadline && Threads::Clock::now() >= *threads.deadline) throw OutOfTime();
    };
    const auto ask = [&] {
        {
            const nb::gil_scoped_acquire acquired;
            if (PyErr_CheckSignals() != 0) throw Interrupted();
        }
        check_deadline();
    };
    check_deadline();  // a short pass may end before it asks
    try {
        const nb::gil_scoped_release released;
        pass(Parallel{threads.n_threads, ask});
    } catch (const Interrupted&) {
        throw nb::python_error();
    }
}

// The same for work of one thread; work(check) calls its Check often.
template <class Work>
void run_checked(const Threads& threads, Work&& work) {
    run(threads, [&](const Parallel& parallel) { work(Check(Checkpoint(parallel.ask))); });
}

template <class Work>
void run_checked(Work&& work) {
    run_checked(Threads(1), std::forward<Work>(work));
}

// The size of matchings between an allocation and any of the draws.
[[nodiscard]] inline MatchingSize matching_size(const Draws& draws, std::size_t n_features) {
    return {draws.n_items(), n_features, draws.max_features()};
}

[[nodiscard]] inline Allocation to_allocation(const Matrix& matrix) {
    const std::size_t n_items = matrix.shape(0), n_features = matrix.shape(1);
    Packer packer;
    static_cast<void>(packer.pack(Strided<std::uint8_t>{
        matrix.data(), n_items, n_features, static_cast<std::ptrdiff_t>(n_features), 1}));
    return {n_items, n_features, packer.take_columns()};
}

inline void check_draw(const Draws& draws, std::size_t draw) {
    if (draw >= draws.size()) throw nb::index_error("no such draw");
}

[[nodiscard]] inline std::vector<std::size_t> to_indices(const Draws& draws,
                                                         const Indices& chosen) {
    std::vector<std::size_t> out(chosen.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<std::size_t>(chosen.data()[i]);
        check_draw(draws, out[i]);
    }
    return out;
}

// One weight per draw, or none: every draw counts once. Tallies hold 255 of the largest.
using OptionalWeights = std::optional<Indices>;
inline constexpr std::int64_t max_weight_of_draw = std::int64_t{1} << 54;

[[nodiscard]] inline DrawWeights to_weights(const Draws& draws, const OptionalWeights& weights) {
    if (!weights) return {};
    if (weights->size() != draws.size()) throw nb::value_error("wrong number of weights");
    std::vector<std::int64_t> values(weights->data(), weights->data() + weights->size());
    for (const std::int64_t value : values)
        if (value < 0 || value > max_weight_of_draw) throw nb::value_error("no such weight");
    return DrawWeights(std::move(values));
}

inline void check_items(const Draws& draws, const Matrix& matrix) {
    if (matrix.shape(0) != draws.n_items()) throw nb::value_error("wrong number of items");
}

// One per file of this folder; module.cpp calls them all.
void bind_threads(nb::module_& m);
void bind_draws(nb::module_& m);
void bind_passes(nb::module_& m);
void bind_neighbourhood(nb::module_& m);
void bind_bounds(nb::module_& m);
void bind_pricing(nb::module_& m);
void bind_matching(nb::module_& m);

}  // namespace fangs::bindings
