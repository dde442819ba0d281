// The Python module fangs._sampler: the Gibbs sampler of fangs.simulate.
// Checks what memory safety needs; everything else is validated in fangs.simulate.
#include "sampler/sampler.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/common.hpp"

namespace fangs::bindings {

namespace {

template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T, class Array>
[[nodiscard]] std::span<const T> view(const Array& array) {
    return {array.data(), array.size()};
}

template <class T>
[[nodiscard]] auto owned(std::vector<T> values, std::initializer_list<std::size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(kept->data(), shape, owner);
}

[[nodiscard]] Positive as_positive(const Vector<double>& spec) {
    if (spec.shape(0) != 3) throw std::invalid_argument("a positive number is value, shape, rate");
    return {spec(0), spec(1), spec(2)};
}

class Chain {
public:
    Chain(const Table<double>& data, const Table<double>& share, const Table<std::uint8_t>& matrix,
          const Vector<double>& alpha, const Vector<double>& sigma_x, const Vector<double>& sigma_a,
          const Vector<std::uint64_t>& state)
        : n_(data.shape(0)),
          d_(data.shape(1)),
          sampler_(build(data, share, matrix, alpha, sigma_x, sigma_a, state)) {}

    bool run(std::size_t n_sweeps) {
        nb::gil_scoped_release released;
        return sampler_.run(n_sweeps, stop_);
    }
    void stop() noexcept { stop_ = true; }

    void set_data(const Table<double>& data) {
        if (data.shape(0) != n_ || data.shape(1) != d_)
            throw std::invalid_argument("data has another shape than before");
        sampler_.set_data(view<double>(data));
    }

    [[nodiscard]] auto matrix() const {
        const auto& model = sampler_.model();
        const std::size_t k = model.n_features();
        std::vector<std::uint8_t> z(n_ * k);
        for (std::size_t i = 0; i < n_; ++i)
            std::copy_n(model.matrix().data() + i * model.stride(), k, z.data() + i * k);
        return owned(std::move(z), {n_, k});
    }

    [[nodiscard]] nb::tuple conditionals(std::size_t item) {
        if (item >= n_) throw std::out_of_range("item");
        auto c = sampler_.conditionals(item);
        const std::size_t k = c.log_odds.size(), s = c.singles.size();
        return nb::make_tuple(owned(std::move(c.matrix), {n_, k}),
                              owned(std::move(c.log_odds), {k}), owned(std::move(c.singles), {s}),
                              c.n_singles);
    }

    [[nodiscard]] double log_likelihood() { return sampler_.log_likelihood(); }
    [[nodiscard]] double alpha() const noexcept { return sampler_.alpha(); }
    [[nodiscard]] double sigma_x() const noexcept { return sampler_.model().sigma_x(); }
    [[nodiscard]] double sigma_a() const noexcept { return sampler_.model().sigma_a(); }

private:
    [[nodiscard]] static GibbsSampler build(const Table<double>& data, const Table<double>& share,
                                            const Table<std::uint8_t>& matrix,
                                            const Vector<double>& alpha,
                                            const Vector<double>& sigma_x,
                                            const Vector<double>& sigma_a,
                                            const Vector<std::uint64_t>& state) {
        const std::size_t n = data.shape(0), d = data.shape(1), k = matrix.shape(1);
        if (n == 0 || matrix.shape(0) != n || state.shape(0) != 4 ||
            (share.size() != 0 && (share.shape(0) != n || share.shape(1) != n)))
            throw std::invalid_argument("shapes of data, share, matrix or state do not fit");
        const Positive x = as_positive(sigma_x), a = as_positive(sigma_a);
        return GibbsSampler(LinearGaussian(view<double>(data), n, d, view<std::uint8_t>(matrix), k,
                                           x.value, a.value),
                            FeaturePrior(n, view<double>(share)), as_positive(alpha), x, a,
                            {state(0), state(1), state(2), state(3)});
    }

    std::size_t n_, d_;
    GibbsSampler sampler_;
    std::atomic<bool> stop_{false};
};

}  // namespace

}  // namespace fangs::bindings

NB_MODULE(_sampler, m) {  // NOLINT(performance-unnecessary-value-param): nanobind's own
    using namespace fangs::bindings;
    nb::set_leak_warnings(false);
    m.doc() = "The compiled sampler of fangs.simulate.";
    nb::class_<Chain>(m, "GibbsChain")
        .def(nb::init<Table<double>, Table<double>, Table<std::uint8_t>, Vector<double>,
                      Vector<double>, Vector<double>, Vector<std::uint64_t>>(),
             nb::arg("data"), nb::arg("share"), nb::arg("matrix"), nb::arg("alpha"),
             nb::arg("sigma_x"), nb::arg("sigma_a"), nb::arg("state"))
        .def("run", &Chain::run, nb::arg("n_sweeps"))
        .def("stop", &Chain::stop)
        .def("set_data", &Chain::set_data, nb::arg("data"))
        .def("matrix", &Chain::matrix)
        .def("conditionals", &Chain::conditionals, nb::arg("item"))
        .def("log_likelihood", &Chain::log_likelihood)
        .def_prop_ro("alpha", &Chain::alpha)
        .def_prop_ro("sigma_x", &Chain::sigma_x)
        .def_prop_ro("sigma_a", &Chain::sigma_a);
}
