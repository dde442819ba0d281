// The class Draws: packed from arrays of any type, and read back.
#include "storage/draws.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bindings/common.hpp"
#include "simd/machine.hpp"
#include "storage/bits.hpp"
#include "storage/hashes.hpp"
#include "storage/packing.hpp"

namespace fangs::bindings {

namespace {

// Appends a matrix and returns -1. If some value is neither 0 nor 1, appends nothing and returns
// the position of the first one, row by row.
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

// Appends a matrix given by the items of each column: column c has items[starts[c]] to
// items[starts[c + 1] - 1], each once.
void append_sparse(Draws& draws, const Indices& starts, const Indices& items) {
    if (starts.size() == 0 || starts.data()[0] != 0 ||
        starts.data()[starts.size() - 1] != static_cast<std::int64_t>(items.size()))
        throw nb::value_error("starts must lead from 0 to the number of items given");
    for (std::size_t c = 1; c < starts.size(); ++c)
        if (starts.data()[c] < starts.data()[c - 1]) throw nb::value_error("starts must not fall");
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items.data()[i] < 0 || static_cast<std::size_t>(items.data()[i]) >= draws.n_items())
            throw nb::index_error("no such item");
    draws.append_sparse(starts.data(), starts.size() - 1, items.data());
}

void extend(Draws& draws, const Draws& other) {
    if (other.n_items() != draws.n_items()) throw nb::value_error("wrong number of items");
    if (&other == &draws) throw nb::value_error("draws cannot be appended to themselves");
    draws.extend(other);
}

// Everything that restore_draws needs besides the numbers of items and columns.
nb::tuple draws_state(const Draws& draws) {
    const auto stream = draws.stream();
    auto words = make_array<std::uint64_t>({stream.size()});
    std::copy(stream.begin(), stream.end(), words.data());
    std::size_t total = 0;
    for (std::size_t b = 0; b < draws.size(); ++b) total += draws.n_columns(b);
    auto kept = make_array<std::uint8_t>({total});
    std::uint8_t* first = kept.data();
    for (std::size_t b = 0; b < draws.size(); first += draws.n_columns(b), ++b)
        draws.for_each_kept(b, [&](std::size_t c) { first[c] = 1; });
    return nb::make_tuple(words, kept);
}

Draws restore_draws(std::size_t n_items, const Words& words, const Indices& n_columns,
                    const Flags& kept) {
    std::size_t total = 0, n_features = 0;
    for (std::size_t b = 0; b < n_columns.size(); ++b) {
        if (n_columns.data()[b] < 0) throw nb::value_error("a draw has no negative width");
        total += static_cast<std::size_t>(n_columns.data()[b]);
    }
    if (total != kept.size()) throw nb::value_error("kept must have a value per column");
    for (std::size_t c = 0; c < total; ++c) n_features += kept.data()[c] != 0 ? 1 : 0;
    if (n_items == 0 || words.size() != words_for(n_features * n_items))
        throw nb::value_error("the words do not hold these features");
    return Draws::restore(n_items, {words.data(), words.size()},
                          {n_columns.data(), n_columns.size()}, kept.data());
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

Array<std::int64_t> kept_columns(const Draws& draws, std::size_t draw) {
    check_draw(draws, draw);
    auto out = make_array<std::int64_t>({draws.n_features(draw)});
    std::int64_t* next = out.data();
    draws.for_each_kept(draw, [&](std::size_t c) { *next++ = static_cast<std::int64_t>(c); });
    return out;
}

Draws on_words(const Draws& draws, const Indices& wanted, const Indices& words,
               const Threads& threads) {
    const std::vector<std::size_t> chosen = to_indices(draws, wanted);
    const std::vector<std::size_t> chosen_words(words.data(), words.data() + words.size());
    for (const std::size_t word : chosen_words)
        if (word >= draws.n_items() / word_bits) throw nb::index_error("no such whole word");
    Draws out(chosen_words.size() * word_bits);
    run_checked(threads, [&](auto check) { out = draws.on_words(chosen, chosen_words, check); });
    return out;
}

Draws select_draws(const Draws& draws, const Indices& wanted, const Threads& threads) {
    const std::vector<std::size_t> chosen = to_indices(draws, wanted);
    Draws out(draws.n_items());
    run_checked(threads, [&](auto check) { out = draws.select(chosen, check); });
    return out;
}

Array<std::int64_t> ones(const Draws& draws) {
    auto out = make_array<std::int64_t>({draws.size()});
    run_checked([&](auto check) {
        for (std::size_t b = 0; b < draws.size(); ++b) {
            check(draws.n_features(b) * draws.n_words());
            with_popcnt(
                [&]() FANGS_INLINE { out.data()[b] = static_cast<std::int64_t>(draws.n_ones(b)); });
        }
    });
    return out;
}

Array<std::uint64_t> hashes(const Draws& draws) {
    auto out = make_array<std::uint64_t>({draws.size()});
    run_checked([&](auto check) { hash_draws(draws, out.data(), check); });
    return out;
}

template <class Count>
Array<std::int64_t> per_draw(const Draws& draws, Count&& count) {
    auto out = make_array<std::int64_t>({draws.size()});
    for (std::size_t b = 0; b < draws.size(); ++b)
        out.data()[b] = static_cast<std::int64_t>(count(b));
    return out;
}

}  // namespace

void bind_draws(nb::module_& m) {
    nb::class_<Draws>(m, "Draws")
        .def(nb::init<std::size_t>(), "n_items"_a)
        .def("reserve", &Draws::reserve, "n_draws"_a, "n_features"_a)
        .def("append", &append, "matrix"_a)
        .def("append_sparse", &append_sparse, "starts"_a, "items"_a)
        .def("extend", &extend, "other"_a)
        .def("state", &draws_state)
        .def_static("restore", &restore_draws, "n_items"_a, "words"_a, "n_columns"_a, "kept"_a)
        .def("shrink_to_fit", &Draws::shrink_to_fit)
        .def("__len__", &Draws::size)
        .def("read", &read_draw, "draw"_a)
        .def("columns", &kept_columns, "draw"_a)
        .def("select", &select_draws, "draws"_a, "threads"_a = Threads(1))
        .def("on_words", &on_words, "draws"_a, "words"_a, "threads"_a)
        .def("hashes", &hashes)
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
        .def("n_ones", &ones);
}

}  // namespace fangs::bindings
