// The class Threads: how many a pass may use, and until when.
#include "bindings/common.hpp"

namespace fangs::bindings {

void bind_threads(nb::module_& m) {
    nb::class_<Threads>(m, "Threads")
        .def(nb::init<std::size_t>(), "n_threads"_a)
        .def(nb::init<std::size_t, double>(), "n_threads"_a, "seconds"_a)
        .def_ro("n_threads", &Threads::n_threads);
    nb::implicitly_convertible<std::size_t, Threads>();
}

}  // namespace fangs::bindings
